package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/db/sqlite/pages"
	"mcp-memory/memory"
)

// Salvaged says what came of [Salvage].
type Salvaged struct {
	Rows    map[string]int `json:"rows"`              // how many rows were salvaged, by table
	Lost    []string       `json:"lost,omitempty"`    // lost documents that an index still names: "record ID of AGENT"
	Changed []string       `json:"changed,omitempty"` // likewise, documents that are there but whose checksum does not fit
	Unnamed int            `json:"unnamed"`           // rows that could not be read and that no index names
	Damaged int            `json:"damaged"`           // pages that cannot be read
}

// Salvage writes a new database at to with every row that it can read, page by page, from the
// damaged one at from. It rebuilds indexes, text indexes and counters, and queues all documents for
// vectors. from must be a copy that nobody else uses, as its log is moved into it. There must be
// nothing at to.
func Salvage(ctx context.Context, from, to string, o Options) (Salvaged, error) {
	if err := applyLog(from); err != nil {
		return Salvaged{}, err
	}
	f, err := os.Open(from)
	if err != nil {
		return Salvaged{}, cannotOpen(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Salvaged{}, cannotOpen(err)
	}
	file := pages.New(f, info.Size())
	if file.Count() == 0 {
		return Salvaged{}, memory.Errorf(memory.CodeUnavailable, "there is nothing in the database that could be salvaged").
			WithHint("restore a backup")
	}
	version := SchemaVersion()
	schema, id, err := file.Version()
	ours := err == nil && id == applicationID
	if ours && schema > 0 {
		if version = int(schema); version > SchemaVersion() {
			return Salvaged{}, memory.Errorf(memory.CodeUnavailable, "the database is of a newer program").WithHint(hintNewer)
		}
	}
	if err := os.WriteFile(to, nil, 0o600); err != nil {
		return Salvaged{}, cannotOpen(err)
	}
	s := salvage{file: file, report: Salvaged{Rows: map[string]int{}}, visited: map[uint32]bool{}, free: file.Free()}
	if err := s.run(ctx, to, version); err != nil {
		return s.report, explain(err)
	}
	if len(s.report.Rows) == 0 && !ours {
		return s.report, memory.Errorf(memory.CodeUnavailable, "nothing in the file is of a database of this program").
			WithHint("restore a backup, or choose another data directory; the file was not changed")
	}
	err = s.finish(ctx, to, o)
	return s.report, err
}

// finish deletes the rows that cannot be read as documents, and indexes the rest.
func (s *salvage) finish(ctx context.Context, to string, o Options) (err error) {
	store, err := Open(ctx, to, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	agents, err := store.Agents(ctx)
	if err != nil {
		return err
	}
	for _, agent := range agents {
		for _, c := range memory.Corpora() {
			ids, err := store.dropUnreadable(ctx, c, agent)
			if err != nil {
				return err
			}
			s.lose(c, agent, ids)
		}
		if err := store.rebuildBank(ctx, agent); err != nil {
			return err
		}
	}
	return nil
}

// lose moves documents, which were counted as salvaged, to the lost ones in the report.
func (s *salvage) lose(c memory.Corpus, agent string, ids []string) {
	for _, id := range ids {
		name := lostName(documentName(c), id, agent)
		s.report.Lost = append(s.report.Lost, name)
		s.report.Changed = slices.DeleteFunc(s.report.Changed, func(changed string) bool { return changed == name })
		s.report.Rows[rows.Table(c)]--
	}
	slices.Sort(s.report.Lost)
}

// lostName returns the name of a document in a report, such as "record ID of AGENT".
func lostName(what, id, agent string) string { return fmt.Sprintf("%s %s of %s", what, id, agent) }

// applyLog moves the pages of the write-ahead log into the file without SQLite, which might refuse
// either as damaged.
func applyLog(path string) (err error) {
	log, err := os.Open(path + "-wal")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return cannotOpen(err)
	}
	defer log.Close()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return cannotOpen(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = pages.ApplyLog(f, log)
	return err
}

// salvage is one run of [Salvage].
type salvage struct {
	file    *pages.File
	w       *writer
	tables  []*salvagedTable
	visited map[uint32]bool               // pages that were read
	free    map[uint32]bool               // pages that are in the list of free ones
	wounded []*salvagedTable              // tables with pages that cannot be read
	named   map[string][][2]string        // table → agent and id of each row that its index names
	have    map[string]map[[2]string]bool // table → agent and id of each row that was salvaged
	owner   map[string]string             // index → its table
	indexed map[string]map[int64]bool     // table → numbers of the rows that some index has
	kept    map[string]map[int64]bool     // table → numbers of the rows that were salvaged
	report  Salvaged
}

// namedTables are the tables whose rows have an index by agent and id, which tells what is lost; the
// values are what their rows are called.
var namedTables = map[string]string{"records": "record", "turns": "turn"}

// run creates the new database with the schema version of the damaged one, copies the rows, and then
// migrates it.
func (s *salvage) run(ctx context.Context, to string, version int) (err error) {
	if s.w, err = openWriter(ctx, dsn(to, time.Second, existing, "_pragma=synchronous(off)")); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.w.close()) }()
	if err := s.w.script(ctx, shrinks); err != nil {
		return err
	}
	if err := useWAL(ctx, s.w, time.Second); err != nil {
		return err
	}
	if err := migrateTo(ctx, s.w, version); err != nil {
		return err
	}
	if s.tables, err = salvagedTables(ctx, s.w); err != nil {
		return err
	}
	s.named, s.have = map[string][][2]string{}, map[string]map[[2]string]bool{}
	s.owner, s.indexed, s.kept = map[string]string{}, map[string]map[int64]bool{}, map[string]map[int64]bool{}
	for table := range namedTables {
		s.indexed[table], s.kept[table] = map[int64]bool{}, map[int64]bool{}
	}
	err = s.w.do(ctx, func(*writer) error {
		// The rows that migrations insert are not those of the damaged database.
		for _, t := range s.tables {
			if err := s.w.exec(ctx, `DELETE FROM `+t.name); err != nil {
				return err
			}
		}
		roots := s.roots()
		for _, t := range s.tables {
			if roots[t.name] == 0 { // its line of the schema is lost
				s.wounded = append(s.wounded, t)
			}
		}
		for name, root := range roots {
			if err := s.walk(ctx, s.table(name), name, root, 0); err != nil {
				return err
			}
		}
		if err := s.orphans(ctx); err != nil {
			return err
		}
		return s.mend(ctx)
	})
	if err != nil {
		return err
	}
	s.findLost()
	if err := migrateTo(ctx, s.w, SchemaVersion()); err != nil {
		return err
	}
	names, past, _, err := changed(ctx, s.w, memory.Corpora()...)
	s.report.Changed = append(names, past...)
	return err
}

