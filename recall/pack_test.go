package recall

import (
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// letters counts every byte as a token.
type letters struct{}

func (letters) Count(text string) int { return len(text) }

func TestPack(t *testing.T) {
	for name, c := range map[string]struct {
		sizes         []int // of the contents, best first
		limit, budget int
		kept          []int // their places
		total         int
		truncated     bool
	}{
		"nothing":                      {nil, 3, 10, nil, 0, false},
		"no budget":                    {[]int{9, 9, 9}, 3, 0, []int{0, 1, 2}, 27, false},
		"as many as the limit":         {[]int{1, 1, 1}, 3, 0, []int{0, 1, 2}, 3, false},
		"one more than the limit":      {[]int{1, 1, 1, 1}, 3, 0, []int{0, 1, 2}, 3, true},
		"exactly the budget":           {[]int{4, 6}, 3, 10, []int{0, 1}, 10, false},
		"one token over":               {[]int{4, 7}, 3, 10, []int{0}, 4, true},
		"the first alone is too long":  {[]int{11}, 3, 10, nil, 0, true},
		"shorter ones behind the long": {[]int{4, 7, 3, 3, 1}, 9, 10, []int{0, 2, 3}, 10, true},
		"what is left out is no place": {[]int{11, 1, 1}, 2, 10, []int{1, 2}, 2, true},
		"the limit before the budget":  {[]int{2, 2, 2}, 1, 10, []int{0}, 2, true},
		"empty content costs nothing":  {[]int{10, 0}, 3, 10, []int{0, 1}, 10, false},
	} {
		var ranked []*candidate
		for i, size := range c.sizes {
			ranked = append(ranked,
				&candidate{Document: memory.Document{Seq: int64(i), Record: memory.Record{Content: strings.Repeat("x", size)}}})
		}
		kept, total, truncated := pack(ranked, c.limit, c.budget, letters{})
		var places []int
		for _, one := range kept {
			places = append(places, int(one.Document.Seq))
		}
		if !slices.Equal(places, c.kept) || total != c.total || truncated != c.truncated {
			t.Errorf("%s: %v, %d tokens, truncated %v; want %v, %d, %v", name, places, total, truncated, c.kept, c.total, c.truncated)
		}
	}
}
