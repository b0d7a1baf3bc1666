#!/usr/bin/env bash
# Serves the npm packages as the registry would, and has npx and npm install and
# run them.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

coproc registry { exec node "$here/registry.mjs" "$dist/npm"; }
registry_process=$registry_PID
trap 'kill "$registry_process" 2>/dev/null || true; rm -rf "$work"' EXIT
read -r address <&"${registry[0]}"
export npm_config_registry="$address" npm_config_cache="$work/cache" npm_config_update_notifier=false npm_config_audit=false npm_config_fund=false
mkdir "$work/elsewhere"
cd "$work/elsewhere"

npx --yes mcp-memory version | grep -q "^mcp-memory $version"
demo npx --yes mcp-memory
node "$here/mcp.mjs" npx --yes mcp-memory serve | grep -qx memory_recall || fail "npx mcp-memory serve lists no tools"

npm install --global --prefix "$work/global" --silent mcp-memory
installed="$work/global/lib/node_modules/mcp-memory"
[ "$(find "$installed" -name mcp-memory -type f -size +1M | wc -l)" = 1 ] || fail "npm installed not one program: $(find "$installed" -size +1M)"
set +e
"$work/global/bin/mcp-memory" recall >"$work/log" 2>&1
code=$?
set -e
[ "$code" = 2 ] || fail "a usage error exits with $code"

# What ends the script ends the program.
"$work/global/bin/mcp-memory" serve --http 127.0.0.1:0 >"$work/log" 2>&1 &
script=$!
for _ in $(seq 600); do
	program=$(pgrep -P "$script" || true)
	[ -n "$program" ] && grep -q 127.0.0.1 "$work/log" && break
	read -rt 0.1 <> <(:) || true
done
[ -n "$program" ] || fail "the script started no program"
kill -TERM "$script"
wait "$script" || true
if kill -0 "$program" 2>/dev/null; then fail "the program goes on without its script"; fi

# As with --omit=optional.
rm -r "$installed/node_modules"
if "$work/global/bin/mcp-memory" version >"$work/log" 2>&1; then fail "it runs without a program"; fi
grep -q -- "--omit=optional" "$work/log" || { cat "$work/log"; fail "it does not say what is missing"; }
