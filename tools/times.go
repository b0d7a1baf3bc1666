package tools

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/timex"
	"mcp-memory/text/when"
)

const timeForms = "a time such as 2026-03-01T14:30:00Z, 2026-03-01T14:30:00+02:00, 2026-03-01T14:30 (UTC), 2026-03-01 or last tuesday"

// layouts are the forms that ParseTime takes. Go's parser adds fractions of a
// second wherever seconds stand. Those without an offset are UTC.
var layouts = []string{
	time.RFC3339,
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04Z0700",
	"2006-01-02T15:04:05Z07",
	"2006-01-02T15:04Z07",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04",
	time.DateOnly,
}

var (
	// future are the arguments that mean what is to come: "friday" is the next one.
	future = []string{"due_at", "starts_at", "ends_at", "valid_until", "from", "to", "occurrence", "expires"}
	// dated are those of which a day without an hour is kept as a date of no zone.
	dated = []string{"occurred_at", "valid_from", "valid_until", "due_at"}
)

// Spoken reads the argument name as people say a time, such as "yesterday", "last tuesday",
// "in 2 weeks" or "nächsten Freitag", as of now and in its zone; false for what is none.
// [memory.CodeInvalidArgument], with the readings, for a day that may be two.
func Spoken(name, text string, now time.Time) (at time.Time, ok bool, err error) {
	if m := bySlashes().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		year := m[3]
		if len(year) == 2 {
			year = "20" + year
		}
		first, second := fmt.Sprintf("%s-%02s-%02s", year, m[1], m[2]), fmt.Sprintf("%s-%02s-%02s", year, m[2], m[1])
		if first != second && isDate(first) && isDate(second) {
			return at, false, memory.Errorf(memory.CodeInvalidArgument, "%s is %s, which may be %s or %s", name, quote(text), first,
				second).WithHint("say which")
		}
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	direction := timex.Past
	if slices.Contains(future, name) {
		direction = timex.Future
	}
	if at, ok = timex.Typed(text, now, direction); !ok {
		at, ok = timex.Typed(when.InEnglish(strings.TrimSpace(text)), now, direction)
	}
	return at, ok, nil
}

// bySlashes is a date in figures of which nobody knows whether the month or the day comes first.
var bySlashes = lazyregexp.New(`^(\d{1,2})[/-](\d{1,2})[/-](\d{2}|\d{4})$`)

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// Dated is a moment, or if that begins a day in its zone, and the argument name may be a date of
// no zone, the midnight of that day in UTC.
func Dated(name string, at time.Time) time.Time {
	name = name[strings.LastIndexByte(name, '.')+1:]
	date := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	begins := at.Equal(timex.InZone(date, at.Location()))
	if begins && (slices.Contains(dated, name) || name == "since" && date.Before(at)) {
		return date
	}
	return at
}

// ParseTime reads the argument name: RFC 3339, a date alone (its midnight in
// UTC), or a date and a time to the minute or second with any offset or none
// (UTC). A blank may stand for the T, and letters may be small. The result keeps the
// offset, is within the years 1 to 9999, and not the very first moment of these, which
// stands for no time. Anything else, also a day that does not exist, is [memory.CodeInvalidArgument].
func ParseTime(name, s string) (time.Time, error) {
	text := strings.ToUpper(strings.TrimSpace(s))
	if len(text) > 10 && text[10] == ' ' {
		text = text[:10] + "T" + strings.TrimSpace(text[11:])
	}
	for _, layout := range layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if utc := t.UTC(); utc.IsZero() || utc.Year() < 1 || utc.Year() > 9999 {
			break
		}
		if _, offset := t.Zone(); offset == 0 {
			t = t.UTC() // not that of a machine whose clocks show the same
		}
		return t, nil
	}
	return time.Time{}, memory.Errorf(memory.CodeInvalidArgument, "%s is %s, which is not a time", name, quote(s)).WithHint("%s", timeForms)
}
