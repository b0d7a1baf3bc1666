package timex

import (
	"strings"
	"time"
)

// numeric reads dates in digits: 2023-05-07 with or without a time, 2023/05/07,
// 2023-05, 05/07/2023, 7.5.2023, 5/7/23.
func (p *parser) numeric(i int) (phrase, bool) {
	first := p.tokens[i]
	if first.before != 0 || first.suffix != 0 {
		return phrase{}, false
	}
	separator, ok := p.joined(i)
	if !ok {
		return phrase{}, false
	}
	if first.digits == 4 {
		return p.yearFirst(i, separator)
	}
	second, ok := p.joined(i + 2)
	if !ok || second != separator || first.digits > 2 || p.tokens[i+2].digits > 2 {
		return phrase{}, false
	}
	t := p.tokens[i+4]
	y := t.value
	switch {
	case t.after != 0 || t.suffix != 0 || p.tokens[i+2].suffix != 0:
		return phrase{}, false
	case t.digits == 2 && separator == '/':
		y = shortYear(y)
	case t.digits != 4 || y < firstYear || y > lastYear:
		return phrase{}, false
	}
	m, d := first.value, p.tokens[i+2].value
	if m > 12 || separator == '.' { // dots are European, where the day is first
		m, d = d, m
	}
	return p.calendarDate(y, m, d, i+5)
}

// joined returns the separator (-, / or .) between two numbers at i and i+2, if
// nothing else is between them.
func (p *parser) joined(i int) (byte, bool) {
	if i+2 >= len(p.tokens) || p.tokens[i+1].kind != mark || p.tokens[i+2].kind != number {
		return 0, false
	}
	c := byte(p.tokens[i+1].value)
	touch := p.tokens[i].end == p.tokens[i+1].start && p.tokens[i+1].end == p.tokens[i+2].start
	return c, touch && (c == '-' || c == '/' || c == '.')
}

func (p *parser) yearFirst(i int, separator byte) (phrase, bool) {
	y, m := p.tokens[i].value, p.tokens[i+2]
	if y < firstYear || y > lastYear || m.digits > 2 || m.suffix != 0 {
		return phrase{}, false
	}
	second, ok := p.joined(i + 2)
	if !ok || second != separator {
		if separator != '-' || m.digits != 2 || m.after != 0 || m.value < 1 || m.value > 12 {
			return phrase{}, false
		}
		f := p.withYear(phrase{next: i + 3, month: time.Month(m.value)}, y)
		return f, true
	}
	d := p.tokens[i+4]
	if d.digits > 2 || d.suffix != 0 {
		return phrase{}, false
	}
	if f, ok := p.timestamp(i); ok {
		return f, true
	}
	if d.after != 0 && (d.after != 'a' || lower(p.text[d.end]) != 't') {
		return phrase{}, false
	}
	return p.calendarDate(y, m.value, d.value, i+5)
}

func (p *parser) calendarDate(y, m, d, next int) (phrase, bool) {
	if m < 1 || m > 12 {
		return phrase{}, false
	}
	f := p.withYear(phrase{next: next, month: time.Month(m), day: d}, y)
	return f, f.valid()
}

// layouts are those of timestamps, by their length without fraction and zone.
var layouts = map[int]string{len("2006-01-02T15:04"): "2006-01-02T15:04", len("2006-01-02T15:04:05"): "2006-01-02T15:04:05"}

// timestamp reads an ISO 8601 timestamp with "T" or a blank. Its interval is
// the minute or second that is written. Without a zone it is in the zone of
// now.
func (p *parser) timestamp(i int) (phrase, bool) {
	start := p.tokens[i].start
	end := start
	for end < len(p.text) && end-start < len("2006-01-02T15:04:05") && strings.IndexByte("0123456789-:Tt ", p.text[end]) >= 0 {
		end++
	}
	size := len("2006-01-02T15:04:05")
	if end-start < size || !isDigit(p.text[start+size-1]) {
		size = len("2006-01-02T15:04")
	}
	if end-start < size {
		return phrase{}, false
	}
	written := []byte(p.text[start : start+size])
	if written[10] != ' ' {
		written[10] = 'T'
	} else if written[13] != ':' {
		return phrase{}, false
	}
	written[10] = 'T'
	at, err := time.Parse(layouts[size], string(written))
	if err != nil {
		return phrase{}, false
	}
	end = start + size
	if size == len("2006-01-02T15:04:05") && end+1 < len(p.text) && (p.text[end] == '.' || p.text[end] == ',') && isDigit(p.text[end+1]) {
		for end++; end < len(p.text) && isDigit(p.text[end]); end++ {
		}
	}
	if offset, zone := readZone(p.text[end:]); zone > 0 {
		end += zone
		at = OnWall(at.Add(-offset).In(p.zone))
	}
	step := time.Second
	if size == len("2006-01-02T15:04") {
		step = time.Minute
	}
	next := i
	for next < len(p.tokens) && p.tokens[next].end <= end {
		next++
	}
	if next == i || p.tokens[next-1].end != end {
		return phrase{}, false // more follows directly
	}
	return phrase{interval: interval{at, at.Add(step), Moment}, next: next, dated: true}, true
}

// readZone reads a zone at the beginning of text: "Z", "+02:00" or "+0200". It
// returns the offset and the number of bytes, which is 0 if there is no zone.
func readZone(text string) (time.Duration, int) {
	if text != "" && lower(text[0]) == 'z' {
		return 0, 1
	}
	for _, layout := range []string{"-07:00", "-0700"} {
		if len(text) < len(layout) {
			continue
		}
		if t, err := time.Parse(layout, text[:len(layout)]); err == nil {
			_, seconds := t.Zone()
			return time.Duration(seconds) * time.Second, len(layout)
		}
	}
	return 0, 0
}
