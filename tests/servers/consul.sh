# Keys, sessions and locks as Consul has them (consul.py), with its log.
start() {
  local port=$(free_port)
  spawn python3 "$here/consul.py" --port "$port" --stay --log "$D/log.jsonl"
  wait_for curl -sf "http://127.0.0.1:$port/_control"
  echo "XPLAN_TEST_CONSUL=http://127.0.0.1:$port"
}
