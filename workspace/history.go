package workspace

import (
	"context"
	"time"

	"mcp-memory/memory"
)

// minute is how entries are dated, in UTC.
const minute = "2006-01-02 15:04 UTC"

const historyFile = "memory/HISTORY.md"

// AppendHistory adds an entry to memory/HISTORY.md: one line with its time in UTC,
// which grep shows whole, by a word as by a date:
//
//	2025-01-15 10:30: Anna chose green tea. <!-- ID -->
//
// An id that is in the last MiB of the file is not written again. The text
// cannot make headings or markers: its line breaks become blanks, and what
// starts Markdown structure is escaped. [memory.CodeInvalidArgument] for an id
// with other characters than letters, digits and ._:-,
// [memory.CodeUnavailable] and [memory.CodeForbidden] as with [Dir.MergeMemory].
func (d Dir) AppendHistory(ctx context.Context, id string, at time.Time, text string) error {
	if err := checkID(id); err != nil {
		return err
	}
	entry := at.UTC().Format("2006-01-02 15:04") + ": " + paragraph(text) + " <!-- " + id + " -->\n"
	return d.alone(ctx, func(t tree) error { return t.log(historyFile, "History (UTC)", id, entry) })
}

// learningTitles are those of the files of learnings.
var learningTitles = map[memory.LearningType]string{memory.LearningError: "Errors", memory.LearningCorrection: "Corrections"}

// LearningFile is the file of a learning, "" for what is none.
func LearningFile(r memory.Record) string {
	switch {
	case r.Learning == nil:
	case r.Learning.Type == memory.LearningError:
		return ErrorsFile
	case r.Learning.Type == memory.LearningCorrection:
		return CorrectionsFile
	}
	return ""
}

// learningEntry is a learning in its file.
func learningEntry(r memory.Record) string {
	heading := "## " + r.EventTime().UTC().Format(minute)
	if tool := oneLine(r.Learning.Tool); tool != "" {
		heading += ", " + tool
	}
	entry := heading + "\n\n" + learned(r)
	if about := oneLine(r.Learning.Context); about != "" {
		entry += "\n\n" + contextLead + " " + about
	}
	return entry + fullMarker(r.ID, learned(r)) + "\n"
}
