package transfer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/transfer/notes"
)

// The types of notes and of the header of a conversation's file, and names of files and folders.
const (
	noteReadme   = "readme"
	noteRecord   = "record"
	noteTodo     = "todo"
	noteEvent    = "event"
	typeSession  = "session"
	turnsFolder  = "conversations"
	todoFolder   = "todos"
	eventFolder  = "calendar"
	readmeFile   = "README.md"
	notesVersion = 1
)

// rawFields are the fields of a record that hold foreign JSON; see [notes.Format].
var rawFields = []string{"metadata", "provenance", "diary"}

// bodies maps the types of notes to the field that is the note's body.
var bodies = map[string]string{noteReadme: "text", noteRecord: "content", noteTodo: "description", noteEvent: "description"}

// linkFields are links to other notes in front matter. They are derived from the records, so an
// import ignores them, but for ExternalIDs.
type linkFields struct {
	ExternalIDs  []string `json:"other_external_ids,omitempty"` // imported: further external ids
	Supersedes   string   `json:"supersedes_note,omitempty"`
	SupersededBy string   `json:"superseded_by_note,omitempty"`
	DerivedFrom  []string `json:"derived_from_notes,omitempty"`
	SourceOf     []string `json:"source_of_notes,omitempty"`
	About        []string `json:"about_notes,omitempty"`
	NamedIn      []string `json:"named_in_notes,omitempty"`
}

// noteOf returns the note of a bundle's line, with the fields of behind added to its front matter.
func noteOf(kind string, line, behind any) (string, error) {
	fields, err := lineJSON(line)
	if err != nil {
		return "", err
	}
	more, err := lineJSON(behind)
	if err != nil {
		return "", err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(fields, &all); err != nil {
		return "", err
	}
	var body string
	if raw := all[bodies[kind]]; raw != nil {
		if err := json.Unmarshal(raw, &body); err != nil {
			return "", err
		}
	}
	fields, err = notes.Without(fields, "type", bodies[kind])
	if err != nil {
		return "", err
	}
	if len(more) > 2 {
		fields = append(append(bytes.TrimSuffix(fields, []byte("}")), ','), more[1:]...)
	}
	text, err := notes.Format(notes.Note{Type: kind, Fields: fields, Body: body}, rawFields...)
	if err != nil {
		return "", fmt.Errorf("write note: %w", err)
	}
	return text, nil
}

// lineJSON encodes a line of a bundle, without a line feed.
func lineJSON(line any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(line)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// lineOfNote returns the bundle's line from which a note of this program was made.
func lineOfNote(n notes.Note) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(n.Fields, &fields); err != nil {
		return nil, err
	}
	for _, key := range rawFields {
		if value, ok := fields[key]; ok {
			fields[key] = notes.Raw(value)
		}
	}
	body := n.Body
	if n.Edited {
		body = strings.TrimSpace(body)
	}
	for key, value := range map[string]string{"type": n.Type, bodies[n.Type]: body} {
		text, err := lineJSON(value)
		if err != nil {
			return nil, err
		}
		fields[key] = text
	}
	return lineJSON(fields)
}

// noteName returns the name of a note without folder and extension. It depends only on what never
// changes, so the file keeps its name.
func noteName(text, id string) string { return notes.Slug(text) + "-" + notes.ShortID(id) }

// slugText returns the text from which the name of a record's note is made.
func slugText(r memory.Record) string {
	switch {
	case r.Kind == memory.KindDiary && r.Diary != nil:
		return r.Diary.Date + " " + r.Content
	case r.Kind == memory.KindProcedure && r.Procedure != nil:
		return r.Procedure.Name
	case r.Kind == memory.KindRelationship && r.Relationship != nil:
		return cmp.Or(r.Relationship.Name, r.Relationship.Party)
	}
	return r.Content
}
