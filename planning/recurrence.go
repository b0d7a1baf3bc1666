package planning

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"mcp-memory/memory"
	"mcp-memory/text/timex"
)

// Limits of a rule: maxRuleBytes of its text, maxCount of its COUNT, its
// INTERVAL and the occurrences of a rule that is counted out (one with a COUNT,
// or an hourly one). The first occurrence of a rule without an end must come
// within horizon of the start of the event.
const (
	maxRuleBytes = 1024
	maxCount     = 10_000
	horizon      = 100 // years
)

// rule is a recurrence rule that [parseRule] accepted.
type rule struct {
	text  string    // normalised; COUNT is replaced by UNTIL
	first time.Time // start of the first occurrence
	last  time.Time // start of the last one, or UNTIL; zero for no end
}

// parseRule reads the rule of an event whose start is given in the time zone of
// the event. It refuses a rule that comes more often than every hour, that
// never comes, or that is hourly without an end. Other rules need no end.
func parseRule(text string, start time.Time) (rule, error) {
	if err := memory.CheckText("recurrence", text, maxRuleBytes); err != nil {
		return rule{}, err
	}
	text = strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), "RRULE:")
	if strings.ContainsAny(text, "\r\n") {
		return rule{}, badRule("is more than one line")
	}
	if err := checkNumbers(text); err != nil {
		return rule{}, err
	}
	option, err := rrule.StrToROptionInLocation(untilDay.ReplaceAllString(text, "${0}T235959"), start.Location())
	if err != nil {
		return rule{}, badRule("cannot be read: " + err.Error())
	}
	endless := option.Count == 0 && option.Until.IsZero()
	switch {
	case option.Freq > rrule.HOURLY || len(option.Byminute) > 1 || len(option.Bysecond) > 1:
		return rule{}, badRule("comes more often than every hour")
	case option.Freq == rrule.HOURLY && endless:
		return rule{}, badRule("is hourly and never ends")
	}
	return bounds(*option, start, endless)
}

// untilDay finds an UNTIL without a time, which includes that whole day.
var untilDay = regexp.MustCompile(`\bUNTIL=\d{8}\b`)

// checkNumbers refuses a COUNT or INTERVAL that is not a number from 1 to
// maxCount. The library takes others for a missing one, or cannot compute with
// them.
func checkNumbers(text string) error {
	for part := range strings.SplitSeq(text, ";") {
		key, value, _ := strings.Cut(part, "=")
		if key != "COUNT" && key != "INTERVAL" {
			continue
		}
		if n, err := strconv.Atoi(value); err != nil || n < 1 || n > maxCount {
			return badRule(fmt.Sprintf("needs %s from 1 to %d", key, maxCount))
		}
	}
	return nil
}

// bounds finds the first and the last occurrence. A COUNT becomes an UNTIL,
// because [advance] moves the start of the rule and would then count wrongly.
func bounds(option rrule.ROption, start time.Time, endless bool) (rule, error) {
	zone, until := start.Location(), option.Until
	option.Dtstart = onWall(start)
	if !until.IsZero() {
		option.Until = onWall(until.In(zone))
	}
	if endless {
		// Without an end, the search for a rule that never comes would not end.
		option.Until = option.Dtstart.AddDate(horizon, 0, 0)
	}
	r, err := rrule.NewRRule(option)
	if err != nil {
		return rule{}, badRule("cannot be read: " + err.Error())
	}
	next := r.Iterator()
	first, ok := next()
	if !ok {
		return rule{}, badRule("never comes")
	}
	if counted := option.Count > 0 || option.Freq == rrule.HOURLY; counted {
		last, ok := lastOf(next, first)
		if !ok {
			return rule{}, badRule("comes too often")
		}
		until = momentOf(last, start)
	}
	found := rule{first: momentOf(first, start), last: until}
	if !onWall(found.first).Equal(first) {
		// The clocks skip the time of the first occurrence. The others have it.
		found.first = start
	}
	option.Dtstart, option.Count, option.Until = time.Time{}, 0, until
	found.text = option.RRuleString()
	return found, nil
}

// momentOf returns the moment of an occurrence that is given on the wall clock.
// When the clocks are set back, one time on the wall is two moments: for the
// first occurrence it is that of start.
func momentOf(wall, start time.Time) time.Time {
	if wall.Equal(onWall(start)) {
		return start
	}
	return timex.InZone(wall, start.Location())
}

func lastOf(next rrule.Next, first time.Time) (last time.Time, ok bool) {
	last = first
	for range maxCount {
		t, more := next()
		if !more {
			return last, true
		}
		last = t
	}
	return last, false
}

