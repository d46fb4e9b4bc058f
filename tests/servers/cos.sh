# Tencent Cloud's object storage, tags and STS (cos.py), with the bucket tfb-125; it is a proxy.
start() {
  local port=$(free_port)
  spawn python3 "$here/cos.py" --port "$port" --certificate "$D/cos.pem" --stay
  wait_for curl -sf "http://127.0.0.1:$port/_control"
  echo "XPLAN_TEST_COS=http://127.0.0.1:$port"
  echo "XPLAN_TEST_COS_CERTIFICATE=$D/cos.pem"
}
