package main

import (
	"context"
	"slices"
)

// figure is one number of a row, as a share from 0 to 1. It should be at least must and aim; at
// most, if low is set. If aim is 0, it has neither.
type figure struct {
	key       string // of [tally.shares]
	label     string
	must, aim float64
	low       bool
}

// row is a row of the table.
type row struct {
	key     string
	what    string
	figures []figure
}

// areaKey is the key of the figure that is no share of cases but an area under a curve.
const areaKey = "none area"

var rows = []row{
	{"changed", "a fact that changed, small banks: right version first", []figure{{"changed", "", 0.80, 0.95, false}}},
	{"updates", "the same in a large bank: hit@1 current / right version first, all questions", []figure{
		{"updates hit@1", "hit@1", 0.60, 0.65, false}, {"updates right", "right first", 0.75, 0.85, false}}},
	{"changed_among", "what changed, small banks among 40 facts of others: right version first / as it was: hit@1", []figure{
		{"changed among", "right first", 0.68, 0.85, false}, {"past among", "hit@1", 0.80, 0.95, false}}},
	{"at_once",
		"small banks at once after the saves, no sentence encoded yet: right version first / as it was / shares words: hit@1", []figure{
			{"changed at once", "right first", 0.72, 0.85, false},
			{"past at once", "past", 0.82, 0.95, false}, {"first at once", "words", 0.82, 0.95, false}}},
	{"past", "asked for as it was, small banks: hit@1", []figure{{"past", "", 0.85, 0.95, false}}},
	{"profile", "who am I: hit@1 / share shown", []figure{
		{"profile hit@1", "hit@1", 0.90, 0.98, false}, {"profile share", "share", 0.75, 0.90, false}}},
	{"vague", "about my family, a subject: share shown", []figure{{"vague share", "", 0.70, 0.85, false}}},
	{"paraphrase", "reworded, small banks: hit@1 / hit@3", []figure{
		{"paraphrase hit@1", "hit@1", 0.60, 0.75, false}, {"paraphrase hit@3", "hit@3", 0.80, 0.90, false}}},
	{"none", "no answer in the bank: said so / AUC of the top score", []figure{
		{"none", "said so", 0.60, 0.80, false}, {areaKey, "AUC", 0.80, 0.90, false}}},
	{"categories", "category right: all / easy / hard / called other", []figure{
		{"categories", "all", 0.90, 0.93, false}, {"categories easy", "easy", 0, 0, false},
		{"categories hard", "hard", 0, 0, false}, {"categories other", "other", 0, 0, true}}},
	{"opposites", "opposites: both survive, newest first", []figure{{"opposites", "", 0.95, 1, false}}},
	{"start", "start page: shows what it must / what it must not", []figure{
		{"start must", "must", 0.85, 0.95, false}, {"start must not", "must not", 0.20, 0.10, true}}},
	{"kept", "conversation without a model: kept / wrongly kept", []figure{
		{"kept", "kept", 0.50, 0.70, false}, {"wrongly kept", "wrongly", 0.12, 0.08, true}}},
	{"superseded", "saves that supersede without being told: right / of all changes asked about", []figure{
		{"superseded right", "right", 0.98, 1, false}, {"superseded all", "all", 0, 0, false}}},
	{"levels", "confidence: high is right / medium is right / answered, right and sure / no answer, said so", []figure{
		{"level high", "high", 0.90, 0.95, false}, {"level medium", "medium", 0.70, 0.75, false},
		{"levels sure", "sure", 0.33, 0.80, false}, {"levels unsure", "unsure", 0.80, 0.85, false}}},
	{"among", "the same among 40 facts of others: what is sure is right / answered, right and sure / no answer, said so", []figure{
		{"among right", "right", 0.70, 0.85, false},
		{"among sure", "sure", 0.25, 0.80, false}, {"among unsure", "unsure", 0.75, 0.85, false}}},
	{first, "shares words with the fact, small banks: hit@1", []figure{{first, "", 0.85, 0.96, false}}},
}

func rowKeys() []string {
	keys := make([]string, len(rows))
	for i, r := range rows {
		keys[i] = r.key
	}
	return keys
}

// of returns the value of a figure in a tally, and from how many cases.
func (f figure) of(t *tally) (value float64, n int) {
	if f.key == areaKey {
		if len(t.answerable) == 0 || len(t.silences) == 0 {
			return 0, 0
		}
		return auc(t.answerable, t.silences), len(t.answerable) + len(t.silences)
	}
	s := t.shares[f.key]
	if s.n == 0 {
		return 0, 0
	}
	return s.sum / float64(s.n), s.n
}

// reached reports whether a value is as good as a bar; true for a figure without bars.
func (f figure) reached(value, bar float64) bool {
	switch {
	case f.aim == 0:
		return true
	case f.low:
		return value <= bar
	}
	return value >= bar
}

// measurements are the functions that add to a tally, each with the rows that it measures.
var measurements = []struct {
	rows []string
	take func(*system, context.Context, *sets, *tally) error
}{
	{[]string{"changed", "past", "profile", "vague", "paraphrase", "none", "superseded", "levels", first}, (*system).askSmall},
	{[]string{"changed_among"}, (*system).askChangedAmong},
	{[]string{"at_once"}, (*system).askAtOnce},
	{[]string{"levels"}, (*system).askConfidence},
	{[]string{"among"}, (*system).askAmong},
	{[]string{"updates", "superseded"}, (*system).askUpdates},
	{[]string{"categories"}, (*system).saveCategories},
	{[]string{"opposites"}, (*system).askOpposites},
	{[]string{"start", "superseded"}, (*system).readStart},
	{[]string{"kept"}, (*system).hold},
}

// measure measures the rows that are wanted with some sets.
func measure(ctx context.Context, all *sets, o options) (_ *tally, err error) {
	s, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := s.close(ctx); err == nil {
			err = closed
		}
	}()
	t := newTally()
	for _, m := range measurements {
		if slices.ContainsFunc(m.rows, o.wants) {
			if err := m.take(s, ctx, all, t); err != nil {
				return nil, err
			}
		}
	}
	t.misses = slices.DeleteFunc(t.misses, func(m miss) bool { return !o.wants(m.Row) })
	return t, nil
}
