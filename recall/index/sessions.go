package index

import (
	"hash/maphash"
	"math"

	"mcp-memory/analysis"
	"mcp-memory/memory"
)

// talks says which documents stand together: turns of a session, records of
// one moment. Most records are alone in theirs, and such a session is only
// counted: it gets no number until a second document comes.
type talks struct {
	of      []uint32          // of documents: number of the session, alone or noSession
	last    map[uint64]uint32 // hash of a session's name → its last document
	lengths []int             // of numbered sessions, in content stems
	count   int               // of sessions, numbered and not
	seed    maphash.Seed
}

const (
	noSession = math.MaxUint32
	alone     = math.MaxUint32 - 1
)

func (ix *Index) enterSession(d Document, n uint32) {
	t := &ix.talks
	key := maphash.String(t.seed, d.Session)
	if last, ok := t.last[key]; ok {
		if t.of[last] == alone {
			t.of[last] = uint32(len(t.lengths))
			t.lengths = append(t.lengths, int(ix.lengths[last]))
		}
		t.of = append(t.of, t.of[last])
		t.lengths[t.of[last]] += int(ix.lengths[n])
		ix.docs[last].after, ix.docs[n].before = n+1, last+1
	} else {
		t.of = append(t.of, alone)
		t.count++
	}
	t.last[key] = n
	ix.docs[n].speaker = ix.firstName(d.Speaker)
	ix.spoken++
	if d.Role == memory.RoleUser || d.Role == memory.RoleAssistant {
		ix.byRole++
	}
}

// firstName returns the term of a speaker's first name + 1, 0 for none.
func (ix *Index) firstName(speaker string) uint32 {
	if speaker == "" {
		return 0
	}
	first, known := ix.firsts[speaker]
	if known {
		return first
	}
	if name := analysis.Content(speaker); len(name) > 0 {
		t := ix.term(name[0])
		ix.speakers[t] = true
		first = t + 1
	}
	ix.firsts[speaker] = first
	return first
}

// neighbour returns the document some places further in the session.
func (ix *Index) neighbour(n uint32, offset int) (uint32, bool) {
	for ; offset < 0; offset++ {
		if n = ix.docs[n].before; n == 0 {
			return 0, false
		}
		n--
	}
	for ; offset > 0; offset-- {
		if n = ix.docs[n].after; n == 0 {
			return 0, false
		}
		n--
	}
	return n, true
}
