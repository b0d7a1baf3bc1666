package remember

import (
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/taxonomy"
)

// Scoping says whose a memory is that is saved while somebody works on a project and does
// not say the project.
type Scoping string

// The ways. The empty one is [ScopeProject].
const (
	ScopeAuto    Scoping = "auto"    // what is about the person is global, all else is the project's
	ScopeProject Scoping = "project" // all is the project's
	ScopeGlobal  Scoping = "global"  // all is global
)

// Whose tells how it was found whose a memory is.
type Whose string

// How it was found.
const (
	Chosen Whose = ""       // somebody said so, or it could be nobody else's
	Sure   Whose = "sure"   // by what it says
	Unsure Whose = "unsure" // by what it says, which may be either
)

// judged are the kinds of which it is judged whose they are. Others have a home of their
// own: a soul is global, what a tool makes of its fields is looked up where it was saved.
var judged = []memory.Kind{memory.KindFact, memory.KindLongTerm, memory.KindLearning}

// whose moves a draft out of the project at hand if it is about the person.
func (s *Service) whose(scope memory.Scope, d *draft) {
	if !slices.Contains(judged, d.Kind) {
		return
	}
	home, how := s.scoping.Home(scope, d.Content)
	switch d.whose = how; {
	case how == Chosen:
		d.Project = home
	case home != d.Project:
		*d = d.moved()
	}
}

// Home returns the project that a text belongs to, empty for a global one, which is noted
// in a scope that can be written, and how that was found.
func (how Scoping) Home(scope memory.Scope, text string) (project string, found Whose) {
	if scope.Project == "" || scope.Chosen || scope.Closed {
		return scope.Project, Chosen
	}
	switch how {
	case ScopeGlobal:
		return "", Chosen
	case ScopeAuto:
	default:
		return scope.Project, Chosen
	}
	global, sure := taxonomy.Global(text, scope.Project)
	if project, found = scope.Project, Unsure; sure {
		found = Sure
	}
	if global {
		project = ""
	}
	return project, found
}

// moved puts a draft into the other of its two homes.
func (d draft) moved() draft {
	d.Project, d.otherwise = d.otherwise, d.Project
	return d
}

// home finds the home of a draft of which that was judged: what is known of it says more
// than its words. What repeats or corrects a record is where that is.
func (s *Service) home(tx memory.Tx, d draft) (draft, error) {
	if d.whose == Chosen {
		return d, nil
	}
	var known *memory.Record
	named, err := s.named(tx, d)
	switch {
	case err != nil:
		return d, err
	case d.Supersedes != "":
		r, err := tx.Record(d.Supersedes)
		if memory.CodeOf(err) == memory.CodeNotFound {
			return d, nil // which says so later
		} else if err != nil {
			return d, err
		}
		known = &r
	case named != nil:
		known = named
	case d.follows != "":
		if known, err = tx.RecordByExternalID(d.follows); err != nil {
			return d, err
		}
	default:
		if known, err = d.moved().same(tx); err != nil {
			return d, err
		}
	}
	if known != nil {
		if known.Project == d.otherwise {
			d = d.moved()
		}
		d.whose, d.otherwise = Chosen, ""
	}
	return d, nil
}

// judgeBoth compares a draft with what is known where it is to be saved, and where nothing
// there gives way to it, in the other of its two homes: what is about the person takes the
// place of what was kept in the project at hand, and where it was unsure whose it is, what it
// takes the place of tells. What is certainly the project's takes nothing from all others.
func (s *Service) judgeBoth(tx memory.Tx, d draft) (draft, verdict, error) {
	v, err := s.verdict(tx, d)
	if err != nil || d.whose == Chosen || d.whose == Sure && d.Project != "" || len(v.replaced) > 0 || v.repeated != nil || v.later != nil {
		return d, v, err
	}
	other, err := s.verdict(tx, d.moved())
	if err != nil || len(other.replaced) == 0 {
		return d, v, err
	}
	if d.Project != "" {
		d = d.moved()
	}
	return d, other, nil
}

// verdict judges a draft by itself and by what it is said to take the place of.
func (s *Service) verdict(tx memory.Tx, d draft) (verdict, error) {
	v, err := s.judge(tx, d)
	if err == nil {
		err = s.told(tx, d, &v)
	}
	return v, err
}
