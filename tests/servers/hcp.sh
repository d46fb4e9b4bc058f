# HCP Terraform's API for states, workspaces and locks (hcp.py), at app.example.test behind a proxy with a certificate of its own.
start() {
  local port=$(free_port)
  spawn python3 "$here/hcp.py" "$D" "$port"
  wait_for curl -sf "http://127.0.0.1:$port/_control"
  echo "XPLAN_TEST_HCP=http://127.0.0.1:$port"
  echo "XPLAN_TEST_HCP_CERT=$D/cert.pem"
}
