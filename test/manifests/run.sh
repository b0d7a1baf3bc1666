#!/usr/bin/env bash
# Reads the manifests of deploy/ as the programs do that they are for. Needs Go and
# the module proxy: a module of its own, so that none of it is the program's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
GOWORK=off go test -mod=readonly -count=1 ./...
echo "manifests: compose.yaml and kubernetes.yaml are what Compose and Kubernetes take"
