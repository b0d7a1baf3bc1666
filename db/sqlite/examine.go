package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// examination is a check of one database file, as `doctor` makes it. Each part is a method that
// notes findings.
type examination struct {
	path     string
	db       queryer // reads only; nil until it could be opened
	handle   *sql.DB // the handle behind db, for transactions; nil where only a part is checked
	findings []memory.Finding
	damaged  map[string]bool // names of damaged tables and indexes
	failed   error           // why a part could not be checked, other than damage; nil if all could
}

const (
	adviceRepair  = "stop the servers, then run `mcp-memory doctor --repair`: it copies the files first"
	adviceRestore = "restore a backup with `mcp-memory restore`, or run `mcp-memory doctor --repair`, which salvages what can be read"
)

// Examine looks through the database file at a path, which others may be using,
// and changes nothing. It reads the whole file.
func Examine(ctx context.Context, path string) []memory.Finding { return examine(ctx, path).findings }

func examine(ctx context.Context, path string) *examination {
	e := &examination{path: path, damaged: map[string]bool{}}
	if !e.file() {
		return e
	}
	e.log()
	db, err := openToRead(ctx, path, time.Second, "mode=ro")
	if err == nil {
		defer db.Close()
		e.db, e.handle = db, db
		err = e.schema(ctx)
	}
	if err != nil {
		e.unread("schema", "", err, adviceAfter(err))
		return e
	}
	e.lock(ctx)
	for _, check := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"structure", e.structure}, {"references", e.references}, {"counters", e.counters},
		{"text index", e.textIndex}, {"vectors", e.vectors}, {"queue", e.queue}, {contentsCheck, e.contents},
	} {
		if err := check.run(ctx); err != nil {
			e.unread(check.name, "cannot be read: ", err, adviceRepair)
		}
	}
	return e
}

// unread notes that a check has failed with an error. Unless that is damage, which a repair can
// mend, it also sets e.failed.
func (e *examination) unread(check, what string, err error, advice string) {
	err = explain(err)
	public := memory.Public(err)
	if e.failed == nil && memory.CodeOf(err) == memory.CodeUnavailable && !errors.Is(err, memory.ErrDamaged) {
		e.failed = err
	}
	e.note(check, memory.ConditionBroken, what+public.Message, advice)
}

// adviceAfter returns what to do about a database that could not be opened. One of another program
// or of a newer version is not damaged, so it returns the error's own hint.
func adviceAfter(err error) string {
	if public := memory.Public(explain(err)); !errors.Is(explain(err), memory.ErrDamaged) && public.Hint != "" {
		return public.Hint
	}
	return adviceRestore
}

func (e *examination) note(check string, c memory.Condition, detail, advice string) {
	e.findings = append(e.findings, memory.Finding{Check: check, Condition: c, Detail: detail, Advice: advice})
}

// verdict notes the result of a check: good if there are no complaints, else the complaints and
// advice.
func (e *examination) verdict(check string, good string, complaints []string, advice string) {
	if len(complaints) == 0 {
		e.note(check, memory.ConditionOK, good, "")
		return
	}
	e.note(check, memory.ConditionBroken, strings.Join(complaints, "; "), advice)
}

// file looks at the file from outside, and reports whether it can be opened.
func (e *examination) file() bool {
	info, err := os.Stat(e.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.note("file", memory.ConditionBroken, "the database is missing",
			"put the file back or restore a backup; --create begins a new one")
		return false
	case err != nil:
		e.note("file", memory.ConditionBroken, "the database cannot be looked at", memory.Public(cannotOpen(err)).Hint)
		return false
	case info.Size() == 0:
		e.note("file", memory.ConditionBroken, "the database is empty", "put the file back or restore a backup; --create begins a new one")
		return false
	}
	if err := checkHeader(e.path); err != nil {
		e.note("file", memory.ConditionBroken, memory.Public(err).Message, adviceRestore)
		return false
	}
	e.note("file", memory.ConditionOK, fmt.Sprintf("%s, %.1f MiB", e.path, float64(info.Size())/(1<<20)), "")
	var open []string
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(e.path + suffix); err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			open = append(open, fmt.Sprintf("%s is %04o", e.path+suffix, info.Mode().Perm()))
		}
	}
	if len(open) > 0 {
		e.note("permissions", memory.ConditionWarning, "others may read: "+strings.Join(open, ", "), "chmod 600")
	} else {
		e.note("permissions", memory.ConditionOK, "only the owner may read", "")
	}
	return true
}

