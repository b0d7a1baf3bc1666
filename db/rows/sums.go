package rows

import (
	"crypto/sha256"
	"database/sql"
	"hash/crc64"
	"strings"

	"mcp-memory/memory"
)

// ContentKey returns a hash of 16 bytes that is equal for records that are duplicates of each other:
// same project, kind and [memory.SameContent].
func ContentKey(project string, kind memory.Kind, content string) []byte {
	return sameKey(project, kind, memory.SameContent(content))
}

// Keys computes [ContentKey], and keeps the last one: a save asks for that of its record several times.
type Keys struct {
	of  memory.ExpectedContent
	key []byte // nil for none yet
}

// Of returns the [ContentKey], which must not be changed.
func (k *Keys) Of(project string, kind memory.Kind, content string) []byte {
	if of := (memory.ExpectedContent{Project: project, Kind: kind, Content: content}); k.key == nil || k.of != of {
		k.of, k.key = of, ContentKey(project, kind, content)
	}
	return k.key
}

// ContentKeys returns the [ContentKey] of each content in each of the projects and kinds, and for
// each key the index of its content.
func ContentKeys(projects []string, kinds []memory.Kind, contents []string) (keys [][]byte, of []int64) {
	for i, content := range contents {
		same := memory.SameContent(content)
		for _, project := range projects {
			for _, kind := range kinds {
				keys, of = append(keys, sameKey(project, kind, same)), append(of, int64(i))
			}
		}
	}
	return keys, of
}

func sameKey(project string, kind memory.Kind, same string) []byte {
	sum := sha256.Sum256([]byte(strings.Join([]string{project, string(kind), same}, "\x00")))
	return sum[:16]
}

var crcTable = crc64.MakeTable(crc64.ECMA)

// Sum returns a checksum (CRC-64) of what never changes about a document: agent, id, kind (of a turn
// the session) and content. A database notices a damaged B-tree by itself, but not a changed text.
func Sum(agent, id, kind, content string) int64 {
	var sum uint64
	for _, part := range []string{agent, "\x00", id, "\x00", kind, "\x00", content} {
		sum = crc64.Update(sum, crcTable, []byte(part))
	}
	return int64(sum)
}

// RecordSum is the checksum of a record.
func RecordSum(r *memory.Record) int64 { return Sum(r.Agent, r.ID, string(r.Kind), r.Content) }

// TurnSum is the checksum of a turn.
func TurnSum(t *memory.Turn) int64 { return Sum(t.Agent, t.ID, t.Session, t.Content) }

// StoredSum returns the value to store as a document's checksum. A document that is damaged, as it
// was where it was copied from, gets one that does not fit, and so stays recognisable as damaged.
func StoredSum(sum int64, damaged bool) int64 {
	if damaged {
		return ^sum
	}
	return sum
}

// Differs reports whether a stored checksum does not fit; NULL, of an older document, always fits.
func Differs(stored sql.NullInt64, sum int64) bool { return stored.Valid && stored.Int64 != sum }
