package transfer

import (
	"encoding/json"
	"errors"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/transfer/foreign"
	"mcp-memory/transfer/jsonl"
	"mcp-memory/transfer/notes"
)

// readPlain drafts the memories of a note that this program did not write. Templates and drawings
// have none.
func (r *noteReader) readPlain(file string, n notes.Note) error {
	p, err := foreign.ReadPlainNote(file, n)
	if err != nil {
		return r.badField(file, n, err)
	}
	if p == nil {
		return nil
	}
	for _, s := range p.Sections {
		origin, err := json.Marshal(map[string]string{"note": file})
		if err != nil {
			return err
		}
		request := remember.SaveRequest{
			Content: s.Text, Category: p.Fields.Category, Tags: p.Tags, Source: memory.SourceImport, Provenance: origin,
			OccurredAt: p.At.Time, Quiet: true, Again: true, Revive: r.o.Revive,
		}
		if s.Key != "" {
			request.ExternalID = foreign.NoteKey(file, s.Key)
		}
		if err := r.draft(said(p.Fields.Project), file, p.Line(s), request); err != nil {
			return err
		}
	}
	return nil
}

// readNew drafts the memory of a note that somebody added in this program's form, without an id.
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
		request.ExternalID = foreign.NoteKey(file, "")
	}
	return r.draft(said(line.Project), file, strings.Count(n.Front, "\n")+3, request)
}

// said returns the project that a note names, nil if it names none.
func said(project string) *string {
	if project == "" {
		return nil
	}
	return &project
}

// detailKinds are the kinds whose content is made from their details, or which only their own tool
// may add.
var detailKinds = map[memory.Kind]bool{
	memory.KindTriple: true, memory.KindProcedure: true, memory.KindRelationship: true,
	memory.KindDiary: true, memory.KindSoul: true, memory.KindSummary: true,
}
