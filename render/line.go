package render

import (
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/text/when"
	"mcp-memory/text/worth"
)

// Words formats results. Times are shown in the time zone of Clock.
type Words struct{ Clock memory.Clock }

// Line is what to show of a result beside its text. Each field is in words, and "" if there is
// nothing to say.
type Line struct {
	ID       string   // of the memory; "" for a passage of a file
	Place    string   // path and line, "notes/plan.md:12", of a passage of a file
	Heading  string   // heading above the passage
	Kind     string   // "fact"
	About    string   // category; of a message, its speaker and conversation
	Project  string   // "project shop"; "" for global memories
	When     string   // "saved 2026-05-04", "happened 2026-05-04 14:30"
	Age      string   // "29 days ago"
	Mentions []string // meaning of relative dates in the text: "“next Friday” is 2026-05-08"
	Source   string   // "from user"
	Tags     string   // "#anna #oslo"
	Score    string   // "score 0.67"; "" if nothing was searched for
	Marks    []Mark
	Earlier  []Earlier
}

// Mark is a warning that a reader must not overlook.
type Mark struct {
	Text string // "archived", "may be out of date, see"
	ID   string // of the memory to which Text refers at its end, "" for none
}

// Earlier is a former version of a memory.
type Earlier struct {
	ID   string
	Text string // "I live in Groningen (until 2026-05-04)"
}

// Limits: characters of a name and of an earlier version, number of tags, number of mentions.
const maxName, maxEarlier, maxTags, maxMentions = 80, 120, 6, 3

// Facts returns the fields of the line that are not "", without id, marks and earlier versions, in
// the order in which they are shown.
func (l Line) Facts() (facts []string) {
	for _, f := range append(append([]string{l.Place, l.Heading, l.Kind, l.About, l.Project, l.When, l.Age}, l.Mentions...), l.Source,
		l.Tags, l.Score) {
		if f != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

// Result returns the line of a result.
func (w Words) Result(r recall.Result) Line {
	if r.Place != nil {
		return w.passage(r)
	}
	l := Line{ID: r.ID, Kind: string(r.Kind), About: about(r), When: w.when(r), Age: w.Age(r.EventTime()), Score: score(r.Score)}
	if r.Project != "" {
		l.Project = "project " + memory.OneLine(r.Project, maxName)
	}
	for _, m := range r.Mentions[:min(maxMentions, len(r.Mentions))] {
		if !when.Absolute(m.Text) {
			l.Mentions = append(l.Mentions, w.mention(m))
		}
	}
	if r.Source != "" {
		l.Source = "from " + string(r.Source)
	}
	for i, t := range r.Tags[:min(maxTags, len(r.Tags))] {
		if i > 0 {
			l.Tags += " "
		}
		l.Tags += "#" + memory.OneLine(t, maxName)
	}
	l.Marks = w.marks(r)
	for _, v := range r.Earlier {
		text := memory.OneLine(v.Content, maxEarlier)
		if !v.Until.IsZero() {
			text += " (until " + w.Clock.Day(v.Until) + ")"
		}
		l.Earlier = append(l.Earlier, Earlier{v.ID, text})
	}
	return l
}

// Record returns the line of a memory that is not the result of a recall, so it has no score.
func (w Words) Record(r memory.Record) Line {
	return w.Result(recall.Result{Document: memory.Document{Record: r, Corpus: memory.Memories}})
}

// passage returns the line of a passage of a file.
func (w Words) passage(r recall.Result) Line {
	l := Line{Place: fmt.Sprintf("%s:%d", r.Place.Path, r.Place.Line), Heading: memory.OneLine(r.Place.Heading, maxName),
		Score: score(r.Score)}
	if !r.OccurredAt.IsZero() { // a date, which has no time zone
		l.When = "of " + r.OccurredAt.Format(time.DateOnly)
	}
	return l
}

// about returns the category of a memory, or the speaker and conversation of a message.
func about(r recall.Result) string {
	if r.Speaker == "" {
		return memory.OneLine(r.Category, maxName)
	}
	who := memory.OneLine(r.Speaker, maxName)
	if r.Session != "" {
		who += " in " + memory.OneLine(r.Session, maxName)
	}
	return who
}

func score(x float64) string {
	if x <= 0 {
		return ""
	}
	return fmt.Sprintf("score %.2f", x)
}

// when says what the time of a result is: when it was thought, said, or happened (to the minute),
// or else when it was saved (only the day).
func (w Words) when(r recall.Result) string {
	switch {
	case r.Corpus == memory.Thinking:
		return "thought " + w.Moment(r.EventTime())
	case r.Corpus == memory.Conversations:
		return "said " + w.Moment(r.EventTime())
	case !r.OccurredAt.IsZero():
		return "happened " + w.Moment(r.OccurredAt)
	}
	return "saved " + w.Clock.Day(r.CreatedAt)
}

// mention says which days an expression such as "next week" meant when it was said.
func (w Words) mention(m memory.Mention) string {
	text := "“" + memory.OneLine(m.Text, maxName) + "” is " + w.Clock.Day(m.From)
	end := m.To.Add(-time.Second)
	if memory.DateOnly(m.To) {
		end = m.To.AddDate(0, 0, -1)
	}
	if last := w.Clock.Day(end); end.After(m.From) && last != w.Clock.Day(m.From) {
		text += " to " + last
	}
	return text
}

// marks returns the warnings about a result: what holds no longer or not yet, and other unusual
// states.
func (w Words) marks(r recall.Result) (marks []Mark) {
	mark := func(is bool, text, id string) {
		if is {
			marks = append(marks, Mark{text, id})
		}
	}
	mark(r.Pinned, "pinned", "")
	day := w.Clock.Day
	from, until := r.ValidFrom, r.ValidUntil
	mark(!from.IsZero() && !strings.Contains(w.when(r), day(from)), "true from "+day(from), "")
	by := r.OutdatedBy
	if by == "" {
		by = r.SupersededBy
	}
	switch {
	case by != "" && !until.IsZero():
		mark(true, "outdated since "+day(until)+" by", by)
	case by != "":
		mark(true, "outdated by", by)
	case until.IsZero():
	case until.After(w.Clock.Now()):
		mark(true, "true until "+day(until), "")
	default:
		mark(true, "no longer true since "+day(until), "")
	}
	mark(by == "" && r.DoubtedBy != "", "may be out of date, see", r.DoubtedBy)
	mark(r.Rejected() || r.Corpus == memory.Memories && worth.Of(r.Content, time.Time{}).Rejected, "rejected", "")
	mark(!r.Overdue.IsZero(), "overdue since "+day(r.Overdue), "")
	mark(!r.ArchivedAt.IsZero(), "archived", "")
	mark(r.Damaged, "damaged: not what was saved", "")
	return marks
}

// String returns the text with the id.
func (m Mark) String() string { return strings.TrimSpace(m.Text + " " + m.ID) }
