package recall

import (
	"context"
	"slices"
	"time"

	"mcp-memory/memory"
)

// TakenAtOnce is of how many memories a question takes up vectors by the encoder.
const TakenAtOnce = takenAtOnce

// PartNames returns the names that the parts of a score can have.
func PartNames() []string {
	return slices.Concat(partNames[:],
		[]string{literalPart, verbatimPart, broadPart, overviewPart, saliencePart, stalePart, metPart, rejectedPart, otherPart},
		relevanceNames(), []string{versionPart, certaintyPart})
}

// IndexAtOnce sets up to how many documents an index is built while the
// question waits; below 0 every index is built in the background.
func (s *Service) IndexAtOnce(documents int) { s.indexes.foregroundLimit = documents }

// Indexed returns how many indexes are ready.
func (s *Service) Indexed() (n int) {
	s.indexes.mu.Lock()
	entries := make([]*indexEntry, 0, len(s.indexes.entries))
	for _, e := range s.indexes.entries {
		entries = append(entries, e)
	}
	s.indexes.mu.Unlock()
	for _, e := range entries {
		e.mu.Lock()
		if e.built != nil {
			n++
		}
		e.mu.Unlock()
	}
	return n
}

// MakeRoomFor sets what all indexes together may take: so many of so many documents.
func (s *Service) MakeRoomFor(indexes, documents int) {
	s.indexes.most = indexes*eachIndex + documents*perDocument
}

// MakeRoomForEncoded is MakeRoomFor with the vectors by the encoder.
func (s *Service) MakeRoomForEncoded(indexes, documents int) {
	s.MakeRoomFor(indexes, documents)
	s.indexes.most += indexes*eachEncoder + documents*perEncoded
}

// HasIndex reports whether an agent's memories have one.
func (s *Service) HasIndex(agent string) bool {
	s.indexes.mu.Lock()
	defer s.indexes.mu.Unlock()
	return s.indexes.entries[indexKey{agent, memory.Memories}] != nil
}

// Sweep drops what is idle, as happens by itself after a while.
func (s *Service) Sweep() { s.indexes.sweepIdle() }

// SweepsAgain stops the timer of the next sweep and reports whether there was to be one.
func (s *Service) SweepsAgain() bool { return s.indexes.sweep.Stop() }

// Unframed returns a question without its framing.
func Unframed(question string) string { return unframed(question) }

// RememberUser looks for the names of users as a service does.
func RememberUser(s Store) func(context.Context, memory.Scope) error {
	u := &users{store: s, known: map[userKey]knownUser{}}
	return func(ctx context.Context, scope memory.Scope) error {
		_, err := u.names(ctx, scope)
		return err
	}
}

// LookUpUser looks for them anew each time.
func LookUpUser(s Store) func(context.Context, memory.Scope) error {
	return func(ctx context.Context, scope memory.Scope) error {
		return RememberUser(s)(ctx, scope)
	}
}

// FilesIndexed is how many passages the index of an agent's files has, also of
// versions that are gone.
func (s *Service) FilesIndexed(agent string) int {
	e := s.files.entry(agent)
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stock.index.Len()
}

// WaitForFiles sets how long questions wait for files to be looked at.
func (s *Service) WaitForFiles(d time.Duration) { s.files.wait = d }

// Requested returns whether a question asks for an overview, and what it is about.
func Requested(question string) (overview bool, rest string) { return requested(question) }
