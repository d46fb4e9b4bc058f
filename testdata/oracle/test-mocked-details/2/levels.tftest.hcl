mock_provider "mock" {
  override_resource {
    target = mock_bucket.b
    values = {
      arn = "provider"
    }
  }
  override_data {
    target = data.mock_image.i
    values = {
      owner = "provider"
    }
  }
}
override_resource {
  target = mock_bucket.b[1]
  values = {
    arn = "file"
  }
}
run "provider_and_file" {
  assert {
    condition     = output.all == ["provider", "file", "provider", "provider"]
    error_message = jsonencode(output.all)
  }
}
run "run_level" {
  state_key = "two"
  override_resource {
    target = mock_bucket.b
    values = {
      arn = "run"
    }
  }
  override_resource {
    target = terraform_data.d
    values = {
      output = "run d"
    }
  }
  override_data {
    target = data.mock_image.i
    values = {
      owner = "run"
    }
  }
  assert {
    condition     = output.all == ["run", "file", "run d", "run"]
    error_message = jsonencode(output.all)
  }
}
