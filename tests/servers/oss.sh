# Alibaba Cloud's object storage, TableStore, STS and metadata (oss.py), with the bucket tfb and the table locks; it is a proxy.
start() {
  local port=$(free_port)
  spawn python3 "$here/oss.py" --port "$port" --certificate "$D/oss.pem" --stay
  wait_for curl -sf "http://127.0.0.1:$port/_control"
  echo "XPLAN_TEST_OSS=http://127.0.0.1:$port"
  echo "XPLAN_TEST_OSS_CERTIFICATE=$D/oss.pem"
}
