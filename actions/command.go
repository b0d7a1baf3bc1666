package actions

import (
	"strings"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
)

var (
	// moved matches changes of directory before a command. cut matches what only shortens its
	// output.
	moved = lazyregexp.New(`^(?:cd\s+\S+\s*(?:&&|;)\s*)+`)
	cut   = lazyregexp.New(`(?:\s*2>&1)?(?:\s*\|\s*(?:tail|head|tee|less|cat|grep|wc)\b[^|]*)*$`)
)

// canon returns a command without changes of directory and filters of its output, so that repeated
// runs are recognised.
func canon(command string) string {
	short := strings.Join(strings.Fields(cut().ReplaceAllString(moved().ReplaceAllString(command, ""), "")), " ")
	if short == "" {
		return command
	}
	return short
}

// within reports whether a command, in canonical form, is among the commands of a line.
func within(command, line string) bool {
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return r == '&' || r == ';' || r == '\n' }) {
		if canon(strings.TrimSpace(part)) == command {
			return true
		}
	}
	return false
}

// looking has programs that only read.
var looking = map[string]bool{
	"ls": true, "cat": true, "head": true, "tail": true, "grep": true, "rg": true,
	"find": true, "sed": true, "awk": true, "wc": true, "pwd": true, "which": true, "echo": true,
	"ps": true, "lsof": true, "ss": true, "netstat": true, "df": true, "du": true, "stat": true,
	"file": true, "tree": true, "env": true, "whoami": true, "type": true, "less": true,
	"jq": true, "diff": true, "date": true, "id": true, "fd": true, "printenv": true, "uname": true, "nl": true, "command": true,
}

// lookingAt has subcommands that only read, of programs that may also change something.
var lookingAt = map[string]bool{
	"git status": true, "git diff": true, "git log": true, "git show": true, "git branch": true,
	"git remote": true, "git blame": true, "docker ps": true, "docker logs": true,
	"docker inspect": true, "docker images": true, "kubectl get": true,
	"kubectl describe": true, "kubectl logs": true, "systemctl status": true, "npm ls": true,
	"pip show": true, "pip list": true, "pip freeze": true, "go version": true,
	"go env": true, "go doc": true, "brew info": true, "apt-cache policy": true,
}

// looks reports whether a command seems to change nothing.
func looks(command string) bool {
	command = canon(command)
	program := memory.Program(command)
	if looking[program] {
		return !strings.ContainsAny(command, ">") && !(program == "sed" && strings.Contains(command, " -i"))
	}
	if lookingAt[program+" "+part(command, program)] {
		return true
	}
	return strings.HasSuffix(command, "--version") || strings.HasSuffix(command, "--help")
}

// akin reports whether two commands are forms of the same one: they run the same program and the
// same subcommand of it, such as "docker compose up". A subcommand that one of them lacks is not
// compared, and one of two words may be mistyped.
func akin(a, b string) bool {
	program := memory.Program(a)
	if program == "" || program != memory.Program(b) {
		return false
	}
	first, second := part(a, program), part(b, program)
	return first == second || first == "" || second == "" || strings.Contains(first, " ") && mistyped(first, second)
}

// mistyped reports whether one of two words may be a misspelling of the other, by their letters: at
// most one letter more or less, in any order. Example: "npm run tets".
func mistyped(a, b string) bool {
	count := [256]int{}
	for _, c := range []byte(a) {
		count[c]++
	}
	for _, c := range []byte(b) {
		count[c]--
	}
	differ := 0
	for _, n := range count {
		differ += max(n, -n)
	}
	return differ <= 1
}

// withValue has options that are followed by a value and may stand before a subcommand.
var withValue = map[string]bool{"-n": true, "--namespace": true, "-C": true, "--context": true, "-f": true, "-p": true, "--profile": true,
	"--project": true}

// behindOptions returns the index of the first word from words[i] on that is neither an option nor
// the value of one, len(words) if there is none.
func behindOptions(words []string, i int) int {
	for ; i < len(words) && strings.HasPrefix(words[i], "-"); i++ {
		if withValue[words[i]] {
			i++
		}
	}
	return min(i, len(words))
}

// runner has subcommands that run what the next word names.
var runner = map[string]bool{"run": true, "run-script": true, "compose": true, "exec": true}

// part returns the subcommand of a program: the first word behind the program that is no option,
// with the next one if it is a runner. It is "" if there is none.
func part(command, program string) string {
	words := strings.Fields(canon(command))
	for i, w := range words {
		if !strings.HasSuffix(strings.ToLower(w), program) {
			continue
		}
		i = behindOptions(words, i+1)
		if i == len(words) {
			break
		}
		if next := behindOptions(words, i+1); runner[words[i]] && next < len(words) {
			return words[i] + " " + words[next] // "npm run build"
		}
		return words[i]
	}
	return ""
}
