#!/usr/bin/env bash
# Validates the SBOMs, and compares the one for Linux with what Go says is in
# the binary.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >"$work/validate.cjs" <<'EOF'
const [modules, ...files] = process.argv.slice(2);
const { Spec, Validation } = require(modules + "/@cyclonedx/cyclonedx-library");
(async () => {
	const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
	for (const file of files) {
		const wrong = await validator.validate(require("fs").readFileSync(file, "utf8"));
		if (wrong) throw new Error(file + ": " + JSON.stringify(wrong));
	}
	const broken = await validator.validate('{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"name":"x"}]}');
	if (!broken) throw new Error("the validator takes everything");
})().catch((error) => { console.error(error.message); process.exit(1); });
EOF
node "$work/validate.cjs" "$modules" "$dist"/goreleaser/*.cdx.json

list=$(one "$dist"/goreleaser/mcp-memory_"$version"_linux_amd64.cdx.json)
node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).components.filter((c) => c.name !== "std").map((c) => c.name + " " + c.version).sort().join("\n")' "$list" |
	LC_ALL=C sort >"$work/listed"
go version -m "$(one "$dist"/goreleaser/mcp-memory_linux_amd64_*/mcp-memory)" | awk '$1 == "dep" { print $2, $3 }' | LC_ALL=C sort >"$work/linked"
[ "$(wc -l <"$work/linked")" -gt 10 ]
diff "$work/linked" "$work/listed"
