package remember_test

import (
	"context"
	"fmt"
	"testing"

	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

// stepping ends the context when it is asked for a second page, and notes from where pages are asked for.
type stepping struct {
	memory.Store
	end  context.CancelFunc
	from []int64
}

func (s *stepping) After(ctx context.Context, c memory.Corpus, agent string, seq int64, limit int) ([]memory.Document, error) {
	if s.from = append(s.from, seq); len(s.from) == 2 {
		s.end()
	}
	return s.Store.After(ctx, c, agent, seq, limit)
}

// TestReadTimes: what was saved before times were kept has them after a while; who
// is ended goes on behind what was read.
func TestReadTimes(t *testing.T) {
	b := testbank.New(t, testbank.Options{})
	var ids []string
	if err := b.Store.Write(t.Context(), "ann", func(tx memory.Tx) error {
		for i := range 450 {
			r := memory.Record{ID: b.IDs.New(), Agent: "ann", Kind: memory.KindFact, Category: "event",
				Content: fmt.Sprintf("Boat %d lies at the quay.", i), CreatedAt: b.Clock()}
			if i%200 == 7 {
				r.Content = fmt.Sprintf("The plumber of boat %d comes tomorrow.", i)
				ids = append(ids, r.ID)
			}
			if err := tx.InsertRecord(r, nil); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	read := func() (known int) {
		t.Helper()
		found, err := b.Store.Records(t.Context(), "ann", ids)
		if err != nil {
			t.Fatal(err)
		}
		day := b.Clock().AddDate(0, 0, 1).Format("2006-01-02")
		for _, r := range found {
			switch {
			case r.Mentions == nil:
			case len(r.Mentions) == 1 && r.Mentions[0].From.Format("2006-01-02") == day && r.Mentions[0].Text == "tomorrow":
				known++
			default:
				t.Errorf("%+v", r)
			}
		}
		return known
	}
	if read() != 0 {
		t.Fatal("they are there before")
	}
	ctx, end := context.WithCancel(t.Context())
	first := &stepping{Store: b.Store, end: end}
	o := b.RememberOptions()
	o.Store = first
	if err := remember.New(o).ReadTimes(ctx); err == nil || read() != 1 {
		t.Errorf("ended after a step: %v, %d of 3", err, read())
	}
	second := &stepping{Store: b.Store, end: func() {}}
	o.Store = second
	if err := remember.New(o).ReadTimes(t.Context()); err != nil || read() != 3 || second.from[0] != first.from[1] || second.from[0] == 0 {
		t.Errorf("gone on: %v, %d of 3, from %v after %v", err, read(), second.from, first.from)
	}
	before, err := b.Store.Changes(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	if err := remember.New(o).ReadTimes(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after, err := b.Store.Changes(t.Context(), "ann"); err != nil || after != before {
		t.Errorf("with nothing to do it wrote: %v, %v", after, err)
	}
}
