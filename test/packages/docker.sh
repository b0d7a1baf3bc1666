#!/usr/bin/env bash
# Reads the Dockerfile as BuildKit does: no image is built, there is no Docker
# where this runs. What the image is made of is built and started by the others.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

(cd "$here/dockerfile" && GOFLAGS=-mod=readonly go run . "$top/deploy/Dockerfile") >"$work/says" || { cat "$work/says"; exit 1; }
for want in 'from scratch' 'user 65532:65532' 'entrypoint \[/mcp-memory\]' 'health \[CMD /mcp-memory ping http://127.0.0.1:8765\]' \
	'label org.opencontainers.image.licenses "MIT"' 'label org.opencontainers.image.source "https://github.com/\$\{OWNER\}/mcp-memory"' \
	'label io.modelcontextprotocol.server.name "io.github.\$\{OWNER\}/mcp-memory"'; do
	grep -qE "^$want\$" "$work/says" || { cat "$work/says"; fail "the Dockerfile does not say $want"; }
done
owner=$(sed -n 's/^\tOwner = \(.*\)$/\1/p' "$top/internal/product/product.go" | tr -d '"')
[ "$owner" != NoOwner ] || owner=OWNER
grep -q "^ARG OWNER=$owner\$" "$top/deploy/Dockerfile" || fail "the Dockerfile names another owner than internal/product"
grep -q "^ARG VERSION=$version\$" "$top/deploy/Dockerfile" || fail "the Dockerfile names another version than internal/product"

# What goes into the build is what git knows, without what is not needed there.
for name in .git dist node_modules; do
	grep -qxE "(\*\*/)?$name/?" "$top/.dockerignore" || fail ".dockerignore lets $name in"
done
