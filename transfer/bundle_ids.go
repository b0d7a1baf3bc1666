package transfer

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"mcp-memory/memory"
)

// maxIDBytes is the longest id that is kept as it is. Ids made by this program have 36 bytes.
const maxIDBytes = 128

// safeID returns the id under which a thing of a bundle is stored. An id of letters, digits and the
// characters . _ : - (without ".." and "--") is kept, because it can be part of a file name and of
// an HTML comment. Any other id is replaced by a UUID derived from it, the same at each import. ""
// stays "".
func safeID(id string) string {
	plain := func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("._:-", r)
	}
	other := func(r rune) bool { return !plain(r) }
	if len(id) <= maxIDBytes && strings.IndexFunc(id, other) < 0 && !strings.Contains(id, "..") && !strings.Contains(id, "--") {
		return id
	}
	b := sha256.Sum256([]byte("mcp-memory bundle " + id))
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80 // a UUID of version 8 (RFC 9562)
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// withSafeIDs returns a record with [safeID] applied to all its ids. If its own id changes, the
// former one goes to the provenance as "bundle_id".
func withSafeIDs(r memory.Record) (memory.Record, error) {
	named := r.ID
	r.ID, r.Supersedes, r.SupersededBy = safeID(r.ID), safeID(r.Supersedes), safeID(r.SupersededBy)
	if r.Summary != nil {
		summary := *r.Summary
		summary.Covers = nil
		for _, id := range r.Summary.Covers {
			summary.Covers = append(summary.Covers, safeID(id))
		}
		r.Summary = &summary
	}
	if r.ID == named {
		return r, nil
	}
	return withOrigin(r, "bundle_id", named)
}

// withOrigin returns a record with one more field in its provenance. If the provenance is neither
// empty nor an object, the record is returned unchanged.
func withOrigin(r memory.Record, key, value string) (memory.Record, error) {
	origin := map[string]json.RawMessage{}
	if len(r.Provenance) > 0 && json.Unmarshal(r.Provenance, &origin) != nil {
		return r, nil
	}
	if origin == nil { // of null
		origin = map[string]json.RawMessage{}
	}
	quoted, err := json.Marshal(value)
	if err != nil {
		return r, err
	}
	origin[key] = quoted
	r.Provenance, err = json.Marshal(origin)
	return r, err
}
