package actions

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
)

// Failure is a command that failed.
type Failure struct {
	Command string
	Says    string // the line that tells why; may be empty
}

// Last is a summary of a session. Each text is one line.
type Last struct {
	Session, Host string
	At            time.Time // of the last action
	Asked         []string  // the user's first request, and the last one if it differs
	Files         []string  // changed files, most edits first; relative to the directory of the action if in it
	Tests         []string  // commands that ran tests and passed in their last run, newest first
	Commits       []string  // subjects of commits, newest first
	Commands      []string  // other commands whose last run did not fail, without those that only look; newest first
	Unmended      []Failure // commands whose last run failed and that nothing mended; newest first
	Ran, Failed   int       // number of runs of commands
}

// lineBytes is how many characters a command, subject or error in a [Last] has. Longer ones are
// cut.
const lineBytes = 100

// Last summarises the latest session of the scope's project. It is the zero value if there is none.
func (s *Service) Last(ctx context.Context, scope memory.Scope) (Last, error) {
	newest, err := s.List(ctx, scope, "", 1)
	if err != nil || len(newest) == 0 {
		return Last{}, err
	}
	list, err := s.List(ctx, scope, newest[0].Session, 0)
	slices.Reverse(list)
	return lastOf(list), err
}

// lastOf summarises the actions of a session, which are in order of time.
func lastOf(session []memory.Action) (l Last) {
	edits, asked, told := map[string]int{}, []string{}, map[string]bool{}
	for i, a := range slices.Backward(session) {
		if a.Asked != "" {
			asked = append(asked, a.Asked)
		}
		if i == len(session)-1 {
			l.Session, l.Host, l.At = a.Session, a.Host, a.At
		}
		switch {
		case a.Kind.Changes() && a.Outcome != memory.OutcomeFailed:
			name := strings.TrimPrefix(a.Text, strings.TrimSuffix(a.Dir, "/")+"/")
			if edits[name]++; edits[name] == 1 {
				l.Files = append(l.Files, name)
			}
		case a.Kind.Runs():
			l.Ran++
			if a.Outcome == memory.OutcomeFailed {
				l.Failed++
			}
			if command := canon(a.Text); !told[command] {
				told[command] = true
				l.add(session, i, memory.OneLine(command, lineBytes))
			}
		}
	}
	slices.SortStableFunc(l.Files, func(a, b string) int { return cmp.Compare(edits[b], edits[a]) })
	if len(asked) > 0 {
		l.Asked = slices.Compact([]string{asked[len(asked)-1], asked[0]})
	}
	return l
}

// add adds the last run of a command, session[at].
func (l *Last) add(session []memory.Action, at int, command string) {
	a := session[at]
	ok := a.Outcome == memory.OutcomeOK // some hosts do not report outcomes
	switch subject := committed(a.Text); {
	case looks(a.Text):
	case a.Outcome == memory.OutcomeFailed:
		said := newComplaint(a.Tail)
		if _, passed, _ := remedy(session, at, said); passed == 0 {
			said.lines = append(said.lines, "")
			l.Unmended = append(l.Unmended, Failure{command, memory.OneLine(said.lines[0], lineBytes)})
		}
	case ok && a.Kind == memory.ActionTest:
		l.Tests = append(l.Tests, command)
	case ok && subject != "":
		l.Commits = append(l.Commits, memory.OneLine(subject, lineBytes))
	default:
		l.Commands = append(l.Commands, command)
	}
}

// commits matches a command that makes a commit, and the first line of its message, which may be in
// a here-document.
var commits = lazyregexp.New(`\bgit\b[^|;&]*?\scommit\s[^|;&]*?-[a-z]*m\s*(?:"\$\(cat <<-?\s*'?\w+'?\s*\n|"|')([^"'\n]+)`)

// committed returns the subject of the commit that a command makes, "" if it makes none.
func committed(command string) string {
	if m := commits().FindStringSubmatch(command); m != nil {
		return m[1]
	}
	return ""
}
