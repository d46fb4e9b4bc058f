# S3, DynamoDB, STS and the services that give credentials (s3.py), with the bucket tfb and the table locks.
start() {
  local port=$(free_port)
  spawn python3 "$here/s3.py" --port "$port" --stay --log "$D/log.jsonl"
  wait_for curl -sf "http://127.0.0.1:$port/_control"
  echo "XPLAN_TEST_S3=http://127.0.0.1:$port"
}
