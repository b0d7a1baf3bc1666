package resources

import (
	"fmt"
	"strings"
	"time"

	"mcp-memory/text/worth"
)

// Composed is the page of a new session, and what it was made of.
type Composed struct {
	Page   string
	Tokens int // that it takes
	Budget int // that it may take

	chosen   []placed
	sections []section
}

// ids are those of the memories that have a line, the best first.
func (c Composed) ids() (ids []string) {
	for _, p := range c.chosen {
		ids = append(ids, p.ID)
	}
	return ids
}

// placed is a memory that has a line on the page, as it stands there.
type placed struct {
	*candidate
	line string
}

// Line is one line of the page, or several that belong together.
type Line struct {
	Section string // the title above it
	Text    string // without its bullet
	Record  string // id of the memory that it is about, "" for none
	Todo    string // id of the to-do that it is about, "" for none
	Why     []string
}

// Lines returns the lines of the page in their order.
func (c Composed) Lines() (lines []Line) {
	known := c.known()
	title, text := "", ""
	flush := func() {
		if title != "" && text != "" {
			one := known[text]
			one.Section, one.Text = title, strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "- "), "> "))
			if one.Why == nil {
				one.Why = whyOf(title)
			}
			lines = append(lines, one)
		}
		text = ""
	}
	for line := range strings.Lines(c.Page) {
		switch {
		case strings.HasPrefix(line, "## "):
			flush()
			title = strings.TrimSpace(line[3:])
		case strings.HasPrefix(line, "  "):
			text += line
		case strings.TrimSpace(line) == "":
			flush()
		default:
			flush()
			text = line
		}
	}
	flush()
	return lines
}

// known finds by a line as it stands on the page what it is about and why it is there.
func (c Composed) known() map[string]Line {
	known := map[string]Line{}
	for i, s := range c.sections {
		for j, id := range s.ids {
			one := Line{Record: id}
			if i == sectionTodos {
				one = Line{Todo: id}
			}
			known[s.lines[j]] = one
		}
	}
	for _, p := range c.chosen {
		known[p.line] = Line{Record: p.ID, Why: p.why()}
	}
	return known
}

// whyOf says why a line stands under a title that is not of memories.
func whyOf(title string) []string {
	switch title {
	case titleSoul:
		return []string{"every entry of the soul is shown while there is room"}
	case titleNews:
		return []string{"somebody has to decide about an edit of a file"}
	case titleLinks:
		return []string{"it waits for an answer"}
	case titleLearnings:
		return []string{"corrections before errors, what was confirmed most often first"}
	case titleTodos:
		return []string{"it is due within a day, or urgent"}
	case titleLast:
		return []string{"how the latest conversation of this project went"}
	}
	return []string{"a person wrote it into a file of the workspace"}
}

// sorts say what a sentence is.
var sorts = map[worth.Sort]string{
	worth.Identity: "says who somebody is", worth.Preference: "says how somebody wants to be served", worth.Decision: "was decided",
	worth.Task: "is still to be done", worth.Change: "began or ended", worth.Lesson: "warns, or names a cause",
}

// why says what brought a memory onto the page.
func (c *candidate) why() (why []string) {
	if c.Pinned {
		why = append(why, "it is pinned")
	}
	if says := sorts[c.Sort]; says != "" {
		why = append(why, "it "+says)
	}
	if c.Importance > 0.5 {
		why = append(why, fmt.Sprintf("its importance is %.2g", c.Importance))
	}
	if c.AccessCount > 0 {
		sessions := "a session"
		if c.AccessCount > 1 {
			sessions = fmt.Sprintf("%d sessions", c.AccessCount)
		}
		why = append(why, "it was recalled in "+sessions)
	}
	if !c.Due.IsZero() {
		why = append(why, "it names "+c.Due.Add(-time.Second).Format(time.DateOnly))
	}
	if len(why) == 0 {
		why = append(why, "nothing better was left")
	}
	return append(why, fmt.Sprintf("score %.2f", c.score))
}