// largeLog is a size in bytes that the write-ahead log reaches only if checkpoints cannot finish.
const largeLog = 256 << 20

func (e *examination) log() {
	info, err := os.Stat(e.path + "-wal")
	switch {
	case err != nil:
		e.note("log", memory.ConditionOK, "no write-ahead log is left: nobody has the database open", "")
	case info.Size() > largeLog:
		e.note("log", memory.ConditionWarning, fmt.Sprintf("%d MiB wait to be moved into the database", info.Size()>>20),
			"a process that reads for long keeps them there: restart the servers")
	default:
		e.note("log", memory.ConditionOK, fmt.Sprintf("%.1f MiB", float64(info.Size())/(1<<20)), "")
	}
}

func (e *examination) schema(ctx context.Context) error {
	version, err := checkVersion(ctx, e.db)
	if err != nil {
		return err
	}
	if version < SchemaVersion() {
		e.note("schema", memory.ConditionWarning, fmt.Sprintf("version %d, this program's is %d", version, SchemaVersion()),
			"the next start brings it up to date, after a copy")
		return nil
	}
	e.note("schema", memory.ConditionOK, fmt.Sprintf("version %d", version), "")
	return nil
}

// lock checks whether the write lock can be had, and releases it at once. It also runs a statement
// that would write, as SQLite grants the lock even where the file cannot be written.
func (e *examination) lock(ctx context.Context) {
	db, err := OpenDriver(dsn(e.path, time.Second, existing))
	if err == nil {
		defer db.Close()
		db.SetMaxOpenConns(1)
		if _, err = db.ExecContext(ctx, "BEGIN IMMEDIATE; DELETE FROM banks WHERE false"); err == nil {
			_, err = db.ExecContext(ctx, "ROLLBACK")
		}
	}
	switch public := explain(err); {
	case err == nil:
		e.note("lock", memory.ConditionOK, "free", "")
	case unwritable(e.path, err):
		e.note("lock", memory.ConditionWarning, "the database cannot be written: nothing can be saved",
			"check the permissions, unless the medium is meant to be read only")
	default:
		e.note("lock", memory.ConditionWarning, memory.Public(public).Message, memory.Public(public).Hint)
	}
}

// maxComplaints bounds what SQLite says about its own structure.
const maxComplaints = 100

// structure has SQLite check every page and compare each index with its table, and collects the
// names of damaged tables and indexes in e.damaged.
func (e *examination) structure(ctx context.Context) error {
	said, err := saidBy(ctx, e.db, fmt.Sprintf("PRAGMA integrity_check(%d)", maxComplaints))
	if err != nil {
		return err
	}
	if len(said) == 0 {
		e.note("structure", memory.ConditionOK, "every page is sound", "")
		return nil
	}
	names, err := e.names(ctx)
	if err != nil {
		return err
	}
	for _, line := range said {
		for _, name := range objectsIn(line, names) {
			e.damaged[name] = true
		}
	}
	detail := said[0]
	if len(said) > 1 {
		detail = fmt.Sprintf("%s, and %d more", detail, len(said)-1)
	}
	if len(e.damaged) > 0 {
		detail = sortedNames(e.damaged) + ": " + detail
	}
	e.note("structure", memory.ConditionBroken, detail, adviceRepair)
	return nil
}

// names returns the names of tables and indexes by their root page; virtual tables have no root page
// and get different numbers below 0.
func (e *examination) names(ctx context.Context) (map[int64]string, error) {
	names := map[int64]string{}
	err := queryEach(ctx, e.db, func(row rows.Row) error {
		var root int64
		var name string
		err := row.Scan(&root, &name)
		names[root] = name
		return err
	}, `SELECT coalesce(nullif(rootpage, 0), -rowid), name FROM sqlite_schema WHERE type IN ('table', 'index')`)
	return names, err
}

