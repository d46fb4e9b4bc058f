terraform {
  encryption {
    method "unencrypted" "u" {}
  }
}
