type = "aws_instance"
replace = ["user_data"]
before = {
  id            = "i-0abc"
  instance_type = "t3.micro"
  user_data     = <<-EOT
    #!/bin/bash
    set -euo pipefail
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    apt-get install -y nginx curl
    cat >/etc/nginx/conf.d/app.conf <<CONF
    server {
      listen 80;
      location / {
        proxy_pass http://127.0.0.1:8080;
      }
    }
    CONF
    systemctl enable nginx
    systemctl restart nginx
    curl -fsS http://127.0.0.1/health
  EOT
}
after = {
  id            = unknown
  instance_type = "t3.micro"
  user_data     = <<-EOT
    #!/bin/bash
    set -euo pipefail
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    apt-get install -y nginx curl jq
    cat >/etc/nginx/conf.d/app.conf <<CONF
    server {
      listen 80;
      location / {
        proxy_pass http://127.0.0.1:8080;
      }
    }
    CONF
    systemctl enable nginx
    systemctl restart nginx
    curl -fsS http://127.0.0.1/health
    echo ready >/run/app.ready
  EOT
}
