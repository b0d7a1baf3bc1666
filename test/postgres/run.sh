#!/usr/bin/env bash
# Runs the suite of every backend, those of the use cases, and what only several
# servers can show, on a real PostgreSQL server that it starts itself. Needs Go,
# and PostgreSQL: as root on Debian it installs that. See test/README.md.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
work=$(mktemp -d)
chmod 755 "$work"
stop() {
	bash "$here/server.sh" --stop "$work/pg" || true
	rm -rf "$work"
}
trap stop EXIT
MCP_MEMORY_TEST_POSTGRES=$(bash "$here/server.sh" "$work/pg")
export MCP_MEMORY_TEST_POSTGRES MCP_MEMORY_PG_HOME="$work/pg"

go test -count=1 -tags postgres ./test/postgres
# Tests of what is in the files of SQLite, which a server has not: that nothing of what
# was erased is left there, and how they are damaged.
go test -count=1 -p 2 -timeout 20m -skip 'TestNoFileHasWhatWasErased' \
	./planning ./cognition ./link ./remember ./contextwindow ./consolidate ./transfer ./access ./mirror ./resources ./recall
echo "postgres: all suites passed"
