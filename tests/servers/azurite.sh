# Azurite, the maker's own server of blobs for tests, with the account tfacct. azurerm.py is the proxy in front of it. It comes
# from npm, and takes Node.
npm_packages=(azurite@3.35)
installed() { command -v node >/dev/null && [ -x "$npm/azurite-blob" ]; }
start() {
  local port=$(free_port) proxy=$(free_port)
  AZURITE_ACCOUNTS="tfacct:c2VjcmV0a2V5" spawn "$npm/azurite-blob" --inMemoryPersistence --blobHost 127.0.0.1 --blobPort "$port" --skipApiVersionCheck --disableTelemetry --silent
  spawn python3 "$here/azurerm.py" --port "$proxy" --stay --certificate "$D/azure.pem" --blobs "127.0.0.1:$port"
  wait_for curl -sf "http://127.0.0.1:$proxy/_control"
  wait_for curl -s "http://127.0.0.1:$port/"
  echo "XPLAN_TEST_AZURITE=http://127.0.0.1:$proxy"
  echo "XPLAN_TEST_AZURITE_CERTIFICATE=$D/azure.pem"
}
