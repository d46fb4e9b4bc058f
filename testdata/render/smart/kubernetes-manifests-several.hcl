type = "kubectl_manifest_set"
before = {
  id      = "shop"
  content = <<-EOT
    ---
    apiVersion: v1
    kind: Service
    metadata:
      name: web
    spec:
      ports:
        - port: 80
          targetPort: 8080
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: web
    data:
      mode: fast
    ---
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata:
      name: web
    spec:
      minReplicas: 2
      maxReplicas: 5
  EOT
}
after = {
  id      = "shop"
  content = <<-EOT
    ---
    apiVersion: v1
    kind: Service
    metadata:
      name: web
    spec:
      ports:
        - port: 80
          targetPort: 9090
    ---
    apiVersion: autoscaling/v2
    kind: HorizontalPodAutoscaler
    metadata:
      name: web
    spec:
      minReplicas: 2
      maxReplicas: 8
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: web
    data:
      mode: fast
  EOT
}
