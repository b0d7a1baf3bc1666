package extractive

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/text/lazyregexp"
	"mcp-memory/text/timex"
	"mcp-memory/text/when"
)

// dated is a text whose expressions of time mean the same on every day.
type dated struct {
	text string
	// at is the start of the first time in the text that has a beginning and an end, zero if there
	// is none.
	at time.Time
}

// absolute replaces the relative times of a text by dates, counted from the moment at which it was
// said, in the time zone of that moment: "yesterday" becomes "on 7 May 2023". Without a moment the
// text stays as it is.
func absolute(text string, said time.Time) dated {
	if said.IsZero() {
		return dated{text: text}
	}
	zone := said.Location()
	said = timex.OnWall(said)
	text = justNow().ReplaceAllString(text, "$1 today")
	if text = withMonths(text, said); !timex.Mentions(text) {
		return withDay(text, said, zone)
	}
	result := dated{}
	var b strings.Builder
	done := 0
	meant, codes := when.Mentions(text, said), codeSpans().FindAllStringIndex(text, -1)
	for _, span := range timex.Find(text, said) {
		low := strings.ToLower(span.Text)
		// That of today may be a week off, and what looks like a time in code is a name.
		ofToday := weekdayAlone(span.Text) && strings.Contains(low, strings.ToLower(said.Weekday().String())) // or a week off
		inCode := slices.ContainsFunc(codes, func(code []int) bool { return code[0] <= span.Start && span.Start < code[1] })
		if inCode || anyWeek(text, span) || ofToday {
			continue
		}
		previous, _ := lastWord(text[:span.Start])
		if previous == "a" || previous == "an" || previous == "any" { // "on a Friday" is any of them
			continue
		}
		span, sure := timeMeant(span, meant)
		if !sure {
			continue
		}
		if result.at.IsZero() && !span.Open() {
			result.at = moment(span.From, zone)
		}
		if monthIn(low) && !relative(low) { // it means the same tomorrow, and nobody said a year
			continue
		}
		written, eat := write(text, span, said)
		if span.Start-eat < done || written == "" {
			continue
		}
		b.WriteString(text[done : span.Start-eat])
		if span.Start-eat == 0 {
			written = capital(written)
		}
		b.WriteString(written)
		done = span.End
	}
	b.WriteString(text[done:])
	result.text = b.String()
	if result.at.IsZero() {
		return withDay(result.text, said, zone)
	}
	return result
}

// anyWeek reports whether a weekday alone stands in a clause in the present ("I don't work on Friday",
// "retro is on Friday"): it may be that of each week, and stays as it was said.
func anyWeek(text string, s timex.Span) bool {
	if !weekdayAlone(s.Text) {
		return false
	}
	from, to := strings.LastIndexAny(text[:s.Start], ",;:")+1, len(text)
	if i := strings.IndexAny(text[s.End:], ",;:"); i >= 0 {
		to = s.End + i
	}
	if i := strings.LastIndex(text[from:s.Start], " and "); i >= 0 {
		from += i
	}
	words := cut(text[from:to])
	for i, w := range words {
		owned := w.low == "got" && i > 0 && owning[words[i-1].low] // "I've got an interview on Friday"
		if futureWords[w.low] || past(w.low) && !owned || pastWords[w.low] || strings.HasSuffix(w.low, "'ll") {
			return false
		}
	}
	return len(words) > 2
}

// weekdayAlone reports whether a time is a weekday and says nothing of which one.
func weekdayAlone(text string) bool {
	return weekday(text) && !relative(text) && !monthIn(text) && !strings.ContainsAny(text, "0123456789")
}

var owning = set("have has haven't hasn't i've we've you've they've he's she's it's")

// moment returns the instant at which the clocks in a zone show a time. A midnight stands for a
// whole day and stays midnight in UTC, whatever the zone.
func moment(wall time.Time, zone *time.Location) time.Time {
	if wall.Equal(wall.Truncate(24 * time.Hour)) {
		return wall
	}
	return timex.InZone(wall, zone).UTC()
}

var futureWords = set("will i'll we'll going plan planning plans next by due deadline tomorrow upcoming until shall starting decided agreed scheduled planned promised committed owe owes")

var (
	pastWords    = set("was were had did didn't hadn't wasn't weren't been have has haven't hasn't since ago used")
	presentWords = set("is are am must has needs has wants isn't aren't doesn't don't can can't may works runs helps")
)

// monthIn reports whether text names a month.
func monthIn(low string) bool { return anyWord(low, months) != "" }

var (
	months = set(`january february march april may june july august september october november december jan feb mar apr jun
		jul aug sept sep oct nov dec`)
	relativeWords = set("last past ago yesterday today tonight tomorrow this next before previous coming few other couple recent")
	weekdays      = set("monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun")
	seasons       = set("spring summer autumn fall winter")
	dayParts      = set("morning afternoon evening night noon midnight")
)

func relative(text string) bool { return anyWord(text, relativeWords) != "" }
func weekday(text string) bool  { return anyWord(text, weekdays) != "" }

// yearIn reports whether text has a year in digits.
func yearIn(text string) bool { return yearDigits().MatchString(text) }

