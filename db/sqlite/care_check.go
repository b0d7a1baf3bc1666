package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"mcp-memory/db/rows"
	"mcp-memory/memory"
)

// The file is checked in the background, one table after another, on a connection of its own and
// only when no call has come for a while. A call cancels the check of the current table, which is
// begun again later. After each table the caretaker rests a hundred times as long as that took.
const (
	checkBusy  = 5 * time.Second // busy timeout while mending
	checkShare = 100             // rest after a check, as a multiple of the time that it took
	// checkPatience is after how many cancelled attempts calls no longer cancel the check of a
	// table.
	checkPatience = 50
	// smallFile is the size in bytes up to which a file is also checked by what takes longer: the
	// entries of text indexes and vectors, and pages that belong to no table.
	smallFile = 64 << 20
)

// tempo says how long the caretaker waits; tests set shorter times.
type tempo struct {
	first time.Duration // from the start to the first check
	quiet time.Duration // without calls, before a table is checked
	rest  time.Duration // between two checks of the whole file
	share int           // see checkShare
}

var usualTempo = tempo{10 * time.Second, 500 * time.Millisecond, time.Hour, checkShare}

// Tend implements [memory.Caretaker].
func (s *Store) Tend(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	if !s.readOnly {
		work.Go(func() { s.sumAll(ctx) })
		work.Go(func() { s.scrubAll(ctx) })
	}
	for wait := s.care.tempo.first; pause(ctx, wait); wait = s.care.tempo.rest {
		s.checkAll(ctx)
		if !s.readOnly && s.Health().Broken() {
			if mended, err := s.mend(ctx); mended && err == nil {
				s.care.log.WarnContext(ctx, "an index of the database was damaged, and has been made anew")
				s.checkAll(ctx)
			}
		}
		s.logProblems(ctx)
	}
}

// pause waits for d, and reports false if the context ends before.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// sumAll gives documents that were stored without a checksum theirs, little by little.
func (s *Store) sumAll(ctx context.Context) {
	for pause(ctx, s.care.tempo.quiet) && s.quiet(ctx) {
		begun := time.Now()
		more, err := s.sumDue(ctx)
		if err != nil || !more || !pause(ctx, 10*time.Since(begun)) {
			return
		}
	}
}

// called notes that somebody uses the store, and cancels the check of a table under way.
func (c *care) called() {
	c.lastCall.Store(time.Now().UnixNano())
	if stop := c.stopLook.Swap(nil); stop != nil {
		(*stop)()
	}
}

// scrubAll scrubs, until ctx ends, what [Store.Scrub] has not finished: of this process as soon as
// care.wake is signalled, of another one when it looks for it from time to time.
func (s *Store) scrubAll(ctx context.Context) {
	for wait := s.care.tempo.first; ; {
		select {
		case <-ctx.Done():
			return
		case <-s.care.wake:
		case <-time.After(wait):
		}
		wait = s.care.tempo.rest
		if err := s.Scrub(ctx); err != nil {
			wait = s.care.tempo.first // others keep the files busy: soon again
		}
	}
}

// quiet waits until no call has come for tempo.quiet. It reports false if ctx ends before.
func (s *Store) quiet(ctx context.Context) bool {
	for {
		left := s.care.tempo.quiet - time.Since(time.Unix(0, s.care.lastCall.Load()))
		if left <= 0 {
			return ctx.Err() == nil
		}
		if !pause(ctx, left) {
			return false
		}
	}
}

// checkAll checks the whole file and notes what it finds in care.problems.
func (s *Store) checkAll(ctx context.Context) {
	if err := s.checkTables(ctx); err != nil && ctx.Err() == nil {
		public := memory.Public(explain(err))
		s.found(memory.Finding{Check: "structure", Condition: memory.ConditionBroken, Detail: public.Message, Advice: public.Hint})
	}
}

