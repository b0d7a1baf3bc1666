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
	if [ -n "${faults:-}" ]; then kill "$faults" 2>/dev/null && wait "$faults" || true; fi
	bash "$here/pooler.sh" --stop "$work/pooler" || true
	bash "$here/server.sh" --stop "$work/pg" || true
	rm -rf "$work"
}
trap stop EXIT
MCP_MEMORY_TEST_POSTGRES=$(bash "$here/server.sh" "$work/pg")
port=${MCP_MEMORY_TEST_POSTGRES##*:}
MCP_MEMORY_TEST_POOLER=$(bash "$here/pooler.sh" "$work/pooler" "${port%%/*}")
export MCP_MEMORY_TEST_POSTGRES MCP_MEMORY_TEST_POOLER MCP_MEMORY_PG_HOME="$work/pg"

# What is killed, cut and filled waits more than it works: the rest runs beside it.
go test -c -tags postgres -o "$work/faults" ./test/postgres
(cd test/postgres && exec "$work/faults" -test.v -test.timeout 25m -rapid.checks=30) >"$work/log" 2>&1 &
faults=$!
# Tests of what is in the files of SQLite, which a server has not: that nothing of what
# was erased is left there, and how they are damaged. What takes longest comes first, or
# it would be left to run alone.
failed=0
go test -tags postgres -count=1 -p 2 -timeout 20m -skip 'TestNoFileHasWhatWasErased' \
	./recall ./remember ./transfer ./mirror ./contextwindow ./consolidate ./link ./cognition ./access ./resources ./workspace/... ./planning ./memorytool || failed=1
if ! wait "$faults"; then
	faults=""
	grep -vE "^ *(=== (RUN|PAUSE|CONT)|--- (PASS|SKIP))" "$work/log" || true # the rest says nothing
	exit 1
fi
faults=""
grep '^postgres: ' "$work/log"
if [ "$failed" = 1 ]; then exit 1; fi
echo "postgres: all suites passed"
