package remember

import (
	"crypto/sha256"
	"slices"
	"sync"
	"time"

	"mcp-memory/memory"
)

const (
	// maxUnasked is how many records a request for a whole project may forget without a
	// confirmation or a dry run before.
	maxUnasked = 20
	// previewLife is for how long a dry run counts.
	previewLife = 10 * time.Minute
	// maxPreviews bounds the dry runs that are remembered.
	maxPreviews = 1000
)

// wholesale reports whether a request names a project and nothing else: then all of it is
// forgotten.
func (f ForgetRequest) wholesale() bool {
	return f.Project != nil && len(f.IDs) == 0 && f.Query == "" && f.LinkID == "" && f.Session == "" && f.Undo == ""
}

// checkWholesale returns [memory.CodeInvalidArgument] if a whole project of more than maxUnasked
// records is to be forgotten, and that was neither confirmed nor shown by a dry run of exactly
// these records.
func (s *Service) checkWholesale(f ForgetRequest, scope memory.Scope, ids []string, now time.Time) error {
	if !f.wholesale() || f.DryRun || f.Confirm || len(ids) <= maxUnasked || s.previews.has(selection(scope, ids), now) {
		return nil
	}
	return memory.Errorf(memory.CodeInvalidArgument, "that is all of the project, %d memories", len(ids)).
		WithHint("set confirm to true, or call with dry_run first and look")
}

// selection returns a hash of which agent, in which session, has chosen which records.
func selection(scope memory.Scope, ids []string) [sha256.Size]byte {
	h := sha256.New()
	for _, part := range append([]string{scope.Agent, scope.Session}, slices.Sorted(slices.Values(ids))...) {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// previews are the dry runs of the last minutes. Safe for concurrent use; the
// zero value has none.
type previews struct {
	mu sync.Mutex
	at map[[sha256.Size]byte]time.Time
}

func (p *previews) note(key [sha256.Size]byte, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k, at := range p.at {
		if now.Sub(at) > previewLife {
			delete(p.at, k)
		}
	}
	if p.at == nil || len(p.at) >= maxPreviews { // those whose dry run is forgotten can repeat it
		p.at = map[[sha256.Size]byte]time.Time{}
	}
	p.at[key] = now
}

func (p *previews) has(key [sha256.Size]byte, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, ok := p.at[key]
	return ok && now.Sub(at) <= previewLife
}
