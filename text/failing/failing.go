// Package failing reads what failed calls and commands returned: which part says why, and by
// what the same error is known again elsewhere.
package failing

import (
	"slices"
	"strings"

	"mcp-memory/text/lazyregexp"
)

// bareFailure is a line that says that something failed and not why, and giveaway what a
// line has that says it.
var (
	bareFailure = lazyregexp.New(`(?i)^(?:error:? *)?(?:exit (?:code|status):? *-?\d+|(?:process|command)? ?(?:exited|failed)(?: with)?(?: exit)?(?: (?:code|status):? *-?\d+)?|traceback \(most recent call last\):|error:?|stderr:?|stdout:?|fail(?:ed|ure)?:?|chunk id: .*|wall time: .*|output:?)\.?$`)
	giveaway    = lazyregexp.New(`(?i)\b(?:not found|no such|cannot|can't|could not|unable|denied|refused|fatal|panic|undefined|unexpected|expected|missing|invalid|unknown|timed? ?out|conflict|already exists|permission|\w*error\b|\w*exception\b|failed|unauthorized|forbidden|too (?:large|long|many)|not (?:a|an|allowed|supported|installed))`)
)

// Telling is the part of what a failed call returned that says why it failed, from that line
// on.
func Telling(reason string) string {
	lines := strings.Split(strings.ReplaceAll(reason, "\r\n", "\n"), "\n")
	traced := false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case bareFailure().MatchString(line):
			traced = traced || strings.HasSuffix(line, "last):")
		default:
			rest := lines[i:]
			if traced { // the last line of a trace says it
				slices.Reverse(rest)
			}
			if i == 0 {
				return reason
			}
			for k, one := range rest {
				if giveaway().MatchString(one) {
					return strings.Join(rest[k:], "\n")
				}
			}
			return strings.Join(rest, "\n")
		}
	}
	return reason
}
