# The reference does not know this block; what is in it is looked at when a state or a plan file is used.
variable "passphrase" {
  type      = string
  default   = "only for an example"
  sensitive = true
}

terraform {
  encryption {
    key_provider "pbkdf2" "main" {
      passphrase = var.passphrase
    }
    method "aes_gcm" "main" {
      keys = key_provider.pbkdf2.main
    }
    method "unencrypted" "before" {}
    state {
      method = method.aes_gcm.main
      fallback {
        method = method.unencrypted.before
      }
    }
    plan {
      method   = method.aes_gcm.main
      enforced = true
    }
    remote_state_data_sources {
      default {
        method = method.aes_gcm.main
      }
      remote_state_data_source "net" {
        method = method.unencrypted.before
      }
    }
  }
}
