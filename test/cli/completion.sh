# Sourced by run.sh: tab completion. Bash and fish are asked what they offer for a line; zsh, which
# cannot be asked, gets the key at a prompt of its own, and so does bash at the end.

for shell in bash zsh fish; do run mcp-memory completion "$shell" >"$work/completion.$shell"; done

# by_bash LINE prints what bash offers for the last word of a line.
cat >"$work/by_bash" <<'END'
source /usr/share/bash-completion/bash_completion
source "$1"
COMP_LINE=$2 COMP_POINT=${#2} COMP_TYPE=63 COMP_KEY=9
read -ra COMP_WORDS <<<"$2"
if [[ $2 == *" " ]]; then COMP_WORDS+=(""); fi
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
__start_mcp-memory
printf '%s\n' "${COMPREPLY[@]}"
END
by_bash() { run bash --norc "$work/by_bash" "$work/completion.bash" "$1"; }
by_fish() { run fish -N -c "source $work/completion.fish; complete -C '$1'"; }

# by_zsh LINE prints what zsh lists at its prompt after a tab.
cat >"$work/by_zsh" <<'END'
zmodload zsh/zpty
zpty z "stty cols 160 rows 50; PS1=prompt: zsh -f -i"
zpty -w z "autoload -Uz compinit; compinit -u -D; source $1; zstyle ':completion:*' list-grouped false; LISTMAX=0; bindkey '^I' complete-word; echo re''ady"
zpty -r z seen '*ready*'
zpty -w -n z "$2"$'\t\t'
zpty -w -n z $'\C-a: \C-e\n'   # the line becomes a command that does nothing
zpty -w z "echo e''nd"
zpty -r z seen '*end*'
print -r -- "$seen"
END
by_zsh() { run zsh -f "$work/by_zsh" "$work/completion.zsh" "$1"; }

for shell in bash zsh fish; do
	see by_$shell "mcp-memory rec"
	wants "$shell completes a command" has recall
	see by_$shell "mcp-memory save x --categ"
	wants "$shell completes a flag" has --category
	see by_$shell "mcp-memory save x --category techn"
	wants "$shell completes a category" has technical
	see by_$shell "mcp-memory list --project ga"
	wants "$shell completes a project" has garden
	see by_$shell "mcp-memory --project garden get ${id:0:20}"
	wants "$shell completes an id" has "$id"
	see by_$shell "mcp-memory episode "
	wants "$shell completes what a family has" has remove
	see by_$shell "mcp-memory frobnicate nothing --categ"
	wants "$shell offers nothing to what is no command" lacks --category
done
see by_fish "mcp-memory --project garden get ${id:0:20}"
wants "fish shows the text of a memory beside its id" has "Anna drinks tea."
see by_bash "mcp-memory save x --source "
wants "bash offers the values of an argument" has import

# A person at the prompt of bash types a line with tabs in it.
printf 'source /usr/share/bash-completion/bash_completion\nsource %s\n' "$work/completion.bash" >"$work/rc"
printf '%s\nexit\n' $'mcp-memory reca\t "who drinks tea" --project gar\t --lim\t 1 | cat -A' |
	run script -qec "bash --noprofile --rcfile $work/rc -i" /dev/null >"$work/seen" 2>&1 || true
wants "bash completes at its prompt" has 'Anna drinks tea.$'
