package told_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
	"mcp-memory/told"
)

func TestWhatWasToldIsKeptForAWhile(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	bank := testbank.New(t, testbank.Options{Clock: clock})
	scope := memory.Scope{Agent: "ann", Project: "barn", Session: "s1"}
	saved, err := bank.Remember.Save(t.Context(), scope, remember.SaveRequest{Content: "The barn roof is red."})
	if err != nil {
		t.Fatal(err)
	}
	o := told.Options{Store: bank.Store, Clock: clock, IDs: bank.IDs, Log: bank.Log, Keep: 48 * time.Hour}
	s := told.New(o)
	list := func() []memory.Told {
		t.Helper()
		s.Flush(t.Context())
		all, err := s.List(t.Context(), "ann", "", 10)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	answer, err := bank.Recall.Recall(t.Context(), recall.Request{Query: "What colour is the roof?", Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	s.Answer(scope, "memory_recall", "What colour is the roof?", answer)
	all := list()
	if len(all) != 1 || all[0].Query != "What colour is the roof?" || all[0].Project != "barn" || all[0].Session != "s1" ||
		!all[0].At.Equal(now) ||
		len(all[0].Results) != 1 || all[0].Results[0].ID != saved.ID || all[0].Results[0].Score <= 0 || all[0].Tokens == 0 {
		t.Errorf("%+v", all)
	}
	now = now.Add(24 * time.Hour)
	s.Page(scope, "session-start", strings.Repeat("ä", 2000), []string{saved.ID}, 77)
	if all = list(); len(all) != 2 || all[0].Via != "session-start" || len(all[0].Query) > memory.MaxToldQuery ||
		!strings.HasSuffix(all[0].Query, "ä…") {
		t.Errorf("%+v", all)
	}
	now = now.Add(36 * time.Hour)
	s.Page(scope, "session-start", "", nil, 1)
	if all = list(); len(all) != 2 { // the first is too old
		t.Errorf("%d entries", len(all))
	}
	o.Keep = 0
	s = told.New(o)
	s.Page(scope, "session-start", "", nil, 1)
	if again := list(); len(again) != 2 {
		t.Errorf("%d entries although none is to be kept", len(again))
	}
}
