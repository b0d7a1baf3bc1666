#!/usr/bin/env bash
# server.sh DIR starts a PostgreSQL server in DIR on a free loopback port, as a
# user of its own where this is root, and prints the URL of an empty database
# whose owner may do nothing else. server.sh --stop DIR ends it, --kill DIR kills it
# without warning, and --start DIR starts it again. Durability is off: what is
# tested is this program. MCP_MEMORY_PG_DURABLE=1 switches it on.
set -euo pipefail

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
if [ -z "$bin" ] && command -v pg_ctl >/dev/null; then bin=$(dirname "$(command -v pg_ctl)"); fi
if [ -z "$bin" ]; then
	echo "there is no PostgreSQL server: installing one from the distribution" >&2
	apt-get update -qq >&2
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >&2
	bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
fi

# as runs a command as somebody whom PostgreSQL accepts: never root.
as() {
	if [ "$(id -u)" = 0 ]; then
		runuser -u postgres -- "$@"
	else
		"$@"
	fi
}

case "${1:-}" in
--stop)
	as "$bin/pg_ctl" -D "$2/data" -m immediate stop >/dev/null
	exit
	;;
--kill)
	as kill -9 "$(as head -n 1 "$2/data/postmaster.pid")"
	exit
	;;
--start) # sessions of the one that was killed may still be ending
	for try in 1 2 3 4 5 6 7 8 9 10; do
		if as "$bin/pg_ctl" -D "$2/data" -l "$2/log" -w start >/dev/null; then exit; fi
		sleep "0.$try"
	done
	exit 1
	;;
esac

dir=$1
mkdir -p "$dir"
if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
port=$(as python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' 2>/dev/null || echo $((20000 + RANDOM % 20000)))
as "$bin/initdb" -D "$dir/data" -E UTF8 --locale=C.UTF-8 -A trust -U postgres >/dev/null
{
	echo "port = $port"
	echo "listen_addresses = '127.0.0.1'"
	echo "unix_socket_directories = '$dir'"
	echo "max_connections = 200"
	if [ -z "${MCP_MEMORY_PG_DURABLE:-}" ]; then
		echo "fsync = off"
		echo "synchronous_commit = off"
		echo "full_page_writes = off"
	fi
} | as tee -a "$dir/data/postgresql.conf" >/dev/null
as "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w start >/dev/null
as "$bin/psql" -q -h "$dir" -p "$port" -U postgres -c 'CREATE ROLE tester LOGIN' -c 'CREATE DATABASE tests OWNER tester'
echo "postgres://tester@127.0.0.1:$port/tests"
