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

// What a list of decisions, of what is due, or of preferences shows, group by
// group: each begins below the one before, and its own order stays inside it.
const (
	firstGroup, secondGroup, thirdGroup, lastGroup = 1.6, 1.2, 0.8, 0.5
	groupSpan                                      = 0.3
)

// listed scores the records of a list: within groups, the best first. What
// belongs to no group is out.
type listed struct {
	groups [4][]*candidate
}

func (l *listed) put(group int, c *candidate) { l.groups[group] = append(l.groups[group], c) }

// shares returns the share of each candidate, by its order in its group.
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

// worthOf judges a record by its words, from the day on which it was said.
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

// decided lists decisions: what was taken, the newest first, then what only its
// category calls a decision, then what was rejected. Where some are about what is
// asked for, the others come last, and are left out where there are many.
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
				l.put(3, c) // of little, all may be about it
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

// aboutStems are those of what a list is to be about, none of the user's own.
func (q question) aboutStems() map[string]bool {
	subject := strings.TrimPrefix(q.asks.Subject, slots.User+"'s ")
	if subject == slots.User {
		subject = ""
	}
	return stemsOf(append(strings.Fields(subject), q.asks.Alias)...)
}

// dueList lists what is to be done: what is to come, the next first, then what has
// no day, then what is overdue, the latest first. What is done is left out.
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

// dueDay is the end of the day that a record names, or when what is planned takes
// place; zero if it tells neither.
func (q question) dueDay(c *candidate, j worth.Judgement) time.Time {
	if c.OccurredAt.After(q.moment()) {
		return c.OccurredAt.Add(time.Second)
	}
	return j.Due
}

// within reports whether a day is in the time that is asked about, if any is.
func (q question) within(day time.Time) bool {
	return len(q.times) == 0 || !day.IsZero() &&
		slices.ContainsFunc(q.times, func(span index.Span) bool { return span.Contains(day.Add(-time.Second)) })
}

// finished reports whether something that was said later tells that it is done.
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

// sharedWords counts the stems that two records have in common, without numbers and
// those of a list.
func sharedWords(a, b map[string]int, without map[string]bool) (n int) {
	for stem := range a {
		if b[stem] > 0 && !without[stem] && !strings.ContainsAny(stem, "0123456789") {
			n++
		}
	}
	return n
}

// stemsOf returns the stems of words.
func stemsOf(words ...string) map[string]bool {
	stems := map[string]bool{}
	for _, stem := range analysis.Content(strings.Join(words, " ")) {
		stems[stem] = true
	}
	return stems
}

// preferred lists what the user prefers: what says so, then what he says of himself
// in such words or is filed so, and last what others do. Where it is asked what he
// does not like, that comes first, and else behind what he does.
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

// othersLike reports whether a record says what others like, and nothing of the user.
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

// contrary reports whether a record says the other taste than what is asked for, and
// not that.
func (q question) contrary(c *candidate) bool {
	liked, disliked := slots.Tastes(beginning(c.Content, readable))
	return liked != disliked && liked == (q.taste == dislikes)
}

// ofSelf reports whether a record says something of the user.
func (q question) ofSelf(c *candidate) bool {
	said := q.saidBy(c)
	return slices.ContainsFunc(said, func(s slots.Statement) bool { return s.Subject == slots.User }) ||
		slices.ContainsFunc(head(plainWords(beginning(c.Content, 40)), 3), func(w string) bool {
			return slices.Contains(selfWords, w) || slices.Contains(q.userStems, analysis.Stem(w))
		})
}

// labelled reports whether a note begins with one of some words and a colon, as who
// notes for somebody writes without saying for whom: "Preference: short answers".
func labelled(content string, words map[string]bool) bool {
	label, _, found := strings.Cut(beginning(content, 40), ":")
	return found && hasAny(countTerms(label), words)
}

// selfWords are those by which a record speaks of the user.
var selfWords = []string{"i", "i'm", "i've", "i'd", "my", "me", "user", "user's", "ich", "mein", "meine", "je", "j'aime", "yo",
	"ik", "mijn"}

// workInHand is the attribute of a question for what somebody was busy with.
const workInHand = "work in hand"

// workedOn lists what somebody was busy with, the newest first: what was decided,
// found out, changed or is to be done, then all else but who the user is and what
// he likes.
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

// latest lists all that a bank has, the newest first.
func latest(list []*candidate) []float64 {
	var l listed
	for _, c := range list {
		l.put(0, c)
	}
	return l.shares(list, [4]func(a, b *candidate) int{newest, newest, newest, newest})
}
