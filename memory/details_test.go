package memory_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
)

// goodDetails are details of each kind that has some, as large as allowed.
func goodDetails() map[memory.Kind]memory.KindDetails {
	name, text := strings.Repeat("n", memory.MaxNameBytes), strings.Repeat("t", memory.MaxContentBytes)
	step := memory.ProcedureStep{Action: "a", ExpectedOutcome: "b", ErrorHandling: "c"}
	return map[memory.Kind]memory.KindDetails{
		memory.KindFact:     {},
		memory.KindLongTerm: {Episode: &memory.EpisodeDetails{}},
		memory.KindEpisode:  {Episode: &memory.EpisodeDetails{Participants: []string{name}, Outcome: text, EmotionalValence: -1}},
		memory.KindSoul:     {Soul: &memory.SoulDetails{Type: memory.SoulValue}},
		memory.KindTriple:   {Triple: &memory.TripleDetails{Subject: name, Predicate: name, Object: text, Confidence: 1, Origin: text}},
		memory.KindProcedure: {Procedure: &memory.ProcedureDetails{
			Name: name, Description: text, Steps: slices.Repeat([]memory.ProcedureStep{step}, memory.MaxSteps),
			Prerequisites:   slices.Repeat([]string{"p"}, memory.MaxPrerequisites),
			SuccessCriteria: slices.Repeat([]string{"s"}, memory.MaxPrerequisites), Executed: 3, Succeeded: 3,
		}},
		memory.KindRelationship: {Relationship: &memory.RelationshipDetails{Party: name, Name: name, Type: name, Trust: 0, Tone: text,
			Rationale: text, Notes: text}},
		memory.KindDiary:    {Diary: &memory.DiaryDetails{Date: "2024-02-29", Mood: name, Location: name, Data: json.RawMessage(`{}`)}},
		memory.KindLearning: {Learning: &memory.LearningDetails{Type: memory.LearningError, Context: text, Tool: name}},
		memory.KindSummary:  {Summary: &memory.SummaryDetails{Of: "conversations", Focus: text, Covers: []string{"a"}, Count: 1}},
	}
}

func withDetails(k memory.Kind, d memory.KindDetails) memory.Record {
	return memory.Record{Kind: k, Content: "x", Source: memory.SourceUser, CreatedAt: time.Unix(0, 0), KindDetails: d}
}

func TestDetailsBelongToKinds(t *testing.T) {
	for k := range goodDetails() {
		for of, d := range goodDetails() {
			episodic := (k == memory.KindLongTerm || k == memory.KindEpisode) && (of == memory.KindLongTerm || of == memory.KindEpisode)
			fits := k == of || episodic || of == memory.KindFact
			if d.OfKind(k) != fits {
				t.Errorf("details of %s on %s: %v", of, k, d.OfKind(k))
			}
			err := withDetails(k, d).Validate()
			if code := memory.CodeOf(err); fits && code != "" || !fits && code != memory.CodeInternal {
				t.Errorf("details of %s on %s: %v", of, k, err)
			}
		}
	}
	if len(goodDetails()) != len(memory.Kinds()) {
		t.Error("a kind is missing")
	}
}

