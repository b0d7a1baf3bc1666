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

// layouts are the forms that ParseTime accepts. Those without an offset are in UTC. Go's parser
// accepts fractions of a second wherever there are seconds.
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
	// future are the arguments whose times are usually to come, so that "friday" means the next
	// one.
	future = []string{"due_at", "starts_at", "ends_at", "valid_until", "from", "to", "occurrence", "expires"}
	// dated are the arguments for which a day without an hour is stored as a date without a zone;
	// see [Dated].
	dated = []string{"occurred_at", "valid_from", "valid_until", "due_at"}
)

// Spoken reads the value of the argument name as a time in words, such as "yesterday", "last
// tuesday", "in 2 weeks" or "nächsten Freitag", relative to now and in its zone. ok is false if the
// text is no such time. A numeric date that can be read as two days, such as 03/04/2026, is
// [memory.CodeInvalidArgument] with both readings.
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

// bySlashes matches a date such as 03/04/2026, which does not show whether month or day is first.
var bySlashes = lazyregexp.New(`^(\d{1,2})[/-](\d{1,2})[/-](\d{2}|\d{4})$`)

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// Dated converts the beginning of a day, in the zone of at, to a date without a zone: midnight of
// that day in UTC. It does so for the arguments in dated, and for since if that makes it earlier.
// All other times are returned as they are.
func Dated(name string, at time.Time) time.Time {
	name = name[strings.LastIndexByte(name, '.')+1:]
	date := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	begins := at.Equal(timex.InZone(date, at.Location()))
	if begins && (slices.Contains(dated, name) || name == "since" && date.Before(at)) {
		return date
	}
	return at
}

// ParseTime reads the value of the argument name: RFC 3339, a date alone (its midnight in UTC), or
// a date and a time to the minute or second with any offset or none (UTC). A blank may stand for
// the T, and letters may be lower case. The result keeps the offset and is within the years 1 to
// 9999. The zero time is refused, as it stands for no time. Anything else, also a day that does not
// exist, is [memory.CodeInvalidArgument].
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
			t = t.UTC() // because the zone of this machine may have the same offset
		}
		return t, nil
	}
	return time.Time{}, memory.Errorf(memory.CodeInvalidArgument, "%s is %s, which is not a time", name, quote(s)).WithHint("%s", timeForms)
}
