package consolidate_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"mcp-memory/consolidate"
	"mcp-memory/memory"
	"mcp-memory/text/tokens"
)

var byAgent = consolidate.Request{Mode: consolidate.ModeAgent}

func TestTheAgentSummarises(t *testing.T) {
	b := newBank(t)
	originals := b.fill(0, 45)
	asked := b.care(byAgent)
	if asked.Status != consolidate.StatusNeedsSummary || asked.Phase != consolidate.PhaseMemories || asked.BatchID == "" ||
		len(asked.Batch) != 45 ||
		asked.Batch[0].ID != originals[0].ID || asked.Batch[0].Text != originals[0].Content || asked.UndoID != "" {
		t.Fatalf("%+v", asked)
	}
	if again := b.care(byAgent); again.BatchID != asked.BatchID || len(again.Batch) != 45 {
		t.Errorf("asked again: batch %s, want %s", again.BatchID, asked.BatchID)
	}
	give := consolidate.Request{BatchID: asked.BatchID, Summary: "A busy month: repairs, invoices and dinners."}
	other := give
	other.Agent = "boris"
	b.refuse(other, memory.CodeNotFound, asked.BatchID)
	b.refuse(consolidate.Request{BatchID: "none", Summary: "x"}, memory.CodeNotFound, "none")
	before := b.everything()
	done := b.care(give)
	if done.Status != consolidate.StatusDone || done.MemoriesArchived != 45 || len(done.Summaries) != 1 ||
		done.ModeUsed != consolidate.ModeAgent ||
		done.Summaries[0].Content != give.Summary || done.TokensBefore != asked.TokensBefore || done.TokensAfter == 0 {
		t.Fatalf("%+v", done)
	}
	b.refuse(give, memory.CodeConflict, "already")
	if len(b.live(memory.KindLongTerm)) != 0 {
		t.Error("originals are left")
	}
	// A later consolidation does not rewrite what the agent wrote.
	b.fill(100, 45)
	b.care(consolidate.Request{})
	if !b.record(done.Summaries[0].ID).Live() {
		t.Error("the agent's summary was folded in")
	}
	b.care(consolidate.Request{Undo: done.UndoID})
	for _, o := range originals {
		if !b.record(o.ID).Live() {
			t.Fatal("an original was not brought back")
		}
	}
	_ = before
}

// TestWhoTookPartIsSaidOnce: an episode is given with who took part and what came of it, where its text does not tell.
func TestWhoTookPartIsSaidOnce(t *testing.T) {
	b := newBank(t)
	b.fill(0, 40)
	r := b.memory(100, "social", "Ingrid paid the rent")
	r.Episode.Participants, r.Episode.Outcome = []string{"Ingrid", "Rui"}, "It is paid."
	b.save(r)
	batch := b.care(byAgent).Batch
	if last := batch[len(batch)-1]; last.Text != "Ingrid paid the rent. With Rui. Outcome: It is paid." {
		t.Errorf("%q", last.Text)
	}
}

func TestAStaleBatch(t *testing.T) {
	for name, change := range map[string]func(b *bank, id string){
		"forgotten": func(b *bank, id string) {
			b.edit(id, func(r *memory.Record) { r.ArchivedAt = b.clock() })
		},
		"pinned": func(b *bank, id string) { b.edit(id, func(r *memory.Record) { r.Pinned = true }) },
		"erased": func(b *bank, id string) { b.write(func(tx memory.Tx) error { return tx.EraseRecord(id) }) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			id := b.fill(0, 45)[7].ID
			asked := b.care(byAgent)
			change(b, id)
			b.refuse(consolidate.Request{BatchID: asked.BatchID, Summary: "Too late."}, memory.CodeConflict, "stale")
			if n := len(b.live(memory.KindSummary)); n != 0 || len(b.live(memory.KindLongTerm)) < 44 {
				t.Errorf("%d summaries", n)
			}
			fresh := b.care(byAgent)
			if fresh.BatchID == asked.BatchID || len(fresh.Batch) != 44 {
				t.Fatalf("batch %s of %d", fresh.BatchID, len(fresh.Batch))
			}
			b.care(consolidate.Request{BatchID: fresh.BatchID, Summary: "In time."})
		})
	}
	// Somebody else was faster.
	b := newBank(t)
	b.fill(0, 45)
	asked := b.care(byAgent)
	b.care(consolidate.Request{})
	b.refuse(consolidate.Request{BatchID: asked.BatchID, Summary: "Too late."}, memory.CodeNotFound, asked.BatchID)
}

// TestAnErasedConversationStaysErased: what was erased while the agent or a model summarised it comes
// back in no summary.
func TestAnErasedConversationStaysErased(t *testing.T) {
	var b *bank
	erase := func() { b.write(func(tx memory.Tx) error { _, err := tx.EraseSession("s"); return err }) }
	nothing := func() {
		t.Helper()
		if n := len(b.live(memory.KindSummary)); n != 0 {
			t.Errorf("%d summaries", n)
		}
	}
	b = newBank(t)
	b.say("", 0, 40)
	asked := b.care(consolidate.Request{Mode: consolidate.ModeAgent, Phase: consolidate.PhaseConversations})
	erase()
	b.refuse(consolidate.Request{BatchID: asked.BatchID, Summary: "Crates were moved."}, memory.CodeConflict, "stale")
	nothing()

	m := &model{text: "Crates were moved.", hook: erase}
	b = newBank(t, func(o *consolidate.Options) { o.Summarizers = []memory.Summarizer{m} })
	b.say("", 0, 40)
	if _, err := b.SelfCare(t.Context(), consolidate.Request{Agent: agent, Phase: consolidate.PhaseConversations}); err != nil {
		t.Logf("self-care: %v", err)
	}
	if m.asked.Load() == 0 {
		t.Error("the model was not asked")
	}
	nothing()
}

