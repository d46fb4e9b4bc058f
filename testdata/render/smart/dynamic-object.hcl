type = "kubernetes_manifest"
dynamic = { manifest = true }
before = {
  manifest = {
    apiVersion = "apps/v1", kind = "Deployment", metadata = { name = "web", labels = { app = "web" } }
    spec = { replicas = 2, template = { spec = { containers = [
      { name = "init", image = "busybox:1" }, { name = "web", image = "web:1", args = ["--a", "--b"] },
    ] } } }
  }
}
after = {
  manifest = {
    apiVersion = "apps/v1", kind = "Deployment", metadata = { name = "web", labels = { app = "web" } }
    spec = { replicas = 2, template = { spec = { containers = [
      { name = "init", image = "busybox:1" }, { name = "web", image = "web:2", args = ["--a", "--verbose", "--b"] },
    ] } } }
  }
}
