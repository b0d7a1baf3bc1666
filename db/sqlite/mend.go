package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// damagedObjects has SQLite check every table, and returns the names of damaged tables and indexes.
// If SQLite finds none, it returns text indexes and tables of vectors whose contents are not what
// was stored (see unlike). ok is false if a complaint could not be ascribed to any table or index.
func damagedObjects(ctx context.Context, db queryer, path string) (damaged map[string]bool, ok bool, err error) {
	e := examination{db: db, damaged: map[string]bool{}}
	names, err := e.names(ctx)
	if err != nil {
		return nil, false, err
	}
	tables, err := queryAll(ctx, db, rows.ScanText, `SELECT name FROM sqlite_schema WHERE type = 'table'`)
	if err != nil {
		return nil, false, err
	}
	ok = true
	for _, name := range tables { // each with its indexes; integrity_check takes no name of an index
		said, err := saidBy(ctx, db, fmt.Sprintf("PRAGMA integrity_check(%q)", name))
		if err != nil && ctx.Err() != nil {
			return nil, false, err
		}
		if err != nil {
			e.damaged[name] = true
			continue
		}
		for _, line := range said {
			about := objectsIn(line, names)
			for _, one := range about {
				e.damaged[one] = true
			}
			ok = ok && len(about) > 0
		}
	}
	if ok && len(e.damaged) == 0 {
		names, err := unlike(ctx, db, path)
		if err != nil {
			return nil, false, err
		}
		for _, name := range names {
			e.damaged[name] = true
		}
	}
	return e.damaged, ok, nil
}

// mend rebuilds damaged tables and indexes that are derived from others, while nobody writes. It
// reports whether it did: not if nothing is damaged, or if something is that is not derived.
func (s *Store) mend(ctx context.Context) (mended bool, err error) {
	err = s.writer.withoutTransaction(ctx, func(*writer) error {
		damaged, ok, err := s.damagedNow(ctx)
		if err != nil || !ok || len(damaged) == 0 {
			return err
		}
		for name := range damaged {
			if !derived(name) {
				return nil
			}
		}
		if err := s.makeAnew(ctx, damaged); err != nil {
			return err
		}
		mended = true
		return s.vacuum(ctx) // the damaged pages are still in the file
	})
	return mended, explain(err)
}

// mendAfter is called with the error of a write. If that is damage, it tries to mend the database.
// It returns the error for the writer: that it can try again if mending succeeded, else failed
// itself.
func (s *Store) mendAfter(ctx context.Context, failed error) error {
	if !errors.Is(failed, memory.ErrDamaged) {
		return failed
	}
	s.care.mending.Lock() // others wait for the outcome, not for a second attempt
	defer s.care.mending.Unlock()
	if since := time.Since(s.care.mended); since < mendRest {
		if s.care.mendedWell {
			return mendedError(failed)
		}
		return failed
	}
	mended, err := s.mend(context.WithoutCancel(ctx))
	s.care.mended, s.care.mendedWell = time.Now(), mended && err == nil
	if !s.care.mendedWell {
		return failed
	}
	return mendedError(failed)
}

// mendRest is the shortest time between two attempts to mend, as each checks the whole file.
const mendRest = time.Minute

func mendedError(cause error) error {
	return memory.Errorf(memory.CodeUnavailable, "an index was damaged, and has been made anew").WithCause(cause).
		WithHint("nothing was written; try again")
}

// damagedNow is damagedObjects on a connection of its own.
func (s *Store) damagedNow(ctx context.Context) (damaged map[string]bool, ok bool, err error) {
	db, err := OpenDriver(dsn(s.path, checkBusy, existing, "_pragma=query_only(1)"))
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	return damagedObjects(ctx, db, s.path)
}

