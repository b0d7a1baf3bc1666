package review

import (
	"context"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/secrets"
	"mcp-memory/text/slots"
)

const (
	// nearlySame is how much two texts must share to be nearly the same, as a share of the words of
	// the longer one. leastWords is how many words the shorter one needs for that.
	nearlySame = 0.85
	leastWords = 4
	// common is how many memories may have a word for pairs to be found by it, and with how many
	// memories of the same slot or word, the last ones before it, a memory is compared.
	common = 40
	// most is how many pairs are kept. A person does not decide more, and a bank of similar lines
	// could have a million.
	most = 2000
	// maxText is the longest text that is compared, in bytes: a few sentences.
	maxText = 2000
	// unusedAfter is how old a learning has to be to be called unused.
	unusedAfter = 30 * 24 * time.Hour
)

// told is a memory with what is compared of it.
type told struct {
	memory.Document
	statements []slots.Statement
	words      map[string]bool
}

// pairs compares each memory with older ones of the same project that share a slot or a word with
// it. documents are ordered oldest first. It returns nil once ctx has ended.
func pairs(ctx context.Context, documents []memory.Document, apart memory.Apart) (items []Item) {
	bySlot, byWord := map[uint64][]*told{}, map[string][]*told{}
	for _, d := range documents {
		if ctx.Err() != nil {
			return nil
		}
		if d.Kind != memory.KindFact && d.Kind != memory.KindLongTerm || len(d.Content) > maxText {
			continue
		}
		one := &told{d, slots.Read(d.Content, slots.Options{}), wordsOf(d.Content)}
		seen := map[*told]bool{}
		compare := func(others []*told) {
			for _, older := range others[max(0, len(others)-common):] {
				if len(items) == most {
					return
				}
				if seen[older] || older.Project != one.Project || apart.Has(older.ID, one.ID) {
					continue
				}
				seen[older] = true
				if kind := between(older, one); kind != "" {
					items = append(items,
						Item{Key: keyOf(kind, older.ID, one.ID), Kind: kind, Newer: one.Record, Older: older.Record, newer: one.Seq,
							older: older.Seq})
				}
			}
		}
		for _, key := range slots.Keys(one.statements) {
			compare(bySlot[key])
			bySlot[key] = append(bySlot[key], one)
		}
		for word := range one.words {
			if len(byWord[word]) <= common {
				compare(byWord[word])
			}
			byWord[word] = append(byWord[word], one)
		}
	}
	return items
}

func wordsOf(content string) map[string]bool {
	set := map[string]bool{}
	for _, stem := range analysis.Telling(content) {
		set[stem] = true
	}
	return set
}

// between returns what there is to decide about two memories, "" for nothing.
func between(older, newer *told) Kind {
	switch relation := slots.Between(older.statements, newer.statements); {
	case relation == slots.Same:
		return Duplicate
	case relation == slots.Contradicts, slots.Opposed(older.Content, newer.Content):
		return Opposite
	case relation >= slots.Likely:
		return Successor
	}
	few := min(len(older.words), len(newer.words))
	if few < leastWords {
		return ""
	}
	shared := 0
	for word := range older.words {
		if newer.words[word] {
			shared++
		}
	}
	// slots.Differ comes last because it takes the longest, and few pairs get this far.
	if float64(shared) >= nearlySame*float64(max(len(older.words), len(newer.words))) && !slots.Differ(older.Content, newer.Content) {
		return Duplicate
	}
	return ""
}

// alone finds the items that are about a single memory: secrets and unused learnings.
func alone(documents []memory.Document, now time.Time) (items []Item) {
	for _, d := range documents {
		switch {
		case (d.CategoryGuessed || d.Category != memory.CategorySecret) && secrets.Find(d.Content) != "":
			items = append(items, Item{Key: keyOf(Secret, d.ID), Kind: Secret, Newer: d.Record, newer: d.Seq})
		case d.Kind == memory.KindLearning && d.AccessCount == 0 && d.Confirmations < 2 && now.Sub(d.CreatedAt) > unusedAfter:
			items = append(items, Item{Key: keyOf(Unused, d.ID), Kind: Unused, Newer: d.Record, newer: d.Seq})
		}
	}
	return items
}
