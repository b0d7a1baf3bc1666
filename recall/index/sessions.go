package index

import (
	"hash/maphash"
	"math"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// sessions says which documents belong together: turns of a conversation, records of one moment.
// Most records are alone in theirs. To save memory, such a session gets no number until its second
// document comes.
type sessions struct {
	of      []uint32          // of documents: number of the session, or alone or noSession
	last    map[uint64]uint32 // hash of a session's name → its last document
	lengths []int             // of numbered sessions, in content stems
	longest int               // largest of lengths
	roles   []int             // of numbered sessions: the sum of lean over their turns
	seed    maphash.Seed
}

// Values of sessions.of that are not the number of a session; both are at or above alone.
const (
	noSession = math.MaxUint32     // the document names no session
	alone     = math.MaxUint32 - 1 // it is the only one of its session so far
)

// enterSession links document n, which was just added, behind the last one of its session.
func (ix *Index) enterSession(d Document, n uint32) {
	t := &ix.sessions
	key := maphash.String(t.seed, d.Session)
	if last, ok := t.last[key]; ok {
		if t.of[last] == alone {
			t.of[last] = uint32(len(t.lengths))
			t.lengths = append(t.lengths, int(ix.lengths[last]))
			t.roles = append(t.roles, int(ix.docs[last].lean))
		}
		t.of = append(t.of, t.of[last])
		t.lengths[t.of[last]] += int(ix.lengths[n])
		t.longest = max(t.longest, t.lengths[t.of[last]])
		t.roles[t.of[last]] += int(ix.docs[n].lean)
		ix.docs[last].after, ix.docs[n].before = n+1, last+1
	} else {
		t.of = append(t.of, alone)
	}
	t.last[key] = n
	ix.docs[n].speaker = ix.firstName(d.Speaker)
}

// lean returns what a turn tells of its conversation: 1 that a user talks with an assistant, -1
// that people talk with each other, 0 nothing. Turns of tools and of the system occur in both.
func lean(role memory.Role, name string) int8 {
	switch {
	case memory.AmongPeople(role, name):
		return -1
	case name == "" && (role == memory.RoleUser || role == memory.RoleAssistant):
		return 1
	}
	return 0
}

// assisted reports whether a document's conversation is one of a user with an
// assistant, as opposed to people talking with each other: by most of its turns.
func (ix *Index) assisted(n uint32) bool {
	if session := ix.sessions.of[n]; session < alone {
		return ix.sessions.roles[session] > 0
	}
	return ix.docs[n].lean > 0
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

// neighbour returns the document offset places after document n in its session, before it for a
// negative offset; false if the session does not reach so far.
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
