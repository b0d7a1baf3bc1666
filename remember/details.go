package remember

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// SameEvent returns the live record of a project and kind that says the same,
// or nil. If a time is given, it has to have happened then: what happens again
// and again in the same words is several events.
func SameEvent(tx memory.Tx, project string, kind memory.Kind, content string, at time.Time) (*memory.Record, error) {
	same, err := tx.RecordByContent(project, kind, content)
	if err != nil || same == nil || at.IsZero() || same.OccurredAt.Equal(at) {
		return same, err
	}
	all, _, err := tx.List(memory.CatalogFilter{Kind: kind, Projects: []string{project}})
	for _, r := range all {
		if r.OccurredAt.Equal(at) && memory.SameContent(r.Content) == memory.SameContent(content) {
			return &r, err
		}
	}
	return nil, err
}

// Contradicts reports whether details of the same content say something else
// than those that are known: another outcome, or another valence. Details that
// do not are supplemented, see [Supplemented].
func Contradicts(known, said memory.KindDetails) bool {
	a, b := known.Episode, said.Episode
	if a == nil || b == nil {
		return false
	}
	return a.Outcome != "" && b.Outcome != "" && memory.SameContent(a.Outcome) != memory.SameContent(b.Outcome) ||
		a.EmotionalValence != 0 && b.EmotionalValence != 0 && a.EmotionalValence != b.EmotionalValence
}

// Supplemented returns details with what others add to them: participants,
// and what is empty in the first ones of outcome, valence, context and tool.
// Details of the other kinds are what their content is made of, and stay.
func Supplemented(details, others memory.KindDetails) memory.KindDetails {
	if details.Episode != nil && others.Episode != nil {
		e, more := *details.Episode, *others.Episode
		e.Participants = slices.Clone(e.Participants)
		for _, p := range more.Participants {
			if len(e.Participants) < memory.MaxTags && !slices.ContainsFunc(e.Participants, named(p)) {
				e.Participants = append(e.Participants, p)
			}
		}
		if e.Outcome == "" {
			e.Outcome = strings.TrimSpace(more.Outcome)
		}
		if e.EmotionalValence == 0 {
			e.EmotionalValence = more.EmotionalValence
		}
		details.Episode = &e
	}
	if details.Learning != nil && others.Learning != nil {
		l, more := *details.Learning, *others.Learning
		if l.Context == "" {
			l.Context = more.Context
		}
		if l.Tool == "" {
			l.Tool = more.Tool
		}
		details.Learning = &l
	}
	return details
}

func named(name string) func(string) bool {
	return func(other string) bool { return memory.SameContent(other) == memory.SameContent(name) }
}
