# PostgreSQL from Debian, which refuses to run as root; with TLS, by a certificate that nobody vouches for. The database is "tf". Users:
# "postgres" needs no password, "secret" has "pass word", "reader" has "reader" and no permissions.
packages=(postgresql-15)
bin=/usr/lib/postgresql/15/bin
installed() { [ -x "$bin/initdb" ]; }
as_postgres=(env)
[ "$(id -u)" != 0 ] || as_postgres=(setpriv --reuid postgres --regid postgres --init-groups env)
start() {
  local port
  port=$(free_port)
  mkdir "$D/data" "$D/sock"
  [ "$(id -u)" != 0 ] || { chown postgres "$D/data" "$D/sock"; chmod 755 "$D"; }
  "${as_postgres[@]}" -C "$D/sock" LC_ALL=C "$bin/initdb" -D "$D/data" -A trust -U postgres >"$D/out" 2>&1
  "${as_postgres[@]}" tee "$D/data/pg_hba.conf" >/dev/null <<'HBA'
host all secret,reader 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
local all all trust
HBA
  "${as_postgres[@]}" openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$D/data/server.key" -out "$D/data/server.crt" >>"$D/out" 2>&1
  spawn "${as_postgres[@]}" -C "$D/sock" "$bin/postgres" -D "$D/data" -p "$port" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories="$D/sock" -c log_statement=all -c log_line_prefix='%p ' -c fsync=off -c ssl=on
  psql=("$bin/psql" -q -h 127.0.0.1 -p "$port" -U postgres)
  wait_for "${psql[@]}" -c 'SELECT 1' postgres
  "${psql[@]}" postgres -c 'CREATE DATABASE tf' -c "CREATE USER secret PASSWORD 'pass word' SUPERUSER" -c "CREATE USER reader PASSWORD 'reader'"
  echo "XPLAN_TEST_PG=postgres://postgres@127.0.0.1:$port/tf"
  echo "XPLAN_TEST_PG_LOG=$D/out"
}
