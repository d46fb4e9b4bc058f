# The object gateway of Ceph from Debian, which speaks S3, checks signatures and honours conditions of writes. Its objects are in memory.
# The bucket tfb is of the user with the key AKIATEST and the secret "secretsecret".
packages=(radosgw ceph-mon ceph-osd ceph-common)
installed() { command -v radosgw >/dev/null && command -v ceph-osd >/dev/null && command -v ceph-mon >/dev/null && command -v ceph >/dev/null; }
start() {
  local monitor=$(free_port) port=$(free_port) id=$(cat /proc/sys/kernel/random/uuid) disk=$(cat /proc/sys/kernel/random/uuid) conf=(-c "$D/ceph.conf")
  mkdir "$D/mon" "$D/osd" "$D/run"
  cat >"$D/ceph.conf" <<CONF
[global]
fsid = $id
mon host = v1:127.0.0.1:$monitor
mon initial members = a
auth cluster required = none
auth service required = none
auth client required = none
osd objectstore = memstore
memstore device bytes = 1073741824
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
osd class update on start = false
osd crush update on start = false
mon allow pool size one = true
mon max pg per osd = 1000
public addr = 127.0.0.1
mon data = $D/mon
osd data = $D/osd
run dir = $D/run
log file = $D/run/\$name.log
admin socket = $D/run/\$name.sock
[client.rgw.a]
rgw frontends = beast endpoint=127.0.0.1:$port
CONF
  {
    ceph-authtool --create-keyring "$D/key" --gen-key -n mon. --cap mon 'allow *'
    monmaptool --create --addv a "[v1:127.0.0.1:$monitor]" --fsid "$id" "$D/map"
    ceph-mon "${conf[@]}" -i a --mkfs --monmap "$D/map" --keyring "$D/key"
  } >"$D/out" 2>&1
  spawn ceph-mon "${conf[@]}" -i a -f
  wait_for timeout 5 ceph "${conf[@]}" osd new "$disk"
  ceph-osd "${conf[@]}" -i 0 --mkfs --osd-uuid "$disk" >>"$D/out" 2>&1
  spawn ceph-osd "${conf[@]}" -i 0 -f
  ceph "${conf[@]}" osd crush add osd.0 1 root=default host=h >>"$D/out" 2>&1
  spawn radosgw "${conf[@]}" -n client.rgw.a -f
  timeout 60 radosgw-admin "${conf[@]}" -n client.rgw.a user create --uid=t --display-name=t --access-key=AKIATEST --secret=secretsecret >>"$D/out" 2>&1
  wait_for curl -sf "http://127.0.0.1:$port/"
  wait_for curl -sf -X PUT --aws-sigv4 aws:amz:us-east-1:s3 --user AKIATEST:secretsecret \
    -H "x-amz-content-sha256: $(sha256sum </dev/null | cut -d' ' -f1)" "http://127.0.0.1:$port/tfb"
  echo "XPLAN_TEST_RADOSGW=http://127.0.0.1:$port"
}
