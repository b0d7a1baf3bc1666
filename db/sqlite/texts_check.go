package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// wrongTexts counts the documents for which a text index has more or fewer entries than were
// stored with them: the index keeps that count beside its pages. SQLite does not compare the
// two, and takes a page that says other things for a sound one. A letter of a word that has become
// another changes no count, and is not found.
func wrongTexts(ctx context.Context, path, index string) (wrong int, err error) {
	db, err := openToRead(ctx, path, time.Second, "mode=ro", "_pragma=temp_store(memory)")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil) // all of it at one moment: others may be writing
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
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

// entriesOf is the number at the beginning of a row of sizes: seven bits a byte, the highest
// first, as of SQLite; -1 for what is none.
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

// unlike are the indexes of texts and tables of vectors that are sound for SQLite, and have other
// things in them than were stored.
func unlike(ctx context.Context, db queryer, path string) (names []string, err error) {
	for _, index := range textIndexes {
		wrong, err := wrongTexts(ctx, path, index)
		if err != nil {
			return nil, err
		}
		if wrong > 0 {
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

// unlikeIn says what [unlike] has found, for people; nothing of a large file, where it takes long.
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