var yearDigits = lazyregexp.New(`(?:^|\D)\d{4}(?:\D|$)`)

// write returns the text that takes the place of a time ("on 7 May 2023" for "yesterday"), and how
// many bytes before it go as well, such as a preposition. "" leaves the time as it is.
func write(whole string, s timex.Span, said time.Time) (text string, eat int) {
	low := strings.ToLower(s.Text)
	lasting := !strings.ContainsAny(low, "0123456789") && !relative(low) && !weekday(low) &&
		(anyWord(low, seasons) != "" || anyWord(low, holidays) != "") // a name or a habit rather than a date: Christmas, "in summer"
	if yearIn(s.Text) || lasting {
		return "", 0
	}
	before := whole[:s.Start]
	next := firstWord(whole[s.End:])
	if lead, _ := lastWord(before); lead == "the" && weekday(low) && (next == "before" || next == "after") {
		return "", 0 // of something that is not this week
	}
	if s.Open() || strings.HasPrefix(low, "since") || strings.HasPrefix(low, "until") || strings.HasPrefix(low, "by ") ||
		strings.HasPrefix(low, "before ") {
		return open(s, low), 0
	}
	preposition, date := name(s, said)
	if date == "" {
		if preposition == "" {
			return s.Text + " (as of " + day(said) + ")", 0
		}
		return preposition, 0
	}
	if strings.HasPrefix(whole[s.End:], "'s") {
		return date, 0
	}
	switch previous, size := lastWord(before); previous {
	case "on", "in", "at", "over", "during", "this", "the":
		outer, _ := lastWord(before[:len(before)-size])
		if bareBefore[outer] && previous != "on" && !(previous == "in" && (outer == "is" || outer == "was")) {
			return date, size
		}
		return preposition + " " + date, size
	default:
		if bareBefore[previous] || strings.HasSuffix(before, "'s ") || previous == "" && modals[next] {
			return date, 0
		}
	}
	return preposition + " " + date, 0
}

// bareBefore are words behind which a date has no preposition: "until 7 May", not "until on 7 May".
var bareBefore = set(`by until till before after since from to for of through and between or around about as every is was now a an
	his her its their my our your upcoming following`)

var holidays = set("christmas easter halloween thanksgiving year's eve hanukkah ramadan valentine's")

// open writes a time that has a preposition of its own: "since last summer" as "since summer 2022".
func open(s timex.Span, low string) string {
	word, _, two := strings.Cut(low, " ")
	at := s.From
	switch word {
	case "until", "by":
		at = s.To.Add(-time.Second) // the end is the first moment that is not meant
	case "before":
		at = s.To
	}
	if !two || at.Equal(timex.Earliest) || at.Equal(timex.Latest) {
		return ""
	}
	bounded := s
	bounded.From = at
	switch s.Precision {
	case timex.Month:
		return word + " " + at.Format("January 2006")
	case timex.Year:
		return word + " " + at.Format("2006")
	case timex.Season:
		if season := anyWord(low, seasons); season != "" {
			return word + " " + season + " " + at.Format("2006")
		}
	}
	return word + " " + day(at)
}

// name returns the preposition and the date for a time with both ends: "in" and "May 2023". If the
// date is "", preposition is the whole expression ("a few days before 7 May 2023"), or "" if there
// is none.
func name(s timex.Span, said time.Time) (preposition, date string) {
	low := strings.ToLower(s.Text)
	length := s.To.Sub(s.From)
	switch {
	case strings.Contains(low, "few") || strings.Contains(low, "couple") || strings.Contains(low, "several"):
		if rest, ok := strings.CutSuffix(s.Text, " ago"); ok {
			return rest + " before " + day(said), ""
		}
		return "", ""
	case strings.Contains(low, "other day"):
		return "shortly before", day(said)
	case s.Precision == timex.Moment:
		if part := anyWord(low, dayParts); part != "" || low == "tonight" {
			if low == "tonight" {
				part = "evening"
			}
			return "on the " + part + " of", day(s.From)
		}
		return "on", day(s.From) + " (" + s.Text + ")"
	case s.Precision == timex.Day && length <= 24*time.Hour:
		return "on", day(s.From)
	case s.Precision == timex.Week && strings.Contains(low, "weekend"):
		return "on the weekend of", day(s.From)
	case s.Precision == timex.Week && strings.Contains(low, "ago"), s.Precision == timex.Week && strings.HasPrefix(low, "in "):
		return "around", day(s.From.Add(length / 2))
	case s.Precision == timex.Week && length <= 7*24*time.Hour:
		return "in the week of", day(s.From)
	case s.Precision == timex.Month && length <= 31*24*time.Hour:
		return "in", s.From.Format(monthLayout)
	case s.Precision == timex.Season && anyWord(low, seasons) != "" && length < 100*24*time.Hour:
		return "in", anyWord(low, seasons) + " " + s.From.Format("2006")
	case s.Precision == timex.Year && length <= 366*24*time.Hour:
		return "in", s.From.Format("2006")
	}
	return "", ""
}

// day is how a date is written.
func day(t time.Time) string { return t.Format(dayLayout) }

const (
	dayLayout   = "2 January 2006"
	monthLayout = "January 2006"
)
