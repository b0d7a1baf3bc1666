# Sourced by run.sh: pipes, exit codes, and Ctrl-C.

# code WANT COMMAND... wants an exit code; what goes to stdout and stderr is kept.
code() {
	local want=$1 got=0
	shift
	run mcp-memory "$@" >"$work/out" 2>"$work/seen" </dev/null || got=$?
	[ "$got" = "$want" ] || { echo "exit $got" >>"$work/seen" && false; }
}
# fails is code for what has to say why, on stderr alone.
fails() { code "$@" && [ ! -s "$work/out" ] && has "mcp-memory: "; }

wants "done is 0" code 0 recall office
wants "nothing found is 0" code 0 list --kind diary
wants "an unknown command is 2" fails 2 frobnicate
wants "a mistyped command is told what was meant" has "mcp-memory --help"
wants "an unknown flag is 2" fails 2 recall office --frobnicate
wants "a missing argument is 2" fails 2 recall
wants "a time that cannot be is 2" fails 2 list --since "31 February"
wants "an ambiguous beginning of an id is 2" fails 2 get "${id:0:4}"
wants "an id that is not there is 1" fails 1 history ffffffff
wants "a file that is not there is 1" fails 1 import /nowhere/file
wants "a directory that cannot be is 1" fails 1 stats --data-dir /dev/null/nowhere

# An event keeps the hour of the zone that the environment names.
see run TZ=Europe/Rome mcp-memory calendar add Choir --starts-at "2027-01-06 19:00" --recurrence "FREQ=WEEKLY" --json
wants "an event has the zone of TZ" has '"time_zone": "Europe/Rome"'
wants "and its hour is there" has '"2027-01-06T18:00:00Z"'

# Pipes: what is read from one, and what is closed early.
printf 'The ferry leaves at\nfour.' | run mcp-memory save - >/dev/null
see run mcp-memory list -n 1
wants "a memory comes from a pipe with its lines" has_line "four."
for i in $(seq 3000); do printf '{"content":"Boat %d is moored at pier %d of the harbour, where the water is deep."}\n' "$i" "$i"; done >"$work/boats"
wants "a file is imported" code 0 import "$work/boats"
closed() {
	local codes
	set +o pipefail
	run mcp-memory "$@" 2>"$work/seen" | head -c 10 >/dev/null
	codes=${PIPESTATUS[0]}
	set -o pipefail
	[ ! -s "$work/seen" ] && { [ "$codes" = 1 ] || [ "$codes" = 0 ]; }
}
wants "a closed pipe ends an export without a word" closed export -
wants "a closed pipe ends a list without a word" closed list -n 500
run mcp-memory export - >"$work/bundle"
wants "an export through a pipe is whole" test "$(grep -c '"Boat ' "$work/bundle" || grep -c 'Boat ' "$work/bundle")" -ge 3000

# Ctrl-C. The keys are typed when the program has said that it waits.
mkfifo "$work/keys"
# in_use holds when a process has the bank open: from then on it hears signals.
in_use() {
	local process
	for process in $(grep -lx mcp-memory /proc/[0-9]*/comm 2>/dev/null); do
		if ls -l "${process%comm}fd" 2>/dev/null | grep -qF "$work/home/data/mcp-memory/memory.db"; then return 0; fi
	done
	return 1
}
# interrupted COMMAND READY... runs a command on a terminal and types Ctrl-C when READY holds.
interrupted() {
	local command=$1
	shift
	rm -f "$work/seen"
	: >"$work/seen"
	run timeout 60 script -qfec "sh -c 'trap : INT; stty rows 100; $command; echo ended \$?'" "$work/seen" <"$work/keys" >/dev/null 2>&1 &
	local typing=$! tries=0
	exec 7>"$work/keys"
	until "$@" || [ $((tries++)) -gt 600 ]; do sleep 0.05; done
	printf '\003' >&7
	until has "ended" || [ $((tries++)) -gt 1200 ]; do sleep 0.05; done
	exec 7>&-
	wait "$typing" || true
}
interrupted "mcp-memory undo" has "[y/N]"
wants "Ctrl-C at a question ends it with 1" has "ended 1"
wants "and says so" has "mcp-memory: interrupted"
see run mcp-memory undo --yes
wants "and nothing was taken back" has "Boat"
interrupted "mcp-memory import -" in_use
wants "Ctrl-C while a file is read ends it with 1" has "ended 1"
interrupted "mcp-memory browse" has "q quit"
wants "Ctrl-C ends the browser with 0" has "ended 0"

# The same as a signal, without a terminal.
signalled() {
	local signal=$1 want=$2 got=0 child
	shift 2
	mkfifo "$work/never" 2>/dev/null || true
	sleep 600 >"$work/never" &
	child=$!
	(exec env -i "${here_env[@]}" mcp-memory "$@") <"$work/never" >"$work/seen" 2>&1 &
	local running=$! tries=0
	until in_use || [ $((tries++)) -gt 600 ]; do sleep 0.05; done
	kill -"$signal" "$running"
	wait "$running" || got=$?
	kill "$child"
	wait "$child" 2>/dev/null || true
	[ "$got" = "$want" ] || { echo "exit $got" >>"$work/seen" && false; }
}
wants "SIGINT ends a server with 0" signalled INT 0 serve
wants "SIGTERM ends a server with 0" signalled TERM 0 serve
wants "SIGTERM ends an import that waits with 1" signalled TERM 1 import -
