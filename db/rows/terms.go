package rows

import (
	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// Counts collects changes of a bank's statistics, so that a transaction writes
// each term once.
type Counts map[memory.Corpus]*TermCounts

// TermCounts are those of one corpus.
type TermCounts struct {
	Documents, Stems int            // how many more there are, repeats counted
	Terms            map[string]int // stem → in how many more documents it is
}

// Add notes that a document of these stems came (n = 1) or went (n = -1).
func (c *Counts) Add(corpus memory.Corpus, stems []string, n int) {
	counts := (*c)[corpus]
	if counts == nil {
		counts = &TermCounts{Terms: map[string]int{}}
		if *c == nil {
			*c = Counts{}
		}
		(*c)[corpus] = counts
	}
	counts.Documents += n
	counts.Stems += n * len(stems)
	seen := make(map[string]struct{}, len(stems))
	for _, stem := range stems {
		if _, repeated := seen[stem]; !repeated {
			seen[stem] = struct{}{}
			counts.Terms[stem] += n
		}
	}
}

// SlotsOf returns what a content is about as record_slots has it.
func SlotsOf(content string) []int64 {
	return Signed(slots.Keys(slots.Read(content, slots.Options{})))
}

// Signed returns keys as a database has them.
func Signed(keys []uint64) []int64 {
	list := make([]int64, len(keys))
	for i, k := range keys {
		list[i] = int64(k)
	}
	return list
}
