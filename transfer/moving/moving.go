package moving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-memory/memory"
)

// Options say what to copy.
type Options struct {
	From, To memory.Mover
	// Agents are those whose banks are copied. Nil means all.
	Agents []string
	// SkipBad leaves out damaged rows instead of refusing the copy.
	SkipBad bool
	// Progress is called with how many rows of total are done. It may be nil.
	Progress func(phase Phase, done, total int)
}

// Phase is a phase of a copy.
type Phase string

// The phases, in order. In the first, the total number of rows is not known.
const (
	Looking   Phase = "looking"
	Copying   Phase = "copying"
	Comparing Phase = "comparing"
)

// Report is the result of a copy. Banks = Copied + Already.
type Report struct {
	Banks    int            `json:"banks"`
	Copied   int            `json:"copied"`             // copied in this run, at least in part
	Already  int            `json:"already"`            // already on the other side, with the same content
	Resumed  int            `json:"resumed,omitempty"`  // of Copied, continued an interrupted run
	Replaced int            `json:"replaced,omitempty"` // of Copied, replaced an earlier, unchanged copy
	Rows     map[string]int `json:"rows"`               // rows of these banks in the source, by table
	Written  int            `json:"written"`            // rows written in this run
	Skipped  int            `json:"skipped"`            // damaged rows
	Bad      []string       `json:"bad,omitempty"`      // descriptions of the first damaged rows
	// SumFrom and SumTo are the sums over all rows of both sides, set by the comparison.
	SumFrom string `json:"sum_from"`
	SumTo   string `json:"sum_to"`
	// Changed are the agents whose banks were written to in the source during the copy. Those
	// writes are not in the copy.
	Changed []string `json:"changed,omitempty"`
}

// maxNamed is how many things a report or error names at most.
const maxNamed = 20

// The most that one transaction writes.
const (
	maxRows  = 500
	maxBytes = 4 << 20
)

// mark is what a bank stores about the copy that wrote it.
type mark struct {
	From  string `json:"from"`            // place of the source; see [memory.Mover]
	Sum   string `json:"sum"`             // sum of the source's bank
	Table string `json:"table,omitempty"` // table being copied
	Rows  int    `json:"rows,omitempty"`  // rows of that table that are copied
	Done  bool   `json:"done,omitempty"`
}

// json returns the stored form of a mark.
func (m mark) json() json.RawMessage {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	return b
}

// way is what to do about a bank.
type way int

const (
	nothing way = iota // the other side has it
	begin
	resume
	again // clear what an earlier run has written, and begin
)

// step is the copy of one bank.
type step struct {
	agent string
	have  bank
	way   way
	mark  mark // what the bank of the other side has stored
}

// copying is one run of [Copy].
type copying struct {
	ctx context.Context
	Options
	place   string
	tables  []memory.CarriedTable
	parents map[string]bool
	report  Report
	phase   Phase
	done    int
	total   int
}

// Copy copies banks from one store to another and compares both sides. Errors:
// [memory.CodeInvalidArgument] if both are the same store; [memory.CodeNotFound] for an agent that
// the source does not know; [memory.CodeConflict] for banks that have other content on the other
// side; [memory.CodeUnavailable] for a source with damaged rows, which the report names, and if the
// sides differ in the end; and those of the stores.
func Copy(ctx context.Context, o Options) (Report, error) {
	c := &copying{ctx: ctx, Options: o, tables: o.From.Carried(), parents: map[string]bool{}, report: Report{Rows: map[string]int{}}}
	for _, t := range c.tables {
		if t.Of != "" {
			c.parents[t.Of] = true
		}
	}
	err := c.run()
	if errors.Is(err, context.Canceled) || ctx.Err() != nil && err != nil {
		err = memory.Errorf(memory.CodeUnavailable, "the copy was cancelled").WithHint("run it again to go on").WithCause(err)
	}
	return c.report, err
}

func (c *copying) run() (err error) {
	if c.place, err = c.From.Place(c.ctx); err != nil {
		return err
	}
	there, err := c.To.Place(c.ctx)
	if err != nil {
		return err
	}
	if there == c.place {
		return memory.Errorf(memory.CodeInvalidArgument, "both sides are the same database").WithHint("name another one to copy to")
	}
	before, err := c.writes()
	if err != nil {
		return err
	}
	err = c.From.Depart(c.ctx, func(from memory.Departure) error {
		steps, err := c.look(from)
		if err != nil {
			return err
		}
		if err := c.carry(from, steps); err != nil {
			return err
		}
		return c.compare(steps)
	})
	if err != nil {
		return err
	}
	after, err := c.writes()
	for _, agent := range slices.Sorted(maps.Keys(after)) {
		if after[agent] != before[agent] {
			c.report.Changed = append(c.report.Changed, agent)
		}
	}
	return err
}

// writes returns the number of writes to each of the source's banks so far.
func (c *copying) writes() (map[string]int64, error) {
	var agents []string
	err := c.From.Depart(c.ctx, func(from memory.Departure) (err error) {
		agents, err = c.agents(from)
		return err
	})
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int64, len(agents))
	for _, agent := range agents {
		changes, err := c.From.Changes(c.ctx, agent)
		if err != nil {
			return nil, err
		}
		counts[agent] = changes.Writes
	}
	return counts, nil
}

// at begins a phase.
func (c *copying) at(p Phase, total int) { c.phase, c.done, c.total = p, 0, total }

// seen adds rows that are done and reports progress now and then.
func (c *copying) seen(rows int) {
	c.done += rows
	if c.Progress != nil && (c.done%maxRows == 0 || rows > 1) {
		c.Progress(c.phase, c.done, c.total)
	}
}

