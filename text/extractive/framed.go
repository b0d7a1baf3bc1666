package extractive

import (
	"slices"
	"strings"
)

// labelled is a value in a text with what it is the value of: the stems of the
// two words before it that mean something.
type labelled struct {
	at     int // position of the word
	value  string
	labels []string
}

// exchangeValues puts in the latest facts one of two values of the same shape in
// the place of the other, where a correction names both; it reports whether one
// of the facts had one.
func (x *extraction) exchangeValues(words []word) bool {
	var values []string
	for _, w := range words {
		if shape(w.text) != "" && !slices.Contains(values, w.text) {
			values = append(values, w.text)
		}
	}
	var days []string // of the week, for facts that name one of them once
	for _, value := range values {
		if shape(value) == "weekday" {
			value = strings.TrimSuffix(value, "s")
		}
		days = append(days, value)
	}
	found := false
	for i := len(x.facts) - 1; i >= 0 && i >= len(x.facts)-maxBack; i-- {
		f := &x.facts[i]
		if f.dropped {
			continue
		}
		old, now, ok := exchanged(f.Content, values)
		if !ok {
			old, now, ok = exchanged(f.Content, days)
		}
		if ok {
			f.amend(swap(f.Content, old, now))
			found = true
		}
	}
	return found
}

// exchanged finds among the values of a correction one that a fact has and
// one of the same shape that it has not. Both have to be the only ones.
func exchanged(content string, values []string) (old, now string, ok bool) {
	for _, v := range values {
		if has(content, v) {
			if old != "" {
				return "", "", false
			}
			old = v
		}
	}
	if old == "" {
		return "", "", false
	}
	for _, v := range values {
		if v != old && shape(v) == shape(old) && !has(content, v) {
			if now != "" {
				return "", "", false
			}
			now = v
		}
	}
	return old, now, now != ""
}