// makeAnew rebuilds damaged tables and indexes, in one transaction. As SQLite cannot drop what it
// cannot read, their rows are deleted from sqlite_schema; their pages stay in the file until the
// next VACUUM.
func (s *Store) makeAnew(ctx context.Context, damaged map[string]bool) (err error) {
	w, err := openWriter(ctx, dsn(s.path, checkBusy, existing, "_pragma=synchronous(full)"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	w.files = s.writer.files // so that the schema's version is checked, see checkSchema
	return w.do(ctx, func(w *writer) error {
		m := mending{s, w}
		groups := map[string]func(context.Context) error{}
		for name := range damaged {
			switch group := groupOf(name); {
			case strings.HasPrefix(group, "vectors_"):
				groups[group] = func(ctx context.Context) error { return m.vectors(ctx, group) }
			case strings.HasSuffix(group, "_words"), strings.HasSuffix(group, "_parts"):
				groups[group] = func(ctx context.Context) error { return m.text(ctx, group) }
			case group == "counters":
				groups[group] = m.counters
			case group == "record_slots":
				groups[group] = m.slots
			case strings.HasPrefix(group, "sqlite_autoindex_"):
				groups[group] = func(ctx context.Context) error { return m.autoindex(ctx, group) }
			default:
				groups[group] = func(ctx context.Context) error { return m.index(ctx, group) }
			}
		}
		for _, name := range sortedKeys(groups) {
			if err := groups[name](ctx); err != nil {
				return fmt.Errorf("make %s anew: %w", name, err)
			}
		}
		return nil
	})
}

// groupOf returns the name of what has to be rebuilt if a table or index is damaged: the virtual
// table to which a shadow table belongs, "counters" for all counters, else the name itself.
func groupOf(name string) string {
	for _, c := range memory.Corpora() {
		for _, part := range []string{"_words", "_parts"} {
			if strings.HasPrefix(name, string(c)+part) {
				return string(c) + part
			}
		}
		if at := strings.Index(name, "_"+string(c)); at >= 0 && strings.Contains(name[:at], "vectors_") {
			from := strings.Index(name, "vectors_")
			return name[from : at+1+len(c)]
		}
	}
	if strings.HasSuffix(name, "_terms") || name == "corpus_totals" || name == "record_counts" {
		return "counters"
	}
	return name
}

// mending rebuilds tables and indexes in one transaction of w.
type mending struct {
	s *Store
	w *writer
}

// forgetTable removes a table with its indexes, and of a virtual table its shadow tables, from the
// schema. It also resets their AUTOINCREMENT counters, as sqlite-vec expects that the first row of a
// new table gets the number 1.
func (m mending) forgetTable(ctx context.Context, name string) error {
	text, err := m.declaration(ctx, name)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	below := name
	if err != nil || strings.HasPrefix(text, "CREATE VIRTUAL") {
		below = strings.ReplaceAll(name, "_", `\_`) + `\_%`
	}
	if err := m.forget(ctx, `tbl_name = ? OR tbl_name LIKE ? ESCAPE '\'`, name, below); err != nil {
		return err
	}
	return m.w.exec(ctx, `DELETE FROM sqlite_sequence WHERE name = ? OR name LIKE ? ESCAPE '\'`, name, below)
}

// forget deletes the rows of sqlite_schema to which a condition applies.
func (m mending) forget(ctx context.Context, condition string, args ...any) error {
	if err := m.w.script(ctx, "PRAGMA writable_schema = ON"); err != nil {
		return err
	}
	if _, err := m.w.conn.ExecContext(ctx, `DELETE FROM sqlite_schema WHERE `+condition, args...); err != nil {
		return err
	}
	return m.w.script(ctx, "PRAGMA writable_schema = RESET")
}

// declaration returns the SQL that made a table or index.
func (m mending) declaration(ctx context.Context, name string) (text string, err error) {
	err = m.w.conn.QueryRowContext(ctx, `SELECT sql FROM sqlite_schema WHERE name = ?`, name).Scan(&text)
	return text, err
}

// index rebuilds an index that a CREATE INDEX has made.
func (m mending) index(ctx context.Context, name string) error {
	text, err := m.declaration(ctx, name)
	if err != nil {
		return err
	}
	if err := m.forget(ctx, `type = 'index' AND name = ?`, name); err != nil {
		return err
	}
	return m.w.script(ctx, text)
}

// autoindex rebuilds the index of a primary key or UNIQUE constraint, which cannot be dropped. It
// creates another index with the same columns, lets the schema's entry of the damaged one point to
// the pages of that, and removes the entry of the other.
func (m mending) autoindex(ctx context.Context, name string) error {
	var table string
	if err := m.w.conn.QueryRowContext(ctx, `SELECT tbl_name FROM sqlite_schema WHERE name = ?`, name).Scan(&table); err != nil {
		return err
	}
	columns, err := columnsOfIndex(ctx, m.w.conn, name)
	if err != nil {
		return err
	}
	const other = "being_mended"
	if err := m.w.script(ctx, fmt.Sprintf(`CREATE UNIQUE INDEX %s ON %s (%s)`, other, table, strings.Join(columns, ", "))); err != nil {
		return err
	}
	if err := m.w.script(ctx, "PRAGMA writable_schema = ON"); err != nil {
		return err
	}
	_, err = m.w.conn.ExecContext(ctx,
		`UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = ?) WHERE name = ?`, other, name)
	if err != nil {
		return err
	}
	return m.forget(ctx, `name = ?`, other)
}

func columnsOfIndex(ctx context.Context, db queryer, name string) ([]string, error) {
	return queryAll(ctx, db, rows.ScanText, `SELECT name FROM pragma_index_info(?) ORDER BY seqno`, name)
}

// again replaces tables by empty ones of the same declaration.
func (m mending) again(ctx context.Context, names ...string) error {
	for _, name := range names {
		text, err := m.declaration(ctx, name)
		if err != nil {
			return err
		}
		if err := m.forgetTable(ctx, name); err != nil {
			return err
		}
		if err := m.w.script(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// text rebuilds a text index from the documents.
func (m mending) text(ctx context.Context, index string) error {
	if err := m.again(ctx, index); err != nil {
		return err
	}
	if err := m.w.script(ctx, fmt.Sprintf(`INSERT INTO %[1]s (%[1]s, rank) VALUES ('automerge', 8)`, index)); err != nil {
		return err
	}
	c := memory.Corpus(index[:strings.IndexByte(index, '_')])
	words := strings.HasSuffix(index, "_words")
	return m.each(ctx, c, func(d *document) error {
		text := d.parts
		if words {
			text = d.words
		}
		return m.w.exec(ctx, `INSERT INTO `+index+` (rowid, text) VALUES (?, ?)`, d.seq, text)
	})
}

// each calls fn for every document of a corpus, analysed for the indexes.
func (m mending) each(ctx context.Context, c memory.Corpus, fn func(*document) error) error {
	return eachPage(int64(0), func(after int64) ([]*document, error) {
		docs, err := documentsAfter(ctx, m.w, c, after)
		analyse(docs)
		return docs, err
	}, func(d *document) (int64, error) { return d.seq, fn(d) })
}

// counters rebuilds the counters of terms, documents and records of all banks.
func (m mending) counters(ctx context.Context) error {
	tables := []string{"corpus_totals", "record_counts"}
	for _, c := range memory.Corpora() {
		tables = append(tables, string(c)+"_terms")
	}
	if err := m.again(ctx, tables...); err != nil {
		return err
	}
	if err := m.w.script(ctx, rows.CountGroups); err != nil {
		return err
	}
	banks := map[int64]*tx{}
	for _, c := range memory.Corpora() {
		err := m.each(ctx, c, func(d *document) error {
			bank := d.seq >> rows.BankShift
			if banks[bank] == nil {
				banks[bank] = &tx{ctx: ctx, store: m.s, tx: m.w, bank: bank}
			}
			banks[bank].counts.Add(c, d.stems, 1)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, t := range banks {
		if err := t.writeCounts(); err != nil {
			return err
		}
	}
	return nil
}

// slots empties record_slots and queues all records to be filed again little by little; see fileDue.
func (m mending) slots(ctx context.Context) error {
	if err := m.again(ctx, "record_slots"); err != nil {
		return err
	}
	return m.w.exec(ctx, `INSERT OR REPLACE INTO slots_due (agent, seq) SELECT agent, last_seq + 1 FROM banks`)
}

// vectors replaces a set's table of vectors by an empty one, for which all documents are queued.
func (m mending) vectors(ctx context.Context, table string) error {
	sets, err := vectorSets(ctx, m.w)
	if err != nil {
		return err
	}
	for _, v := range sets {
		for _, c := range memory.Corpora() {
			if v.table(c) != table {
				continue
			}
			if err := m.forgetTable(ctx, table); err != nil {
				return err
			}
			return v.create(ctx, m.w, c)
		}
	}
	return nil
}
