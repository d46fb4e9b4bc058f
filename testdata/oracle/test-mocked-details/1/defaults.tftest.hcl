mock_provider "mock" {
  mock_resource "mock_bucket" {
    defaults = {
      arn = "arn:made"
      rule = {
        state = "mocked"
      }
    }
  }
  mock_resource "mock_instance" {
    defaults = {
      ips  = ["1.1.1.1", "2.2.2.2"]
      meta = { zone = "zz" }
      disk = { device = "nvme" }
    }
  }
  mock_data "mock_image" {
    defaults = {
      id    = "img-1"
      zones = ["x"]
    }
  }
}
run "applied" {
  assert {
    condition     = output.arn == "arn:made" && mock_bucket.b.rule[1].state == "mocked"
    error_message = "bucket ${jsonencode(mock_bucket.b.rule)}"
  }
  assert {
    condition     = mock_instance.i[0].ips[1] == "2.2.2.2" && mock_instance.i[1].meta.zone == "zz" && mock_instance.i[1].meta.cpus == 0
    error_message = "instance"
  }
  assert {
    condition     = mock_instance.i[0].disk[1].device == "nvme"
    error_message = "disk ${jsonencode(mock_instance.i[0].disk)}"
  }
  assert {
    condition     = mock_instance.i[0].image == "img-1" && output.zones == tolist(["x"])
    error_message = "image"
  }
  assert {
    condition     = length(mock_bucket.b.etag) == 8 && mock_bucket.b.acl != null && length(data.mock_image.ubuntu.owner) == 8
    error_message = "made up"
  }
}
run "planned" {
  command = plan
  assert {
    condition     = output.arn == "arn:made"
    error_message = "known from the state"
  }
}
