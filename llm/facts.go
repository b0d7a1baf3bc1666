package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
)

const (
	maxFacts          = 100   // of one answer
	maxFactRunes      = 2_000 // characters
	defaultImportance = 0.5
	unknownTurn       = -1
)

// factParser reads the facts in an answer about some turns.
type factParser struct {
	turns map[int]bool      // the indices of the turns that the model was shown
	zone  *time.Location    // for dates without a zone
	ids   map[string]string // ids of known facts, by the names that the model was shown
}

// read returns the facts of {"facts":[…]}, or of the list alone. Another form is an error. Values
// out of bounds are corrected or left out; see [Summarizer.Extract].
func (r factParser) read(raw json.RawMessage) ([]memory.Extracted, error) {
	var list []json.RawMessage
	if raw[0] != '[' {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, err
		}
		if raw = field(object, "facts"); raw == nil {
			return nil, errors.New(`an object with the list "facts" is expected`)
		}
	}
	if json.Unmarshal(raw, &list) != nil {
		return nil, errors.New(`"facts" is not a list`)
	}
	given := min(len(list), maxFacts)
	facts := make([]memory.Extracted, 0, given)
	for i, item := range list[:given] {
		fact, err := r.fact(item)
		if err != nil {
			return nil, fmt.Errorf("facts[%d]: %w", i, err)
		}
		if fact.Content != "" && utf8.RuneCountInString(fact.Content) <= maxFactRunes {
			facts = append(facts, fact)
		}
	}
	if given > 0 && len(facts) == 0 {
		return nil, fmt.Errorf("every fact is empty or longer than %d characters", maxFactRunes)
	}
	return inOrder(facts), nil
}

func (r factParser) fact(raw json.RawMessage) (memory.Extracted, error) {
	var fact memory.Extracted
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return fact, errors.New("not an object")
	}
	if json.Unmarshal(object["content"], &fact.Content) != nil {
		return fact, errors.New(`"content" is not a text`)
	}
	fact.Content = strings.Join(strings.Fields(clean(fact.Content)), " ")
	fact.Type = memory.FactType(strings.ToLower(strings.TrimSpace(text(field(object, "type")))))
	if !slices.Contains(memory.FactTypes(), fact.Type) {
		fact.Type = memory.FactOther
	}
	var err error
	if fact.Importance, err = importance(text(field(object, "importance"))); err != nil {
		return fact, err
	}
	if fact.Type == memory.FactEvent {
		fact.OccurredAt = r.date(text(field(object, "occurred_at")))
	}
	fact.Turn = r.turn(text(field(object, "turn")))
	fact.Replaces = r.known(text(field(object, "replaces")))
	return fact, nil
}

// text returns the content of a string, a number as it is written, and anything else as JSON. Small
// models put numbers into quotes, and texts not.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// importance returns the default for a number outside of 0 to 1: "8" may be meant on a scale of
// ten.
func importance(value string) (float64, error) {
	if value == "" {
		return defaultImportance, nil
	}
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(number) {
		return 0, errors.New(`"importance" is not a number from 0 to 1`)
	}
	if number < 0 || number > 1 {
		return defaultImportance, nil
	}
	return number, nil
}

// date returns the zero time for what is not a date of the years 1 to 9999.
func (r factParser) date(value string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, clock, time.DateOnly,
		"2006-01"} {
		at, err := time.ParseInLocation(layout, strings.TrimSpace(value), r.zone)
		if err == nil && at.Year() >= 1 && at.Year() <= 9999 {
			return at
		}
	}
	return time.Time{}
}

// known returns the id of a known fact by its name or id, "" for anything else.
func (r factParser) known(value string) string {
	value = strings.ToLower(strings.Trim(value, "[]#* \"."))
	if id := r.ids[value]; id != "" {
		return id
	}
	for _, id := range r.ids {
		if value != "" && strings.ToLower(id) == value {
			return id
		}
	}
	return ""
}

func (r factParser) turn(value string) int {
	if len(r.turns) == 1 {
		for only := range r.turns {
			return only
		}
	}
	index, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(value), "#"))
	if err != nil || !r.turns[index] {
		return unknownTurn
	}
	return index
}

// inOrder sorts facts by turn. A fact without a known turn stays behind the fact before it.
func inOrder(facts []memory.Extracted) []memory.Extracted {
	type placed struct {
		fact memory.Extracted
		turn int
	}
	var row []placed
	last := unknownTurn
	for _, f := range facts {
		if f.Turn != unknownTurn {
			last = f.Turn
		}
		row = append(row, placed{f, last})
	}
	slices.SortStableFunc(row, func(a, b placed) int { return a.turn - b.turn })
	for i, p := range row {
		facts[i] = p.fact
	}
	return facts
}
