package recall

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/slots"
)

//go:embed selves.txt
var selvesFile string

// selves has the phrases of selves.txt by their class.
var selves = sync.OnceValue(func() phrases { return readPhrases(selvesFile) })

// asksAs reports whether a question has a phrase of a class: of "asked" it asks who
// the user is, of "work asked" what he was busy with. With a word right behind that
// says something, as in "who am I dating", it is another question.
func asksAs(text, class string) bool {
	if len(text) > 100 {
		return false
	}
	words := spaced(text)
	return slices.ContainsFunc(selves()[class], func(phrase string) bool {
		_, behind, found := strings.Cut(words, phrase)
		next, _, _ := strings.Cut(behind, " ")
		return found && len(analysis.Content(next)) == 0
	})
}

// asksOnly reports whether a question is a phrase of a class, and nothing else.
func asksOnly(text, class string) bool {
	return len(text) <= 100 && slices.Contains(selves()[class], spaced(text))
}

// taste is whether a question asks for what the user likes or for what the user dislikes.
type taste int

const (
	notTaste taste = iota
	likes
	dislikes
)

// asksTaste returns which of the user's tastes a question asks for; notTaste if it asks for anything
// else as well.
func asksTaste(text string) taste {
	for _, tell := range append(selves()["tell"], "") {
		bare, found := strings.CutPrefix(spaced(text), tell)
		switch {
		case tell != "" && !found:
		case asksOnly(bare, "dislikes asked"):
			return dislikes
		case asksOnly(bare, "likes asked"):
			return likes
		}
	}
	return notTaste
}

// Shares of records in the answer to "who am I?": the user's name comes first, then who he is, then
// his work, then where he lives and the like, then all else he says of himself, then what happened
// to him, and his people.
const (
	beingShare, workingShare, doingShare, selfShare, eventShare = 1.5, 1.45, 1.25, 1.0, 0.7
	// namedShareOfUser is the share of a record that says what the user is called.
	namedShareOfUser = 1.8
	// oldestShare is what the oldest of the records gets in addition, and the others by
	// their age: people introduce themselves before they tell what happens.
	oldestShare = 0.12
)

// ofUser is the share of a record in an answer about the user as a whole, about 0.35 to 2.3;
// age is 1 for the oldest record and 0 for the newest. All that a bank keeps is of some use to
// know, but what somebody is, has and likes comes first.
func (q question) ofUser(c *candidate, age float64) float64 {
	share := max(userShare, introduces(beginning(c.Content, readable)))
	said := q.saidBy(c)
	for i := range said {
		one := &said[i]
		mine := one.Subject == slots.User
		switch {
		case one.Hedged && one.Type != slots.Plan:
		case mine && !one.Hedged && one.Attribute == "name":
			share = max(share, namedShareOfUser)
		case mine && !one.Hedged && slices.Contains(who, one.Attribute):
			share = max(share, doingShare)
		case mine && one.Type != slots.Event, one.Subject == "" && slices.Contains(who, one.Attribute):
			share = max(share, selfShare)
		case mine, strings.HasPrefix(one.Subject, slots.User+"'s"):
			share = max(share, eventShare)
		}
	}
	switch c.Category {
	case "identity":
		share += 0.4
	case "preference", "social", "capability", "goal":
		share += 0.2
	case memory.CategoryTechnical, "market", "event":
		share -= 0.1
	}
	return share + oldestShare*age
}

// who has the attributes of statements that say who somebody is.
var who = []string{"name", "age", "job", "work", "home", "birthplace", "nationality", "study", "university", "health", "partner",
	"relationship"}

// office matches a note of what somebody is, without a verb: "Organist at St Mary's",
// "Freelance illustrator, mostly of children's books".
var office = regexp.MustCompile(`^(?:\p{Lu}\pL*` + trade +
	` (?:at|for|in|of|with) |(?:Freelance|Retired|Senior|Junior|Self-employed|Part-time|Head|Lead|Chief) \pL*` + trade + `\b)`)

// trade matches the ends of words for what somebody is: "-ist" of "organist".
const trade = `(?:ist|er|or|ian|eer|man|woman|nurse|cook|judge|student)`

// underWay matches what the user is doing, and not what he is: "user is now painting".
var underWay = regexp.MustCompile(`\buser is (?:now |currently |also |still )?\pL+ing\b`)

// introduces returns the share for a text that says who somebody is, what he works or where he lives,
// by the phrases of selves.txt and by office; 0 for others.
func introduces(text string) float64 {
	words, table := spaced(text), selves()
	switch {
	case table.in(words, "being") && !underWay.MatchString(words):
		return beingShare
	case table.in(words, "working") && !table.in(words, "hours"):
		return workingShare
	case table.in(words, "doing"), office.MatchString(text) && !strings.Contains(words, " is "):
		return doingShare
	}
	return 0
}
