package tools

import (
	"context"
	"encoding/json"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

var getSpec = Spec{
	Name: "memory_get", Title: "Get memories by id", Group: Core, Effect: Read, Reach: access.Projects, Memories: true,
	Description: "Read memories whole by their ids, with what they replaced.",
}

type getInput struct {
	IDs []string `json:"ids" desc:"Ids from a save, recall or search." required:"true" maxitems:"100"`
}

type getOutput struct {
	Records []recordOutput `json:"records"`
	Missing []string       `json:"missing"`
}

// recordOutput is everything about a record.
type recordOutput struct {
	ID             string          `json:"id"`
	Kind           memory.Kind     `json:"kind"`
	Content        string          `json:"content"`
	Category       string          `json:"category"`
	Importance     float64         `json:"importance"`
	Pinned         bool            `json:"pinned"`
	Tags           []string        `json:"tags"`
	Source         memory.Source   `json:"source"`
	Project        string          `json:"project"`
	ExternalID     string          `json:"external_id,omitempty" listed:"no"`
	Metadata       json.RawMessage `json:"metadata,omitempty" listed:"no"`
	Provenance     json.RawMessage `json:"provenance,omitempty" listed:"no"`
	CreatedAt      time.Time       `json:"created_at"`
	OccurredAt     time.Time       `json:"occurred_at,omitzero"`
	ValidFrom      time.Time       `json:"valid_from,omitzero"`
	ValidUntil     time.Time       `json:"valid_until,omitzero"`
	Mentions       []mentionOutput `json:"mentions,omitempty" listed:"no"` // the dates and spans that its text mentions
	Supersedes     string          `json:"supersedes,omitempty"`
	SupersededBy   string          `json:"superseded_by,omitempty"`
	ArchivedAt     time.Time       `json:"archived_at,omitzero"`
	ArchiveReason  string          `json:"archive_reason,omitempty" listed:"no"`
	Confirmations  int             `json:"confirmations"`
	AccessCount    int             `json:"access_count" listed:"no"`
	Salience       float64         `json:"salience,omitempty" listed:"no"` // 0 to 1, at the time of the call; missing for 0
	LastAccessedAt time.Time       `json:"last_accessed_at,omitzero" listed:"no"`
	Participants   []string        `json:"participants,omitempty" listed:"no"`
	Outcome        string          `json:"outcome,omitempty" listed:"no"`
	Valence        *float64        `json:"emotional_valence,omitempty" listed:"no"`
	Covers         []string        `json:"covers,omitempty" listed:"no"`
	Damaged        bool            `json:"damaged,omitempty" listed:"no"` // its content does not match its checksum
	Details        map[string]any  `json:"details,omitempty"`             // fields of this kind only, named as in its tools
	History        []versionOutput `json:"history"`
}

// versionOutput is one version in the history of corrections of a memory.
type versionOutput struct {
	ID         string    `json:"id"`
	Content    string    `json:"content"`
	ValidFrom  time.Time `json:"valid_from,omitzero"`
	ValidUntil time.Time `json:"valid_until,omitzero"`
	RecordedAt time.Time `json:"recorded_at"`
}

func (s Services) get(ctx context.Context, scope memory.Scope, in getInput) (*getOutput, string, error) {
	found, missing, err := s.Remember.Get(ctx, scope, in.IDs)
	if err != nil {
		return nil, "", err
	}
	out := getOutput{Missing: shortened(missing)}
	if s.Recall != nil {
		s.Recall.Fetched(scope, recordsOf(found))
	}
	for _, f := range found {
		one := recordOutputOf(f)
		if s.Recall != nil {
			one.Salience = s.Recall.Salience(f.Record)
		}
		out.Records = append(out.Records, one)
	}
	return &out, "", nil
}

func recordsOf(found []remember.Found) []memory.Record {
	records := make([]memory.Record, len(found))
	for i, f := range found {
		records[i] = f.Record
	}
	return records
}

func recordOutputOf(r remember.Found) recordOutput {
	out := recordOutput{
		ID: r.ID, Kind: r.Kind, Content: r.Content, Category: r.Category, Importance: r.Importance, Pinned: r.Pinned, Tags: r.Tags,
		Source: r.Source, Project: r.Project, ExternalID: r.ExternalID, Metadata: r.Metadata, Provenance: r.Provenance,
		CreatedAt: r.CreatedAt, OccurredAt: r.OccurredAt, ValidFrom: r.ValidFrom,
		ValidUntil: r.ValidUntil, Mentions: mentionsOf(r.Mentions),
		Supersedes: r.Supersedes, SupersededBy: r.SupersededBy, ArchivedAt: r.ArchivedAt, ArchiveReason: r.ArchiveWhy,
		Confirmations: r.Confirmations, AccessCount: r.AccessCount, LastAccessedAt: r.LastAccessedAt, Damaged: r.Damaged,
	}
	if e := r.Episode; e != nil {
		out.Participants, out.Outcome, out.Valence = e.Participants, e.Outcome, &e.EmotionalValence
	}
	if d := r.Summary; d != nil {
		out.Covers = d.Covers
	}
	out.Details = detailsOf(r.Record)
	for _, v := range r.History {
		out.History = append(out.History, versionOutput{v.ID, v.Content, v.ValidFrom, v.ValidUntil, v.CreatedAt})
	}
	return out
}

// detailsOf returns the fields that only the record's kind has. It returns nil if there are none,
// or if [recordOutput] has fields for them.
func detailsOf(r memory.Record) map[string]any {
	switch {
	case r.Soul != nil:
		return map[string]any{"kind": r.Soul.Type}
	case r.Triple != nil:
		t := r.Triple
		return map[string]any{"subject": t.Subject, "predicate": t.Predicate, "object": t.Object, "confidence": t.Confidence,
			"source": t.Origin, "multi_valued": t.Multi}
	case r.Procedure != nil:
		p := r.Procedure
		return map[string]any{
			"name": p.Name, "description": p.Description, "steps": p.Steps,
			"prerequisites": p.Prerequisites, "success_criteria": p.SuccessCriteria,
			"times_executed": p.Executed, "success_rate": p.SuccessRate(),
		}
	case r.Relationship != nil:
		p := r.Relationship
		return map[string]any{
			"agent": p.Party, "name": p.Name, "type": p.Type, "trust_level": p.Trust, "emotional_tone": p.Tone, "rationale": p.Rationale,
			"notes": p.Notes, "interactions": p.Interactions, "first_met": p.FirstMet, "last_interaction": p.LastInteraction,
		}
	case r.Diary != nil:
		return map[string]any{"date": r.Diary.Date, "mood": r.Diary.Mood, "location": r.Diary.Location, "data": r.Diary.Data}
	case r.Learning != nil:
		return map[string]any{"kind": r.Learning.Type, "context": r.Learning.Context, "tool": r.Learning.Tool}
	case r.Summary != nil:
		return map[string]any{"of": r.Summary.Of, "focus": r.Summary.Focus, "count": r.Summary.Count}
	}
	return nil
}
