//go:build unix

package process

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"mcp-memory/db/sqlite"
)

const (
	writers        = 8
	killed         = 3 // of them
	savesOfAWriter = 80
)

// Eight processes save into one store; three are killed on the way, with a
// save in flight, and started again. What was acknowledged is there once: as a
// row, in both text indexes and as a vector.
func TestManyProcessesOneStore(t *testing.T) {
	t.Parallel()
	dir := withOwnModel(t.TempDir())
	start(t, dir).hangUp() // eight may make a store together, but that is another test
	var mu sync.Mutex
	acknowledged := map[string]string{} // content → id
	var group sync.WaitGroup
	for w := range writers { // not parallel subtests, which would be as many as there are processors
		group.Go(func() {
			write(t, dir, w, func(content, id string) {
				mu.Lock()
				defer mu.Unlock()
				acknowledged[content] = id
			})
		})
	}
	group.Wait() // a writer that fails ends its goroutine and marks the test
	if len(acknowledged) != writers*savesOfAWriter {
		t.Fatalf("%d saves were acknowledged", len(acknowledged))
	}
	db := inspect(t, dir)
	rows := contents(t, db)
	for content, id := range acknowledged {
		if ids := rows[content]; len(ids) != 1 || ids[0] != id {
			t.Errorf("%q was acknowledged as %s and is there as %q", content, id, ids)
		}
	}
	sound(t, db, len(acknowledged))
}

// write is one writer: some of them die halfway and come back.
func write(t *testing.T, dir string, w int, acknowledged func(content, id string)) {
	h := start(t, dir)
	for i := range savesOfAWriter {
		content := fmt.Sprintf("Writer %d noted that crate %d-%d holds %s.", w, w, i, breeds[i%len(breeds)])
		if w < killed && i == savesOfAWriter/2 {
			// The save under way may be done or not: either is right.
			h.write(h.callLine("memory_save", object{"content": content}))
			h.kill()
			h = start(t, dir)
		}
		acknowledged(content, h.save(content))
	}
	h.hangUp()
}

// inspect opens the database itself.
func inspect(t *testing.T, dir string) *sql.DB {
	t.Helper()
	path := filepath.Join(dir, "memory.db")
	db, err := sqlite.OpenDriver((&url.URL{Scheme: "file", Path: path}).String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// contents returns the ids of all records by content.
func contents(t *testing.T, db *sql.DB) map[string][]string {
	t.Helper()
	rows, err := db.Query(`SELECT content, id FROM records`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	ids := map[string][]string{}
	for rows.Next() {
		var content, id string
		if err := rows.Scan(&content, &id); err != nil {
			t.Fatal(err)
		}
		ids[content] = append(ids[content], id)
	}
	return ids
}

// sound checks that every record is in every index, that nothing else is, and
// that the file is whole.
func sound(t *testing.T, db *sql.DB, records int) {
	t.Helper()
	for query, want := range map[string]any{
		`SELECT count(*) FROM records`:                                                            int64(records),
		`SELECT count(*) FROM memories_words_docsize`:                                             int64(records),
		`SELECT count(*) FROM memories_words_docsize w JOIN records r ON r.seq = w.id`:            int64(records),
		`SELECT count(*) FROM memories_parts_docsize`:                                             int64(records),
		`SELECT count(*) FROM memories_parts_docsize p JOIN records r ON r.seq = p.id`:            int64(records),
		`SELECT count(*) FROM vectors_1_memories_rowids`:                                          int64(records),
		`SELECT count(*) FROM vectors_1_memories_rowids v JOIN records r ON r.seq = v.rowid`:      int64(records),
		`SELECT count(*) FROM vector_queue WHERE set_id = 1`:                                      int64(0), // 2 is the encoder's, which takes its time
		`SELECT count(*) FROM vector_queue q LEFT JOIN records r USING (seq) WHERE r.seq IS NULL`: int64(0),
		`SELECT sum(documents) FROM corpus_totals`:                                                int64(records),
		`PRAGMA integrity_check`:                                                                  "ok",
	} {
		var got any
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %v, want %v, %v", query, got, want, err)
		}
	}
	for _, table := range []string{"memories_words", "memories_parts"} {
		if _, err := db.Exec(`INSERT INTO ` + table + ` (` + table + `) VALUES ('integrity-check')`); err != nil {
			t.Errorf("%s: %v", table, err)
		}
	}
}