func (s *salvage) table(name string) *salvagedTable {
	for _, t := range s.tables {
		if t.name == name {
			return t
		}
	}
	return nil
}

// roots returns the first page of each table and index, as far as the schema can be read.
func (s *salvage) roots() map[string]uint32 {
	roots := map[string]uint32{}
	var read func(n uint32, depth int)
	read = func(n uint32, depth int) {
		t, err := s.file.Tree(n)
		if err != nil || depth > maxDepth || s.visited[n] {
			return
		}
		s.visited[n] = true
		s.visit(t)
		for _, child := range t.Children {
			read(child, depth+1)
		}
		for _, c := range t.Cells {
			if len(c.Values) < 4 {
				continue
			}
			name, _ := c.Values[1].(string)
			if table, _ := c.Values[2].(string); namedTables[table] != "" {
				s.owner[name] = table
			}
			if root, _ := c.Values[3].(int64); name != "" && root > 0 && root <= int64(s.file.Count()) {
				roots[name] = uint32(root)
			}
		}
	}
	read(1, 0)
	return roots
}

// visit marks the overflow pages of a tree page as read.
func (s *salvage) visit(t *pages.Tree) {
	for _, n := range t.Chains {
		s.visited[n] = true
	}
}

// maxDepth is deeper than any B-tree: it ends a walk along pages that lead in a circle.
const maxDepth = 30

// walk reads the B-tree name from page n down, and keeps its rows in table t; t is nil for an index
// and for a table that is not salvaged, of which only the entries are noted.
func (s *salvage) walk(ctx context.Context, t *salvagedTable, name string, n uint32, depth int) error {
	if s.visited[n] || depth > maxDepth {
		return nil
	}
	tree, err := s.file.Tree(n)
	if err != nil {
		s.report.Damaged++
		if t != nil && !slices.Contains(s.wounded, t) {
			s.wounded = append(s.wounded, t)
		}
		return nil
	}
	s.visited[n] = true
	s.visit(tree)
	for _, child := range tree.Children {
		if err := s.walk(ctx, t, name, child, depth+1); err != nil {
			return err
		}
	}
	if t == nil {
		s.note(name, tree)
		return nil
	}
	s.report.Unnamed += tree.Lost
	for _, c := range tree.Cells {
		if err := s.keep(ctx, t, c); err != nil {
			return err
		}
	}
	return nil
}

// note collects from a page of an index the numbers of the rows that it names and, if it is an
// index by agent and id, their names.
func (s *salvage) note(index string, tree *pages.Tree) {
	if table := s.owner[index]; table != "" {
		for _, c := range tree.Cells {
			if len(c.Values) == 0 {
				continue
			}
			if number, ok := c.Values[len(c.Values)-1].(int64); ok && !c.Partial {
				s.indexed[table][number] = true
			}
		}
	}
	for table := range namedTables {
		if !strings.HasPrefix(index, "sqlite_autoindex_"+table+"_") {
			continue
		}
		for _, c := range tree.Cells {
			if len(c.Values) != 3 { // agent, id and the row's number
				continue
			}
			agent, ok := c.Values[0].(string)
			id, ok2 := c.Values[1].(string)
			if ok && ok2 {
				s.named[table] = append(s.named[table], [2]string{agent, id})
			}
		}
	}
}

