package memory

import (
	"slices"
	"strings"
	"unicode"
)

// breaksLine reports whether a character has no place in what is shown on one line: it ends a line,
// is a control character (which may control a terminal), or turns the direction of text.
func breaksLine(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || turnsOrder(r)
}

// turnsOrder reports whether a character embeds, overrides or isolates the direction of text. The
// marks that ordinary right-to-left text needs are not among them.
func turnsOrder(r rune) bool { return r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069' }

// CheckLine is [CheckText] for what is shown on one line, such as a name: an end of a line,
// a control character or one that turns the direction of text is [CodeInvalidArgument].
func CheckLine(name, s string, limit int) error {
	if err := CheckText(name, s, limit); err != nil {
		return err
	}
	if strings.ContainsFunc(s, breaksLine) {
		return Errorf(CodeInvalidArgument, "%s %q has a control character in its name", name, s).WithHint("one line of text")
	}
	return nil
}

// Line returns text as [CheckLine] takes it: what ends a line or is a control character
// becomes a blank, what turns the direction is left out. Text without them is returned as it is.
func Line(s string) string {
	if !strings.ContainsFunc(s, breaksLine) {
		return s
	}
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == 0: // kept, as CheckText has to refuse it
			return r
		case turnsOrder(r):
			return -1
		case breaksLine(r):
			return ' '
		}
		return r
	}, s)), " ")
}

// oneLines applies [Line] to each element, and if any changes leaves out empty and repeated ones.
func oneLines(list []string) []string {
	if !slices.ContainsFunc(list, func(s string) bool { return strings.ContainsFunc(s, breaksLine) }) {
		return list
	}
	lines := make([]string, 0, len(list))
	for _, s := range list {
		if s = Line(s); s != "" && !slices.Contains(lines, s) {
			lines = append(lines, s)
		}
	}
	return lines
}

// Tidied returns the record with its names (tags, participants and so on) on one line each, as
// [Record.Validate] requires. Project and Category are left as they are, since another name would
// mean another project or category.
func (r Record) Tidied() Record {
	r.Tags, r.ExternalID = oneLines(r.Tags), Line(r.ExternalID)
	if string(r.Metadata) == "null" { // what a program writes that has none
		r.Metadata = nil
	}
	if r.Episode != nil {
		d := *r.Episode
		d.Participants = oneLines(d.Participants)
		r.Episode = &d
	}
	if r.Triple != nil {
		d := *r.Triple
		d.Subject, d.Predicate = Line(d.Subject), Line(d.Predicate)
		r.Triple = &d
	}
	if r.Procedure != nil {
		d := *r.Procedure
		d.Name = Line(d.Name)
		r.Procedure = &d
	}
	if r.Relationship != nil {
		d := *r.Relationship
		d.Party, d.Name, d.Type = Line(d.Party), Line(d.Name), Line(d.Type)
		r.Relationship = &d
	}
	if r.Diary != nil {
		d := *r.Diary
		d.Mood, d.Location = Line(d.Mood), Line(d.Location)
		r.Diary = &d
	}
	if r.Learning != nil {
		d := *r.Learning
		d.Tool = Line(d.Tool)
		r.Learning = &d
	}
	return r
}

// Tidied returns the turn with the names in it on one line each; see [Record.Tidied].
func (t Turn) Tidied() Turn {
	t.Speaker, t.ExternalID = Line(t.Speaker), Line(t.ExternalID)
	if t.Details != nil {
		d := *t.Details
		d.InputSource, d.ToolCallID = Line(d.InputSource), Line(d.ToolCallID)
		t.Details = &d
	}
	return t
}

// Tidied returns the to-do with its title on one line.
func (t Todo) Tidied() Todo {
	t.Title = Line(t.Title)
	return t
}

// Tidied returns the event with its title on one line.
func (e CalendarEvent) Tidied() CalendarEvent {
	e.Title = Line(e.Title)
	return e
}