// parents maps a table to the one with the documents that its rows belong to, by agent and id.
var parents = map[string]string{"accesses": "records", "record_names": "records", "turn_details": "turns"}

// ofNothing returns the FROM and WHERE for the rows of a table whose document does not exist.
func ofNothing(table string) string {
	return fmt.Sprintf(`FROM %[1]s WHERE NOT EXISTS (SELECT 1 FROM %[2]s p WHERE p.agent = %[1]s.agent AND p.id = %[1]s.id)`, table,
		parents[table])
}

// strayRows has for some tables the query that counts their inconsistencies: rows whose document
// does not exist, or banks and sessions that are missing although others refer to them.
var strayRows = map[string]string{
	"accesses":     `SELECT count(*) ` + ofNothing("accesses"),
	"record_names": `SELECT count(*) ` + ofNothing("record_names"),
	"turn_details": `SELECT count(*) ` + ofNothing("turn_details"),
	"banks":        `SELECT count(*) FROM (SELECT DISTINCT agent FROM records) x WHERE NOT EXISTS (SELECT 1 FROM banks b WHERE b.agent = x.agent)`,
	"sessions":     `SELECT count(*) FROM (SELECT DISTINCT agent, session FROM turns) x WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.agent = x.agent AND s.session = x.session)`,
}

func (e *examination) references(ctx context.Context) error {
	var complaints []string
	var broken int
	if err := e.db.QueryRowContext(ctx, `SELECT count(*) FROM pragma_foreign_key_check`).Scan(&broken); err != nil {
		return err
	}
	if broken > 0 {
		complaints = append(complaints, fmt.Sprintf("%d foreign keys lead to nothing", broken))
	}
	for _, table := range sortedKeys(strayRows) {
		var n int
		if err := e.db.QueryRowContext(ctx, strayRows[table]).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			complaints = append(complaints, fmt.Sprintf("%d of %s lead to nothing", n, table))
		}
	}
	e.verdict("references", "no row points to one that is missing", complaints, adviceRepair)
	return nil
}

// counters compares the counters (documents of a corpus, records of a group, last number of a bank)
// with the rows.
func (e *examination) counters(ctx context.Context) error {
	var complaints []string
	for _, c := range memory.Corpora() {
		// The range of a bank's rowids, see rows.BankShift.
		wrong, err := queryAll(ctx, e.db, rows.ScanText,
			fmt.Sprintf(`SELECT b.agent || ' has ' || n.there || ' %[1]s, counted are ' || n.counted
			FROM banks b CROSS JOIN (SELECT x.bank AS bank,
				(SELECT count(*) FROM %[1]s WHERE seq > x.bank << %[2]d AND seq < (x.bank + 1) << %[2]d) AS there,
				coalesce((SELECT documents FROM corpus_totals t WHERE t.bank = x.bank AND t.corpus = '%[3]s'), 0) AS counted FROM banks x) n
			ON n.bank = b.bank WHERE n.there <> n.counted`, rows.Table(c), rows.BankShift, c))
		if err != nil {
			return err
		}
		complaints = append(complaints, wrong...)
	}
	wrong, err := e.groups(ctx)
	if err != nil {
		return err
	}
	complaints = append(complaints, wrong...)
	if wrong, err = wrongTermCounts(ctx, e.handle); err != nil {
		return err
	}
	complaints = append(complaints, wrong...)
	late, err := queryAll(ctx, e.db, rows.ScanText, fmt.Sprintf(`SELECT 'the last number of ' || agent || ' is behind' FROM banks b
		WHERE EXISTS (SELECT 1 FROM records WHERE seq > b.last_seq AND seq < (b.bank + 1) << %[1]d)
		OR EXISTS (SELECT 1 FROM turns WHERE seq > b.last_seq AND seq < (b.bank + 1) << %[1]d)`, rows.BankShift))
	if err != nil {
		return err
	}
	e.verdict("counters", "the counts agree with the rows", append(complaints, late...), adviceRepair)
	return nil
}

