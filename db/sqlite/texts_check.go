package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
	"mcp-memory/text/analysis"
)

// wrongTexts returns what is wrong with a text index that SQLite takes for sound, "" for nothing.
// It compares the entries of each document with the size that FTS5 stores for it, and the terms of
// the index with those of the documents. SQLite's own checks do neither, so that a term in which
// one letter was changed would go unnoticed and its documents not be found by it.
func wrongTexts(ctx context.Context, path, index string) (said string, err error) {
	db, err := openToRead(ctx, path, time.Second, "mode=ro", "_pragma=temp_store(memory)")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil) // all of it at one moment: others may be writing
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	wrong, err := wrongCounts(ctx, tx, index)
	if err != nil {
		return "", err
	}
	if wrong > 0 {
		return fmt.Sprintf("%s has other entries of %d documents than were stored", index, wrong), nil
	}
	if wrong, err = wrongTerms(ctx, tx, index); err != nil || wrong == 0 {
		return "", err
	}
	return fmt.Sprintf("%s has %d words otherwise than its documents", index, wrong), nil
}

// wrongCounts counts the documents that have more or fewer entries in the index than the size which
// FTS5 stores for them in its table _docsize.
func wrongCounts(ctx context.Context, tx *sql.Tx, index string) (wrong int, err error) {
	if _, err := tx.ExecContext(ctx, `CREATE VIRTUAL TABLE temp.entries USING fts5vocab(main, `+index+`, instance)`); err != nil {
		return 0, err
	}
	left := map[int64]int{}
	err = queryEach(ctx, tx, func(row rows.Row) error {
		var doc int64
		var sizes []byte
		err := row.Scan(&doc, &sizes)
		left[doc] = entriesOf(sizes)
		return err
	}, `SELECT id, sz FROM `+index+`_docsize`)
	if err != nil {
		return 0, err
	}
	err = queryEach(ctx, tx, func(row rows.Row) error {
		var doc int64
		err := row.Scan(&doc)
		left[doc]--
		return err
	}, `SELECT doc FROM temp.entries`)
	if resultCode(err) == codeCorrupt {
		return len(left), nil
	}
	for _, n := range left {
		if n != 0 {
			wrong++
		}
	}
	return wrong, err
}

// indexedAtOnce is how many documents are indexed anew at a time, in memory.
const indexedAtOnce = 10 * pageSize

