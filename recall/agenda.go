package recall

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall/index"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
	"mcp-memory/text/worth"
)

// Shares in a list, such as of decisions: that of the first record of each group, and the span over
// which the records of a group fall off in their order. No group reaches down to the next.
const (
	firstGroup, secondGroup, thirdGroup, lastGroup = 1.6, 1.2, 0.8, 0.5
	groupSpan                                      = 0.3
)

// listed has the records of a list in four groups, which are shown one behind the other. A record
// in no group is left out.
type listed struct {
	groups [4][]*candidate
}

func (l *listed) put(group int, c *candidate) { l.groups[group] = append(l.groups[group], c) }

// shares returns the share of each candidate in list, by its group and, inside that, by order: one
// comparison for each group. It is 0 for those in no group.
func (l *listed) shares(list []*candidate, order [4]func(a, b *candidate) int) []float64 {
	share := map[*candidate]float64{}
	for g, begin := range []float64{firstGroup, secondGroup, thirdGroup, lastGroup} {
		group := l.groups[g]
		slices.SortStableFunc(group, order[g])
		for place, c := range group {
			share[c] = begin - groupSpan*float64(place)/float64(len(group))
		}
	}
	shares := make([]float64, len(list))
	for i, c := range list {
		shares[i] = share[c]
	}
	return shares
}

// worthOf returns how package worth judges a record's text: a decision, a task and so on, and the
// day on which it is due, counted from the record's event time.
func (q question) worthOf(c *candidate) worth.Judgement {
	return worth.Of(beginning(c.Content, readable), c.EventTime().In(q.moment().Location()))
}

// rejected reports whether a record says that something was decided against, or
// is marked so.
func (c *candidate) rejected() bool {
	if c.refused == nil {
		refused := c.Rejected() || worth.Rejects(beginning(c.Content, readable))
		c.refused = &refused
	}
	return *c.refused
}

// decided returns the shares for a list of decisions: what was decided, then what only its category
// calls a decision, then what was rejected, each the newest first. Where the list is to be about
// something and some are, the other decisions come last, or are left out if there are many records.
func (q question) decided(list []*candidate) []float64 {
	words, about := stemsOf(kin()["decision"]...), q.aboutStems()
	var l listed
	matched := false
	for _, c := range list {
		matched = matched || len(about) > 0 && hasAny(c.counted(), about) && q.decides(c, words)
	}
	for _, c := range list {
		j := q.worthOf(c)
		switch {
		case matched && !hasAny(c.counted(), about):
			if len(list) <= smallPool && q.decides(c, words) {
				l.put(3, c) // of few records, all may be about it
			}
		case c.rejected():
			l.put(2, c)
		case q.decides(c, words):
			l.put(0, c)
		case c.Category == q.asks.Attribute && !(c.CategoryGuessed && j.Done):
			l.put(1, c)
		}
	}
	return l.shares(list, [4]func(a, b *candidate) int{newest, newest, newest, newest})
}

// decides reports whether a record says that something was decided.
func (q question) decides(c *candidate, words map[string]bool) bool {
	return hasAny(c.counted(), words) || q.worthOf(c).Sort == worth.Decision
}

// aboutStems returns the stems of whom or what a list is to be about; none if that is the user.
func (q question) aboutStems() map[string]bool {
	subject := strings.TrimPrefix(q.asks.Subject, slots.User+"'s ")
	if subject == slots.User {
		subject = ""
	}
	return stemsOf(append(strings.Fields(subject), q.asks.Alias)...)
}

// dueList returns the shares for a list of what is to be done: what is to come, the next first, then
// tasks without a day, then what is overdue, the latest first, then what else speaks of being due.
// What is done is left out.
func (q question) dueList(list []*candidate) []float64 {
	words := stemsOf(kin()["due"]...)
	var l listed
	days := map[*candidate]time.Time{}
	for _, c := range list {
		j := q.worthOf(c)
		day := q.dueDay(c, j)
		days[c] = day
		task := j.Sort == worth.Task
		switch {
		case j.Done && !task, finished(c, list, words), !q.within(day):
		case day.After(q.moment()):
			l.put(0, c)
		case task && day.IsZero():
			l.put(1, c)
		case task || hasAny(c.counted(), words) && !day.IsZero():
			c.overdue = day.Add(-time.Second) // the end of that day
			l.put(2, c)
		case hasAny(c.counted(), words) && day.IsZero():
			l.put(3, c)
		}
	}
	next := func(a, b *candidate) int { return cmp.Or(days[a].Compare(days[b]), newest(a, b)) }
	latest := func(a, b *candidate) int { return cmp.Or(days[b].Compare(days[a]), newest(a, b)) }
	return l.shares(list, [4]func(a, b *candidate) int{next, newest, latest, newest})
}

// dueDay returns when what a record tells is due: just behind the moment at which it will take
// place, or the end of the day that its text names; zero if it tells neither.
func (q question) dueDay(c *candidate, j worth.Judgement) time.Time {
	if c.OccurredAt.After(q.moment()) {
		return c.OccurredAt.Add(time.Second)
	}
	return j.Due
}

// within reports whether a day is in a time that is asked about; true if none is.
func (q question) within(day time.Time) bool {
	return len(q.times) == 0 || !day.IsZero() &&
		slices.ContainsFunc(q.times, func(span index.Span) bool { return span.Contains(day.Add(-time.Second)) })
}

