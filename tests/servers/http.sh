# The server of the backend "http": http_state.py, with its log.
start() {
  spawn python3 "$here/http_state.py" --port-file "$D/port" --log "$D/log"
  wait_for test -s "$D/port"
  echo "XPLAN_TEST_HTTP=http://127.0.0.1:$(cat "$D/port")"
  echo "XPLAN_TEST_HTTP_LOG=$D/log"
}
