package memory

import (
	"slices"
	"strings"
	"time"
)

// SupersededWith returns the record as it is once successor has taken its
// place: its validity ends where that of the successor begins, unless it ended
// before. A successor that does not say since when it is true is true since it
// occurred, else since it was recorded; that is set here.
func (r Record) SupersededWith(successor *Record) Record {
	if successor.ValidFrom.IsZero() {
		successor.ValidFrom = successor.EventTime()
	}
	r.SupersededBy, r.SupersededAt = successor.ID, successor.CreatedAt
	if r.ValidUntil.IsZero() || successor.ValidFrom.Before(r.ValidUntil) {
		r.ValidUntil = successor.ValidFrom
	}
	return r
}

// Contradicts reports whether said, the details of a record with the same content, says something
// else than what is known: another outcome or another emotional valence. Details that do not
// contradict can be merged, see [KindDetails.Supplemented].
func (known KindDetails) Contradicts(said KindDetails) bool {
	a, b := known.Episode, said.Episode
	if a == nil || b == nil {
		return false
	}
	return a.Outcome != "" && b.Outcome != "" && SameContent(a.Outcome) != SameContent(b.Outcome) ||
		a.EmotionalValence != 0 && b.EmotionalValence != 0 && a.EmotionalValence != b.EmotionalValence
}

// Supplemented returns the known details with what others add: further participants, and outcome,
// valence, context and tool where they are empty. Details of other kinds stay as they are, as the
// content of such a record is made of them.
func (known KindDetails) Supplemented(others KindDetails) KindDetails {
	if known.Episode != nil && others.Episode != nil {
		e, more := *known.Episode, *others.Episode
		e.Participants = slices.Clone(e.Participants)
		for _, p := range more.Participants {
			same := func(other string) bool { return SameContent(other) == SameContent(p) }
			if len(e.Participants) < MaxTags && !slices.ContainsFunc(e.Participants, same) {
				e.Participants = append(e.Participants, p)
			}
		}
		if e.Outcome == "" {
			e.Outcome = strings.TrimSpace(more.Outcome)
		}
		if e.EmotionalValence == 0 {
			e.EmotionalValence = more.EmotionalValence
		}
		known.Episode = &e
	}
	if known.Learning != nil && others.Learning != nil {
		l, more := *known.Learning, *others.Learning
		if l.Context == "" {
			l.Context = more.Context
		}
		if l.Tool == "" {
			l.Tool = more.Tool
		}
		known.Learning = &l
	}
	return known
}

// SameEvent returns the live record of a project and kind that says the same,
// or nil. If a time is given, it has to have happened then: what happens again
// and again in the same words is several events.
func SameEvent(tx Tx, project string, kind Kind, content string, at time.Time) (*Record, error) {
	same, err := tx.RecordByContent(project, kind, content)
	if err != nil || same == nil || at.IsZero() || same.OccurredAt.Equal(at) {
		return same, err
	}
	all, _, err := tx.List(CatalogFilter{Kind: kind, Projects: []string{project}})
	for _, r := range all {
		if r.OccurredAt.Equal(at) && SameContent(r.Content) == SameContent(content) {
			return &r, err
		}
	}
	return nil, err
}
