package index

import "slices"

const (
	// scopedFrom is how many documents an index has from which the question's
	// categories may be searched alone.
	scopedFrom = 20_000
	// answered is the share of the question's words, by their weight, that a
	// document of its categories has to have for that.
	answered = 0.7
	// mostLooked bounds the documents that are looked at to find one.
	mostLooked = 2000
)

// narrow limits the search to the question's categories, if the bank is large
// and one of their documents has most of the question's words: the answer is
// there, and a flat search would add little but fillers. Otherwise everything
// is searched, and the categories by themselves beside it.
func (m *matcher) narrow() {
	if len(m.ix.docs) < scopedFrom || len(m.times) > 0 {
		return
	}
	if scope := m.ix.scopeOf(m.q.Categories); scope != nil && m.answeredIn(scope) {
		m.scope = scope
	}
}

// scopeOf marks the categories with those names, nil if there is none.
func (ix *Index) scopeOf(names []string) (scope []bool) {
	for _, name := range names {
		if n, ok := ix.categoryOf[name]; ok {
			if scope == nil {
				scope = make([]bool, len(ix.members))
			}
			scope[n] = true
		}
	}
	return scope
}

// answeredIn reports whether a document in scope covers the question. It looks
// among those that have its rarest stem.
func (m *matcher) answeredIn(scope []bool) bool {
	var rarest *posting
	known := float32(0)
	for i := range m.stems {
		if t := &m.stems[i]; t.own > 0 {
			known += t.idf
			if p := &m.ix.postings[t.own-1]; rarest == nil || len(p.docs) < len(rarest.docs) {
				rarest = p
			}
		}
	}
	if rarest == nil || known < answered*m.total || len(rarest.docs) > mostLooked {
		return false
	}
	return slices.ContainsFunc(rarest.docs, func(n uint32) bool {
		return scope[m.ix.categories[n]] && m.covered(n) >= answered*m.total
	})
}

// covered returns the weight of the question's stems that a document has.
func (m *matcher) covered(n uint32) (sum float32) {
	start := m.ix.docs[n].start
	words := m.ix.words[start : start+m.ix.lengths[n]]
	for i := range m.stems {
		if t := &m.stems[i]; t.own > 0 && slices.Contains(words, t.own-1) {
			sum += t.idf
		}
	}
	return sum
}

// outside reports whether a document is not searched. One that stands in a
// session with others always is, because they are measured by it.
func (m *matcher) outside(n uint32) bool {
	return m.scope != nil && !m.scope[m.ix.categories[n]] && m.ix.talks.of[n] >= alone
}

// members lists the documents in scope, nil if everything is.
func (m *matcher) members() (lists [][]uint32) {
	for n, in := range m.scope {
		if in {
			lists = append(lists, m.ix.members[n])
		}
	}
	return lists
}

// enterCategory notes the category of the document that is added.
func (ix *Index) enterCategory(name string, n uint32) {
	category := ix.category(name)
	ix.categories = append(ix.categories, category)
	for len(ix.members) <= int(category) {
		ix.members = append(ix.members, nil)
	}
	ix.members[category] = append(ix.members[category], n)
}

// inCategories returns up to limit allowed documents of the question's
// categories with the best base scores: the second of the three tiers.
func (m *matcher) inCategories(s *scratch, limit int, allowed set) []uint32 {
	scope := m.ix.scopeOf(m.q.Categories)
	if limit == 0 || scope == nil || m.scope != nil { // in scope all that was found is of them
		return nil
	}
	best := top{limit: limit}
	for _, n := range s.active {
		x := scored{n, s.base[n]}
		if (!best.full() || best.list[0].worse(x)) && scope[m.ix.categories[n]] && allowed.has(n) {
			best.add(x)
		}
	}
	chosen := make([]uint32, len(best.list))
	for i, x := range best.list {
		chosen[i] = x.n
	}
	return chosen
}
