package tools

import (
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/text/worth"
)

// resultNotes says beside a result what a reader has to know of it: what it is
// about, when it happened or was saved, who it is from, and what no longer holds.
// Days are those of the user, by day.
func resultNotes(r recall.Result, day func(time.Time) string) string {
	if r.Place != nil {
		return "[" + joined(", ", fmt.Sprintf("%s:%d", r.Place.Path, r.Place.Line), r.Place.Heading, fileDay(r), fmt.Sprintf("score %.2f", r.Score)) + "]"
	}
	about := r.Category
	if r.Speaker != "" {
		about = r.Speaker
		if r.Session != "" {
			about += " in " + r.Session
		}
	}
	notes := []string{string(r.Kind), about, resultTime(r, day)}
	if r.Source != "" {
		notes = append(notes, "from "+sourceNames[r.Source])
	}
	notes = append(notes, fmt.Sprintf("score %.2f", r.Score), "id "+r.ID)
	return "[" + joined(", ", append(notes, resultMarks(r, day)...)...) + "]"
}

// fileDay is the day that a file is about, "" if it tells none: a date alone, which is
// of no zone.
func fileDay(r recall.Result) string {
	if r.OccurredAt.IsZero() {
		return ""
	}
	return "of " + r.OccurredAt.Format(time.DateOnly)
}

// sourceNames are whom or what a memory is from.
var sourceNames = map[memory.Source]string{
	memory.SourceUser: "user", memory.SourceAgent: "agent", memory.SourceTool: "tool", memory.SourceImport: "import", memory.SourceLink: "link",
}

// resultTime says of a date whether it is when it happened.
func resultTime(r recall.Result, day func(time.Time) string) string {
	switch {
	case r.Corpus == memory.Thinking:
		return "thought " + day(r.EventTime())
	case r.Corpus == memory.Conversations:
		return "said " + day(r.EventTime())
	case !r.OccurredAt.IsZero():
		return "happened " + day(r.OccurredAt)
	}
	return "saved " + day(r.CreatedAt)
}

// resultMarks says what no longer holds, or not yet.
func resultMarks(r recall.Result, day func(time.Time) string) (marks []string) {
	if from := r.ValidFrom; !from.IsZero() && !strings.HasSuffix(resultTime(r, day), day(from)) {
		marks = append(marks, "true from "+day(from))
	}
	by := r.OutdatedBy
	if by == "" {
		by = r.SupersededBy
	}
	until := ""
	if !r.ValidUntil.IsZero() {
		until = day(r.ValidUntil)
	}
	switch {
	case by != "" && until != "":
		marks = append(marks, "outdated since "+until+" by "+by)
	case by != "":
		marks = append(marks, "outdated by "+by)
	case r.DoubtedBy != "":
		marks = append(marks, "may be out of date, see "+r.DoubtedBy)
	case until != "":
		marks = append(marks, "true until "+until)
	}
	if r.Rejected() || r.Corpus == memory.Memories && worth.Of(r.Content, time.Time{}).Rejected {
		marks = append(marks, "rejected")
	}
	if !r.Overdue.IsZero() {
		marks = append(marks, "overdue since "+day(r.Overdue))
	}
	if !r.ArchivedAt.IsZero() {
		marks = append(marks, "archived")
	}
	if r.Damaged {
		marks = append(marks, "damaged: not what was saved")
	}
	return marks
}

// earlierLine says what a result said before, in a line of its own; "" if nothing.
func earlierLine(versions []recall.Version, day func(time.Time) string) string {
	if len(versions) == 0 {
		return ""
	}
	parts := make([]string, len(versions))
	for i, v := range versions {
		parts[i] = fmt.Sprintf("%s (until %s)", memory.OneLine(v.Content, 80), day(v.Until))
	}
	return "   earlier: " + strings.Join(parts, "; ") + "\n"
}
