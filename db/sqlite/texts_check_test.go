package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// changeBlob changes one blob in a closed file: that of the row which a query finds by its number.
func changeBlob(t *testing.T, path, query, update string, change func(blob []byte)) {
	t.Helper()
	db, err := OpenDriver(dsn(path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx := context.WithoutCancel(t.Context())
	var row int64
	var blob []byte
	if err := db.QueryRowContext(ctx, query).Scan(&row, &blob); err != nil {
		t.Fatal(err)
	}
	change(blob)
	if _, err := db.ExecContext(ctx, update, blob, row); err != nil {
		t.Fatal(err)
	}
}

// alter changes the largest block of a text index in a closed file.
func alter(t *testing.T, path, index string, change func(block []byte)) {
	t.Helper()
	changeBlob(t, path, `SELECT id, block FROM `+index+`_data WHERE id > 10 ORDER BY length(block) DESC LIMIT 1`,
		`UPDATE `+index+`_data SET block = ? WHERE id = ?`, change)
}

// TestOtherThingsInATextIndex changes one bit in a text index, of which SQLite notices one in three
// only: where words find other documents after that, the examination says so.
func TestOtherThingsInATextIndex(t *testing.T) {
	t.Parallel()
	original := closedFile(t, 60)
	if said := broken(Examine(t.Context(), original)); said != "" {
		t.Fatal(said)
	}
	before := map[string]map[string]string{}
	for _, index := range []string{"memories_words", "memories_parts"} {
		before[index] = entriesIn(t, original, index)
	}
	silent, harmful := 0, 0
	random := rand.New(rand.NewPCG(30, 30))
	for i := range 40 {
		index := []string{"memories_words", "memories_parts"}[i%2]
		path := copyTo(t, original)
		alter(t, path, index, func(block []byte) {
			block[random.IntN(len(block))] ^= 1 << random.IntN(8)
		})
		after := entriesIn(t, path, index)
		if after != nil && fmt.Sprint(after) == fmt.Sprint(before[index]) {
			continue // it changed nothing
		}
		harmful++
		if said := broken(Examine(t.Context(), path)); said == "" {
			silent++
		} else if !strings.Contains(said, index) {
			t.Errorf("%s is not named: %s", index, said)
		}
	}
	if harmful < 10 || silent > 0 {
		t.Errorf("%d of %d changes are not noticed", silent, harmful)
	}
}

// TestIndexesOfOddTextsAreSound: whatever was written, and of it erased, a text index has what is made of it anew. Of a
// text that is not what was saved nothing is said here: the index may be right.
func TestIndexesOfOddTextsAreSound(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, 8)
	odd := []string{"crate\x00 crane\xff", "İstanbul, Straße, ǅ, Ångström, ﬁn", "港の倉庫は木曜日に開く。", "vat_rate_bp is 42 in a.b/c, v1.2.3",
		"👩‍🚀 e\u0301", "...", "to be or not to be", "well-known and well-known", strings.Repeat("a@", 3000)}
	var all []memory.Record
	for _, text := range odd {
		all = append(all, fact("ann", text), fact("ann", text+" It is erased."))
	}
	for i := range 3 * indexedAtOnce / 2 {
		all = append(all, fact("ann", fmt.Sprintf("Crate %d goes to berth %d.", i, i%9)))
	}
	insert(t, s, nil, all...)
	insert(t, s, nil, fact("bob", odd[0]))
	err := s.Write(t.Context(), "ann", func(tx memory.Tx) error {
		turn := memory.Turn{ID: "t1", Agent: "ann", Session: "s", Role: memory.RoleAssistant, Content: "I look.", SaidAt: start,
			CreatedAt: start,
			Details: &memory.TurnDetails{ToolCalls: []memory.ToolCall{
				{Name: "Bash", Arguments: json.RawMessage(`{ "command": "sort <in >out && echo caf\u00e9\u2028" }`), Result: "a<b & c\x00d",
					Error: "permission\r\n denied"}}}}
		if _, err := tx.InsertTurns([]memory.Turn{turn}, nil); err != nil {
			return err
		}
		for i := range odd {
			if err := tx.EraseRecord(all[2*i+1].ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if said := broken(Examine(t.Context(), path)); said != "" {
		t.Fatal(said)
	}
	erased := copyTo(t, path)
	setColumn(t, erased, `INSERT INTO conversations_terms (bank, term, documents) SELECT bank, 'swordfish', 1 FROM banks WHERE agent = 'ann'`)
	if said := broken(Examine(t.Context(), erased)); said != "counters: 1 words of conversations are counted in other numbers than they are there\n" {
		t.Errorf("of the word of an erased message: %q", said)
	}
	fresh := filepath.Join(t.TempDir(), "memory.db")
	if _, err := Salvage(t.Context(), erased, fresh, Options{Embedder: embedder(8), Clock: clock}); err != nil {
		t.Fatal(err)
	}
	if said := broken(Examine(t.Context(), fresh)); said != "" {
		t.Errorf("repaired: %q", said)
	}
	setColumn(t, path, `UPDATE records SET content = 'Crate 7 goes to birth 7.' WHERE content = 'Crate 7 goes to berth 7.'`)
	if said := broken(Examine(t.Context(), path)); !strings.HasPrefix(said, "contents: ") || strings.Count(said, "\n") != 1 {
		t.Errorf("of a text that is not what was saved: %q", said)
	}
}

// entriesIn are the words of an index, with the documents that they find; nil if it cannot be read.
func entriesIn(t *testing.T, path, index string) map[string]string {
	t.Helper()
	db, err := openToRead(t.Context(), path, time.Second, "mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `CREATE VIRTUAL TABLE temp.found USING fts5vocab(main, `+index+`, instance)`); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	err = queryEach(t.Context(), db, func(row rows.Row) error {
		var term, doc string
		err := row.Scan(&term, &doc)
		found[term] += " " + doc
		return err
	}, `SELECT term, doc FROM temp.found`)
	if err != nil {
		return nil
	}
	return found
}

// TestTheCaretakerComparesIndexes lets a running store come across what is sound for SQLite: a
// vector of zeros, and a text index with a word less. Both are made anew.
func TestTheCaretakerComparesIndexes(t *testing.T) {
	original := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, original, 8)
	for i := range 20 {
		insert(t, s, unit(rand.New(rand.NewPCG(9, uint64(i))), 8), fact("ann", fmt.Sprintf("Ferry %d leaves.", i)))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func(path string){
		"vectors_1_memories": func(path string) { zero(t, path, "vectors_1_memories_vector_chunks01", "vectors", 20*4*8) },
		"memories_words":     func(path string) { lessOne(t, path, "memories_words") },
	} {
		t.Run(name, func(t *testing.T) {
			path := copyTo(t, original)
			harm(path)
			if said := broken(Examine(t.Context(), path)); !strings.Contains(said, name) {
				t.Fatalf("the examination says %q", said)
			}
			s := openAt(t, path, 8)
			noticed := false
			h := lookedUntil(t, s, func(h memory.Health) bool {
				noticed = noticed || h.Broken()
				return noticed && !h.Broken()
			})
			if !noticed || h.Broken() {
				t.Errorf("noticed: %v, then %+v", noticed, h)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if said := broken(Examine(t.Context(), path)); said != "" {
				t.Error(said)
			}
		})
	}
}

// zero clears the beginning of a blob in a table of a closed file.
func zero(t *testing.T, path, table, column string, length int) {
	t.Helper()
	setColumn(t, path, fmt.Sprintf(`UPDATE %[1]s SET %[2]s = CAST(zeroblob(%[3]d) || substr(%[2]s, %[3]d + 1) AS BLOB) WHERE _rowid_ = 1`,
		table, column, length))
}

// lessOne takes an entry out of a text index and lets it say that it is there.
func lessOne(t *testing.T, path, index string) {
	t.Helper()
	setColumn(t, path, fmt.Sprintf(`UPDATE %s_docsize SET sz = x'09' WHERE id = (SELECT min(id) FROM %[1]s_docsize)`, index))
}

// setColumn runs an update in a closed file.
func setColumn(t *testing.T, path, update string) {
	t.Helper()
	db, err := OpenDriver(dsn(path, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), update); err != nil {
		t.Fatal(err)
	}
}