// textIndex compares each text index with the documents of its table: which it has, and by
// wrongTexts with which words.
func (e *examination) textIndex(ctx context.Context) error {
	var complaints []string
	total := 0
	for _, c := range memory.Corpora() {
		for _, part := range []string{"_words", "_parts"} {
			index := string(c) + part
			var missing, stray, n int
			err := e.db.QueryRowContext(ctx, fmt.Sprintf(`SELECT
				(SELECT count(*) FROM %[1]s d WHERE NOT EXISTS (SELECT 1 FROM %[2]s_docsize x WHERE x.id = d.seq)),
				(SELECT count(*) FROM %[2]s_docsize x WHERE NOT EXISTS (SELECT 1 FROM %[1]s d WHERE d.seq = x.id)),
				(SELECT count(*) FROM %[2]s_docsize)`, rows.Table(c), index)).Scan(&missing, &stray, &n)
			if err != nil {
				return err
			}
			if total += n; missing+stray > 0 {
				complaints = append(complaints, fmt.Sprintf("%s lacks %d and has %d too many", index, missing, stray))
			}
			wrong, err := wrongTexts(ctx, e.path, index)
			if err != nil {
				return err
			}
			if wrong != "" {
				complaints = append(complaints, wrong)
			}
		}
	}
	e.verdict("text index", fmt.Sprintf("%d documents, by words and by parts of words", total/2), complaints, adviceRepair)
	return nil
}

// vectors compares the vectors of each embedder with the documents, in one reading transaction, as
// others may be writing.
func (e *examination) vectors(ctx context.Context) (err error) {
	tx, err := e.handle.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	sets, err := vectorSets(ctx, tx)
	if err != nil {
		return err
	}
	var complaints []string
	total, without := 0, 0
	for _, v := range sets {
		for _, c := range memory.Corpora() {
			var stray, n, none int
			err := tx.QueryRowContext(ctx, fmt.Sprintf(`SELECT
				(SELECT count(*) FROM %[2]s_rowids x WHERE NOT EXISTS (SELECT 1 FROM %[1]s d WHERE d.seq = x.rowid)),
				(SELECT count(*) FROM %[2]s_rowids),
				(SELECT count(*) FROM %[1]s d WHERE NOT EXISTS (SELECT 1 FROM %[2]s_rowids x WHERE x.rowid = d.seq)
					AND NOT EXISTS (SELECT 1 FROM vector_queue q WHERE q.set_id = %[3]d AND q.corpus = '%[4]s' AND q.seq = d.seq))`,
				rows.Table(c), v.table(c), v.id, c)).Scan(&stray, &n, &none)
			if err != nil {
				return err
			}
			total += n
			without += none
			if stray > 0 {
				complaints = append(complaints, fmt.Sprintf("%s has %d of what is not there", v.table(c), stray))
			}
			wrong, err := wrongVectors(ctx, tx, v, c)
			if err != nil {
				return err
			}
			if wrong > 0 {
				complaints = append(complaints, fmt.Sprintf("%s has %d that are not what was stored", v.table(c), wrong))
			}
		}
	}
	good := fmt.Sprintf("%d, of %d models", total, len(sets))
	if without > 0 { // their vectors are all zeros, and so not stored
		good += fmt.Sprintf("; %d documents have nothing that an embedder reads", without)
	}
	e.verdict("vectors", good, complaints, adviceRepair)
	return nil
}

func (e *examination) queue(ctx context.Context) error {
	var waiting, failing int
	err := e.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(q.attempts > 0), 0) FROM vector_queue q
		WHERE q.set_id = (SELECT id FROM vector_sets ORDER BY used_at DESC LIMIT 1)`).Scan(&waiting, &failing)
	switch {
	case err != nil:
		return err
	case failing > 0:
		e.note("queue", memory.ConditionWarning, fmt.Sprintf("%d texts wait for a vector, %d have failed so far", waiting, failing),
			"look whether the embedding endpoint answers; searching by words works")
	default:
		e.note("queue", memory.ConditionOK, fmt.Sprintf("%d texts wait for a vector", waiting), "")
	}
	return nil
}
