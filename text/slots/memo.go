package slots

import (
	"slices"
	"sync"
)

// A text is read several times in a short while: when it is saved, when it is
// filed, and when it is compared with each of those that come after it. What
// short texts say is kept for that; with these bounds it is some 6 MB.
const (
	keptTexts      = 4096 // of each half
	keptBytes      = 300  // longest text that is kept
	keptStatements = 6
)

// memo is what texts say that were read lately. When the young half is full it becomes the old one,
// and what nobody has asked for since is forgotten.
type memo struct {
	mu         sync.Mutex
	young, old map[string][]Statement
}

var kept = memo{young: map[string][]Statement{}}

func (m *memo) get(text string) ([]Statement, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if list, ok := m.young[text]; ok {
		return list, true
	}
	list, ok := m.old[text]
	if ok {
		m.put(text, list)
	}
	return list, ok
}

func (m *memo) add(text string, list []Statement) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(text, list)
}

// put keeps a list. The caller holds the lock.
func (m *memo) put(text string, list []Statement) {
	if len(m.young) >= keptTexts {
		m.young, m.old = make(map[string][]Statement, keptTexts), m.young
	}
	m.young[text] = list
}

// remembered returns what text says, from the memo or else by read. Each caller gets a list of its
// own.
func remembered(text string, read func() []Statement) []Statement {
	if len(text) > keptBytes {
		return read()
	}
	if list, ok := kept.get(text); ok {
		return slices.Clone(list)
	}
	list := read()
	if len(list) <= keptStatements {
		kept.add(text, slices.Clone(list))
	}
	return list
}
