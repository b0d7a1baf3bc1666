package cognition

import (
	"context"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TripleRequest is a fact as subject, predicate and object. These three are
// needed.
type TripleRequest struct {
	Subject    string
	Predicate  string // its words may be joined by underscores, hyphens or blanks
	Object     string
	Category   string  // empty: the program chooses
	Confidence float64 // 0 to 1
	Origin     string  // where it is known from
	ValidFrom  time.Time
	ValidUntil time.Time
	// MultiValued says whether other objects stay true beside this one. If nil,
	// the function [MultiValued] decides.
	MultiValued *bool
}

// SavedTriple is the result of saving a triple.
type SavedTriple struct {
	Saved
	Closed []memory.Record // superseded, or ended in the future; as they were before
}

// Contradicted returns those of the closed triples whose confidence is higher
// than that of the new one.
func (t SavedTriple) Contradicted() []memory.Record {
	var surer []memory.Record
	for _, r := range t.Closed {
		if r.Triple.Confidence > t.Triple.Confidence {
			surer = append(surer, r)
		}
	}
	return surer
}

// SaveTriple stores a triple in the project of the scope.
//
// The same triple, while it is true, is a duplicate. A start that the stored
// one lacks, and an end, are added to it.
//
// A single-valued predicate has one object at a time, and the newest statement
// holds: it closes the triples with other objects at its ValidFrom, or now if
// that is zero. A triple that begins before a stored one is history: it ends
// where that one begins, and does not close it. A triple that is over already
// closes nothing. Objects of a multi-valued predicate stay beside each other;
// MultiValued false closes even those.
//
// Errors: [memory.CodeInvalidArgument] and [memory.CodeTooLarge], naming the
// argument.
func (s *Service) SaveTriple(ctx context.Context, scope memory.Scope, r TripleRequest) (saved SavedTriple, err error) {
	r.Subject, r.Predicate, r.Object = strings.TrimSpace(r.Subject), Predicate(r.Predicate), strings.TrimSpace(r.Object)
	for _, f := range [][2]string{{"subject", r.Subject}, {"predicate", r.Predicate}, {"object", r.Object}} {
		if err := needed(f[0], f[1]); err != nil {
			return SavedTriple{}, err
		}
	}
	if err := fits("object", r.content()); err != nil {
		return SavedTriple{}, err
	}
	err = s.remember.Change(ctx, scope, func(c *remember.Change) error {
		saved, err = r.save(c, scope.Project)
		return err
	})
	return saved, err
}

func (r TripleRequest) content() string {
	return r.Subject + " " + strings.Join(predicateWords(r.Predicate), " ") + " " + r.Object
}

func (r TripleRequest) save(c *remember.Change, project string) (SavedTriple, error) {
	told, _, err := c.List(memory.CatalogFilter{
		Kind: memory.KindTriple, Projects: []string{project}, Subject: r.Subject, Predicate: r.Predicate, Every: true,
	})
	if err != nil {
		return SavedTriple{}, err
	}
	var others []memory.Record
	for _, t := range told {
		switch {
		case !t.Live() || t.Triple == nil:
		case memory.SameContent(t.Triple.Object) != memory.SameContent(r.Object):
			others = append(others, t)
		case t.TrueAt(r.moment(c.Now())):
			return r.confirm(c, t)
		}
	}
	multi := MultiValued(r.Predicate)
	if r.MultiValued != nil {
		multi = *r.MultiValued
	}
	var closed []memory.Record
	if !multi {
		closed = r.place(others, c.Now())
	}
	return r.put(c, multi, closed)
}

// moment returns a time at which the triple is true.
func (r TripleRequest) moment(now time.Time) time.Time {
	switch {
	case !r.ValidFrom.IsZero():
		return r.ValidFrom
	case r.over(now):
		return r.ValidUntil.Add(-time.Microsecond)
	}
	return now
}

// over reports whether the triple is no longer true at now.
func (r TripleRequest) over(now time.Time) bool {
	return !r.ValidUntil.IsZero() && !r.ValidUntil.After(now)
}

// confirm counts a repetition of the stored triple same, and adds the higher
// confidence, a start it lacks, and an end.
func (r TripleRequest) confirm(c *remember.Change, same memory.Record) (SavedTriple, error) {
	d := *same.Triple
	d.Confidence = max(d.Confidence, r.Confidence)
	same.Triple = &d
	if same.ValidFrom.IsZero() {
		same.ValidFrom = r.ValidFrom
	}
	if !r.ValidUntil.IsZero() {
		same.ValidUntil = r.ValidUntil
	}
	same = same.Tidied()
	if err := same.Validate(); err != nil {
		return SavedTriple{}, err
	}
	err := c.Confirm(same)
	same.Confirmations++
	return SavedTriple{Saved: Saved{same, remember.Duplicate}}, err
}

// place sets the period of the triple among others with the same subject and
// predicate, and returns those that it closes.
func (r *TripleRequest) place(others []memory.Record, now time.Time) (closed []memory.Record) {
	if r.over(now) && r.ValidFrom.IsZero() || len(others) == 0 {
		return nil // without a start its place among others is unknown, or there are none
	}
	over := r.over(now)
	if r.ValidFrom.IsZero() {
		r.ValidFrom = now
	}
	for _, o := range others {
		switch {
		case o.Triple.Multi && r.MultiValued == nil:
		case !o.ValidUntil.IsZero() && !r.ValidFrom.Before(o.ValidUntil): // o ended before
		case o.ValidFrom.After(r.ValidFrom):
			if r.ValidUntil.IsZero() || o.ValidFrom.Before(r.ValidUntil) {
				r.ValidUntil = o.ValidFrom
			}
		case !over:
			closed = append(closed, o)
		}
	}
	return closed
}

// put stores the triple and closes others. If the triple begins in the future,
// the others stay live and only end then.
func (r TripleRequest) put(c *remember.Change, multi bool, closed []memory.Record) (SavedTriple, error) {
	request := remember.SaveRequest{
		Content: r.content(), Kind: memory.KindTriple, Category: r.Category, ValidFrom: r.ValidFrom, ValidUntil: r.ValidUntil,
		KindDetails: memory.KindDetails{Triple: &memory.TripleDetails{
			Subject: r.Subject, Predicate: r.Predicate, Object: r.Object,
			Confidence: r.Confidence, Origin: strings.TrimSpace(r.Origin), Multi: multi,
		}},
	}
	later := r.ValidFrom.After(c.Now())
	if len(closed) > 0 && !later {
		request.Supersedes = closed[0].ID
	}
	record, err := c.Put(request)
	if err != nil {
		return SavedTriple{}, err
	}
	for i, o := range closed {
		if i == 0 && !later {
			continue // superseded by Put
		}
		if later {
			o.ValidUntil = r.ValidFrom
		} else {
			o = o.SupersededWith(&record)
		}
		if err := c.UpdateRecord(o); err != nil {
			return SavedTriple{}, err
		}
	}
	saved := SavedTriple{Saved{record, remember.Created}, closed}
	if len(closed) > 0 {
		saved.Action = remember.Superseded
	}
	return saved, nil
}

// TripleQuery asks for triples. Empty fields allow everything.
type TripleQuery struct {
	Subject   string
	Predicate string
	Object    string
	AsOf      time.Time // what was true at that time; zero is now
	Limit     int       // 0 is no limit
	Behind    string    // id of a triple: only those after it in the list
}

// Triples returns triples of the scope, newest first, and how many match
// without the limit. It returns a [memory.CodeInvalidArgument] for a predicate
// without a word.
func (s *Service) Triples(ctx context.Context, scope memory.Scope, q TripleQuery) ([]memory.Record, int, error) {
	if q.Predicate != "" {
		if err := needed("predicate", Predicate(q.Predicate)); err != nil {
			return nil, 0, err
		}
	}
	return s.store.List(ctx, memory.CatalogFilter{
		Agent: scope.Agent, Projects: scope.Readable(), Kind: memory.KindTriple,
		Subject: q.Subject, Predicate: Predicate(q.Predicate), Object: q.Object,
		AsOf: q.AsOf, Now: s.clock(), Limit: q.Limit, Behind: q.Behind,
	})
}
