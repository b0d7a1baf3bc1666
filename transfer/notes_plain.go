package transfer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/transfer/notes"
)

// plainFields is what is read of the front matter of somebody's note.
type plainFields struct {
	Tags       json.RawMessage `json:"tags"` // a list, or words between commas or blanks
	Project    string          `json:"project"`
	Category   string          `json:"category"`
	OccurredAt json.RawMessage `json:"occurred_at"`
	Date       json.RawMessage `json:"date"`
	Created    json.RawMessage `json:"created"`
	Drawing    json.RawMessage `json:"excalidraw-plugin"`
}

// readPlain takes somebody's note. Templates and drawings are no notes.
func (r *noteReader) readPlain(file string, n notes.Note) error {
	var f plainFields
	for folder := range strings.SplitSeq(strings.ToLower(path.Dir(file)), "/") {
		if folder == "templates" {
			return nil
		}
	}
	if len(n.Fields) > 0 && string(n.Fields) != "{}" {
		if err := jsonl.Decode(n.Fields, &f); err != nil {
			return r.badField(file, n, err)
		}
	}
	if f.Drawing != nil {
		return nil
	}
	var at jsonl.Moment
	named := strings.TrimSuffix(path.Base(file), path.Ext(file))
	quoted, err := json.Marshal(named)
	if err != nil {
		return err
	}
	for _, text := range []json.RawMessage{f.OccurredAt, f.Date, quoted, f.Created} {
		if len(text) > 0 && at.IsZero() {
			_ = at.UnmarshalJSON(text) // of other things than times nothing is known
		}
	}
	above := 0
	if n.Front != "" {
		above = strings.Count(n.Front, "\n") + 2
	}
	for _, s := range notes.Sections(notes.Title(file), n.Body) {
		origin, err := json.Marshal(map[string]string{"note": file})
		if err != nil {
			return err
		}
		request := remember.SaveRequest{
			Content: s.Text, Category: f.Category, Tags: plainTags(f.Tags), Source: memory.SourceImport, Provenance: origin,
			OccurredAt: at.Time, Quiet: true, Again: true, Revive: r.o.Revive,
		}
		if s.Key != "" {
			request.ExternalID = noteExternalID(file, s.Key)
		}
		if err := r.draft(f.Project, file, above+s.Line, request); err != nil {
			return err
		}
	}
	return nil
}

// readNew takes a note of ours that somebody added: it has no id yet.
func (r *noteReader) readNew(file string, n notes.Note) error {
	text, err := lineOfNote(n)
	if err != nil {
		return r.badField(file, n, err)
	}
	var line recordLine
	if err := jsonl.Decode(text, &line); err != nil {
		return r.badField(file, n, err)
	}
	if _, made := detailKinds[line.Kind]; made {
		return r.bad(file, n.LineOf("kind"), errors.New("a note of kind "+string(line.Kind)+" cannot be added: its tool makes one"))
	}
	request := remember.SaveRequest{
		Content: strings.TrimSpace(line.Content), Kind: line.Kind, Category: line.Category, Tags: line.Tags, Source: line.Source,
		ExternalID: line.ExternalID, Metadata: line.Metadata, Provenance: line.Provenance, OccurredAt: line.OccurredAt,
		ValidFrom: line.ValidFrom, ValidUntil: line.ValidUntil, Pinned: line.Pinned, KindDetails: line.details(),
		Quiet: true, Again: true, Revive: r.o.Revive,
	}
	if line.Importance != 0 {
		request.Importance = &line.Importance
	}
	if request.Source == "" {
		request.Source = memory.SourceUser
	}
	if request.ExternalID == "" {
		request.ExternalID = noteExternalID(file, "")
	}
	return r.draft(line.Project, file, strings.Count(n.Front, "\n")+3, request)
}

// detailKinds are those whose content is made of their details, or that only
// their own tool may add.
var detailKinds = map[memory.Kind]bool{
	memory.KindTriple: true, memory.KindProcedure: true, memory.KindRelationship: true, memory.KindDiary: true, memory.KindSoul: true, memory.KindSummary: true,
}

// plainTags reads a list of tags, or words between commas and blanks, with or
// without #.
func plainTags(raw json.RawMessage) []string {
	var list []any
	var one string
	if json.Unmarshal(raw, &one) == nil {
		for _, word := range strings.FieldsFunc(one, func(r rune) bool { return r == ',' || r == ' ' }) {
			list = append(list, word)
		}
	} else if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var tags []string
	for _, item := range list {
		if s, ok := item.(string); ok && strings.Trim(s, "# ") != "" {
			tags = append(tags, strings.Trim(s, "# "))
		}
	}
	return tags
}

// noteExternalID is by which a section of a note is known again.
func noteExternalID(file, key string) string {
	id := "note/" + file + strings.TrimSuffix(key, "#")
	if len(id) > memory.MaxNameBytes {
		sum := sha256.Sum256([]byte(id))
		id = "note/" + hex.EncodeToString(sum[:16])
	}
	return id
}
