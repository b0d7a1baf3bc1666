package resources

import (
	"fmt"
	"strings"
	"time"

	"mcp-memory/text/worth"
)

// Composed is the start page, and what it was made of.
type Composed struct {
	Page   string
	Tokens int // tokens of Page
	Budget int // most tokens that Page may have

	chosen   []placed
	sections []section
}

// ids returns the ids of the memories that have a line, best first.
func (c Composed) ids() (ids []string) {
	for _, p := range c.chosen {
		ids = append(ids, p.ID)
	}
	return ids
}

// placed is a memory on the page, with its line as written there.
type placed struct {
	*candidate
	line string
}

// Line is an entry of the page: a line, with the indented lines that follow it.
type Line struct {
	Section string // title of the section it is in
	Text    string // without the leading "- " or "> "
	Record  string // id of the memory it shows, "" for none
	Todo    string // id of the to-do it shows, "" for none
	Why     []string
}

// Lines splits the page into its entries, in order.
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

// known maps lines as they are written on the page to the ids they are about and why they are
// there.
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

// whyOf says why a line is in a section that does not hold scored memories.
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

// sorts describes the sorts of sentences, as the continuation of "it …".
var sorts = map[worth.Sort]string{
	worth.Identity: "says who somebody is", worth.Preference: "says how somebody wants to be served", worth.Decision: "was decided",
	worth.Task: "is still to be done", worth.Change: "began or ended", worth.Lesson: "warns, or names a cause",
}

// why lists what raised the score of a memory, and the score.
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
