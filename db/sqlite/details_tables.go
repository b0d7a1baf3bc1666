package sqlite

import (
	"database/sql"
	"encoding/json"

	"mcp-memory/memory"
)

var episodes = &detailTable[memory.EpisodeDetails]{
	name: "episode_details", columns: []string{"participants", "outcome", "emotional_valence"},
	field: func(k *memory.KindDetails) **memory.EpisodeDetails { return &k.Episode },
	values: func(d *memory.EpisodeDetails) ([]any, error) {
		return []any{jsonList(d.Participants), d.Outcome, d.EmotionalValence}, nil
	},
	scan: func(rows *sql.Rows, id *string, d *memory.EpisodeDetails) error {
		return rows.Scan(id, fromJSON(&d.Participants), &d.Outcome, &d.EmotionalValence)
	},
}

var souls = &detailTable[memory.SoulDetails]{
	name: "soul_details", columns: []string{"type"},
	field:  func(k *memory.KindDetails) **memory.SoulDetails { return &k.Soul },
	values: func(d *memory.SoulDetails) ([]any, error) { return []any{d.Type}, nil },
	scan:   func(rows *sql.Rows, id *string, d *memory.SoulDetails) error { return rows.Scan(id, &d.Type) },
}

var triples = &detailTable[memory.TripleDetails]{
	name:    "triple_details",
	columns: []string{"subject", "predicate", "object", "confidence", "origin", "multi"},
	keys:    []string{"subject_key", "predicate_key", "object_key"},
	field:   func(k *memory.KindDetails) **memory.TripleDetails { return &k.Triple },
	values: func(d *memory.TripleDetails) ([]any, error) {
		return []any{
			d.Subject, d.Predicate, d.Object, d.Confidence, d.Origin, d.Multi,
			memory.SameContent(d.Subject), memory.SameContent(d.Predicate), memory.SameContent(d.Object),
		}, nil
	},
	scan: func(rows *sql.Rows, id *string, d *memory.TripleDetails) error {
		return rows.Scan(id, &d.Subject, &d.Predicate, &d.Object, &d.Confidence, &d.Origin, &d.Multi)
	},
}

var procedures = &detailTable[memory.ProcedureDetails]{
	name:    "procedure_details",
	columns: []string{"name", "description", "steps", "prerequisites", "success_criteria", "executed", "succeeded", "last_executed_at"},
	keys:    []string{"name_key"},
	field:   func(k *memory.KindDetails) **memory.ProcedureDetails { return &k.Procedure },
	values: func(d *memory.ProcedureDetails) ([]any, error) {
		steps := "[]"
		if len(d.Steps) > 0 {
			b, err := json.Marshal(d.Steps)
			if err != nil {
				return nil, err
			}
			steps = string(b)
		}
		return []any{
			d.Name, d.Description, steps, jsonList(d.Prerequisites), jsonList(d.SuccessCriteria),
			d.Executed, d.Succeeded, micros(d.LastExecuted), memory.SameContent(d.Name),
		}, nil
	},
	scan: func(rows *sql.Rows, id *string, d *memory.ProcedureDetails) error {
		return rows.Scan(id, &d.Name, &d.Description, fromJSON(&d.Steps), fromJSON(&d.Prerequisites), fromJSON(&d.SuccessCriteria),
			&d.Executed, &d.Succeeded, fromMicros(&d.LastExecuted))
	},
}

var relationships = &detailTable[memory.RelationshipDetails]{
	name: "relationship_details",
	columns: []string{
		"party", "name", "type", "trust", "tone", "rationale", "notes", "interactions", "first_met_at", "last_interaction_at",
	},
	keys:  []string{"party_key", "type_key"},
	field: func(k *memory.KindDetails) **memory.RelationshipDetails { return &k.Relationship },
	values: func(d *memory.RelationshipDetails) ([]any, error) {
		return []any{
			d.Party, d.Name, d.Type, d.Trust, d.Tone, d.Rationale, d.Notes, d.Interactions, micros(d.FirstMet), micros(d.LastInteraction),
			memory.SameContent(d.Party), memory.SameContent(d.Type),
		}, nil
	},
	scan: func(rows *sql.Rows, id *string, d *memory.RelationshipDetails) error {
		return rows.Scan(id, &d.Party, &d.Name, &d.Type, &d.Trust, &d.Tone, &d.Rationale, &d.Notes, &d.Interactions,
			fromMicros(&d.FirstMet), fromMicros(&d.LastInteraction))
	},
}

var diaries = &detailTable[memory.DiaryDetails]{
	name: "diary_details", columns: []string{"date", "mood", "location", "data"},
	field: func(k *memory.KindDetails) **memory.DiaryDetails { return &k.Diary },
	values: func(d *memory.DiaryDetails) ([]any, error) {
		return []any{d.Date, d.Mood, d.Location, text(d.Data)}, nil
	},
	scan: func(rows *sql.Rows, id *string, d *memory.DiaryDetails) error {
		return rows.Scan(id, &d.Date, &d.Mood, &d.Location, fromText(&d.Data))
	},
}

var learnings = &detailTable[memory.LearningDetails]{
	name: "learning_details", columns: []string{"type", "context", "tool"},
	field:  func(k *memory.KindDetails) **memory.LearningDetails { return &k.Learning },
	values: func(d *memory.LearningDetails) ([]any, error) { return []any{d.Type, d.Context, d.Tool}, nil },
	scan: func(rows *sql.Rows, id *string, d *memory.LearningDetails) error {
		return rows.Scan(id, &d.Type, &d.Context, &d.Tool)
	},
}

// What a summary covers comes as one value: a row each would cost a recall
// that finds some summaries thousands of rows.
var summaries = &detailTable[memory.SummaryDetails]{
	name: "summary_details", columns: []string{"summary_of", "focus", "count"}, list: "summary_covers",
	listSQL: `(SELECT json_group_array(c.covered ORDER BY c.position) FROM summary_covers c WHERE c.agent = x.agent AND c.id = x.id)`,
	field:   func(k *memory.KindDetails) **memory.SummaryDetails { return &k.Summary },
	values:  func(d *memory.SummaryDetails) ([]any, error) { return []any{d.Of, d.Focus, d.Count}, nil },
	scan: func(rows *sql.Rows, id *string, d *memory.SummaryDetails) error {
		return rows.Scan(id, &d.Of, &d.Focus, &d.Count, fromJSON(&d.Covers))
	},
	insertList: func(t *tx, id string, d *memory.SummaryDetails) error {
		return t.exec(`INSERT INTO summary_covers (agent, id, position, covered) SELECT ?, ?, key, value FROM json_each(?)`,
			t.agent, id, jsonList(d.Covers))
	},
}
