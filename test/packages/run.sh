#!/usr/bin/env bash
# Makes the packages and checks each kind of them as people would use it. Needs
# Go, dpkg and npm; see test/README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."

# Those that the rest of CI has compiled already.
go run ./build/release make --only "${PACKAGES_FOR:-linux/amd64,darwin/amd64,windows/amd64}"

count=0
for script in reproducible deb rpm archive mcpb npm registry sbom plugin docker; do
	echo "packages: $script"
	bash "$here/$script.sh"
	count=$((count + 1))
done
echo "packages: $count kinds of checks passed"
