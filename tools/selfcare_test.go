package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcp-memory/consolidate"
)

// newCareRig is a rig with the self-care tool beside the others.
func newCareRig(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	r.using.Consolidate = consolidate.New(r.bank.ConsolidateOptions())
	r.use(sampleScopeOf)
	return r
}

// remembered adds n long-term memories.
func (r *rig) remembered(n int) {
	r.t.Helper()
	for i := range n {
		var out longTermOutput
		r.must("add_to_longterm_memory",
			fmt.Sprintf(`{"content":"Priya ordered %d pumps for the plant in Gdansk.","category":"project"}`, 1000+i), &out)
		if out.SelfCareSuggested != (i >= 29) {
			r.t.Errorf("memory %d: self-care suggested is %v", i, out.SelfCareSuggested)
		}
	}
}

// TestAgentsOwnSelfCare is a scripted client in agent mode: it asks, reads the
// batch, summarises, finds the summary and what it covers, and takes it back.
func TestAgentsOwnSelfCare(t *testing.T) {
	r := newCareRig(t)
	r.remembered(30)
	const ask = `{"query":"How many pumps did Priya order?","limit":3}`
	var before, after recallOutput
	r.must("memory_recall", ask, &before)

	var asked, done, undone selfCareOutput
	r.must("self_care", `{"mode":"agent"}`, &asked)
	if asked.Status != consolidate.StatusNeedsSummary || len(asked.Batch) != 30 || asked.BatchID == "" {
		t.Fatalf("%+v", asked)
	}
	if text := textOf(r.call("self_care", `{"mode":"agent"}`)); !strings.Contains(text, asked.BatchID) ||
		!strings.Contains(text, "1029 pumps") {
		t.Errorf("text for the model: %.300s", text)
	}
	args, err := json.Marshal(map[string]string{"batch_id": asked.BatchID, "summary": "Priya ordered 1000 to 1029 pumps, day after day."})
	if err != nil {
		t.Fatal(err)
	}
	r.must("self_care", string(args), &done)
	if done.Status != consolidate.StatusDone || done.MemoriesArchived != 30 || done.Summaries[0].Covers != 30 || done.UndoID == "" {
		t.Fatalf("%+v", done)
	}
	r.must("memory_recall", ask, &after)
	if !slices.ContainsFunc(after.Results, func(x recallResult) bool { return x.ID == done.Summaries[0].ID }) ||
		slices.ContainsFunc(after.Results, func(x recallResult) bool { return x.ID != done.Summaries[0].ID && !x.Archived }) {
		t.Errorf("%+v", after.Results)
	}
	var got getOutput
	r.must("memory_get", `{"ids":["`+done.Summaries[0].ID+`"]}`, &got)
	if covers := got.Records[0].Covers; len(covers) != 30 || covers[0] != asked.Batch[0].ID {
		t.Errorf("memory_get lists %v", covers)
	}
	r.must("self_care", `{"undo":"`+done.UndoID+`"}`, &undone)
	r.must("memory_recall", ask, &after)
	if undone.BroughtBack != 30 || fmt.Sprint(after.Results[0].ID) != before.Results[0].ID {
		t.Errorf("%+v, first result %+v", undone, after.Results[0])
	}
	for want, args := range map[string]string{
		"conflict: that was undone already":          `{"undo":"` + done.UndoID + `"}`,
		"conflict: batch":                            string(args),
		"not_found: there is no batch":               `{"batch_id":"b","summary":"s"}`,
		"not_found: there is nothing to undo under":  `{"undo":"u"}`,
		"invalid_argument: summary without batch_id": `{"summary":"s"}`,
		`invalid_argument: kinds[0] is "soul"`:       `{"kinds":["soul"]}`,
		`invalid_argument: phase is "dream"`:         `{"phase":"dream"}`,
		"unavailable: no language model":             `{"mode":"llm"}`,
	} {
		if text := textOf(r.call("self_care", args)); !strings.HasPrefix(text, want) {
			t.Errorf("%s: %s, want %s", args, text, want)
		}
	}
	// An id of one tool's undo is none of the other's.
	r.must("self_care", `{}`, &done)
	if text := textOf(r.call("memory_forget", `{"undo":"`+done.UndoID+`"}`)); !strings.HasPrefix(text, "not_found") {
		t.Errorf("forget undid self-care: %s", text)
	}
}

func TestSelfCareText(t *testing.T) {
	r := newCareRig(t)
	if text := textOf(r.call("self_care", `{}`)); text != "Nothing to do: 0 memories to consolidate, and 30 are needed to start." {
		t.Error(text)
	}
	if text := textOf(r.call("self_care",
		`{"phase":"conversations"}`)); text != "Nothing to do: fewer than 30 messages that were not summarised before." {
		t.Error(text)
	}
	r.remembered(30)
	if text := textOf(r.call("self_care",
		`{"focus":"string quartets"}`)); text != "Nothing to do: of 30 memories, not even two are on the focus." {
		t.Error(text)
	}
	if text := textOf(r.call("self_care", `{"dry_run":true,"mode":"agent"}`)); !strings.HasPrefix(text,
		"Would ask you to summarise these 30 memories. Nothing was changed.\n- ") {
		t.Error(text)
	}
	if text := textOf(r.call("self_care", `{"dry_run":true}`)); !strings.HasPrefix(text,
		"Would turn 30 memories and 0 messages into 1 summary: ") {
		t.Error(text)
	}
	if text := textOf(r.call("self_care", `{}`)); !strings.HasPrefix(text, "Turned 30 memories and 0 messages into 1 summary: ") ||
		!strings.Contains(text, "undo=") {
		t.Error(text)
	}
}