// finished reports whether a later record in list says that what c tells is done: one that has at
// least sameTask words in common with it.
func finished(c *candidate, list []*candidate, due map[string]bool) bool {
	return slices.ContainsFunc(list, func(later *candidate) bool {
		if !later.EventTime().After(c.EventTime()) || sharedWords(c.counted(), later.counted(), due) < sameTask {
			return false
		}
		j := worth.Of(beginning(later.Content, readable), time.Time{})
		return j.Done && j.Sort != worth.Task
	})
}

// sameTask is how many words two records share that tell of the same task.
const sameTask = 2

// sharedWords counts the stems that two records have in common, other than numbers and the stems in
// without.
func sharedWords(a, b map[string]int, without map[string]bool) (n int) {
	for stem := range a {
		if b[stem] > 0 && !without[stem] && !strings.ContainsAny(stem, "0123456789") {
			n++
		}
	}
	return n
}

// stemsOf returns the content stems of words, as a set.
func stemsOf(words ...string) map[string]bool {
	stems := map[string]bool{}
	for _, stem := range analysis.Content(strings.Join(words, " ")) {
		stems[stem] = true
	}
	return stems
}

// preferred returns the shares for a list of the user's tastes: statements of preference, then what
// the user says of himself in words of liking, and last the tastes of others. Where likes, or
// dislikes, are asked for (q.taste), those come first and the contrary ones just before the last.
func (q question) preferred(list []*candidate) []float64 {
	words, pastimes := stemsOf(kin()["preference"]...), stemsOf(kin()["hobbies"]...)
	var l listed
	for _, c := range list {
		sort := q.worthOf(c).Sort
		liking, mine := hasAny(c.counted(), words) || c.Category == q.asks.Attribute, q.ofSelf(c) || labelled(c.Content, words)
		switch {
		case q.othersLike(c):
			l.put(3, c)
		case q.taste != notTaste && q.contrary(c):
			l.put(2, c)
		case sort == worth.Preference, liking && mine && !c.CategoryGuessed && c.Category == q.asks.Attribute, mine && q.saysTaste(c):
			l.put(0, c)
		case sort == worth.Decision, sort == worth.Task:
		case liking && mine, q.taste == likes && mine && hasAny(c.counted(), pastimes):
			l.put(1, c)
		case liking:
			l.put(3, c)
		}
	}
	return l.shares(list, [4]func(a, b *candidate) int{newest, newest, newest, newest})
}

// othersLike reports whether a record says what others like, and nothing of the user: "Jana loves
// opera".
func (q question) othersLike(c *candidate) bool {
	taste := false
	for _, one := range q.saidBy(c) {
		if one.Subject == "" || one.Subject == slots.User {
			return false
		}
		taste = taste || one.Type == slots.Preference
	}
	return taste
}

// saysTaste reports whether a record says the taste that is asked for.
func (q question) saysTaste(c *candidate) bool {
	liked, disliked := slots.Tastes(beginning(c.Content, readable))
	return q.taste == likes && liked || q.taste == dislikes && disliked
}

// contrary reports whether a record says only the taste that is not asked for: a dislike where
// likes are.
func (q question) contrary(c *candidate) bool {
	liked, disliked := slots.Tastes(beginning(c.Content, readable))
	return liked != disliked && liked == (q.taste == dislikes)
}

// ofSelf reports whether a record says something of the user, by its statements or one of its first
// three words ("I", "my", the user's name).
func (q question) ofSelf(c *candidate) bool {
	said := q.saidBy(c)
	return slices.ContainsFunc(said, func(s slots.Statement) bool { return s.Subject == slots.User }) ||
		slices.ContainsFunc(head(plainWords(beginning(c.Content, 40)), 3), func(w string) bool {
			return slices.Contains(selfWords, w) || slices.Contains(q.userStems, analysis.Stem(w))
		})
}

// labelled reports whether a note begins with a label that has one of some words: "Preference: short
// answers". Such a note does not say whose preference it is, but is the user's.
func labelled(content string, words map[string]bool) bool {
	label, _, found := strings.Cut(beginning(content, 40), ":")
	return found && hasAny(countTerms(label), words)
}

// selfWords are those by which a record speaks of the user.
var selfWords = []string{"i", "i'm", "i've", "i'd", "my", "me", "user", "user's", "ich", "mein", "meine", "je", "j'aime", "yo",
	"ik", "mijn"}

// workInHand is the attribute of a question for what somebody was busy with.
const workInHand = "work in hand"

// workedOn returns the shares for a list of what somebody was busy with: what was decided, found out,
// done or is to be done, then changes and all else but who the user is and what he likes, then what
// was rejected, each the newest first.
func (q question) workedOn(list []*candidate) []float64 {
	var l listed
	for _, c := range list {
		switch j := q.worthOf(c); {
		case c.rejected():
			l.put(2, c)
		case j.Sort == worth.Decision, j.Sort == worth.Task, j.Sort == worth.Lesson, j.Sort == worth.Tentative, j.Done,
			c.Category == "project", c.Category == memory.CategoryTechnical, c.Category == "decision":
			l.put(0, c)
		case j.Sort == worth.Change, j.Sort == worth.Plain && c.Category != "identity" && c.Category != "preference" &&
			c.Category != "social":
			l.put(1, c)
		}
	}
	return l.shares(list, [4]func(a, b *candidate) int{newest, newest, newest, newest})
}

// news is the attribute of a question for what is newest, of whatever it is.
const news = "news"

// latest returns the shares for a list of everything, the newest first.
func latest(list []*candidate) []float64 {
	var l listed
	for _, c := range list {
		l.put(0, c)
	}
	return l.shares(list, [4]func(a, b *candidate) int{newest, newest, newest, newest})
}
