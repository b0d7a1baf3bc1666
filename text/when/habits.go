package when

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/text/lazyregexp"
)

// Habit is a recurrence rule in the sense of RFC 5545, without an interval: on days of the week,
// on the nth or last such day of each month, on a day of each month, or on a day of each year.
// "Every second Tuesday" is every Tuesday here, as the text does not say in which weeks.
type Habit struct {
	Weekdays [7]bool    // by [time.Weekday]; not used with MonthDay
	Nth      int        // which of these weekdays in a month, from 1; -1 for the last, 0 for each
	MonthDay int        // day of the month, -1 for the last; 0 for a habit by weekday
	Month    time.Month // with MonthDay: only in this month, so once a year; 0 for each month
}

// The longest spans for which [Habit.Next] tells of a weekly, monthly or yearly habit. In a much
// longer one it comes anyway, and telling so says nothing.
const (
	weeklyTold  = 8 * 24 * time.Hour
	monthlyTold = 32 * 24 * time.Hour
	yearlyTold  = 100 * 24 * time.Hour
)

// On reports whether the habit falls on a day.
func (h Habit) On(day time.Time) bool {
	last := day.AddDate(0, 0, 1).Day() == 1
	switch {
	case h.MonthDay != 0:
		return (h.MonthDay == day.Day() || h.MonthDay < 0 && last) && (h.Month == 0 || h.Month == day.Month())
	case h.Nth > 0:
		return h.Weekdays[day.Weekday()] && (day.Day()+6)/7 == h.Nth
	case h.Nth < 0:
		return h.Weekdays[day.Weekday()] && day.AddDate(0, 0, 7).Month() != day.Month()
	}
	return h.Weekdays[day.Weekday()]
}

// Next returns midnight of the first day of [from, to) on which the habit falls, in the zone of
// from. It is false if there is none, and for a span too long for it: that something weekly falls
// into a whole month says nothing.
func (h Habit) Next(from, to time.Time) (time.Time, bool) {
	told := weeklyTold
	switch {
	case h.Month != 0:
		told = yearlyTold
	case h.MonthDay != 0 || h.Nth != 0:
		told = monthlyTold
	}
	if to.Sub(from) > told {
		return time.Time{}, false
	}
	for d := day(from); d.Before(to); d = d.AddDate(0, 0, 1) {
		if h.On(d) {
			return d, true
		}
	}
	return time.Time{}, false
}

// Next returns the earliest of the days on which the habits come next, see [Habit.Next].
func Next(habits []Habit, from, to time.Time) (first time.Time, comes bool) {
	for _, h := range habits {
		if day, ok := h.Next(from, to); ok && (!comes || day.Before(first)) {
			first, comes = day, true
		}
	}
	return first, comes
}

// habitual are parts of words of which every text that tells a habit has one: a quick check.
var habitual = []string{"every", "each", "days", "weekend", "month", "birthday", "anniversary", "jed", "tags", "chaque", "tous les",
	"toutes les", "cada", "todos los", "todas las", "ogni", "tutti i", "tutte le", "elke", "iedere",
	"alle ", "los ", "sur deux", "geburtstag", "monat", "mois", " mes", "mese", "maand", "todo dia"}

// Habits returns the recurrences that a text speaks of, other than daily ones: "every Tuesday",
// "on the first of each month", a birthday.
func Habits(text string) []Habit {
	low := strings.ToLower(beginningOf(text))
	if !slices.ContainsFunc(habitual, func(w string) bool { return strings.Contains(low, w) }) {
		return nil
	}
	low = strings.ToLower(translated(low).text)
	var habits []Habit
	for at := 0; at < len(low); {
		sentence := sentenceOf(low, at)
		habits = append(habits, habitsOf(sentence)...)
		at += strings.Index(low[at:], sentence) + len(sentence) + 1
	}
	return habits
}

