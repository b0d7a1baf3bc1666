package memory

import "time"

// Mention is a time that a record speaks of, as of when it was said: the days, or a part of
// one, in the half-open interval [From, To).
type Mention struct {
	From     time.Time       `json:"from"`
	To       time.Time       `json:"to"`
	Relation MentionRelation `json:"relation"`
	Text     string          `json:"text"` // as said
}

// MentionRelation says how what a text tells of relates to the time that it names: "since May".
type MentionRelation string

// The relations.
const (
	MentionIn     MentionRelation = "in"     // at some moment of it, or all of it
	MentionSince  MentionRelation = "since"  // it began then
	MentionUntil  MentionRelation = "until"  // it ends then
	MentionBy     MentionRelation = "by"     // at the latest
	MentionFrom   MentionRelation = "from"   // it begins then
	MentionBefore MentionRelation = "before" // earlier
)

// Overlaps reports whether the time that is named overlaps with [from, to).
func (m Mention) Overlaps(from, to time.Time) bool { return m.From.Before(to) && from.Before(m.To) }

// Last returns the last second of the time that is named, which lies on its last day; To does not.
func (m Mention) Last() time.Time { return m.To.Add(-time.Second) }
