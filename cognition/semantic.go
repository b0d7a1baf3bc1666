package cognition

import (
	"context"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// TripleRequest is a fact as subject, predicate and object, which are needed.
type TripleRequest struct {
	Subject    string
	Predicate  string // its words may be joined by underscores, hyphens or blanks
	Object     string
	Category   string  // empty is chosen by the program
	Confidence float64 // 0 to 1
	Origin     string  // where it is known from
	ValidFrom  time.Time
	ValidUntil time.Time
	// MultiValued says whether other objects stay true beside this one; nil
	// asks [MultiValued].
	MultiValued *bool
}

// SavedTriple says what became of a triple.
type SavedTriple struct {
	Saved
	Closed []memory.Record // whose validity ends where this one begins, as they were
}

// Contradicted returns those of the closed triples that were held with more
// confidence than the new one.
func (t SavedTriple) Contradicted() []memory.Record {
	var surer []memory.Record
	for _, r := range t.Closed {
		if r.Triple.Confidence > t.Triple.Confidence {
			surer = append(surer, r)
		}
	}
	return surer
}

// SaveTriple keeps a triple in the project of the scope.
//
// The same triple, while it is true, is a duplicate; an end or a start that it
// did not have is added to it. Of a single-valued predicate the newest
// statement holds: other objects of the subject are closed where it begins,
// which without ValidFrom is the moment of the call. What began before another
// one began is history: it ends where that one begins and closes nothing, as
// what is over already closes nothing. Objects of a multi-valued predicate
// stay beside each other; MultiValued false closes even those.
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

// moment is when the triple is true for certain.
func (r TripleRequest) moment(now time.Time) time.Time {
	switch {
	case !r.ValidFrom.IsZero():
		return r.ValidFrom
	case r.over(now):
		return r.ValidUntil.Add(-time.Microsecond)
	}
	return now
}

// over reports whether it is true no longer.
func (r TripleRequest) over(now time.Time) bool {
	return !r.ValidUntil.IsZero() && !r.ValidUntil.After(now)
}

// confirm counts a repetition. What is known better now is added.
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

// place finds the triple's own time among others of its subject and predicate,
// and returns those that it closes.
func (r *TripleRequest) place(others []memory.Record, now time.Time) (closed []memory.Record) {
	if r.over(now) && r.ValidFrom.IsZero() || len(others) == 0 {
		return nil // nothing says where it stands among them
	}
	over := r.over(now)
	if r.ValidFrom.IsZero() {
		r.ValidFrom = now
	}
	for _, o := range others {
		switch {
		case o.Triple.Multi && r.MultiValued == nil:
		case !o.ValidUntil.IsZero() && !r.ValidFrom.Before(o.ValidUntil): // it ended before
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

// put stores the triple and closes others. What is closed in the future is
// true until then and is no correction yet.
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
	AsOf      time.Time // what was true then; zero is now
	Limit     int       // 0 is no limit
	Behind    string    // the id of a triple: only those behind it
}

// Triples lists triples of the scope, newest first, and counts them all.
// [memory.CodeInvalidArgument] for a predicate that has no word.
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
