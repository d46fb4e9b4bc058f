# Google Cloud Storage and the services that give tokens (gcs.py), with the bucket tfb.
start() {
  local port=$(free_port)
  spawn python3 "$here/gcs.py" --port "$port" --stay --log "$D/log.jsonl"
  wait_for curl -sf "http://127.0.0.1:$port/_control"
  echo "XPLAN_TEST_GCS=http://127.0.0.1:$port"
}
