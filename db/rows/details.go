package rows

import (
	"encoding/json"

	"mcp-memory/memory"
)

// DetailTable describes the table in which the details of some kinds of record are stored, under the
// record's agent and id. The columns of Keys repeat some of Columns in the form of
// [memory.SameContent], to be looked up by.
type DetailTable struct {
	Name    string
	Columns []string // after agent and id
	Keys    []string // after those, to look up by
	// List is a second table (agent, id, position, covered) for a list, such as the ids that a
	// summary covers; empty for none.
	List string

	// Values returns the values of Columns and Keys, and the elements for List; nil values if
	// the record has no such details.
	Values func(memory.KindDetails) (values []any, list []string, err error)
	// Scan reads the record's id, Columns and, if there is a List, its elements as a JSON array.
	Scan func(row Row) (id string, d memory.KindDetails, err error)
}

// Details are the tables; [DetailsOf] tells which one a kind has.
var (
	Episodes = &DetailTable{
		Name: "episode_details", Columns: []string{"participants", "outcome", "emotional_valence"},
		Values: func(k memory.KindDetails) ([]any, []string, error) {
			d := k.Episode
			if d == nil {
				return nil, nil, nil
			}
			return []any{List(d.Participants), d.Outcome, d.EmotionalValence}, nil, nil
		},
		Scan: func(row Row) (id string, k memory.KindDetails, err error) {
			var d memory.EpisodeDetails
			err = row.Scan(&id, FromList(&d.Participants), &d.Outcome, &d.EmotionalValence)
			return id, memory.KindDetails{Episode: &d}, err
		},
	}
	Souls = &DetailTable{
		Name: "soul_details", Columns: []string{"type"},
		Values: func(k memory.KindDetails) ([]any, []string, error) {
			if k.Soul == nil {
				return nil, nil, nil
			}
			return []any{string(k.Soul.Type)}, nil, nil
		},
		Scan: func(row Row) (id string, k memory.KindDetails, err error) {
			var d memory.SoulDetails
			err = row.Scan(&id, &d.Type)
			return id, memory.KindDetails{Soul: &d}, err
		},
	}
	Triples = &DetailTable{
		Name:    "triple_details",
		Columns: []string{"subject", "predicate", "object", "confidence", "origin", "multi"},
		Keys:    []string{"subject_key", "predicate_key", "object_key"},
		Values: func(k memory.KindDetails) ([]any, []string, error) {
			d := k.Triple
			if d == nil {
				return nil, nil, nil
			}
			return []any{
				d.Subject, d.Predicate, d.Object, d.Confidence, d.Origin, d.Multi,
				memory.SameContent(d.Subject), memory.SameContent(d.Predicate), memory.SameContent(d.Object),
			}, nil, nil
		},
		Scan: func(row Row) (id string, k memory.KindDetails, err error) {
			var d memory.TripleDetails
			err = row.Scan(&id, &d.Subject, &d.Predicate, &d.Object, &d.Confidence, &d.Origin, &d.Multi)
			return id, memory.KindDetails{Triple: &d}, err
		},
	}
	Procedures = &DetailTable{
		Name:    "procedure_details",
		Columns: []string{"name", "description", "steps", "prerequisites", "success_criteria", "executed", "succeeded", "last_executed_at"},
		Keys:    []string{"name_key"},
		Values:  procedureValues,
		Scan: func(row Row) (id string, k memory.KindDetails, err error) {
			var d memory.ProcedureDetails
			err = row.Scan(&id, &d.Name, &d.Description, FromList(&d.Steps), FromList(&d.Prerequisites), FromList(&d.SuccessCriteria),
				&d.Executed, &d.Succeeded, FromMicros(&d.LastExecuted))
			return id, memory.KindDetails{Procedure: &d}, err
		},
	}
	Relationships = &DetailTable{
		Name: "relationship_details",
		Columns: []string{
			"party", "name", "type", "trust", "tone", "rationale", "notes", "interactions", "first_met_at", "last_interaction_at",
		},
		Keys: []string{"party_key", "type_key"},
		Values: func(k memory.KindDetails) ([]any, []string, error) {
			d := k.Relationship
			if d == nil {
				return nil, nil, nil
			}
			return []any{
				d.Party, d.Name, d.Type, d.Trust, d.Tone, d.Rationale,
				d.Notes, d.Interactions, Micros(d.FirstMet), Micros(d.LastInteraction),
				memory.SameContent(d.Party), memory.SameContent(d.Type),
			}, nil, nil
		},
		Scan: func(row Row) (id string, k memory.KindDetails, err error) {
			var d memory.RelationshipDetails
			err = row.Scan(&id, &d.Party, &d.Name, &d.Type, &d.Trust, &d.Tone, &d.Rationale, &d.Notes, &d.Interactions,
				FromMicros(&d.FirstMet), FromMicros(&d.LastInteraction))
			return id, memory.KindDetails{Relationship: &d}, err
		},
	}
	Diaries = &DetailTable{
		Name: "diary_details", Columns: []string{"date", "mood", "location", "data"},
		Values: func(k memory.KindDetails) ([]any, []string, error) {
			d := k.Diary
			if d == nil {
				return nil, nil, nil
			}
			return []any{d.Date, d.Mood, d.Location, Text(d.Data)}, nil, nil
		},
		Scan: func(row Row) (id string, k memory.KindDetails, err error) {
			var d memory.DiaryDetails
			err = row.Scan(&id, &d.Date, &d.Mood, &d.Location, FromText(&d.Data))
			return id, memory.KindDetails{Diary: &d}, err
		},
	}
	Learnings = &DetailTable{
		Name: "learning_details", Columns: []string{"type", "context", "tool"},
		Values: func(k memory.KindDetails) ([]any, []string, error) {
			if k.Learning == nil {
				return nil, nil, nil
			}
			return []any{string(k.Learning.Type), k.Learning.Context, k.Learning.Tool}, nil, nil
		},
		Scan: func(row Row) (id string, k memory.KindDetails, err error) {
			var d memory.LearningDetails
			err = row.Scan(&id, &d.Type, &d.Context, &d.Tool)
			return id, memory.KindDetails{Learning: &d}, err
		},
	}
	Summaries = &DetailTable{
		Name: "summary_details", Columns: []string{"summary_of", "focus", "count"}, List: "summary_covers",
		Values: func(k memory.KindDetails) ([]any, []string, error) {
			d := k.Summary
			if d == nil {
				return nil, nil, nil
			}
			return []any{string(d.Of), d.Focus, d.Count}, d.Covers, nil
		},
		Scan: func(row Row) (id string, k memory.KindDetails, err error) {
			var d memory.SummaryDetails
			err = row.Scan(&id, &d.Of, &d.Focus, &d.Count, FromList(&d.Covers))
			return id, memory.KindDetails{Summary: &d}, err
		},
	}
)

func procedureValues(k memory.KindDetails) ([]any, []string, error) {
	d := k.Procedure
	if d == nil {
		return nil, nil, nil
	}
	steps := "[]"
	if len(d.Steps) > 0 {
		b, err := json.Marshal(d.Steps)
		if err != nil {
			return nil, nil, err
		}
		steps = string(b)
	}
	return []any{
		d.Name, d.Description, steps, List(d.Prerequisites), List(d.SuccessCriteria),
		d.Executed, d.Succeeded, Micros(d.LastExecuted), memory.SameContent(d.Name),
	}, nil, nil
}

// DetailsOf returns the table of a kind, nil for a kind without details.
func DetailsOf(k memory.Kind) *DetailTable {
	switch k {
	case memory.KindLongTerm, memory.KindEpisode:
		return Episodes
	case memory.KindSoul:
		return Souls
	case memory.KindTriple:
		return Triples
	case memory.KindProcedure:
		return Procedures
	case memory.KindRelationship:
		return Relationships
	case memory.KindDiary:
		return Diaries
	case memory.KindLearning:
		return Learnings
	case memory.KindSummary:
		return Summaries
	}
	return nil
}