// wrongTerms indexes all documents anew in memory and counts the terms that occur a different
// number of times in that and in the stored index. It returns 0 if the content of a document is not
// what was saved, as then it is the text that is wrong and not the index.
func wrongTerms(ctx context.Context, tx *sql.Tx, index string) (wrong int, err error) {
	var made string
	if err := tx.QueryRowContext(ctx, `SELECT sql FROM sqlite_schema WHERE name = ?`, index).Scan(&made); err != nil {
		return 0, err
	}
	_, kind, _ := strings.Cut(made, " USING ")
	for _, text := range []string{
		`CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, ` + index + `, row)`,
		`CREATE VIRTUAL TABLE temp.anew USING ` + kind,
		`CREATE VIRTUAL TABLE temp.anew_terms USING fts5vocab(temp, anew, row)`,
	} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return 0, err
		}
	}
	left := map[string]termCount{}
	count := func(table string, sign int) error {
		return queryEach(ctx, tx, func(row rows.Row) error {
			var term string
			var n termCount
			err := row.Scan(&term, &n.documents, &n.places)
			n = termCount{left[term].documents + sign*n.documents, left[term].places + sign*n.places}
			if left[term] = n; n == (termCount{}) {
				delete(left, term)
			}
			return err
		}, `SELECT term, doc, cnt FROM temp.`+table)
	}
	corpus := memory.Corpus(index[:strings.IndexByte(index, '_')])
	text := analysis.IndexText
	if strings.HasSuffix(index, "_parts") {
		text = partsText
	}
	indexed := 0
	empty := func() error {
		if err := count("anew_terms", 1); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO temp.anew (anew) VALUES ('delete-all')`)
		return err
	}
	err = eachPage(int64(0), func(after int64) ([]*document, error) { return documentsAfter(ctx, tx, corpus, after) },
		func(d *document) (int64, error) {
			_, err := tx.ExecContext(ctx, `INSERT INTO temp.anew (rowid, text) VALUES (?, ?)`, d.seq, text(d.content))
			if indexed++; err == nil && indexed%indexedAtOnce == 0 {
				err = empty()
			}
			return d.seq, err
		})
	if err == nil {
		err = empty()
	}
	if err == nil {
		err = count("terms", -1)
	}
	if err != nil || len(left) == 0 {
		return 0, err
	}
	names, past, _, err := changed(ctx, tx, corpus)
	if len(names)+len(past) > 0 {
		return 0, err
	}
	return len(left), err
}

// wrongTermCounts returns of which words the counters have another number of documents than there
// are: words of nothing that is there any more, if an earlier version has erased that.
func wrongTermCounts(ctx context.Context, db *sql.DB) (complaints []string, err error) {
	tx, err := db.BeginTx(ctx, nil) // all of it at one moment: others may be writing
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	for _, c := range memory.Corpora() {
		banks := map[int64]*rows.Counts{}
		of := func(bank int64) *rows.Counts {
			if banks[bank] == nil {
				banks[bank] = new(rows.Counts)
				banks[bank].Add(c, nil, 0)
			}
			return banks[bank]
		}
		err := eachPage(int64(0), func(after int64) ([]*document, error) { return documentsAfter(ctx, tx, c, after) },
			func(d *document) (int64, error) {
				of(d.seq>>rows.BankShift).Add(c, analysis.Content(d.content), 1)
				return d.seq, nil
			})
		if err != nil {
			return nil, err
		}
		err = queryEach(ctx, tx, func(row rows.Row) error {
			var bank int64
			var term string
			var documents int
			err := row.Scan(&bank, &term, &documents)
			(*of(bank))[c].Terms[term] -= documents
			return err
		}, `SELECT bank, term, documents FROM `+string(c)+`_terms`)
		if err != nil {
			return nil, err
		}
		wrong := 0
		for _, counts := range banks {
			for _, n := range (*counts)[c].Terms {
				if n != 0 {
					wrong++
				}
			}
		}
		if wrong == 0 {
			continue
		}
		names, past, _, err := changed(ctx, tx, c)
		if err != nil {
			return nil, err
		}
		if len(names)+len(past) == 0 { // else it is the text that is wrong
			complaints = append(complaints, fmt.Sprintf("%d words of %s are counted in other numbers than they are there", wrong, c))
		}
	}
	return complaints, nil
}

// termCount is how often a term is in an index.
type termCount struct{ documents, places int }

// entriesOf decodes the number at the beginning of a _docsize row, a varint of FTS5: seven bits in
// each byte, the highest first. It returns -1 for invalid bytes.
func entriesOf(sizes []byte) (n int) {
	for i, b := range sizes {
		if i == 8 {
			break
		}
		if n = n<<7 | int(b&0x7f); b < 0x80 {
			return n
		}
	}
	return -1
}

// unlike returns the text indexes and tables of vectors whose contents are not what was stored,
// although SQLite's own checks find them sound.
func unlike(ctx context.Context, db queryer, path string) (names []string, err error) {
	for _, index := range textIndexes {
		said, err := wrongTexts(ctx, path, index)
		if err != nil {
			return nil, err
		}
		if said != "" {
			names = append(names, index)
		}
	}
	sets, err := vectorSets(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, v := range sets {
		for _, c := range memory.Corpora() {
			wrong, err := wrongVectors(ctx, db, v, c)
			if err != nil {
				return nil, err
			}
			if wrong > 0 {
				names = append(names, v.table(c))
			}
		}
	}
	return names, nil
}

// unlikeIn returns what [unlike] finds as complaints for people. It does not check a file larger
// than smallFile, as that takes long.
func unlikeIn(ctx context.Context, db *sql.DB, path string) (said []string, err error) {
	if info, err := os.Stat(path); err != nil || info.Size() > smallFile {
		return nil, nil
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	names, err := unlike(ctx, tx, path)
	for _, name := range names {
		said = append(said, fmt.Sprintf("%s has other things in it than were stored", name))
	}
	return said, err
}

// documentsAfter reads the next pageSize documents of a corpus after a number, with the text that is
// indexed as their content.
func documentsAfter(ctx context.Context, q queryer, c memory.Corpus, after int64) ([]*document, error) {
	if c == memory.Memories {
		return queryAll(ctx, q, func(row rows.Row) (*document, error) {
			d := &document{corpus: c}
			return d, row.Scan(&d.seq, &d.content)
		}, `SELECT seq, content FROM records WHERE seq > ? ORDER BY seq LIMIT ?`, after, pageSize)
	}
	turns, err := queryAll(ctx, q, rows.ScanTurn, `SELECT `+rows.TurnColumns+` FROM turns d WHERE d.seq > ? ORDER BY d.seq LIMIT ?`,
		after, pageSize)
	for from := 0; from < len(turns) && err == nil; { // details are read bank by bank
		to := from + 1
		for to < len(turns) && turns[to].Agent == turns[from].Agent {
			to++
		}
		err = addDetails(ctx, q, turns[from].Agent, turns[from:to])
		from = to
	}
	docs := make([]*document, len(turns))
	for i, t := range turns {
		docs[i] = &document{corpus: c, seq: t.Seq, content: t.SearchText()}
	}
	return docs, err
}
