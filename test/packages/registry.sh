#!/usr/bin/env bash
# Validates server.json against the schema of the registry of MCP servers, and
# compares its hashes with the bundles.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

registry=github.com/modelcontextprotocol/registry@v1.8.8
entry="$dist/server.json"
address=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).$schema' "$entry")
date=$(cut -d/ -f5 <<<"$address")
source=$(cd "$work" && go mod download -json "$registry" | node -p 'JSON.parse(require("fs").readFileSync(0)).Dir')
schema="$source/internal/validators/schemas/$date.json"
grep -q "\"\$id\": \"$address\"" "$schema" || fail "$registry has no schema $address"
valid() { node "$here/validate.mjs" "$modules" "$schema" "$1"; }
valid "$entry"

# broken CODE changes the entry and wants it to be refused.
broken() {
	node -e 'const fs = require("fs"), e = JSON.parse(fs.readFileSync(process.argv[1])); eval(process.argv[2]); fs.writeFileSync(process.argv[3], JSON.stringify(e))' \
		"$entry" "$1" "$work/broken.json"
	if valid "$work/broken.json" 2>/dev/null; then fail "the schema takes: $1"; fi
}
broken 'e.description += "x".repeat(101 - e.description.length)'
broken 'e.name = "mcp-memory"'
broken 'delete e.packages[0].transport'
broken 'e.packages[0].fileSha256 = "abc"'

node - "$entry" "$dist/bundles" "$version" <<'EOF'
const fs = require("fs"), path = require("path"), crypto = require("crypto");
const [entry, bundles, version] = process.argv.slice(2);
const { name, packages, version: of } = JSON.parse(fs.readFileSync(entry));
const made = fs.readdirSync(bundles);
const listed = packages.filter((p) => p.registryType === "mcpb");
const wrong = [];
if (of !== version) wrong.push(`the version is ${of}`);
if (name.length > 200) wrong.push("the name is too long");
if (listed.length !== made.length) wrong.push(`${listed.length} bundles are listed, ${made.length} made`);
for (const p of listed) {
	const sum = crypto.createHash("sha256").update(fs.readFileSync(path.join(bundles, path.basename(p.identifier)))).digest("hex");
	if (sum !== p.fileSha256) wrong.push(`${p.identifier} has another hash`);
	if (!p.identifier.startsWith("https://github.com/") || !p.identifier.includes("mcp")) wrong.push(`${p.identifier} is not taken by the registry`);
}
for (const p of packages) if (p.version !== undefined && p.version !== version) wrong.push(`${p.identifier} is version ${p.version}`);
if (wrong.length) throw new Error(wrong.join("; "));
EOF
