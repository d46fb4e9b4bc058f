# Dynalite, tables as DynamoDB has them, with the table locks. It comes from npm, and takes Node.
npm_packages=(dynalite@4)
installed() { command -v node >/dev/null && [ -x "$npm/dynalite" ]; }
start() {
  local port=$(free_port) table='{"TableName":"locks","KeySchema":[{"AttributeName":"LockID","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"LockID","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST"}'
  spawn "$npm/dynalite" --host 127.0.0.1 --port "$port" --createTableMs 0
  wait_for curl -sf "http://127.0.0.1:$port/"
  curl -sf -X POST --aws-sigv4 aws:amz:us-east-1:dynamodb --user AKIATEST:secretsecret -H 'Content-Type: application/x-amz-json-1.0' \
    -H 'X-Amz-Target: DynamoDB_20120810.CreateTable' -d "$table" "http://127.0.0.1:$port/" >>"$D/out"
  echo "XPLAN_TEST_DYNALITE=http://127.0.0.1:$port"
}
