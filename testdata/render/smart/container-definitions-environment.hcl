# A variable is added in front, another one changes, a container goes away.
type = "aws_ecs_task_definition"
before = {
  family = "web"
  container_definitions = jsonencode([
    { name = "log-router", image = "fluent-bit:2", essential = false },
    { name = "app", image = "app:1", memory = 512,
    environment = [{ name = "LOG_LEVEL", value = "info" }, { name = "REGION", value = "eu-central-1" }, { name = "QUEUE", value = "jobs" }] },
  ])
}
after = {
  family = "web"
  container_definitions = jsonencode([
    { name = "app", image = "app:1", memory = 1024,
    environment = [{ name = "FEATURES", value = "new-ui" }, { name = "LOG_LEVEL", value = "debug" }, { name = "REGION", value = "eu-central-1" }, { name = "QUEUE", value = "jobs" }] },
  ])
}
