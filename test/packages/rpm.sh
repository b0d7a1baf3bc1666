#!/usr/bin/env bash
# Lists the RPM package: what rpm itself would install.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

rpm=$(one "$dist"/goreleaser/mcp-memory-"$version"-1.x86_64.rpm)
(cd "$top" && go run ./test/packages/rpm "$rpm") | sort >"$work/have"
sort >"$work/want" <<EOF
about mcp-memory
about $version
about 1
about x86_64
script postin
script preun
script postun
100755 /usr/bin/mcp-memory
100644 /usr/lib/systemd/system/mcp-memory.service
100644 /usr/lib/sysusers.d/mcp-memory.conf
100644 /usr/share/doc/mcp-memory/copyright
100644 /usr/share/doc/mcp-memory/deployment.md
100644 /usr/share/bash-completion/completions/mcp-memory
100644 /usr/share/zsh/vendor-completions/_mcp-memory
100644 /usr/share/fish/vendor_completions.d/mcp-memory.fish
EOF
diff "$work/want" "$work/have"
