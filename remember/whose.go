package remember

import (
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/taxonomy"
)

// Scoping decides whether a memory is global or belongs to the project that somebody works on, if
// the save does not name a project.
type Scoping string

// The ways. The empty one is [ScopeProject].
const (
	ScopeAuto    Scoping = "auto"    // what is about the person is global, all else is the project's
	ScopeProject Scoping = "project" // all is the project's
	ScopeGlobal  Scoping = "global"  // all is global
)

// Whose tells how it was decided whether a memory is global or a project's.
type Whose string

// How it was found.
const (
	Chosen Whose = ""       // the caller, a setting or a known record said so, or there was no choice
	Sure   Whose = "sure"   // its words decided, with certainty
	Unsure Whose = "unsure" // its words decided, and it may be either
)

// judged are the kinds of which the words decide whether they are global. Others are where they
// belong by their kind: a soul is global, and records made of fields are looked up where they
// were saved.
var judged = []memory.Kind{memory.KindFact, memory.KindLongTerm, memory.KindLearning}

// whose makes a draft of the judged kinds global if [Scoping.Home] says so: because it is about the
// person, or because the setting makes all global.
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

// Home returns the project that a text belongs to, empty for a global one, if it is saved in a
// scope that can be written; and how that was decided.
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

// moved swaps the project of a draft with the one that it would otherwise belong to.
func (d draft) moved() draft {
	d.Project, d.otherwise = d.otherwise, d.Project
	return d
}

// home decides anew to which project a draft belongs whose words have decided that, if the bank
// has a record that it corrects, follows or repeats: it goes where that record is.
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
			return d, nil // corrected reports that
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

// judgeBoth compares a draft with what is known in its project and, if nothing is superseded
// there and its words decided on the project, also in the other of the two that it may belong to.
// So a global draft supersedes what was kept in the project at hand, and a draft that is only
// perhaps the project's becomes global if it supersedes a global fact. What is certainly the
// project's supersedes nothing global.
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
