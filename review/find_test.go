package review

import (
	"fmt"
	"testing"
	"time"

	"mcp-memory/memory"
)

// documents are facts, oldest first.
func documents(contents ...string) (list []memory.Document) {
	for i, content := range contents {
		r := memory.Record{ID: fmt.Sprintf("r%05d", i), Kind: memory.KindFact, Content: content,
			CreatedAt: time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)}
		list = append(list, memory.Document{Record: r, Seq: int64(i)})
	}
	return list
}

func TestPairs(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         Kind
	}{
		{"The harbour office opens at seven in the morning.", "The harbour office opens in the morning at seven.", Duplicate},
		{"Ines lives in Porto.", "Ines lives in Braga.", Successor},
		{"The mill is closed on Sundays.", "The barn door is green.", ""},
		{"Invoice 17 of the harbour office was paid in March.", "Invoice 18 of the harbour office was paid in March.", ""},
	} {
		found := pairs(t.Context(), documents(c.older, c.newer), memory.Apart{})
		switch {
		case c.want == "" && len(found) > 0:
			t.Errorf("%q and %q: %s", c.older, c.newer, found[0].Kind)
		case c.want != "" && (len(found) != 1 || found[0].Kind != c.want || found[0].Older.Content != c.older):
			t.Errorf("%q and %q: %+v", c.older, c.newer, found)
		}
	}
}

// TestManyAlike: a bank whose lines are all of one slot and of the same words makes no million of pairs.
func TestManyAlike(t *testing.T) {
	var contents []string
	for i := range Looked {
		contents = append(contents, fmt.Sprintf("The boiler room temperature is set to %d.%d degrees.", 10+i%70, i))
	}
	found := pairs(t.Context(), documents(contents...), memory.Apart{})
	if len(found) == 0 || len(found) > most {
		t.Errorf("%d pairs", len(found))
	}
}
