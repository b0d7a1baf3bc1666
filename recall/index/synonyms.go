package index

import (
	"cmp"
	"slices"
)

// Synonym is a word or phrase that a document may have in place of some stems of the question.
type Synonym struct {
	From, To int      // places in Query.Stems, To not included
	Stems    []string // one or more, next to each other in this order
	Likeness float32  // 0 to 1
}

// synonym is a [Synonym] of which the bank has all stems.
type synonym struct {
	places []uint16 // indexes into matcher.stems of the stems it stands for
	terms  []uint32
	share  float32 // share of the weight of these stems that it is worth, 0 to 1
}

// findSynonyms sets m.synonyms to those synonyms of the question of which the bank has all stems,
// in order of their first terms. place maps a stem to its index in m.stems.
func (m *matcher) findSynonyms(place map[string]int) {
	for _, one := range m.q.Synonyms {
		terms := m.termsOf(one.Stems)
		if terms == nil {
			continue
		}
		found := synonym{terms: terms, share: one.Likeness * m.telling(one.Stems)}
		for _, stem := range m.q.Stems[one.From:one.To] {
			found.places = append(found.places, uint16(place[stem]))
		}
		m.synonyms = append(m.synonyms, found)
	}
	slices.SortStableFunc(m.synonyms, func(a, b synonym) int { return cmp.Compare(a.terms[0], b.terms[0]) })
}

// termsOf returns the terms of some stems, nil if the bank has not all of them.
func (m *matcher) termsOf(stems []string) (terms []uint32) {
	for _, stem := range stems {
		term, ok := m.ix.terms.find(stem)
		if !ok {
			return nil
		}
		terms = append(terms, term)
	}
	return terms
}

// telling returns how specific the most specific of some stems is, 0 to 1, by the length of its row
// in the semantic table; 1 for a stem without a row. A common word proves little, even as a synonym
// of what is asked. The result does not depend on the bank.
func (m *matcher) telling(stems []string) (most float32) {
	for _, stem := range stems {
		id, ok := m.ix.table.Lookup(stem)
		if !ok {
			return 1
		}
		most = max(most, m.ix.table.Length(id)/m.ix.table.Rare())
	}
	return min(1, most)
}

// mark sets s.synonyms of the first term of each synonym.
func (m *matcher) mark(s *scratch) {
	for i, one := range slices.Backward(m.synonyms) {
		s.synonyms[one.terms[0]] = uint16(i + 1)
	}
}

// unmark sets what mark has set back to 0.
func (m *matcher) unmark(s *scratch) {
	for _, one := range m.synonyms {
		s.synonyms[one.terms[0]] = 0
	}
}

// saidOtherwise returns [Hit.Synonyms]: the share of the question's stems, by weight, for which a
// document of these terms has synonyms, normalised by its length.
func (m *matcher) saidOtherwise(s *scratch, words []uint32) float64 {
	if len(m.synonyms) == 0 {
		return 0
	}
	shares := make([]float32, len(m.stems))
	for at, w := range words {
		first := int(s.synonyms[w])
		for i := first - 1; first > 0 && i < len(m.synonyms) && m.synonyms[i].terms[0] == w; i++ {
			one := &m.synonyms[i]
			if len(words)-at < len(one.terms) || !slices.Equal(words[at:at+len(one.terms)], one.terms) {
				continue
			}
			for _, p := range one.places {
				shares[p] = max(shares[p], one.share)
			}
		}
	}
	sum := float32(0)
	for i, share := range shares {
		sum += share * m.stems[i].soft
	}
	return float64(ratio(sum, m.softs) / softNorm(uint32(len(words)), m.average))
}