func (s *Store) checkTables(ctx context.Context) (err error) {
	db, err := openToRead(ctx, s.path, time.Second, existing, "_pragma=query_only(1)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tables, err := queryAll(ctx, db, rows.ScanText, `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rootpage`)
	if err != nil {
		return err
	}
	var findings []memory.Finding
	for _, table := range append(tables, "") { // "": what belongs to no table, see checkTable
		var said []string
		for attempt := 0; ; attempt++ {
			if !s.quiet(ctx) && ctx.Err() != nil {
				return nil
			}
			begun := time.Now()
			said, err = s.look(ctx, attempt < checkPatience,
				func(ctx context.Context) ([]string, error) { return checkTable(ctx, db, s.path, table) })
			stopped := err != nil && ctx.Err() == nil && (errors.Is(err, context.Canceled) || resultCode(err) == codeStopped)
			if !pause(ctx, time.Duration(s.care.tempo.share)*time.Since(begun)) {
				return nil
			}
			if !stopped {
				break
			}
		}
		if err != nil {
			said = []string{memory.Public(explain(err)).Message}
		}
		if len(said) > 0 {
			findings = append(findings, memory.Finding{
				Check: "structure", Condition: memory.ConditionBroken,
				Detail: strings.TrimPrefix(table+": "+strings.Join(said, "; "), ": "), Advice: adviceRepair,
			})
		}
	}
	s.care.mu.Lock()
	defer s.care.mu.Unlock()
	s.care.problems, s.care.checkedAt = findings, s.clock()
	return nil
}

// look runs fn. If yields is set, any call to the store cancels the context of fn.
func (s *Store) look(ctx context.Context, yields bool, fn func(context.Context) ([]string, error)) ([]string, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if yields {
		s.care.stopLook.Store(&stop)
		defer s.care.stopLook.Store(nil)
	}
	return fn(ctx)
}

// checkTable has SQLite check a table and its indexes, and returns what is wrong. With "" for the
// table it compares the documents with their checksums, and in a small file also text indexes and
// vectors with the documents, and checks all pages, free ones included.
func checkTable(ctx context.Context, db *sql.DB, path, table string) ([]string, error) {
	if table == "" {
		e := examination{path: path, damaged: map[string]bool{}, db: db}
		if err := e.contents(ctx); err != nil {
			return nil, err
		}
		if f := e.findings[0]; f.Condition == memory.ConditionBroken {
			return []string{f.Detail}, nil
		}
		if info, err := os.Stat(path); err != nil || info.Size() > smallFile {
			return nil, nil
		}
		if said, err := unlikeIn(ctx, db, path); err != nil || len(said) > 0 {
			return said, err
		}
		return complaints(ctx, db, `PRAGMA quick_check`)
	}
	return complaints(ctx, db, fmt.Sprintf(`PRAGMA integrity_check(%q)`, table))
}

// complaints returns the first three complaints of an integrity check of SQLite, none if all is
// well.
func complaints(ctx context.Context, db queryer, pragma string) ([]string, error) {
	said, err := saidBy(ctx, db, pragma)
	if err != nil {
		return nil, err
	}
	return said[:min(len(said), 3)], nil
}

// found notes a problem, which stays noted until the next check of the whole file ends.
func (s *Store) found(f memory.Finding) {
	s.care.mu.Lock()
	defer s.care.mu.Unlock()
	for _, known := range s.care.problems {
		if known.Check == f.Check && known.Detail == f.Detail {
			return
		}
	}
	s.care.problems = append(s.care.problems, f)
}

// logProblems logs what is damaged and what to do about it, each problem once until a check finds
// nothing.
func (s *Store) logProblems(ctx context.Context) {
	s.care.mu.Lock()
	defer s.care.mu.Unlock()
	if len(s.care.problems) == 0 {
		clear(s.care.logged)
	}
	for _, f := range s.care.problems {
		if !s.care.logged[f.Detail] {
			s.care.logged[f.Detail] = true
			s.care.log.ErrorContext(ctx, "the database is damaged", "check", f.Check, "found", f.Detail, "advice", f.Advice)
		}
	}
}
