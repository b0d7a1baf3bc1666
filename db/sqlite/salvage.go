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
	Rows    map[string]int `json:"rows"`              // by table
	Lost    []string       `json:"lost,omitempty"`    // "record ID of AGENT", as far as indexes know them
	Changed []string       `json:"changed,omitempty"` // what is there, but does not say what was saved; named like that
	Unnamed int            `json:"unnamed"`           // rows that could not be read and that nothing names
	Damaged int            `json:"damaged"`           // pages that cannot be read
}

// Salvage writes a new database of every row that can be read of another one, page
// by page, and makes indexes, texts' indexes and counters anew; vectors are queued. The database
// at from is a copy without others that use it: its log is moved into it. There must be nothing at to.
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

// finish drops the rows that make no sense, and makes the rest findable.
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

// lose notes that documents that seemed to be there are lost.
func (s *salvage) lose(c memory.Corpus, agent string, ids []string) {
	for _, id := range ids {
		name := lostName(documentName(c), id, agent)
		s.report.Lost = append(s.report.Lost, name)
		s.report.Changed = slices.DeleteFunc(s.report.Changed, func(changed string) bool { return changed == name })
		s.report.Rows[rows.Table(c)]--
	}
	slices.Sort(s.report.Lost)
}

// lostName is how a row is named to whoever misses it.
func lostName(what, id, agent string) string { return fmt.Sprintf("%s %s of %s", what, id, agent) }

// applyLog moves what the log has into the file, whatever SQLite thinks of either.
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
	visited map[uint32]bool
	free    map[uint32]bool
	wounded []*salvagedTable // with pages that cannot be read
	named   map[string][][2]string
	have    map[string]map[[2]string]bool // agent and id of what was salvaged, by table
	owner   map[string]string             // the table of each index
	indexed map[string]map[int64]bool     // numbers of rows that an index has, by table
	kept    map[string]map[int64]bool     // and of those that were salvaged
	report  Salvaged
}

// named tables are those whose rows have an index by agent and id: it tells which are lost.
var namedTables = map[string]string{"records": "record", "turns": "turn"}

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
		// What migrations have put there is not what was there.
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

func (s *salvage) visit(t *pages.Tree) {
	for _, n := range t.Chains {
		s.visited[n] = true
	}
}

// maxDepth is deeper than any tree: pages that lead in a circle end there.
const maxDepth = 30

// walk reads a tree from a page on. t is nil for what is not kept.
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

// note remembers whom an index by agent and id names.
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

// orphans reads what no tree leads to any more, because a page between is damaged.
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

// keep inserts a row. One that does not fit the table is lost.
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

// findLost says which rows an index names and no page has. Where the page with the names is lost too, other
// indexes still tell how many there were.
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

// mend makes rows without which others cannot be found, and drops those about what is lost.
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
