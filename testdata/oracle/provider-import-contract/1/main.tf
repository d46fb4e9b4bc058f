terraform {
  required_providers {
    mock = {
      source = "xplan/mock"
    }
  }
}

resource "mock_ok" "x" {
  name = "x1"
}
import {
  to = mock_ok.x
  id = "x1"
}

resource "mock_null" "x" {
  name = "x1"
}
import {
  to = mock_null.x
  id = "x1"
}

resource "mock_wrong" "x" {
  name = "x1"
}
import {
  to = mock_wrong.x
  id = "x1"
}

resource "mock_malformed" "x" {
  name = "x1"
}
import {
  to = mock_malformed.x
  id = "x1"
}

resource "mock_fails" "x" {
  name = "x1"
}
import {
  to = mock_fails.x
  id = "x1"
}

resource "mock_unknown" "x" {
  name = "x1"
}
import {
  to = mock_unknown.x
  id = "x1"
}

resource "mock_gone" "x" {
  name = "x1"
}
import {
  to = mock_gone.x
  id = "x1"
}

resource "mock_readfails" "x" {
  name = "x1"
}
import {
  to = mock_readfails.x
  id = "x1"
}

resource "mock_warns" "x" {
  name = "x1"
}
import {
  to = mock_warns.x
  id = "x1"
}

resource "mock_readwrong" "x" {
  name = "x1"
}
import {
  to = mock_readwrong.x
  id = "x1"
}

resource "mock_secret" "x" {
  name = "x1"
}
import {
  to = mock_secret.x
  id = "x1"
}

resource "mock_private" "x" {
  name = "x1"
}
import {
  to = mock_private.x
  id = "x1"
}
