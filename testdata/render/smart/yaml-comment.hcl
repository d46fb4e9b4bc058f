# A comment that means something: the structure does not tell it, so lines are shown.
type = "aws_launch_template"
before = { id = "lt-1", user_data = "#cloud-config\npackages:\n  - nginx\n  - curl\nruncmd:\n  - systemctl start nginx\n" }
after  = { id = "lt-1", user_data = "# cloud-config\npackages:\n  - nginx\n  - curl\n  - jq\nruncmd:\n  - systemctl start nginx\n" }
