#!/bin/sh
# Memories in /var/lib/mcp-memory are never removed by a package.
set -e
if [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
