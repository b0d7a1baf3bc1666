package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-memory/eval/bench"
	"mcp-memory/eval/jsonl"
	"mcp-memory/eval/sets"
	"mcp-memory/eval/sets/distractors"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/remember"
)

// fact is a fact of a bank.
type fact struct {
	ID      string     `json:"id"`
	Content string     `json:"content"`
	At      jsonl.Time `json:"occurred_at"`
}

// query is a question about a bank. Files of one form have Category and Gold, of another Kind and
// GoldToo.
type query struct {
	ID       string     `json:"qid"`
	Category string     `json:"category"`
	Kind     string     `json:"kind"`
	Question string     `json:"question"`
	Gold     []string   `json:"gold_ids"`
	GoldToo  []string   `json:"gold"`
	Stale    []string   `json:"stale_ids"`
	Now      jsonl.Time `json:"now"`
	Until    jsonl.Time `json:"until"`
}

// bank has the facts of a bank and the questions about them.
type bank struct {
	Set       string  `json:"-"`
	Case      string  `json:"case"`
	ID        string  `json:"id"`
	Facts     []fact  `json:"facts"`
	Queries   []query `json:"queries"`
	Questions []query `json:"questions"`
	items     []sets.Item
	InOrder   bool `json:"-"` // save facts one by one, each at its time
	Among     bool `json:"-"` // see [bank.among]
}

// read returns the banks in a directory, of sets of every form.
func read(set, dir string) (banks []bank, err error) {
	names, err := sets.Names(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !sets.OfFacts(dir, name) {
			continue
		}
		items, err := sets.Items(dir, name)
		if err != nil {
			return nil, err
		}
		queries, err := sets.Queries(dir, name)
		if errors.Is(err, os.ErrNotExist) {
			continue // a set without questions
		}
		if err != nil {
			return nil, err
		}
		byCase := map[string]*bank{}
		var cases []string
		for _, it := range items {
			b := byCase[it.Case]
			if b == nil {
				b = &bank{Set: set + "/" + name, Case: it.Case}
				byCase[it.Case], cases = b, append(cases, it.Case)
			}
			b.items = append(b.items, it)
		}
		for _, q := range queries {
			b := byCase[q.Case]
			b.Queries = append(b.Queries,
				query{ID: q.ID, Category: q.Category, Question: q.Question, Gold: q.Gold, Stale: q.Stale, Now: q.Now, Until: q.Until})
		}
		pools, err := sets.Pools(dir, name)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			b := *byCase[c]
			if len(pools) > 0 {
				if b.items, err = pools[0].Fill(c, b.items); err != nil {
					return nil, err
				}
			}
			for _, it := range b.items {
				b.Facts = append(b.Facts, fact{it.ID, it.Text, it.At})
			}
			banks = append(banks, b)
		}
	}
	small, err := readSmall(set, dir)
	if err != nil {
		return nil, err
	}
	opposed, err := readOpposites(set, dir)
	return slices.Concat(banks, small, opposed), err
}