func TestDetailsThatAreRefused(t *testing.T) {
	name, text := strings.Repeat("n", memory.MaxNameBytes+1), strings.Repeat("t", memory.MaxContentBytes+1)
	const invalid, large = memory.CodeInvalidArgument, memory.CodeTooLarge
	for i, c := range []struct {
		kind memory.Kind
		edit func(*memory.KindDetails)
		code memory.Code
		why  string
	}{
		{memory.KindSoul, func(d *memory.KindDetails) { d.Soul.Type = "hope" }, invalid, "belief, value, fear, conviction"},
		{memory.KindSoul, func(d *memory.KindDetails) { d.Soul.Type = "" }, invalid, "kind"},
		{memory.KindTriple, func(d *memory.KindDetails) { d.Triple.Subject = " " }, invalid, "subject is empty"},
		{memory.KindTriple, func(d *memory.KindDetails) { d.Triple.Predicate = name }, large, "predicate"},
		{memory.KindTriple, func(d *memory.KindDetails) { d.Triple.Object = "" }, invalid, "object is empty"},
		{memory.KindTriple, func(d *memory.KindDetails) { d.Triple.Object = text }, large, "object"},
		{memory.KindTriple, func(d *memory.KindDetails) { d.Triple.Confidence = 1.1 }, invalid, "confidence"},
		{memory.KindTriple, func(d *memory.KindDetails) { d.Triple.Confidence = math.NaN() }, invalid, "confidence"},
		{memory.KindTriple, func(d *memory.KindDetails) { d.Triple.Origin = "\xff" }, invalid, "source is not valid UTF-8"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Name = "" }, invalid, "name is empty"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Description = text }, large, "description"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Steps = append(d.Procedure.Steps, d.Procedure.Steps[0]) }, large,
			"steps has 101"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Steps[6].Action = "\t" }, invalid, "action of step 7"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Steps[1].ErrorHandling = text }, large,
			"error_handling of step 2"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Steps[1].ExpectedOutcome = "\x00" }, invalid,
			"expected_outcome of step 2"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Prerequisites[63] = "" }, invalid, "prerequisites"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Prerequisites = slices.Repeat([]string{"p"}, 65) }, large,
			"prerequisites has 65"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.SuccessCriteria[0] = text }, large, "success_criteria"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Executed = -1 }, invalid, "times_executed"},
		{memory.KindProcedure, func(d *memory.KindDetails) { d.Procedure.Succeeded = 4 }, invalid, "times_succeeded"},
		{memory.KindProcedure, func(d *memory.KindDetails) {
			for i := range d.Procedure.Steps {
				d.Procedure.Steps[i].Action = text[:memory.MaxContentBytes]
			}
		}, large, "steps and the rest"},
		{memory.KindRelationship, func(d *memory.KindDetails) { d.Relationship.Party = "" }, invalid, "agent is empty"},
		{memory.KindRelationship, func(d *memory.KindDetails) { d.Relationship.Name = name }, large, "name"},
		{memory.KindRelationship, func(d *memory.KindDetails) { d.Relationship.Type = name }, large, "type"},
		{memory.KindRelationship, func(d *memory.KindDetails) { d.Relationship.Trust = -0.1 }, invalid, "trust_level"},
		{memory.KindRelationship, func(d *memory.KindDetails) { d.Relationship.Tone = text }, large, "emotional_tone"},
		{memory.KindRelationship, func(d *memory.KindDetails) { d.Relationship.Rationale = text }, large, "rationale"},
		{memory.KindRelationship, func(d *memory.KindDetails) { d.Relationship.Notes = text }, large, "notes"},
		{memory.KindRelationship, func(d *memory.KindDetails) { d.Relationship.Interactions = -1 }, invalid, "interactions"},
		{memory.KindDiary, func(d *memory.KindDetails) { d.Diary.Date = "2025-02-29" }, invalid, "date"},
		{memory.KindDiary, func(d *memory.KindDetails) { d.Diary.Date = "2025-2-9" }, invalid, "date"},
		{memory.KindDiary, func(d *memory.KindDetails) { d.Diary.Date = "" }, invalid, "date"},
		{memory.KindDiary, func(d *memory.KindDetails) { d.Diary.Mood = name }, large, "mood"},
		{memory.KindDiary, func(d *memory.KindDetails) { d.Diary.Location = name }, large, "location"},
		{memory.KindDiary, func(d *memory.KindDetails) { d.Diary.Data = json.RawMessage(`[]`) }, invalid, "data"},
		{memory.KindDiary, func(d *memory.KindDetails) { d.Diary.Data = json.RawMessage(`null`) }, invalid, "data"},
		{memory.KindDiary, func(d *memory.KindDetails) { d.Diary.Data = json.RawMessage(`{"a":`) }, invalid, "data"},
		{memory.KindDiary, func(d *memory.KindDetails) {
			d.Diary.Data = json.RawMessage(`{"a":"` + strings.Repeat("a", memory.MaxMetadataBytes) + `"}`)
		}, large, "data"},
		{memory.KindLearning, func(d *memory.KindDetails) { d.Learning.Type = "hint" }, invalid, "error, correction"},
		{memory.KindLearning, func(d *memory.KindDetails) { d.Learning.Context = text }, large, "context"},
		{memory.KindLearning, func(d *memory.KindDetails) { d.Learning.Tool = name }, large, "tool"},
		{memory.KindSummary, func(d *memory.KindDetails) { d.Summary.Of = "files" }, invalid, "memories, conversations"},
		{memory.KindSummary, func(d *memory.KindDetails) { d.Summary.Focus = text }, large, "focus"},
		{memory.KindSummary, func(d *memory.KindDetails) { d.Summary.Covers = []string{name} }, large, "covers"},
		{memory.KindSummary, func(d *memory.KindDetails) { d.Summary.Covers = []string{""} }, invalid, "covers"},
		{memory.KindSummary, func(d *memory.KindDetails) { d.Summary.Count = -1 }, invalid, "count"},
		{memory.KindEpisode, func(d *memory.KindDetails) { d.Episode.EmotionalValence = 1.5 }, invalid, "emotional_valence"},
	} {
		d := goodDetails()[c.kind]
		c.edit(&d)
		err := withDetails(c.kind, d).Validate()
		if memory.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%d, %s: %v, want %s with %q", i, c.kind, err, c.code, c.why)
		}
	}
	if err := (memory.ProcedureRun{Notes: text}).Validate(); memory.CodeOf(err) != large {
		t.Errorf("notes: %v", err)
	}
}
