terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_a" "ok" {
  name  = "ok1"
  text  = "a"
  force = "1"
}
resource "mock_a" "after_ok" {
  name = "after_ok"
  text = mock_a.ok.text
}
resource "mock_a" "make_bad" {
  name  = "make_bad1"
  text  = "bad"
  force = "1"
}
resource "mock_a" "after_make_bad" {
  name = "after_make_bad"
  text = mock_a.make_bad.text
}
resource "mock_a" "make_none" {
  name  = "make_none1"
  text  = "none"
  force = "1"
}
resource "mock_a" "after_make_none" {
  name = "after_make_none"
  text = mock_a.make_none.text
}
resource "mock_a" "cbd_ok" {
  name  = "cbd_ok1"
  text  = "a"
  force = "1"
  lifecycle {
    create_before_destroy = true
  }
}
resource "mock_a" "after_cbd_ok" {
  name = "after_cbd_ok"
  text = mock_a.cbd_ok.text
}
resource "mock_a" "cbd_bad" {
  name  = "cbd_bad1"
  text  = "a"
  force = "1"
  lifecycle {
    create_before_destroy = true
  }
}
resource "mock_a" "after_cbd_bad" {
  name = "after_cbd_bad"
  text = mock_a.cbd_bad.text
}
resource "mock_a" "cbd_none" {
  name  = "cbd_none1"
  text  = "a"
  force = "1"
  lifecycle {
    create_before_destroy = true
  }
}
resource "mock_a" "after_cbd_none" {
  name = "after_cbd_none"
  text = mock_a.cbd_none.text
}
resource "mock_a" "rep_bad" {
  name  = "rep_bad1"
  text  = "a"
  force = "1"
}
resource "mock_a" "after_rep_bad" {
  name = "after_rep_bad"
  text = mock_a.rep_bad.text
}
resource "mock_a" "rep_none" {
  name  = "rep_none1"
  text  = "a"
  force = "1"
}
resource "mock_a" "after_rep_none" {
  name = "after_rep_none"
  text = mock_a.rep_none.text
}
resource "mock_a" "rep_stuck" {
  name  = "rep_stuck1"
  text  = "stuck"
  force = "1"
}
resource "mock_a" "after_rep_stuck" {
  name = "after_rep_stuck"
  text = mock_a.rep_stuck.text
}
resource "mock_a" "upd_bad" {
  name  = "upd_bad1"
  text  = "a"
  force = "1"
}
resource "mock_a" "after_upd_bad" {
  name = "after_upd_bad"
  text = mock_a.upd_bad.text
}
resource "mock_a" "upd_none" {
  name  = "upd_none1"
  text  = "a"
  force = "1"
}
resource "mock_a" "after_upd_none" {
  name = "after_upd_none"
  text = mock_a.upd_none.text
}
resource "mock_a" "cbd_stuck" {
  name  = "cbd_stuck1"
  text  = "stuck"
  force = "1"
  lifecycle {
    create_before_destroy = true
  }
}
resource "mock_a" "after_cbd_stuck" {
  name = "after_cbd_stuck"
  text = mock_a.cbd_stuck.text
}
resource "mock_a" "cbd_new_none" {
  name  = "cbd_new_none1"
  text  = "a"
  force = "1"
}
resource "mock_a" "cbd_new_upd" {
  name  = "cbd_new_upd1"
  text  = "a"
  force = "1"
}
resource "mock_a" "cbd_gone_none" {
  name  = "cbd_gone_none1"
  text  = "a"
  force = "1"
  lifecycle {
    create_before_destroy = true
  }
}
