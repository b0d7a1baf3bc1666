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

// Said is a text from which a memory was made.
type Said struct {
	Text    string
	Speaker string // "" if the source is a memory
	At      time.Time
}

const (
	// before and after are how many messages around the source of a fact are read as well, because
	// they may have said its date: the question before, a correction after.
	before, after = 6, 3
	// deepest is how many levels of summaries of summaries are followed.
	deepest = 8
	// longestQuote is the length of a source, in bytes, from which only its closest sentence is
	// shown.
	longestQuote = 600
)

var (
	yearWritten = regexp.MustCompile(`\b(?:19|20)\d\d\b`)
	yearShort   = regexp.MustCompile(`['’./-](\d\d)\b`) // "3.3.28", "summer '24"
)

// invented finds memories that the program wrote, as facts extracted from a conversation or as
// summaries, with a year that no source says. Memories whose sources are gone are left out.
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

// message is the provenance of a fact that was extracted from a conversation.
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

// origins reads the sources of the memories of one bank.
type origins struct {
	*Service
	agent string
	turns map[string]memory.Turn // all messages of the bank by id; nil until needed
}

// of returns the texts from which a memory was made, or [errGone] if any of them is missing.
func (o *origins) of(ctx context.Context, r memory.Record, depth int) ([]Said, error) {
	m := messageOf(r)
	switch {
	case r.Summary != nil && (len(r.Summary.Covers) == 0 || depth == deepest):
		return nil, errGone
	case r.Summary != nil:
		return o.covered(ctx, r.Summary.Covers, depth)
	case m.Turn == "": // saved as it was said
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

// covered returns the texts of the memories and messages that a summary covers.
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
		if o.turns == nil { // a summary covers messages: read all messages once
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

// withoutSupport returns the item of a memory if it has a year that none of its sources says or
// means.
func withoutSupport(r memory.Record, sources []Said) (Item, bool) {
	meant := years(sources)
	item := Item{Key: keyOf(Year, r.ID), Kind: Year, Newer: r}
	rest, place := r.Content, 0
	var corrected strings.Builder
	certain := true
	for _, sentence := range analysis.Sentences(r.Content) {
		at := strings.Index(rest[place:], sentence)
		if at < 0 {
			return Item{}, false // the sentence was normalised, so its place is not known
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

// dayOf reports whether a date is that on which a source was said. Summaries put such dates before
// what was said.
func dayOf(m when.Mention, sources []Said) bool {
	return m.To.Sub(m.From) <= 25*time.Hour && slices.ContainsFunc(sources, func(one Said) bool {
		return one.At.Format(time.DateOnly) == m.From.Format(time.DateOnly)
	})
}

// years returns the years that the sources say, or mean relative to when they were said. Readings
// of package timex that package when does not confirm are unsure, and count as meant.
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

// withoutYear removes the year at the end of an expression, as of "January 2026" or "5 January,
// 2026". It returns false if the year is not at the end, or nothing that names a time would be
// left.
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

// bare are words that name no time by themselves.
var bare = map[string]bool{
	"in": true, "since": true, "from": true, "until": true, "till": true,
	"by": true, "before": true, "after": true, "during": true, "around": true,
	"early": true, "late": true, "mid": true, "the": true, "of": true, "end": true,
	"beginning": true, "start": true, "year": true, "to": true, "and": true, "between": true,
}

// closest returns the source with the sentence that shares the most words with the given one. Of a
// long source only that sentence is kept.
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
