#!/usr/bin/env bash
# Has Claude Code and Gemini CLI validate, install and remove the plugin, and
# start its server; validates the manifests of Agent Plugins.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

node "$here/validate.mjs" "$modules" "$here/agent-plugin.schema.json" "$top/plugin/plugin.json"
node "$here/validate.mjs" "$modules" "$here/agent-plugin-mcp.schema.json" "$top/plugin/mcp.json"
if node "$here/validate.mjs" "$modules" "$here/agent-plugin.schema.json" "$top/plugin/.codex-plugin/plugin.json" 2>/dev/null; then
	fail "the schema of Agent Plugins takes every manifest"
fi

# The host finds the program on the PATH.
mkdir "$work/bin"
cp "$(one "$dist"/goreleaser/mcp-memory_linux_amd64_*/mcp-memory)" "$work/bin"
export PATH="$work/bin:$PATH"
cd "$HOME"

# Every line of its hooks can be run, and what is known comes with a new session.
mcp-memory save "The release manager of the plugin's test is Whiskerino" >/dev/null
lines=$(node -e '
	for (const file of process.argv.slice(1))
		for (const groups of Object.values(JSON.parse(require("fs").readFileSync(file)).hooks))
			for (const group of groups) for (const handler of group.hooks ?? [group]) console.log(handler.command)' \
	"$top"/plugin/hooks/*.json "$top/plugin/gemini/hooks/hooks.json")
[ "$(wc -l <<<"$lines")" -gt 20 ] || fail "the plugin has too few hooks: $lines"
while read -r line; do
	[ -z "$(sh -c "$line --verbose" <<<'{}' 2>&1 >/dev/null | grep -iE 'unknown (flag|command|host)|usage')" ] || fail "a hook cannot be run: $line"
done <<<"$(sort -u <<<"$lines")"
event='{"hook_event_name":"SessionStart","session_id":"s","source":"startup","cwd":"'$HOME'","transcript_path":"'$HOME'/.claude/projects/x/s.jsonl"}'
shown=$(sh -c "$(grep -x "mcp-memory hook" <<<"$lines" | head -n 1)" <<<"$event")
grep -q '"additionalContext":.*Whiskerino' <<<"$shown" || fail "a session starts with: $shown"

export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_TELEMETRY=1 DISABLE_AUTOUPDATER=1
claude() { "$(one "$modules"/@anthropic-ai/claude-code-linux-*/claude)" "$@" </dev/null; }
quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }
quiet claude plugin validate "$top/plugin" --strict
quiet claude plugin validate "$top" --strict
cp -R "$top/plugin" "$work/broken"
sed -i 's/"Stop"/"StopIt"/' "$work/broken/hooks/hooks.json"
if claude plugin validate "$work/broken" --strict >"$work/log" 2>&1; then fail "Claude Code takes a plugin with an event that does not exist"; fi
quiet claude plugin marketplace add "$top"
quiet claude plugin install mcp-memory@mcp-memory --scope user
quiet claude plugin list
grep -q "Version: $version" "$work/log" || { cat "$work/log"; fail "another version is installed"; }
quiet claude mcp list
grep -q 'plugin:mcp-memory:memory: mcp-memory serve.*Connected' "$work/log" || { cat "$work/log"; fail "its server is not connected"; }
quiet claude plugin uninstall mcp-memory@mcp-memory --scope user
quiet claude mcp list
if grep -q mcp-memory "$work/log"; then fail "its server is still there"; fi

gemini() { node "$modules/.bin/gemini" "$@" <<<y; }
quiet gemini extensions validate "$top/plugin/gemini"
# It asks whether the folder is trusted.
quiet gemini extensions install "$top/plugin/gemini" --consent
quiet gemini extensions list
for want in "mcp-memory ($version)" memory; do
	grep -qF "$want" "$work/log" || { cat "$work/log"; fail "Gemini CLI lists no $want"; }
done
if grep -qi 'invalid hook' "$work/log"; then cat "$work/log"; fail "Gemini CLI does not know a hook"; fi
quiet gemini extensions uninstall mcp-memory
