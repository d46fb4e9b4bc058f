type = "aws_ecs_task_definition"
replace = ["container_definitions"]
before = {
  family   = "web"
  cpu      = "512"
  revision = 41
  container_definitions = jsonencode([
    { name = "envoy", image = "envoyproxy/envoy:v1.29.1", essential = true, memory = 128 },
    { name = "app", image = "registry.acme.example/team/app:2024-05-01.3", essential = true, memory = 512,
      environment = [{ name = "LOG_LEVEL", value = "info" }, { name = "REGION", value = "eu-central-1" }],
    portMappings = [{ containerPort = 8080, protocol = "tcp" }] },
  ])
}
after = {
  family   = "web"
  cpu      = "512"
  revision = unknown
  container_definitions = jsonencode([
    { name = "envoy", image = "envoyproxy/envoy:v1.29.1", essential = true, memory = 128 },
    { name = "app", image = "registry.acme.example/team/app:2024-05-07.1", essential = true, memory = 512,
      environment = [{ name = "LOG_LEVEL", value = "info" }, { name = "REGION", value = "eu-central-1" }],
    portMappings = [{ containerPort = 8080, protocol = "tcp" }] },
  ])
}
