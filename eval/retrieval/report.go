package main

import (
	"time"

	"mcp-memory/eval/metrics"
)

// setReport is what was measured of one set.
type setReport struct {
	Set      string           `json:"set"`
	Baseline bool             `json:"baseline,omitempty"`
	Level    string           `json:"level"` // "turn" or "fact"
	Cases    int              `json:"cases"`
	Items    int              `json:"items"`
	Queries  int              `json:"queries"`
	Scores   metrics.Summary  `json:"scores"`
	Sessions *metrics.Summary `json:"sessions,omitempty"` // of turns
	Spread   *metrics.Spread  `json:"r10_over_cases,omitempty"`
	ByCase   []caseScore      `json:"r10_by_case,omitempty"`
	Latency  *latency         `json:"latency_ms,omitempty"`
	Floors   []floorReport    `json:"floors,omitempty"` // with --floors
	Bars     []barResult      `json:"bars,omitempty"`
	Answers  []answerReport   `json:"answers,omitempty"` // with --json
}

type caseScore struct {
	Case string  `json:"case"`
	R10  float64 `json:"r10"`
}

// latency is in milliseconds.
type latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// answerReport is one query with where its gold ids were found.
type answerReport struct {
	Query    string         `json:"qid"`
	Category string         `json:"category"`
	Results  int            `json:"results"`
	Best     float64        `json:"best"`
	Ranks    map[string]int `json:"ranks"` // of gold ids; 0 is not found
	Top      []string       `json:"top"`   // ids of the first ten items
	Millis   float64        `json:"ms,omitempty"`
}

func newReport(set *dataset, replies []reply, o options) setReport {
	r := setReport{Set: set.name, Baseline: o.baseline, Level: "turn", Cases: len(set.cases), Queries: len(replies)}
	if set.facts {
		r.Level = "fact"
	}
	var outcomes, sessions []metrics.Outcome
	for _, c := range set.cases {
		r.Items += len(c.items)
	}
	for _, one := range replies {
		outcome := one.outcome()
		outcomes = append(outcomes, outcome)
		sessions = append(sessions, one.bySession(outcome))
		if o.json {
			r.Answers = append(r.Answers, newAnswer(one, outcome, o.parallel == 1))
		}
	}
	r.Scores = metrics.Summarise(outcomes, o.floor)
	if !set.facts {
		s := metrics.Summarise(sessions, o.floor)
		r.Sessions = &s
	}
	if o.floors {
		r.Floors = newFloors(replies)
	}
	if o.crossValidate {
		r.spread(set, outcomes)
	}
	if o.parallel == 1 {
		r.Latency = newLatency(replies)
	}
	r.Bars = checkBars(r)
	return r
}

func newAnswer(one reply, outcome metrics.Outcome, timed bool) answerReport {
	a := answerReport{Query: one.ID, Category: one.Category, Results: len(one.hits), Best: outcome.Best, Ranks: map[string]int{}}
	for _, id := range outcome.Gold {
		a.Ranks[id] = 0
	}
	for i, ids := range outcome.Ranked {
		if i < 10 {
			a.Top = append(a.Top, ids...)
		}
		for _, id := range ids {
			if rank, wanted := a.Ranks[id]; wanted && rank == 0 {
				a.Ranks[id] = i + 1
			}
		}
	}
	if timed {
		a.Millis = millis(one.took)
	}
	return a
}

func (r *setReport) spread(set *dataset, outcomes []metrics.Outcome) {
	byCase := map[string][]metrics.Outcome{}
	for _, o := range outcomes {
		byCase[o.Case] = append(byCase[o.Case], o)
	}
	var values []float64
	for _, c := range set.cases {
		if all := metrics.Summarise(byCase[c.name], 0).All; all.Queries > 0 {
			r.ByCase = append(r.ByCase, caseScore{c.name, all.Recall10})
			values = append(values, all.Recall10)
		}
	}
	s := metrics.SpreadOf(values)
	r.Spread = &s
}

func newLatency(replies []reply) *latency {
	took := make([]time.Duration, len(replies))
	for i, r := range replies {
		took[i] = r.took
	}
	return &latency{
		P50: millis(metrics.Percentile(took, 50)), P95: millis(metrics.Percentile(took, 95)), P99: millis(metrics.Percentile(took, 99)),
	}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
