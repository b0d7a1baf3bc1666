package resources

import (
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
	"mcp-memory/text/worth"
)

// outdatedShare is what is left of the score of a record that a newer one
// probably puts out of date, below [fillFloor] even of the best; one whose
// statements a newer one replaces or contradicts is not shown at all.
const outdatedShare = 0.2

// commonShare and commonLeast say which words are too common in a pool to tell
// what a sentence is about: those in more than a share of its records, and in
// more than a few.
const (
	commonShare = 0.2
	commonLeast = 3
)

// outdated lowers the scores of what newer candidates put out of date, as far as
// the words tell: the newer one says that something changed, was decided or is
// done, and names what the older one is about. Candidates come oldest first.
func (c *chooser) outdated(all []*candidate) {
	about, news := c.subjects(all)
	for i, older := range all {
		if older.Pinned {
			continue
		}
		for k := i + 1; k < len(all); k++ {
			if newer := all[k]; !c.apart.Has(older.ID, newer.ID) && overrides(older, newer) && older.Project == newer.Project &&
				shared(about[i], news[k]) >= needed(older) {
				older.score *= outdatedShare
				break
			}
		}
	}
}

// overrides reports whether a newer sentence is of a sort that puts an older
// one out of date.
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

// needed is how many words a newer sentence has to share with an older one to put
// it out of date: more of one that says what the project is, or what was decided.
func needed(older *candidate) int {
	if older.part == partProject && older.Defines {
		return 3
	}
	if older.Sort == worth.Decision || older.Sort == worth.Task {
		return 2
	}
	return 1
}

// subjects returns the telling words of each candidate and those of its news:
// without the user's name,
// the project's, numbers, and what is common in the pool.
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
	for i := range stems {
		stems[i] = slices.DeleteFunc(stems[i], func(stem string) bool {
			return in[stem] > max(commonLeast, int(commonShare*float64(len(all)))) || len(stem) < 3
		})
	}
	return stems, news
}

// stemsOf returns the words of a text that tell something, sorted, each once.
func stemsOf(text string) []string {
	stems := analysis.Content(text)
	slices.Sort(stems)
	return slices.Compact(stems)
}

// shared is how many words two sorted lists have in common.
func shared(a, b []string) (n int) {
	for _, word := range a {
		if _, ok := slices.BinarySearch(b, word); ok {
			n++
		}
	}
	return n
}

// becomesState makes a plain fact that replaces another one of how things are
// now.
func (c *candidate) becomesState() {
	if c.Sort == worth.Plain && c.score < worth.Shown && c.part != partPeople {
		c.Sort, c.part, c.score = worth.Change, partNow, 0.6
	}
}

// personal are the attributes that say who the user is.
var personal = []string{
	"name", "nickname", "pronouns", "home", "birthplace", "age", "nationality",
	"work", "job", "partner", "child", "diet", "allergy", "health", "pregnancy",
	"language", "study", "university", "school", "time_zone", "pet", "religion", "form_of_address", "answer_style", "units",
}

// read reads the slots of all candidates, and lifts those that say who the user
// is, as far as package slots knows.
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

// replaced takes out what newer candidates replace as package slots reads them:
// of a slot only the newest is true.
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
				} else { // of what it says, a part still holds
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

// comparable reports whether statements can be about the same slot, which is
// quicker to say than how they stand to each other.
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
