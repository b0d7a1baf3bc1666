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

// maxRuleBytes bounds the text of a rule, maxCount how often it comes, and
// horizon how long after its start it has to come for the first time.
const (
	maxRuleBytes = 1024
	maxCount     = 10_000
	horizon      = 100 // years
)

// rule is a recurrence that was found to be sensible.
type rule struct {
	text  string    // normal form; a COUNT has become an UNTIL
	first time.Time // what it is counted from: start of the first occurrence
	last  time.Time // start of the last one, zero for no end
}

// parseRule reads the rule of an event that starts at start, in its own zone.
// A rule without an end is fine; one that comes more often than every hour,
// never, or hourly for ever is no plan.
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

// untilDay finds an end without a time. That day still counts.
var untilDay = regexp.MustCompile(`\bUNTIL=\d{8}\b`)

// checkNumbers refuses what the library takes for a number that is not there,
// or cannot count with.
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

// bounds finds the first and the last occurrence. The end is kept as a time,
// because a count could not be told without counting from the first.
func bounds(option rrule.ROption, start time.Time, endless bool) (rule, error) {
	zone, until := start.Location(), option.Until
	option.Dtstart = onWall(start)
	if !until.IsZero() {
		option.Until = onWall(until.In(zone))
	}
	if endless {
		option.Until = option.Dtstart.AddDate(horizon, 0, 0) // lest a rule that never comes is looked for for ever
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
		found.first = start // the clocks skip the first one's time, which is that of all others
	}
	option.Dtstart, option.Count, option.Until = time.Time{}, 0, until
	found.text = option.RRuleString()
	return found, nil
}

// momentOf is when an occurrence takes place. Of the two moments that the
// clocks may show, the first occurrence is the one that was asked for.
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

// series walks through the starts of an event.
type series struct {
	event    memory.CalendarEvent
	from, to time.Time
	next     rrule.Next
	start    time.Time // the current one
}

// startsOf walks through the starts in from ≤ start < to, and those before from
// of what is still going on then. Removed ones are left out.
func startsOf(e memory.CalendarEvent, from, to time.Time) *series {
	if e.EndsAt.After(e.StartsAt) { // at its very end it is over
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

// startsAt reports whether an occurrence that was not removed starts then.
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
		// Two hours on the wall are one where the clocks skip one.
		if !start.Before(s.from) && !start.Equal(s.start) && !slices.ContainsFunc(s.event.Except, start.Equal) {
			s.start = start
			return true
		}
	}
}

// only gives one start; none is for a rule that cannot be read.
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

// startsFrom iterates over an event's starts, beginning shortly before from instead
// of at its first one, which may be years ago.
func startsFrom(e memory.CalendarEvent, from time.Time) rrule.Next {
	zone, err := loadZone(e.TimeZone)
	if err != nil {
		zone = time.UTC // the zone was known when the event was made
	}
	option, err := rrule.StrToROptionInLocation(e.Recurrence, zone)
	if err != nil {
		return only() // it could be read when the event was made
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
// What the rule takes from its start (weekday, day, month) is written into it
// first, so that it means the same afterwards. Both are times on the wall.
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
