package rows

import (
	"mcp-memory/memory"
	"mcp-memory/text/slots"
)

// Counts collects by how much a transaction changes a bank's term statistics, so that it writes each
// term once.
type Counts map[memory.Corpus]*TermCounts

// TermCounts are the changes of one corpus.
type TermCounts struct {
	Documents, Stems int            // how many more documents, and stems in them with repeats
	Terms            map[string]int // stem → by how much its document frequency changes
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

// SlotsOf returns the keys of what a content is about ("the user's town"), under which table
// record_slots files its record.
func SlotsOf(content string) []int64 {
	return Signed(slots.Keys(slots.Read(content, slots.Options{})))
}

// Signed converts keys to the signed integers that a database can store, bit for bit.
func Signed(keys []uint64) []int64 {
	list := make([]int64, len(keys))
	for i, k := range keys {
		list[i] = int64(k)
	}
	return list
}
