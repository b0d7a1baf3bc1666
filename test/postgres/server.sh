#!/usr/bin/env bash
# server.sh DIR starts a PostgreSQL server in DIR on a free loopback port, as a
# user of its own where this is root, and prints the URL of an empty database
# whose owner may do nothing else but make more of them. server.sh --stop DIR ends it, --kill DIR kills it
# without warning, and --start DIR starts it again. Durability is off: what is
# tested is this program. MCP_MEMORY_PG_DURABLE=1 switches it on, MCP_MEMORY_PG_INITDB has
# more options of initdb, MCP_MEMORY_PG_CONF more lines of postgresql.conf, MCP_MEMORY_PG_FILES
# is how many KiB a file of the first start may have.
#
# server.sh --standby DIR NEW starts a server in NEW that follows the one in DIR, which from
# then on acknowledges nothing that is not there too; --promote DIR makes it a primary.
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
--stop-politely)
	as "$bin/pg_ctl" -D "$2/data" -m fast -w stop >/dev/null
	exit
	;;
--promote)
	as "$bin/pg_ctl" -D "$2/data" -w promote >/dev/null
	exit
	;;
--start) # sessions of the one that was killed may still be ending
	for _ in $(seq 60); do
		if as "$bin/pg_ctl" -D "$2/data" -l "$2/log" -w start >/dev/null 2>&1; then exit; fi
		sleep 0.5
	done
	tail -n 20 "$2/log" >&2
	exit 1
	;;
esac

# directory makes one for a server.
directory() {
	mkdir -p "$1"
	if [ "$(id -u)" = 0 ]; then chown postgres "$1"; fi
}

free_port() {
	as python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])' 2>/dev/null || echo $((20000 + RANDOM % 20000))
}

if [ "${1:-}" = --standby ]; then
	of=$2 dir=$3 port=$(free_port) from=$(as sed -n 4p "$2/data/postmaster.pid")
	directory "$dir"
	as "$bin/pg_basebackup" -d "host=127.0.0.1 port=$from user=postgres application_name=standby" -D "$dir/data" -R -X stream -c fast
	printf '%s\n' "port = $port" "unix_socket_directories = '$dir'" | as tee -a "$dir/data/postgresql.conf" >/dev/null
	as "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w start >/dev/null
	as "$bin/psql" -q -h "$of" -p "$from" -U postgres -c "ALTER SYSTEM SET synchronous_standby_names = 'standby'" -c 'SELECT pg_reload_conf()' >/dev/null
	echo "postgres://tester@127.0.0.1:$port/tests"
	exit
fi

dir=$1 port=$(free_port)
directory "$dir"
# shellcheck disable=SC2086 # several options
as "$bin/initdb" -D "$dir/data" -E UTF8 --locale=C.UTF-8 -A trust -U postgres ${MCP_MEMORY_PG_INITDB:-} >/dev/null
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
	echo "${MCP_MEMORY_PG_CONF:-}"
} | as tee -a "$dir/data/postgresql.conf" >/dev/null
# shellcheck disable=SC2016 # for the shell that it starts: becoming a user may set the limits anew
as bash -c 'ulimit -S -f "$1"; shift; exec "$@"' limited "${MCP_MEMORY_PG_FILES:-unlimited}" "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w start >/dev/null
as "$bin/psql" -q -h "$dir" -p "$port" -U postgres -c 'CREATE ROLE tester LOGIN CREATEDB' -c 'CREATE DATABASE tests OWNER tester'
echo "postgres://tester@127.0.0.1:$port/tests"
