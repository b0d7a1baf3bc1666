#!/bin/sh
# Called for an upgrade too, by rpm with a number above 0: then a server that
# runs goes on until it is restarted.
set -e
case "${1:-}" in
remove | 0)
	if [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
		systemctl disable --now mcp-memory.service || true
	fi
	;;
esac
