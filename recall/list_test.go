package recall_test

import (
	"slices"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// Each corpus keeps its order of arrival, also where what arrived later says that it
// was made earlier, and pages put together are the whole.
func TestListOfSeveralCorpora(t *testing.T) {
	b := newBank(t, builtin())
	at := func(minute int) time.Time { return start.Add(time.Duration(minute) * time.Minute) }
	for _, m := range []struct {
		text   string
		minute int
	}{{"m1", 50}, {"m2", 10}, {"m3", 30}} { // the second is of an earlier clock
		r := b.record(m.text)
		r.CreatedAt = at(m.minute)
		b.save(t, b, r)
	}
	for i, text := range []string{"t1", "t2", "t3", "t4"} {
		turn := memory.Turn{ID: b.ids.New(), Agent: "ann", Session: "s", Index: i, Content: text, SaidAt: at(5 + 10*i),
			CreatedAt: at(5 + 10*i)}
		err := b.Write(t.Context(), "ann", func(tx memory.Tx) error {
			_, err := tx.InsertTurns([]memory.Turn{turn}, nil)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	s := b.service(b)
	for name, c := range map[string]struct {
		corpora []memory.Corpus
		want    []string
	}{
		"both":     {[]memory.Corpus{memory.Memories, memory.Conversations}, []string{"t4", "m3", "t3", "t2", "m2", "m1", "t1"}},
		"memories": {nil, []string{"m3", "m2", "m1"}},
	} {
		for limit := 1; limit <= len(c.want)+1; limit++ {
			var got []string
			for more := true; more; {
				var page []memory.Document
				var err error
				page, more, err = s.List(t.Context(),
					recall.Listing{Scope: memory.Scope{Agent: "ann"}, Corpora: c.corpora, Limit: limit, Offset: len(got)})
				if err != nil || more && len(page) != limit {
					t.Fatalf("%s: page of %d, more %v, error %v", name, len(page), more, err)
				}
				for _, d := range page {
					got = append(got, d.Content)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s by %d: %q, want %q", name, limit, got, c.want)
			}
		}
	}
}
