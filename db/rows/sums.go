package rows

import (
	"crypto/sha256"
	"database/sql"
	"hash/crc64"
	"strings"

	"mcp-memory/memory"
)

// ContentKey is equal for records that are duplicates of each other.
func ContentKey(project string, kind memory.Kind, content string) []byte {
	return sameKey(project, kind, memory.SameContent(content))
}

// ContentKeys are the keys of each content in all projects and kinds, and the indexes
// of the contents that they are of.
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

// Sum is a checksum of what never changes about a document: whose it is, what it is,
// and what it says. A database notices a damaged tree, but not a changed text.
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

// StoredSum is what a document's checksum is stored as. One that was damaged where it comes from gets
// one that does not fit, and so stays marked.
func StoredSum(sum int64, damaged bool) int64 {
	if damaged {
		return ^sum
	}
	return sum
}

// Differs reports whether a stored checksum is known and another one.
func Differs(stored sql.NullInt64, sum int64) bool { return stored.Valid && stored.Int64 != sum }
