package when

import (
	"regexp"
	"strings"
	"sync"
	"time"
)

// feasts are holidays that package timex does not know, each on a fixed day of a month or on the
// nth weekday of one (nth -1 for the last). name is a regular expression, of literal names only.
var feasts = []struct {
	name    string
	month   time.Month
	day     int // of the month; 0 if weekday and nth say the day
	weekday int // 0 for Monday
	nth     int
}{
	{"labor day", time.September, 0, 0, 1}, {"memorial day", time.May, 0, 0, -1}, {"mother's day", time.May, 0, 6, 2},
	{"martin luther king day|mlk day", time.January, 0, 0, 3},
	{"presidents day|presidents' day", time.February, 0, 0, 3}, {"columbus day", time.October, 0, 0, 2},
	{"independence day|fourth of july|4th of july", time.July, 4, 0, 0},
	{"juneteenth", time.June, 19, 0, 0}, {"veterans day", time.November, 11, 0, 0},
	{"st patrick's day|st\\. patrick's day", time.March, 17, 0, 0},
	{"bonfire night|guy fawkes night", time.November, 5, 0, 0}, {"burns night", time.January, 25, 0, 0},
	{"boxing day", time.December, 26, 0, 0}, {"may day", time.May, 1, 0, 0}, {"bastille day", time.July, 14, 0, 0},
	{"ferragosto", time.August, 15, 0, 0}, {"nikolaustag|nikolaus", time.December, 6, 0, 0},
	{"koningsdag", time.April, 27, 0, 0}, {"sinterklaas", time.December, 5, 0, 0},
	{"tag der deutschen einheit", time.October, 3, 0, 0},
	{"tag der arbeit", time.May, 1, 0, 0}, {"reformationstag", time.October, 31, 0, 0},
	{"la toussaint|allerheiligen|ognissanti", time.November, 1, 0, 0}, {"befana|epifania", time.January, 6, 0, 0},
}

func feastNames() (names []string) {
	for _, f := range feasts {
		names = append(names, f.name)
	}
	return names
}

// feastParts returns the names of the feasts as they are in a text.
func feastParts() (parts []string) {
	for _, name := range feastNames() {
		parts = append(parts, strings.Split(strings.ReplaceAll(name, `\`, ""), "|")...)
	}
	return parts
}

// feast is the read function of the rule for feasts: g[0] is the holiday's name in lower case, the
// result that holiday in the year of said.
func feast(g []string, said time.Time) (span, bool) {
	name := strings.ReplaceAll(g[0], "’", "'")
	for i, f := range feasts {
		if !feastPatterns()[i].MatchString(name) {
			continue
		}
		return yearlyOn(said, func(y int) time.Time {
			if f.day > 0 {
				return time.Date(y, f.month, f.day, 0, 0, 0, 0, said.Location())
			}
			order := [...]string{"last", "", "first", "second", "third"}[f.nth+1]
			s, _ := nthWeekday([]string{order, weekdays[f.weekday], strings.ToLower(f.month.String())},
				time.Date(y, 1, 1, 0, 0, 0, 0, said.Location()))
			return s.from
		}), true
	}
	return span{}, false
}

// feastPatterns has for each of feasts a pattern that matches its whole name and nothing else.
var feastPatterns = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, f := range feasts {
		all = append(all, regexp.MustCompile(`^(?:`+f.name+`)$`))
	}
	return all
})
