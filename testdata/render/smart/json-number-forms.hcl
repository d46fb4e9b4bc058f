type = "grafana_dashboard"
before = { id = "d", config_json = "{\"refresh\": 10.0, \"scale\": 1e2, \"title\": \"Ops\"}" }
after  = { id = "d", config_json = "{\"refresh\": 10, \"scale\": 100, \"title\": \"Ops\"}" }
