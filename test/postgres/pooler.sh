#!/usr/bin/env bash
# pooler.sh DIR PORT starts PgBouncer in transaction mode in DIR, in front of the
# PostgreSQL server at a loopback port, and prints the port where it listens. pooler.sh --stop DIR ends
# it. As root on Debian it installs the package.
set -euo pipefail

if ! command -v pgbouncer >/dev/null; then
	echo "there is no pgbouncer: installing it from the distribution" >&2
	apt-get update -qq >&2
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends pgbouncer >&2
fi

# as runs a command as somebody whom PgBouncer accepts: never root.
as() {
	if [ "$(id -u)" = 0 ]; then
		runuser -u postgres -- "$@"
	else
		"$@"
	fi
}

if [ "$1" = --stop ]; then
	as kill "$(as head -n 1 "$2/pid")"
	exit
fi

dir=$1 server=$2
mkdir -p "$dir"
if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
port=$(as python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' 2>/dev/null || echo $((20000 + RANDOM % 20000)))
as tee "$dir/users" >/dev/null <<<'"tester" ""'
as tee "$dir/pgbouncer.ini" >/dev/null <<END
[databases]
* = host=127.0.0.1 port=$server
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = trust
auth_file = $dir/users
pool_mode = transaction
default_pool_size = 6
max_client_conn = 500
server_idle_timeout = 10
logfile = $dir/log
pidfile = $dir/pid
END
as "$(command -v pgbouncer)" -q -d "$dir/pgbouncer.ini" >&2
echo "$port"
