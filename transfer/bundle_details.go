package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"mcp-memory/memory"
)

// detailFields are the fields of [memory.KindDetails] in a record's line.
type detailFields struct {
	Episode      *episodeDetails      `json:"episode,omitempty"`
	Soul         *soulDetails         `json:"soul,omitempty"`
	Triple       *tripleDetails       `json:"triple,omitempty"`
	Procedure    *procedureDetails    `json:"procedure,omitempty"`
	Relationship *relationshipDetails `json:"relationship,omitempty"`
	Diary        *diaryDetails        `json:"diary,omitempty"`
	Learning     *learningDetails     `json:"learning,omitempty"`
	Summary      *summaryDetails      `json:"summary,omitempty"`
	Runs         []procedureRun       `json:"runs,omitempty"` // of a procedure, oldest first
}

type episodeDetails struct {
	Participants     []string `json:"participants,omitempty"`
	Outcome          string   `json:"outcome,omitempty"`
	EmotionalValence float64  `json:"emotional_valence,omitempty"`
}

type soulDetails struct {
	Type memory.SoulType `json:"type"`
}

type tripleDetails struct {
	Subject    string  `json:"subject"`
	Predicate  string  `json:"predicate"`
	Object     string  `json:"object"`
	Confidence float64 `json:"confidence"`
	Origin     string  `json:"origin,omitempty"`
	Multi      bool    `json:"multi,omitempty"`
}

type procedureDetails struct {
	Name            string                 `json:"name"`
	Description     string                 `json:"description,omitempty"`
	Steps           []memory.ProcedureStep `json:"steps,omitempty"`
	Prerequisites   []string               `json:"prerequisites,omitempty"`
	SuccessCriteria []string               `json:"success_criteria,omitempty"`
	Executed        int                    `json:"executed,omitempty"`
	Succeeded       int                    `json:"succeeded,omitempty"`
	LastExecuted    time.Time              `json:"last_executed,omitzero"`
}

type procedureRun struct {
	Success bool      `json:"success"`
	Notes   string    `json:"notes,omitempty"`
	At      time.Time `json:"at"`
}

type relationshipDetails struct {
	Party           string    `json:"party"`
	Name            string    `json:"name,omitempty"`
	Type            string    `json:"type,omitempty"`
	Trust           float64   `json:"trust"`
	Tone            string    `json:"tone,omitempty"`
	Rationale       string    `json:"rationale,omitempty"`
	Notes           string    `json:"notes,omitempty"`
	Interactions    int       `json:"interactions,omitempty"`
	FirstMet        time.Time `json:"first_met,omitzero"`
	LastInteraction time.Time `json:"last_interaction,omitzero"`
}

type diaryDetails struct {
	Date     string          `json:"date"`
	Mood     string          `json:"mood,omitempty"`
	Location string          `json:"location,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
}

type learningDetails struct {
	Type    memory.LearningType `json:"type"`
	Context string              `json:"context,omitempty"`
	Tool    string              `json:"tool,omitempty"`
}

type summaryDetails struct {
	Of     string   `json:"of"`
	Focus  string   `json:"focus,omitempty"`
	Covers []string `json:"covers,omitempty"`
	Count  int      `json:"count"`
}

// turnDetails are the fields of [memory.TurnDetails] in a turn's line.
type turnDetails struct {
	InputSource    string            `json:"input_source,omitempty"`
	Thinking       string            `json:"thinking,omitempty"`
	ToolCalls      []memory.ToolCall `json:"tool_calls,omitempty"`
	ToolCallID     string            `json:"tool_call_id,omitempty"`
	Classification memory.TurnClass  `json:"classification,omitempty"`
	Tokens         int               `json:"tokens,omitempty"`
}

func fieldsOf(d memory.KindDetails, runs []memory.ProcedureRun) detailFields {
	f := detailFields{
		Episode: (*episodeDetails)(d.Episode), Soul: (*soulDetails)(d.Soul), Triple: (*tripleDetails)(d.Triple),
		Procedure: (*procedureDetails)(d.Procedure), Relationship: (*relationshipDetails)(d.Relationship),
		Diary: (*diaryDetails)(d.Diary), Learning: (*learningDetails)(d.Learning), Summary: (*summaryDetails)(d.Summary),
	}
	for _, r := range slices.Backward(runs) {
		f.Runs = append(f.Runs, procedureRun{r.Success, r.Notes, r.At})
	}
	return f
}

func (f detailFields) details() memory.KindDetails {
	return memory.KindDetails{
		Episode: (*memory.EpisodeDetails)(f.Episode), Soul: (*memory.SoulDetails)(f.Soul), Triple: (*memory.TripleDetails)(f.Triple),
		Procedure: (*memory.ProcedureDetails)(f.Procedure), Relationship: (*memory.RelationshipDetails)(f.Relationship),
		Diary:    (*memory.DiaryDetails)(f.Diary),
		Learning: (*memory.LearningDetails)(f.Learning), Summary: (*memory.SummaryDetails)(f.Summary),
	}
}

// runs returns the procedure runs in a record's line, oldest first, for the record with that id.
func (l recordLine) runs(id string) ([]memory.ProcedureRun, error) {
	if len(l.Runs) > 0 && l.Kind != memory.KindProcedure {
		return nil, errors.New("the record has runs but is no procedure")
	}
	runs := make([]memory.ProcedureRun, len(l.Runs))
	for i, r := range l.Runs {
		runs[i] = memory.ProcedureRun{Procedure: id, Success: r.Success, Notes: r.Notes, At: r.At}
		if err := runs[i].Validate(); err != nil {
			return nil, err
		}
		if r.At.IsZero() {
			return nil, errors.New("a run has no time")
		}
	}
	return runs, nil
}

// maxRunBytes bounds the runs in a procedure's line, so that the line stays below
// [jsonl.MaxLineBytes].
const maxRunBytes = 1 << 19

// runsOf returns the runs of a procedure, newest first, without the oldest ones that would exceed
// maxRunBytes. Records of other kinds have none.
func runsOf(ctx context.Context, store Store, r memory.Record) ([]memory.ProcedureRun, error) {
	if r.Kind != memory.KindProcedure {
		return nil, nil
	}
	runs, err := store.ProcedureRuns(ctx, r.Agent, r.ID, 0)
	room := maxRunBytes
	for i := range runs {
		if room -= 100 + len(runs[i].Notes); room < 0 {
			return runs[:i], err
		}
	}
	return runs, err
}