// orphans reads the leaf pages that no tree leads to any more, because a page above them is
// damaged. It keeps a row if it fits exactly one of the tables with unreadable pages.
func (s *salvage) orphans(ctx context.Context) error {
	if len(s.wounded) == 0 {
		return nil
	}
	for n := uint32(2); n <= s.file.Count(); n++ {
		if s.visited[n] || s.free[n] {
			continue
		}
		tree, err := s.file.Tree(n)
		if err != nil || tree.Kind == pages.IndexInterior || tree.Kind == pages.TableInterior {
			continue // an overflow page, as a rule
		}
		for _, c := range tree.Cells {
			var fits []*salvagedTable
			for _, t := range s.wounded {
				if t.fits(tree.Kind, c) {
					fits = append(fits, t)
				}
			}
			if len(fits) == 1 {
				if err := s.keep(ctx, fits[0], c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// keep inserts a row into the new database. A row that is cut off or does not fit the table is
// counted as lost.
func (s *salvage) keep(ctx context.Context, t *salvagedTable, c pages.Cell) error {
	if c.Partial || !t.plausible(c) {
		s.report.Unnamed++ // unless an index names it, see findLost
		return nil
	}
	values := slices.Clone(c.Values)
	if t.rowid >= 0 && t.rowid < len(values) {
		values[t.rowid] = c.Rowid
	}
	err := s.w.exec(ctx, t.insert(len(values)), values...)
	if resultCode(err)&0xff == codeConstraint {
		s.report.Unnamed++
		return nil
	}
	if err != nil {
		return err
	}
	s.report.Rows[t.name]++
	if namedTables[t.name] != "" {
		if s.have[t.name] == nil {
			s.have[t.name] = map[[2]string]bool{}
		}
		agent, _ := values[t.column("agent")].(string)
		id, _ := values[t.column("id")].(string)
		s.have[t.name][[2]string{agent, id}] = true
		s.kept[t.name][c.Rowid] = true
	}
	return nil
}

// findLost reports the rows that an index by agent and id names but that were not salvaged. Where
// the page of that index is lost too, the row numbers in other indexes still tell how many rows are
// missing.
func (s *salvage) findLost() {
	nameless := 0
	for table, what := range namedTables {
		for number := range s.indexed[table] {
			if !s.kept[table][number] {
				nameless++
			}
		}
		for _, name := range s.named[table] {
			if !s.have[table][name] {
				nameless--
				s.report.Lost = append(s.report.Lost, lostName(what, name[1], name[0]))
				s.report.Unnamed = max(0, s.report.Unnamed-1)
			}
		}
	}
	s.report.Unnamed = max(s.report.Unnamed, nameless)
	slices.Sort(s.report.Lost)
}

// mend deletes rows that belong to lost documents, and adds or corrects rows of banks and sessions
// without which salvaged documents could not be found.
func (s *salvage) mend(ctx context.Context) error {
	for _, table := range sortedKeys(parents) {
		if s.table(table) == nil { // the schema is older
			continue
		}
		if err := s.w.exec(ctx, `DELETE `+ofNothing(table)); err != nil {
			return err
		}
	}
	for _, c := range memory.Corpora() {
		err := s.w.exec(ctx, fmt.Sprintf(`INSERT OR IGNORE INTO banks (agent, bank, last_seq, created_at)
			SELECT agent, seq >> %d, max(seq), min(created_at) FROM %s WHERE true GROUP BY 1`, rows.BankShift, rows.Table(c)))
		if err != nil {
			return err
		}
		err = s.w.exec(ctx, fmt.Sprintf(`UPDATE banks SET changes = changes + 1, rewrites = rewrites + 1, last_seq = max(last_seq,
			coalesce((SELECT max(seq) FROM %s x WHERE x.seq > bank << %[2]d AND x.seq < (bank + 1) << %[2]d), 0))`,
			rows.Table(c), rows.BankShift))
		if err != nil {
			return err
		}
	}
	if err := s.w.exec(ctx, `INSERT OR IGNORE INTO sessions (agent, session, project, turns, created_at)
		SELECT agent, session, project, max(turn_index) + 1, min(created_at) FROM turns GROUP BY agent, session`); err != nil {
		return err
	}
	return s.w.exec(ctx, `UPDATE sessions SET turns = max(turns, coalesce((SELECT max(turn_index) + 1 FROM turns t
		WHERE t.agent = sessions.agent AND t.session = sessions.session), 0))`)
}
