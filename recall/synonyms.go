package recall

import (
	"mcp-memory/recall/index"
	"mcp-memory/text/thesaurus"
)

// kindLikeness is how much it counts that the one is a kind of the other: a
// question for the database may be answered by "Postgres", but not every text
// that has the name of one is about the database.
const kindLikeness = 0.7

// maxSynonyms bounds the synonyms of a question: a long one has words enough.
const maxSynonyms = 1000

// synonymsOf returns the stems that a memory may have in place of those of a question, by the
// thesaurus of technical words. A question about everyday things has few: what it shares with
// them is rarely telling.
func synonymsOf(stems []string) []index.Synonym {
	known := head(thesaurus.Technical().Of(stems), maxSynonyms)
	found := make([]index.Synonym, len(known))
	for i, s := range known {
		found[i] = index.Synonym{From: s.From, To: s.To, Stems: s.Stems, Likeness: 1}
		if s.Kind {
			found[i].Likeness = kindLikeness
		}
	}
	return found
}
