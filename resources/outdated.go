package resources

import (
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
	"mcp-memory/text/worth"
)

// outdatedShare is the factor on the score of a record that a newer one probably puts out of date,
// or of which a newer one replaces only a part. It puts nearly all below [fillFloor]. Records whose
// statements a newer one replaces or contradicts as a whole get score 0 instead.
const outdatedShare = 0.2

// A word is too common to tell what a sentence is about if it is in more than commonShare of the
// records of a pool, and in more than commonLeast records.
const (
	commonShare = 0.2
	commonLeast = 3
)

// outdated lowers the scores of candidates that newer ones put out of date, judged by words: the
// newer one says that something changed, was decided or is done, and shares enough words with the
// older one. Candidates are ordered oldest first.
func (c *chooser) outdated(all []*candidate) {
	about, news := c.subjects(all)
	for i, older := range all {
		if older.Pinned {
			continue
		}
		for k := i + 1; k < len(all); k++ {
			newer := all[k]
			if c.apart.Has(older.ID, newer.ID) {
				continue
			}
			if older.isRule() && newer.rule.Ends(older.rule) { // also here what holds in all projects
				older.score = 0
				break
			}
			if older.Project == newer.Project && overrides(older, newer) && shared(about[i], news[k]) >= needed(older) {
				older.score *= outdatedShare
				break
			}
		}
	}
}

// isRule reports whether a sentence may be a rule that another one ends.
func (c *candidate) isRule() bool {
	switch c.Sort {
	case worth.Preference, worth.Decision, worth.Task, worth.Lesson:
		return true
	}
	return c.rule.Standing()
}

// ofRules are the stems of words that any rule may have.
var ofRules = stemsOf("user assistant want allow never always again repo repository project")

// lifted reports whether a later record says that the rule of a learning is over.
func (c *chooser) lifted(learning memory.Record) bool {
	rule := worth.ReadRule(learning.Content)
	return slices.ContainsFunc(c.all, func(one *candidate) bool {
		return one.EventTime().After(learning.EventTime()) && one.rule.Ends(rule)
	})
}

// overrides reports whether the sort of the newer sentence can put one of the older sort out of
// date.
func overrides(older, newer *candidate) bool {
	switch {
	case newer.Kind == memory.KindDiary, older.Sort == worth.Identity, older.Sort == worth.Preference:
		return false
	}
	switch older.Sort {
	case worth.Decision, worth.Task, worth.Lesson, worth.Change:
		return newer.Done || newer.Sort == worth.Change
	}
	return newer.News != ""
}

// needed is how many words a newer sentence has to share with an older one to put it out of date.
// It is more for decisions and tasks, and most for the sentence that says what the project is.
func needed(older *candidate) int {
	if older.part == partProject && older.Defines {
		return 3
	}
	if older.Sort == worth.Decision || older.Sort == worth.Task {
		return 2
	}
	return 1
}

// subjects returns two sorted lists of word stems for each candidate: those of its text and those
// of its news ([worth.Judgement]). The first are without the user's name, the project's name, and
// words that are short or common in the pool.
func (c *chooser) subjects(all []*candidate) (stems, news [][]string) {
	stems, news = make([][]string, len(all)), make([][]string, len(all))
	in := map[string]int{}
	for i, one := range all {
		stems[i], news[i] = stemsOf(oneLine(one.Content, startLine)), stemsOf(one.News)
		for _, stem := range stems[i] {
			in[stem]++
		}
	}
	for _, name := range append(c.user, c.project) {
		in[analysis.Stem(name)] = len(all) + commonLeast
	}
	for _, stem := range ofRules {
		in[stem] = len(all) + commonLeast
	}
	for i := range stems {
		stems[i] = slices.DeleteFunc(stems[i], func(stem string) bool {
			return in[stem] > max(commonLeast, int(commonShare*float64(len(all)))) || len(stem) < 3
		})
	}
	return stems, news
}

// stemsOf returns the distinct stems of the content words of a text, sorted.
func stemsOf(text string) []string {
	stems := analysis.Content(text)
	slices.Sort(stems)
	return slices.Compact(stems)
}

// shared returns how many words two sorted lists have in common.
func shared(a, b []string) (n int) {
	for _, word := range a {
		if _, ok := slices.BinarySearch(b, word); ok {
			n++
		}
	}
	return n
}

// becomesState moves a plain fact that replaces another one, and would not be shown, to the part
// partNow, with a score that has it shown.
func (c *candidate) becomesState() {
	if c.Sort == worth.Plain && c.score < worth.Shown && c.part != partPeople {
		c.Sort, c.part, c.score = worth.Change, partNow, 0.6
	}
}

// personal are the slot attributes that say who the user is.
var personal = []string{
	"name", "nickname", "pronouns", "home", "birthplace", "age", "nationality",
	"work", "job", "partner", "child", "diet", "allergy", "health", "pregnancy",
	"language", "study", "university", "school", "time_zone", "pet", "religion", "form_of_address", "answer_style", "units",
}

// read reads the slots of all candidates. It lifts plain facts with a personal attribute of the
// user to partUser.
func (c *chooser) read() {
	options := slots.Options{UserNames: c.user}
	for _, one := range c.all {
		one.slots = slots.Read(oneLine(one.Content, startLine), options)
		if one.Sort != worth.Plain || one.score >= 0.5 {
			continue
		}
		for _, st := range one.slots {
			if st.Subject == slots.User && !st.Hedged && !st.Past && st.Type != slots.Event && slices.Contains(personal, st.Attribute) {
				one.part, one.score = partUser, max(one.score, 0.5)
			}
		}
	}
}

// replaced sets the score to 0 for candidates that newer ones replace, contradict or repeat, as
// package slots compares them. If a newer one replaces only a part of a candidate, its score is
// lowered.
func (c *chooser) replaced(all []*candidate) {
	for i, older := range all {
		for _, newer := range all[i+1:] {
			if older.Pinned || older.slots == nil || c.apart.Has(older.ID, newer.ID) || !comparable(older.slots, newer.slots) {
				continue
			}
			switch slots.Between(older.slots, newer.slots) {
			case slots.Certain:
				newer.becomesState()
				if slots.Replaces(older.slots, newer.slots, slots.Certain) {
					older.score = 0
				} else { // a part of what it says still holds
					older.score *= outdatedShare
				}
			case slots.Same:
				older.score = 0
			case slots.Likely:
				newer.becomesState()
				older.score = 0
			case slots.Contradicts:
				older.score = 0
			}
		}
	}
}

// comparable reports whether any statements may be about the same slot. It is a fast check before
// [slots.Between], which is slower.
func comparable(older, newer []slots.Statement) bool {
	for i := range older {
		for k := range newer {
			o, n := &older[i], &newer[k]
			if o.Attribute == n.Attribute && (o.Attribute != "" || o.Topic == n.Topic) || n.Former != "" ||
				n.Change && o.Type == slots.Preference && n.Type == slots.Preference {
				return true
			}
		}
	}
	return false
}
