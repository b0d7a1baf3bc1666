package timex

import "time"

// Precision is the size of the unit that an expression names, from the finest
// to the coarsest. The interval may be several units long.
type Precision int

// The precisions. A weekend counts as Week, a quarter and a half year as
// Season.
const (
	Moment Precision = iota // less than a day
	Day
	Week
	Month
	Season // three months
	Year
	Decade
)

var precisionNames = [...]string{"moment", "day", "week", "month", "season", "year", "decade"}

// String returns the name in lower case, such as "week".
func (p Precision) String() string {
	if p < 0 || int(p) >= len(precisionNames) {
		return "unknown"
	}
	return precisionNames[p]
}

// The bounds of open intervals: From of "before 2020" is Earliest, To of "after
// 2020" is Latest. Every interval lies between them.
var (
	Earliest = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	Latest   = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Span is one expression of time and the half-open interval [From, To) that it
// means, in the time zone of now. From is before To.
type Span struct {
	From, To   time.Time
	Text       string // as written
	Start, End int    // byte offsets: Text is text[Start:End]
	Precision  Precision
}

// Open reports whether the interval has no bound on one side.
func (s Span) Open() bool { return s.From.Equal(Earliest) || s.To.Equal(Latest) }

// Find returns the expressions of time in text, in order and not overlapping,
// or nil. They are resolved relative to now, in days of its time zone. Words
// that change the interval are part of the expression ("since March", "in 3
// months"), other words are not ("in" of "in May"). An expression whose
// interval is not within [Earliest, Latest] is left out.
func Find(text string, now time.Time) []Span {
	p := borrowParser(text, now)
	defer returnParser(p)
	var spans []Span
	for i := 0; i < len(p.tokens); {
		found, ok := p.expression(i)
		if !ok {
			i++
			continue
		}
		start, end := p.tokens[i].start, p.tokens[found.next-1].end
		span := Span{
			From: p.moment(found.from), To: p.moment(found.to), Precision: found.precision,
			Text: text[start:end], Start: start, End: end,
		}
		if span.From.Before(span.To) { // empty within an hour that the clocks skip
			spans = append(spans, span)
		}
		i = found.next
	}
	return spans
}