// look reads all of the source and decides what to do about each bank, before anything is written.
func (c *copying) look(from memory.Departure) ([]step, error) {
	agents, err := c.agents(from)
	if err != nil {
		return nil, err
	}
	c.at(Looking, 0)
	steps := make([]step, len(agents))
	for i, agent := range agents {
		have, err := c.read(from, agent, c.bad, c.seen)
		if err != nil {
			return nil, unreadable(err)
		}
		steps[i] = step{agent: agent, have: have}
		for t, s := range have.sums {
			if s.rows > 0 {
				c.report.Rows[c.tables[t].Name] += s.rows
			}
		}
	}
	c.report.Banks = len(steps)
	if c.report.Skipped > 0 && !c.SkipBad {
		return nil, memory.Errorf(memory.CodeUnavailable, "%d rows of the source are not what was saved; nothing was copied",
			c.report.Skipped).
			WithHint("see what doctor says about it, or leave them out with --skip-bad")
	}
	for i := range steps {
		if err := c.readMark(&steps[i]); err != nil {
			return nil, err
		}
	}
	return steps, c.To.Depart(c.ctx, func(to memory.Departure) error { return c.decide(to, steps) })
}

// unreadable adds advice to an error about damaged files.
func unreadable(err error) error {
	if !errors.Is(err, memory.ErrDamaged) {
		return err
	}
	return memory.Errorf(memory.CodeUnavailable, "the source is damaged; nothing was copied").
		WithHint("mend it with `mcp-memory doctor --repair`").WithCause(err)
}

func (c *copying) bad(what string) {
	c.report.Skipped++
	if len(c.report.Bad) < maxNamed {
		c.report.Bad = append(c.report.Bad, what)
	}
}

// agents returns the agents whose banks are copied.
func (c *copying) agents(from memory.Departure) ([]string, error) {
	all, err := from.Agents()
	if err != nil || c.Agents == nil {
		return all, err
	}
	for _, agent := range c.Agents {
		if !slices.Contains(all, agent) {
			return nil, memory.Errorf(memory.CodeNotFound, "the source has no bank of agent %q", agent).
				WithHint("without --agent all are copied")
		}
	}
	return c.Agents, nil
}

// readMark reads the mark that an earlier copy has left in the bank on the other side.
func (c *copying) readMark(s *step) error {
	kept, err := c.To.Mark(c.ctx, s.agent)
	if err != nil || kept == nil {
		return err
	}
	if err := json.Unmarshal(kept, &s.mark); err != nil {
		return fmt.Errorf("read the mark of an earlier copy: %w", err)
	}
	return nil
}

// decide compares each bank with that of the other side and sets its way. It fails if some have
// other content there.
func (c *copying) decide(to memory.Departure, steps []step) error {
	var others []string
	for i := range steps {
		s := &steps[i]
		ours := s.mark.From == c.place
		if ours && !s.mark.Done {
			s.way = again
			if s.mark.Sum == s.have.text() {
				s.way = resume
			}
			continue
		}
		there, err := c.read(to, s.agent, nil, nil)
		if err != nil {
			return err
		}
		switch {
		case s.have.differs(there, c.tables) == "":
			s.way = nothing
		case there.empty(c.tables) && s.mark.From == "":
			s.way = begin
		case ours && s.mark.Sum == there.text():
			s.way = again
		default:
			others = append(others, s.agent)
		}
	}
	if len(others) == 0 {
		return nil
	}
	named := strings.Join(others[:min(maxNamed, len(others))], ", ")
	return memory.Errorf(memory.CodeConflict, "the other side has something else in the banks of: %s; nothing was copied", named).
		WithHint("copy to an empty database, or erase these agents there first (`mcp-memory agent erase`); import adds to a bank that has something")
}

// compare reads the other side again and compares its sums with the source's.
func (c *copying) compare(steps []step) error {
	total := 0
	for _, s := range steps {
		total += s.have.rows()
	}
	c.at(Comparing, total)
	var here, there bank
	err := c.To.Depart(c.ctx, func(to memory.Departure) error {
		for _, s := range steps {
			found, err := c.read(to, s.agent, nil, c.seen)
			if err != nil {
				return err
			}
			if where := s.have.differs(found, c.tables); where != "" {
				return c.failed(s, where)
			}
			if table := len(found.sums) - 1; s.have.sums[table].rows == 0 {
				found.sums[table] = sum{} // the source has no row about a bank that never saved anything
			}
			here, there = here.plus(s.have), there.plus(found)
		}
		return nil
	})
	c.report.SumFrom, c.report.SumTo = here.text(), there.text()
	return err
}

// plus returns the sums of two banks together.
func (b bank) plus(other bank) bank {
	all := bank{sums: slices.Clone(other.sums)}
	for i, s := range b.sums {
		all.sums[i].rows += s.rows
		for j := range s.hash {
			all.sums[i].hash[j] += s.hash[j]
		}
	}
	return all
}

// failed marks a bank that differs after the copy, so that the next run copies it anew, and returns
// the error.
func (c *copying) failed(s step, where string) error {
	err := memory.Errorf(memory.CodeUnavailable, "after the copy the bank of %s is not the same (%s)", s.agent, where).
		WithHint("nobody may write to the other side meanwhile; run the copy again, which begins this bank anew")
	if s.way == nothing {
		return err
	}
	return errors.Join(err, c.To.Receive(c.ctx, s.agent, "", nil, mark{From: c.place}.json()))
}