// readSmall returns the small banks in a directory, alone and among facts of others.
func readSmall(set, dir string) (banks []bank, err error) {
	for _, name := range []string{"smallbank", "smallbank.held", "confidence", "confidence.held"} {
		small, err := jsonl.All[bank](filepath.Join(dir, name+".jsonl"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		for _, b := range small {
			b.Set, b.InOrder, b.Case = set+"/"+name, true, cmp.Or(b.Case, b.ID)
			b.Queries = append(b.Queries, b.Questions...)
			for i := range b.Queries {
				q := &b.Queries[i]
				q.Gold, q.Category = append(q.Gold, q.GoldToo...), cmp.Or(q.Category, q.Kind)
			}
			banks = append(banks, b)
			sizes := amongMany
			if !strings.HasPrefix(name, "confidence") {
				b.Queries = slices.DeleteFunc(slices.Clone(b.Queries),
					func(q query) bool { return q.Category != "update" && q.Category != "past" && q.Category != "first" })
				sizes = amongMany[:1]
			}
			if len(b.Queries) == 0 {
				continue
			}
			for _, size := range sizes {
				large, err := b.among(size)
				if err != nil {
					return nil, err
				}
				banks = append(banks, large)
			}
		}
	}
	return banks, nil
}

// amongMany are the numbers of facts of others that are added to a bank, in further copies of it:
// all of them for the banks of "confidence", the first one for other small banks, with only their
// questions of the categories update, past and first. So certainty and pairs are fitted to large
// banks too.
var amongMany = []int{40, 250}

// among returns a copy of the bank with size facts of others before its own.
func (b bank) among(size int) (bank, error) {
	others, err := distractors.Facts(distractors.Mixed, size)
	if err != nil {
		return b, err
	}
	facts := make([]fact, 0, size+len(b.Facts))
	for i, text := range others {
		facts = append(facts, fact{ID: fmt.Sprintf("distractor-%d", i), Content: text})
	}
	b.Case, b.Among = fmt.Sprintf("%s-%d", b.Case, size), true
	b.Facts = append(facts, b.Facts...)
	return b, nil
}

// readOpposites returns the banks with two facts that contradict each other.
func readOpposites(set, dir string) (banks []bank, err error) {
	for _, name := range []string{"opposites", "opposites.held"} {
		cases, err := jsonl.All[opposites](filepath.Join(dir, name+".jsonl"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		for _, c := range cases {
			b := bank{Set: set + "/" + name, Case: c.Case, Facts: c.Facts, InOrder: true}
			for i, question := range append(c.Also, c.Question) {
				b.Queries = append(b.Queries,
					query{ID: fmt.Sprintf("%s-%d", c.Case, i), Category: "update", Question: question, Gold: []string{c.Newer},
						Stale: []string{c.Older}})
			}
			banks = append(banks, b)
		}
	}
	return banks, nil
}

// opposites is a case of two facts that contradict each other, among others. The newer is to be
// ranked first.
type opposites struct {
	Case     string   `json:"case"`
	Facts    []fact   `json:"facts"`
	Older    string   `json:"older"`
	Newer    string   `json:"newer"`
	Question string   `json:"question"`
	Also     []string `json:"also"`
}

// sample is a question with its candidates and the answer, as recall measured them.
type sample struct {
	Set, Bank, Query, Category, Question string
	Answerable                           bool
	Small                                bool
	Loose                                bool // the gold of its set is incomplete
	// its bank is a copy with facts of others; not for relevance, as the same question is in there
	// without them
	Among         bool
	Candidates    []candidate
	Confidence    string
	First         int // 1 if the first result of the answer is gold, else 0
	Top           []string
	Golds, Stales []string // ids of facts
	Pairs         []recall.Pair
	Certainty     []float64
	Broad         bool
	Words         bool // without sentence vectors
}

type candidate struct {
	Fact     string
	ID       string
	Gold     bool
	Stale    bool
	Former   bool
	Content  string
	At       time.Time
	Features []float64
}

type system struct {
	bench.Bank
	now   time.Time
	words bool // without the sentence encoder
}

func open(ctx context.Context, models recall.Models, words bool) (*system, error) {
	s := &system{words: words, now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	var err error
	if s.Bank, err = bench.Open(ctx, func() time.Time { return s.now }); err != nil {
		return nil, err
	}
	o := s.RecallOptions()
	if o.Models = &models; words {
		o.Encoder = nil
	}
	s.Recall = recall.New(o)
	return s, nil
}

// fill saves the facts of a bank. It returns the ids of the records by the ids of the facts.
func (s *system) fill(ctx context.Context, agent string, b bank) (map[string]string, error) {
	facts, names := slices.Clone(b.Facts), map[string]string{}
	if b.InOrder {
		slices.SortStableFunc(facts, func(a, b fact) int { return a.At.Compare(b.At.Time) })
	}
	scope := memory.Scope{Agent: agent}
	var requests []remember.SaveRequest
	for _, f := range facts {
		requests = append(requests, remember.SaveRequest{Content: f.Content, Kind: memory.KindFact, OccurredAt: f.At.Time})
		if !b.InOrder {
			continue
		}
		s.now = s.now.Add(time.Minute)
		if !f.At.IsZero() {
			s.now = f.At.Time
		}
		r, err := s.Remember.Save(ctx, scope, requests[len(requests)-1])
		if err != nil {
			return nil, fmt.Errorf("save %s: %w", f.ID, bench.WithCause(err))
		}
		names[f.ID] = r.ID
	}
	if b.InOrder {
		s.now = latest(s.now.AddDate(0, 0, 1), time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
		return names, s.encode(ctx)
	}
	s.now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for i := 0; i < len(requests); i += memory.MaxBatch {
		end := min(len(requests), i+memory.MaxBatch)
		for k := i; k < end; k++ {
			requests[k].Source, requests[k].Quiet = memory.SourceImport, true
		}
		results, err := s.Remember.SaveBatch(ctx, scope, requests[i:end])
		if err != nil {
			return nil, bench.WithCause(err)
		}
		for k, r := range results {
			names[facts[i+k].ID] = r.ID
		}
	}
	return names, s.encode(ctx)
}

// encode makes the sentence vectors of what was saved, unless s.words.
func (s *system) encode(ctx context.Context) error {
	if s.words {
		return nil
	}
	return s.Encode(ctx)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// ask asks the questions of a bank.
func (s *system) ask(ctx context.Context, agent string, b bank, names map[string]string) (samples []sample, err error) {
	byRecord := map[string][]fact{}
	for _, f := range b.Facts {
		byRecord[names[f.ID]] = append(byRecord[names[f.ID]], f)
	}
	for _, q := range b.Queries {
		one := sample{Set: b.Set, Among: b.Among, Bank: b.Case, Query: q.ID, Category: q.Category, Question: q.Question,
			Answerable: len(q.Gold) > 0, Words: s.words, Golds: q.Gold, Stales: q.Stale}
		is := func(id string, of []string) bool {
			return slices.ContainsFunc(byRecord[id], func(f fact) bool { return slices.Contains(of, f.ID) })
		}
		request := recall.Request{
			Query: q.Question, Scope: memory.Scope{Agent: agent}, MinScore: recall.Floor, Lenient: true, Explain: true, Looked: true,
			Filter: memory.Filter{AsOf: q.Now.Time, Until: q.Until.Time},
			Trace: &recall.Trace{
				Relevance: func(list []recall.Measured) {
					for _, m := range list {
						c := candidate{ID: m.ID, Gold: is(m.ID, q.Gold), Stale: is(m.ID, q.Stale), Former: m.Former, Features: m.Features}
						if known := byRecord[m.ID]; len(known) > 0 {
							c.Fact, c.Content, c.At = known[0].ID, known[0].Content, known[0].At.Time
						}
						one.Candidates = append(one.Candidates, c)
					}
				},
				Pairs:     func(list []recall.Pair) { one.Pairs = list },
				Certainty: func(signs []float64) { one.Certainty = signs },
			},
		}
		answer, err := s.Recall.Recall(ctx, request)
		if err != nil {
			return nil, bench.WithCause(err)
		}
		one.Confidence = string(answer.Confidence)
		for i, r := range answer.Results {
			right := is(r.ID, q.Gold) || slices.ContainsFunc(r.Duplicates, func(d string) bool { return is(d, q.Gold) })
			if i == 0 && right {
				one.First = 1
			}
			one.Top = append(one.Top, r.ID)
		}
		samples = append(samples, one)
	}
	return samples, nil
}
