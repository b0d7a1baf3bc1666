package review

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/timex"
	"mcp-memory/text/when"
)

// Said is what a memory was made of.
type Said struct {
	Text    string
	Speaker string // "" where it is another memory
	At      time.Time
}

const (
	// before and after are how many messages around the one that a memory was taken from
	// may have said its date: the question, a correction.
	before, after = 6, 3
	// deepest is how often a summary may stand for others.
	deepest = 8
	// longestQuote is what is shown of a source, in bytes.
	longestQuote = 600
)

var (
	yearWritten = regexp.MustCompile(`\b(?:19|20)\d\d\b`)
	yearShort   = regexp.MustCompile(`['’./-](\d\d)\b`) // "3.3.28", "summer '24"
)

// invented finds memories that the program wrote, as facts of a conversation or as a summary,
// with a year that nobody said. One whose sources are gone is left out.
func (s *Service) invented(ctx context.Context, documents []memory.Document) (items []Item, err error) {
	seqs, ids := map[string]int64{}, []string(nil)
	for _, d := range documents {
		if d.Source == memory.SourceAgent && len(d.Content) <= maxText && yearWritten.MatchString(d.Content) {
			seqs[d.ID], ids = d.Seq, append(ids, d.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	records, err := s.o.Store.Records(ctx, documents[0].Agent, ids)
	if err != nil {
		return nil, err
	}
	from := &origins{Service: s, agent: documents[0].Agent}
	for _, r := range records {
		made := r.Summary != nil || messageOf(r).Turn != ""
		if !made {
			continue
		}
		sources, err := from.of(ctx, r, 0)
		if errors.Is(err, errGone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if item, found := withoutSupport(r, sources); found {
			item.newer = seqs[r.ID]
			items = append(items, item)
		}
	}
	return items, nil
}

// message is where a fact was found.
type message struct {
	Session string `json:"session"`
	Turn    string `json:"turn"`
	Index   int    `json:"index"`
}

func messageOf(r memory.Record) (m message) {
	if json.Unmarshal(r.Provenance, &m) != nil {
		return message{}
	}
	return m
}

// errGone says that a source cannot be read any more.
var errGone = errors.New("a source is gone")

// origins reads what memories were made of.
type origins struct {
	*Service
	agent string
	turns map[string]memory.Turn // of the bank, by id; nil until one is wanted
}

// of returns what was said where a memory comes from; [errGone] if any of it is not there.
func (o *origins) of(ctx context.Context, r memory.Record, depth int) ([]Said, error) {
	m := messageOf(r)
	switch {
	case r.Summary != nil && (len(r.Summary.Covers) == 0 || depth == deepest):
		return nil, errGone
	case r.Summary != nil:
		return o.covered(ctx, r.Summary.Covers, depth)
	case m.Turn == "": // saved in its own words
		return []Said{{Text: r.Content, At: o.o.Clock.In(r.EventTime())}}, nil
	}
	turns, err := o.o.Store.Turns(ctx, o.agent, m.Session, max(0, m.Index-before), m.Index+after+1)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(turns, func(t memory.Turn) bool { return t.ID == m.Turn }) {
		return nil, errGone
	}
	var said []Said
	for _, t := range turns {
		said = append(said, o.said(t))
	}
	return said, nil
}

func (o *origins) said(t memory.Turn) Said {
	return Said{Text: t.Content, Speaker: t.Speaker, At: o.o.Clock.In(t.SaidAt)}
}

// covered returns what the memories and messages said that a summary stands for.
func (o *origins) covered(ctx context.Context, ids []string, depth int) (said []Said, err error) {
	records, err := o.o.Store.Records(ctx, o.agent, ids)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, r := range records {
		known[r.ID] = true
		more, err := o.of(ctx, r, depth+1)
		if err != nil {
			return nil, err
		}
		said = append(said, more...)
	}
	for _, id := range ids {
		if known[id] {
			continue
		}
		if o.turns == nil { // a summary of conversations: one walk for all of them
			o.turns = map[string]memory.Turn{}
			if err := o.o.Store.EachTurn(ctx, o.agent, func(t memory.Turn) error { o.turns[t.ID] = t; return ctx.Err() }); err != nil {
				return nil, err
			}
		}
		t, found := o.turns[id]
		if !found {
			return nil, errGone
		}
		said = append(said, o.said(t))
	}
	return said, nil
}

// withoutSupport is the item of a memory with a year that none of its sources says or means.
func withoutSupport(r memory.Record, sources []Said) (Item, bool) {
	meant := years(sources)
	item := Item{Key: keyOf(Year, r.ID), Kind: Year, Newer: r}
	rest, place := r.Content, 0
	var corrected strings.Builder
	certain := true
	for _, sentence := range analysis.Sentences(r.Content) {
		at := strings.Index(rest[place:], sentence)
		if at < 0 {
			return Item{}, false // it was not cut as it stands
		}
		corrected.WriteString(rest[place : place+at])
		place += at + len(sentence)
		last := 0
		for _, m := range when.Mentions(sentence, r.EventTime()) {
			written := yearWritten.FindString(m.Text)
			year, _ := strconv.Atoi(written)
			if written == "" || meant[year] || dayOf(m, sources) {
				continue
			}
			if item.Said.Text == "" {
				item.Said = closest(sentence, sources)
			}
			left, ok := withoutYear(m.Text, written)
			certain = certain && ok
			corrected.WriteString(sentence[last:m.Start] + left)
			last = m.End
		}
		corrected.WriteString(sentence[last:])
	}
	corrected.WriteString(rest[place:])
	if item.Said.Text == "" {
		return Item{}, false
	}
	if item.Corrected = corrected.String(); !certain {
		item.Corrected = ""
	}
	return item, true
}

// dayOf reports whether an expression is the day on which a source was said, which summaries
// put before what was.
func dayOf(m when.Mention, sources []Said) bool {
	return m.To.Sub(m.From) <= 25*time.Hour && slices.ContainsFunc(sources, func(one Said) bool {
		return one.At.Format(time.DateOnly) == m.From.Format(time.DateOnly)
	})
}

// years are those that sources say or mean, as of when they were said. What only
// package timex reads is unsure, and counts as meant.
func years(sources []Said) map[int]bool {
	meant := map[int]bool{}
	add := func(from, to time.Time) {
		for y := from.Year(); y <= to.Add(-1).Year() && y-from.Year() <= 10; y++ {
			meant[y] = true
		}
	}
	for _, one := range sources {
		for _, written := range yearWritten.FindAllString(one.Text, -1) {
			year, _ := strconv.Atoi(written)
			meant[year] = true
		}
		for _, written := range yearShort.FindAllStringSubmatch(one.Text, -1) {
			year, _ := strconv.Atoi(written[1])
			meant[1900+year], meant[2000+year] = true, true
		}
		for _, sentence := range analysis.Sentences(one.Text) {
			sure := when.Mentions(sentence, one.At)
			for _, m := range sure {
				add(m.From, m.To)
			}
			for _, span := range timex.Find(sentence, one.At) {
				overlaps := func(m when.Mention) bool { return m.Start < span.End && span.Start < m.End }
				if !span.Open() && !slices.ContainsFunc(sure, overlaps) {
					add(span.From, span.To)
				}
			}
		}
	}
	return meant
}

// withoutYear takes the year out of "January 2026" and "5 January, 2026"; false for what is
// not said without it.
func withoutYear(expression, year string) (string, bool) {
	left, ends := strings.CutSuffix(expression, year)
	left = strings.TrimSuffix(strings.TrimRight(left, " ,"), " of")
	words := strings.Fields(left)
	if !ends || len(words) == 0 || strings.HasSuffix(left, "-") || strings.HasSuffix(left, "/") || strings.HasSuffix(left, ".") {
		return expression, false
	}
	for _, w := range words {
		if !bare[strings.ToLower(w)] {
			return left, true
		}
	}
	return expression, false // "since 2019"
}

// bare are words that say no time without what follows.
var bare = map[string]bool{
	"in": true, "since": true, "from": true, "until": true, "till": true,
	"by": true, "before": true, "after": true, "during": true, "around": true,
	"early": true, "late": true, "mid": true, "the": true, "of": true, "end": true,
	"beginning": true, "start": true, "year": true, "to": true, "and": true, "between": true,
}

// closest is the source that shares the most words with a sentence, cut to what is near.
func closest(sentence string, sources []Said) (best Said) {
	words := map[string]bool{}
	for _, stem := range analysis.Telling(sentence) {
		words[stem] = true
	}
	shared := func(text string) (n int) {
		for _, stem := range analysis.Telling(text) {
			if words[stem] {
				n++
			}
		}
		return n
	}
	most := -1
	for _, one := range sources {
		for _, said := range analysis.Sentences(one.Text) {
			if n := shared(said); n > most {
				most, best = n, one
				if len(one.Text) > longestQuote {
					best.Text = memory.Shorten(said, longestQuote)
				}
			}
		}
	}
	return best
}
