// Package failing reads the output of failed calls and commands: it finds the
// part that says why, and a form of an error that is the same each time.
package failing

import (
	"slices"
	"strings"

	"mcp-memory/text/lazyregexp"
)

// bareFailure matches a line that says that something failed but not why.
// giveaway matches a line that says why.
var (
	bareFailure = lazyregexp.New(`(?i)^(?:error:? *)?(?:exit (?:code|status):? *-?\d+|(?:process|command)? ?(?:exited|failed)(?: with)?(?: exit)?(?: (?:code|status):? *-?\d+)?|traceback \(most recent call last\):|error:?|stderr:?|stdout:?|fail(?:ed|ure)?:?|chunk id: .*|wall time: .*|output:?)\.?$`)
	giveaway    = lazyregexp.New(`(?i)\b(?:not found|no such|cannot|can't|could not|unable|denied|refused|fatal|panic|undefined|unexpected|expected|missing|invalid|unknown|timed? ?out|conflict|already exists|permission|\w*error\b|\w*exception\b|failed|unauthorized|forbidden|too (?:large|long|many)|not (?:a|an|allowed|supported|installed))`)
)

// Telling returns the part of a failed call's output that says why it failed. If
// the output begins with lines that are blank or match [bareFailure], they are
// cut off, and so is what follows them before the first line that matches
// [giveaway], if one does. After the head of a Python traceback the lines are in
// reverse order, because the last line of a traceback says why. Any other output,
// and one of bare lines alone, is returned as it is.
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
			if traced { // the last line of a traceback says why
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