func badRule(why string) error {
	return memory.Errorf(memory.CodeInvalidArgument, "recurrence %s", why).
		WithHint("an RRULE of RFC 5545 such as FREQ=WEEKLY;BYDAY=MO,WE or FREQ=DAILY;COUNT=10; hourly at most, and hourly ones need an end")
}

// series iterates over the starts of an event.
type series struct {
	event    memory.CalendarEvent
	from, to time.Time
	next     rrule.Next
	start    time.Time // the current one
}

// startsOf returns a series of the starts in from ≤ start < to, and of earlier
// ones if the occurrence is still going on at from. It leaves out removed
// occurrences.
func startsOf(e memory.CalendarEvent, from, to time.Time) *series {
	if e.EndsAt.After(e.StartsAt) { // at its very end an occurrence is over
		from = from.Add(-e.EndsAt.Sub(e.StartsAt) + 1)
	}
	s := &series{event: e, from: from, to: to}
	if e.Recurrence != "" {
		s.next = startsFrom(e, from)
	} else {
		s.next = only(e.StartsAt)
	}
	return s
}

// startsAt reports whether an occurrence starts at that moment and was not
// removed.
func startsAt(e memory.CalendarEvent, start time.Time) bool {
	e.EndsAt = time.Time{}
	s := startsOf(e, start, start.Add(1))
	return s.advance() && s.start.Equal(start)
}

// advance goes to the next start and reports whether there is one.
func (s *series) advance() bool {
	for {
		start, ok := s.next()
		if !ok || !start.Before(s.to) {
			return false
		}
		// Where the clocks skip an hour, two times on the wall are the same
		// moment.
		if !start.Before(s.from) && !start.Equal(s.start) && !slices.ContainsFunc(s.event.Except, start.Equal) {
			s.start = start
			return true
		}
	}
}

// only iterates over the one start that it is given, or over none.
func only(starts ...time.Time) rrule.Next {
	return func() (time.Time, bool) {
		if len(starts) == 0 {
			return time.Time{}, false
		}
		start := starts[0]
		starts = nil
		return start, true
	}
}

// startsFrom iterates over an event's starts. It begins shortly before from and
// not at the first start, which may be years ago.
func startsFrom(e memory.CalendarEvent, from time.Time) rrule.Next {
	zone, err := loadZone(e.TimeZone)
	if err != nil {
		zone = time.UTC // cannot happen: the zone was known when the event was made
	}
	option, err := rrule.StrToROptionInLocation(e.Recurrence, zone)
	if err != nil {
		return only() // cannot happen: the rule could be read when the event was made
	}
	start := e.StartsAt.In(zone)
	option.Dtstart = onWall(start)
	if !option.Until.IsZero() {
		option.Until = onWall(option.Until.In(zone))
	}
	advance(option, onWall(from.In(zone)))
	r, err := rrule.NewRRule(*option)
	if err != nil {
		return only()
	}
	next := r.Iterator()
	return func() (time.Time, bool) {
		wall, ok := next()
		return momentOf(wall, start), ok
	}
}

// advance moves the start of a rule by whole intervals to shortly before from.
// A rule may take its weekday, day or month from its start: advance writes
// these into the rule first, so that it means the same afterwards. Both
// o.Dtstart and from are times on the wall.
func advance(o *rrule.ROption, from time.Time) {
	interval := max(o.Interval, 1)
	start := o.Dtstart
	byDay := len(o.Byweekday)+len(o.Bymonthday)+len(o.Byyearday)+len(o.Byweekno)+len(o.Byeaster) > 0
	switch o.Freq {
	case rrule.YEARLY:
		years := (from.Year() - start.Year() - 1) / interval * interval
		if years <= 0 {
			return
		}
		if !byDay {
			if len(o.Bymonth) == 0 {
				o.Bymonth = []int{int(start.Month())}
			}
			o.Bymonthday = []int{start.Day()}
		}
		o.Dtstart = clockOn(start, start.Year()+years, 1, 1)
	case rrule.MONTHLY:
		months := (12*(from.Year()-start.Year()) + int(from.Month()) - int(start.Month()) - 1) / interval * interval
		if months <= 0 {
			return
		}
		if !byDay {
			o.Bymonthday = []int{start.Day()}
		}
		o.Dtstart = clockOn(start, start.Year(), int(start.Month())+months, 1)
	case rrule.WEEKLY, rrule.DAILY:
		days := interval
		if o.Freq == rrule.WEEKLY {
			days *= 7
		}
		passed := int(from.Sub(start).Hours()/24) - 2 // days differ in length
		if passed < 2*days {
			return
		}
		passed = (passed/days - 1) * days
		o.Dtstart = clockOn(start, start.Year(), int(start.Month()), start.Day()+passed)
	}
}
