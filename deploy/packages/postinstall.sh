#!/bin/sh
# The user of the service. Nothing is started and nothing enabled:
# systemctl enable --now mcp-memory is for whoever wants a server.
set -e
if command -v systemd-sysusers >/dev/null 2>&1; then
	systemd-sysusers --root="${DPKG_ROOT:-/}" mcp-memory.conf || true
fi
if [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
