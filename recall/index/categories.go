package index

// inCategories returns up to limit allowed documents of the question's
// categories with the best base scores: the second of the three tiers.
func (m *matcher) inCategories(s *scratch, limit int, allowed set) []uint32 {
	scope := map[uint16]bool{}
	for _, name := range m.q.Categories {
		if n, ok := m.ix.categoryOf[name]; ok {
			scope[n] = true
		}
	}
	if len(scope) == 0 {
		return nil
	}
	best := top{limit: limit}
	for _, n := range s.active {
		if scope[m.ix.categories[n]] && allowed.has(n) {
			best.add(scored{n, s.base[n]})
		}
	}
	chosen := make([]uint32, len(best.list))
	for i, x := range best.list {
		chosen[i] = x.n
	}
	return chosen
}
