# Sourced by run.sh: what is different on a terminal.

escape=$(printf '\033[')

on_terminal 80 "mcp-memory list"
wants "a terminal has colours" has "$escape"
on_terminal 80 "NO_COLOR=1 mcp-memory list"
wants "NO_COLOR is heard" lacks "$escape"
on_terminal 80 "TERM=dumb mcp-memory list"
wants "a dumb terminal has no colours" lacks "$escape"
on_terminal 80 "mcp-memory list --color never"
wants "--color never is heard" lacks "$escape"
on_terminal 80 "mcp-memory list | cat"
wants "a pipe on a terminal has no colours" lacks "$escape"
see run mcp-memory list
wants "a file has no colours" lacks "$escape"
see run mcp-memory list --color always
wants "--color always is heard" has "$escape"
on_terminal 80 "mcp-memory list --json"
sed 's/^Script.*//' "$work/seen" >"$work/json"
run mcp-memory list --json >"$work/seen"
wants "--json is the same on a terminal" cmp -s "$work/json" "$work/seen"

# widest LINES prints how many columns the longest line has, as wc counts them.
widest() { LC_ALL=C.UTF-8 wc -L <"$work/seen"; }
for columns in 60 80 120; do
	for command in list "recall 'when does the office open'" "search office" stats doctor "log" "recall office --explain" "--help"; do
		on_terminal "$columns" "NO_COLOR=1 mcp-memory $command"
		case $command in
		--help) wants "$command shows something at $columns columns" has Memory: ;; # it has lines of its own
		*) wants "$command fits $columns columns and is not $(widest)" test "$(widest)" -le "$columns" -a "$(widest)" -gt 0 ;;
		esac
	done
	on_terminal "$columns" "NO_COLOR=1 mcp-memory list"
	wants "a word is whole at $columns columns" has evening
	wants "the text goes on to the end of the line at $columns columns" test "$(widest)" -gt $((columns - 15))
done
on_terminal 60 "COLUMNS=100 NO_COLOR=1 mcp-memory list"
wants "COLUMNS wins over the terminal" test "$(widest)" -gt 80

for command in list "recall 'when does the office open'" stats log; do
	on_terminal 20 "NO_COLOR=1 mcp-memory $command"
	wants "$command can be read at 20 columns" test "$(widest)" -gt 0 -a "$(widest)" -le 80
done

# Long work says how far it is, on a terminal only.
seq 8000 | sed "s/.*/{\"content\": \"Crate & stands in row & of the hall. $(printf 'It is full of ropes, sails and paint. %.0s' 1 2 3 4 5 6 7 8)\"}/" >"$work/many.jsonl"
on_terminal 80 "mcp-memory import $work/many.jsonl --format facts --project crates"
wants "a long import shows how far it is" grep -q '[0-9]%' "$work/seen"
wants "and what came of it" has "Imported 8000 memories"
on_terminal 80 "mcp-memory import $work/many.jsonl --format facts --project crates 2>&1 | cat"
wants "a pipe has no bar" lacks "%"

# A pager gets what is longer than the terminal, and only on a terminal.
printf '#!/bin/sh\nprintf "paged: "; head -n 1\n' >"$work/bin/pager"
chmod +x "$work/bin/pager"
on_terminal 80 "stty rows 5; PAGER=pager mcp-memory list"
wants "what is longer than the terminal goes through the pager" has "paged: "
on_terminal 80 "PAGER=pager mcp-memory list"
wants "what is not longer does not" lacks "paged: "
on_terminal 80 "stty rows 5; PAGER=pager mcp-memory list | cat"
wants "a pipe has no pager" lacks "paged: "

# Text is UTF-8 in every locale.
for locale in C C.UTF-8 POSIX; do
	see run LC_ALL="$locale" mcp-memory recall 東京の桜
	wants "locale $locale shows what was saved" has "東京は日本の首都であり、最大の都市である。"
	run LC_ALL="$locale" mcp-memory save "locale $locale: Grüße, 世界 👋" >/dev/null
	see run mcp-memory list -n 1
	wants "locale $locale saves what is typed" has_line "locale $locale: Grüße, 世界 👋"
done

# The browser needs a terminal, has the whole of it, and gives it back.
see run mcp-memory browse
wants "browse refuses a pipe" has "browse needs a terminal"
printf 'q' | run script -qec "sh -c 'stty cols 60 rows 20; mcp-memory browse; echo code \$?; stty -a'" /dev/null >"$work/seen" || true
wants "browse takes the alternate screen" has "${escape}?1049h"
wants "browse leaves the alternate screen" has "${escape}?1049l"
wants "browse ends with 0" has "code 0"
wants "browse leaves the terminal as it was" grep -qaE '(^|[ ;])icanon' "$work/seen"