var (
	ofMonth   = lazyregexp.New(`\b(?:the )?(\d{1,2})(?:st|nd|rd|th)? (?:day )?(?:of|in) (?:the|each|every) month\b`)
	monthsDay = lazyregexp.New(`\b(?:each|every) month on (?:the )?(\d{1,2})(?:st|nd|rd|th)?\b`)
	nthOf     = lazyregexp.New(`\b(first|second|third|fourth|last|1st|2nd|3rd|4th) (monday|tuesday|wednesday|thursday|friday|saturday|sunday|day) (?:of|in) (?:the|a|each|every) month\b`)
	firstOf   = lazyregexp.New(`(since )?(?:the )?\b(first|last) of (?:the|each|every) month\b`)
	yearly    = lazyregexp.New(`\b(?:birthday|anniversary|geburtstag)\b`)
	dayMonth  = lazyregexp.New(`\b(\d{1,2})(?:st|nd|rd|th)? (?:of )?(january|february|march|april|may|june|july|august|september|october|november|december)\b`)
	monthDay  = lazyregexp.New(`\b(january|february|march|april|may|june|july|august|september|october|november|december) (?:the )?(\d{1,2})(?:st|nd|rd|th)?\b`)
	orders    = map[string]int{"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1}
)

// habitsOf returns the habits of one sentence, which is in lower case and in English.
func habitsOf(sentence string) (habits []Habit) {
	monthly := func(day string) {
		if n, _ := strconv.Atoi(day); n >= 1 && n <= 31 {
			habits = append(habits, Habit{MonthDay: n})
		}
	}
	if yearly().MatchString(sentence) {
		return yearlyOf(sentence)
	}
	for _, form := range []func() *regexp.Regexp{ofMonth, monthsDay} {
		for _, m := range form().FindAllStringSubmatch(sentence, -1) {
			monthly(m[1])
		}
	}
	for _, m := range firstOf().FindAllStringSubmatch(sentence, -1) {
		if m[1] == "" { // "since the first of the month" is once
			habits = append(habits, Habit{MonthDay: orders[m[2]]})
		}
	}
	for _, m := range nthOf().FindAllStringSubmatch(sentence, -1) {
		h := Habit{Nth: orders[m[1]]}
		if m[2] == "day" {
			h = Habit{MonthDay: orders[m[1]]}
		} else {
			h.Weekdays[(weekdayNumber(m[2])+1)%7] = true
		}
		habits = append(habits, h)
	}
	if len(habits) > 0 {
		return habits
	}
	if weekly := weeklyOf(sentence); weekly != (Habit{}) {
		return []Habit{weekly}
	}
	return nil
}

// yearlyOf returns the day of a birthday or anniversary, nil if the sentence does not name it.
func yearlyOf(sentence string) []Habit {
	day, month := "", ""
	if m := dayMonth().FindStringSubmatch(sentence); m != nil {
		day, month = m[1], m[2]
	} else if m := monthDay().FindStringSubmatch(sentence); m != nil {
		day, month = m[2], m[1]
	}
	n, _ := strconv.Atoi(day)
	if n < 1 || n > 31 {
		return nil
	}
	return []Habit{{MonthDay: n, Month: monthNumber(month)}}
}

// weeklyOf reads the days of the week of a sentence: "every Tuesday and Thursday", "on
// Fridays", "at weekends".
func weeklyOf(sentence string) (h Habit) {
	words := strings.FieldsFunc(sentence, func(r rune) bool { return r != '\'' && (r < 'a' || r > 'z') })
	again := false // behind "every"
	for i, w := range words {
		plural := strings.TrimSuffix(w, "s")
		switch {
		case w == "every" || w == "each":
			again = true
		case slices.Contains(weekdays, w) && again:
			h.Weekdays[(weekdayNumber(w)+1)%7] = true
		case plural != w && slices.Contains(weekdays[:7], plural) && (i+1 == len(words) || words[i+1] != "ago"):
			h.Weekdays[(weekdayNumber(plural)+1)%7] = true
		case w == "weekdays", w == "weekday" && again:
			for d := time.Monday; d <= time.Friday; d++ {
				h.Weekdays[d] = true
			}
		case w == "weekends", w == "weekend" && again:
			h.Weekdays[time.Saturday], h.Weekdays[time.Sunday] = true, true
		case again && (w == "other" || w == "second" || w == "third" || w == "single" || w == "and" || w == "or"):
		default:
			again = false
		}
	}
	return h
}

// InPast reports whether a question is in the past tense: "What did I do today?"
func InPast(question string) bool {
	t := translated(beginningOf(question))
	return t.tense(t.text) == past
}
