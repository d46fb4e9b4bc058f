type = "kubectl_manifest"
before = {
  id        = "/apis/apps/v1/namespaces/shop/deployments/web"
  yaml_body = <<-EOT
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      namespace: shop
      labels:
        app.kubernetes.io/name: web
    spec:
      replicas: 2
      selector:
        matchLabels:
          app: web
      template:
        metadata:
          labels:
            app: web
        spec:
          containers:
            - name: web
              image: ghcr.io/acme/web:1.25.4
              ports:
                - containerPort: 8080
              resources:
                limits:
                  memory: 256Mi
  EOT
}
after = {
  id        = "/apis/apps/v1/namespaces/shop/deployments/web"
  yaml_body = <<-EOT
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      namespace: shop
      labels:
        app.kubernetes.io/name: web
        app.kubernetes.io/part-of: shop
    spec:
      replicas: 3
      selector:
        matchLabels:
          app: web
      template:
        metadata:
          labels:
            app: web
        spec:
          containers:
            - name: web
              image: ghcr.io/acme/web:1.27.0
              ports:
                - containerPort: 8080
              resources:
                limits:
                  memory: 256Mi
  EOT
}