func TestTheAgentSummarisesConversations(t *testing.T) {
	b := newBank(t)
	b.say("", 0, 40)
	ask := consolidate.Request{Mode: consolidate.ModeAgent, Phase: consolidate.PhaseConversations}
	asked := b.care(ask)
	if asked.Phase != consolidate.PhaseConversations || len(asked.Batch) != 40 ||
		!strings.HasPrefix(asked.Batch[0].Text, "user: I moved 100 crates") {
		t.Fatalf("%+v", asked)
	}
	done := b.care(consolidate.Request{BatchID: asked.BatchID, Summary: "Crates were moved."})
	if done.ConversationsSummarised != 40 || done.Watermark.IsZero() || unarchived(b) != 0 {
		t.Errorf("%+v", done)
	}
	b.say("", 40, 30)
	if asked = b.care(ask); asked.Earlier != "Crates were moved." || len(asked.Batch) != 30 {
		t.Errorf("earlier %q, %d turns", asked.Earlier, len(asked.Batch))
	}
	dry := b.care(consolidate.Request{Mode: consolidate.ModeAgent, Phase: consolidate.PhaseConversations, DryRun: true})
	if dry.Status != consolidate.StatusDryRun || dry.BatchID != "" || len(dry.Batch) != 30 {
		t.Errorf("%+v", dry)
	}
}

// What is too long for a batch keeps nothing behind it waiting: a memory is
// left out, a turn is a batch of its own.
func TestWhatIsTooLongForABatch(t *testing.T) {
	long := strings.Repeat("7q", memory.MaxContentBytes/2)
	if n := tokens.NewCounter("").Count(long); n <= consolidate.MaxAgentTokens {
		t.Fatalf("it has %d tokens only", n)
	}
	b := newBank(t)
	b.save(b.memory(-1, "technical", long))
	b.fill(0, 40)
	if asked := b.care(byAgent); len(asked.Batch) != 40 || asked.MemoriesConsidered != 41 {
		t.Errorf("a batch of %d, considered %d", len(asked.Batch), asked.MemoriesConsidered)
	}
	b.write(func(tx memory.Tx) error {
		_, err := tx.InsertTurns([]memory.Turn{{
			ID: b.ids.New(), Agent: agent, Session: "s", Role: memory.RoleTool, Speaker: "log", Content: long,
			SaidAt: start.AddDate(-1, 0, 0), CreatedAt: b.clock(),
		}}, nil)
		return err
	})
	b.say("", 0, 40)
	ask := consolidate.Request{Mode: consolidate.ModeAgent, Phase: consolidate.PhaseConversations}
	for _, turns := range []int{1, 40} {
		asked := b.care(ask)
		if len(asked.Batch) != turns {
			t.Fatalf("a batch of %d, want %d", len(asked.Batch), turns)
		}
		b.care(consolidate.Request{BatchID: asked.BatchID, Summary: "It was a log."})
	}
}

func TestModes(t *testing.T) {
	b := newBank(t)
	b.fill(0, 30)
	b.refuse(consolidate.Request{Mode: consolidate.ModeLLM}, memory.CodeUnavailable, "language model")

	with := func(m *model) *bank {
		b := newBank(t, func(o *consolidate.Options) { o.Summarizers = append([]memory.Summarizer{m}, o.Summarizers...) })
		b.fill(0, 30)
		return b
	}
	for _, m := range []*model{{fail: errors.New("down")}, {text: " \x00 "}, {text: strings.Repeat("far too long ", 2000)}} {
		b := with(m)
		before := b.everything()
		b.refuse(consolidate.Request{Mode: consolidate.ModeLLM}, memory.CodeUnavailable, "answers")
		if b.everything() != before {
			t.Error("a failed call has left something")
		}
		m.asked.Store(0)
		if r := b.care(consolidate.Request{}); r.ModeUsed != consolidate.ModeExtractive || m.asked.Load() != 1 {
			t.Errorf("%s, asked %d times: %+v", r.ModeUsed, m.asked.Load(), r)
		}
	}
	m := &model{text: "All went well."}
	if r := with(m).care(consolidate.Request{Mode: consolidate.ModeLLM}); r.ModeUsed != consolidate.ModeLLM ||
		r.Summaries[0].Content != m.text {
		t.Errorf("%+v", r)
	}
	m.asked.Store(0)
	if r := with(m).care(consolidate.Request{Mode: consolidate.ModeExtractive}); r.ModeUsed != consolidate.ModeExtractive ||
		m.asked.Load() != 0 {
		t.Errorf("%+v", r)
	}
}

// Two calls at once: one does it, the other is told so or finds nothing to do.
func TestTwoCallsAtOnce(t *testing.T) {
	b := newBank(t)
	b.fill(0, 200)
	other := b.service()
	var wait sync.WaitGroup
	var results [2]consolidate.Result
	var errs [2]error
	for i, s := range []*consolidate.Service{b.Service, other} {
		wait.Go(func() { results[i], errs[i] = s.SelfCare(t.Context(), consolidate.Request{Agent: agent}) })
	}
	wait.Wait()
	archived := 0
	for i := range results {
		if errs[i] != nil && memory.CodeOf(errs[i]) != memory.CodeConflict {
			t.Error(errs[i])
		}
		archived += results[i].MemoriesArchived
	}
	covered := 0
	for _, s := range b.live(memory.KindSummary) {
		covered += s.Summary.Count
	}
	if archived != 200 || covered != 200 {
		t.Errorf("archived %d, covered %d", archived, covered)
	}
}
