# Azure's blobs and the services that give tokens (azurerm.py), with the account tfacct and the container tfc. It is reached as a proxy.
start() {
  local port=$(free_port)
  spawn python3 "$here/azurerm.py" --port "$port" --stay --certificate "$D/azure.pem"
  wait_for curl -sf "http://127.0.0.1:$port/_control"
  echo "XPLAN_TEST_AZURERM=http://127.0.0.1:$port"
  echo "XPLAN_TEST_AZURERM_CERTIFICATE=$D/azure.pem"
}
