package main

import (
	"strings"

	"mcp-memory/eval/metrics"
)

// bar is what a family of sets has to reach, as shares. The figure is the
// average over its queries, adversarial ones and abstention left out.
type bar struct {
	family string // start of the set's name
	figure string
	plain  float64 // what plain FTS5 without stop words reaches; 0 is not known
	must   float64
	aim    float64
	of     func(setReport) float64
}

func turns(r setReport) metrics.Scores    { return r.Scores.All }
func sessions(r setReport) metrics.Scores { return r.Sessions.All }

func first(r setReport) float64 { return r.Scores.All.Hit1 }
func five(r setReport) float64  { return r.Scores.All.Hit5 }

// bars are looked up by the first family that fits, so a family stands before
// those that its name starts with.
var bars = []bar{
	{"locomo_facts", "fact R@5", 0.62, 0.69, 0.75, func(r setReport) float64 { return turns(r).Recall5 }},
	{"locomo_facts", "fact R@10", 0.69, 0.78, 0.82, func(r setReport) float64 { return turns(r).Recall10 }},
	{"locomo", "turn R@10", 0.63, 0.80, 0.82, func(r setReport) float64 { return turns(r).Recall10 }},
	{"locomo", "session hit@1", 0, 0.74, 0.78, func(r setReport) float64 { return sessions(r).Hit1 }},
	{"locomo", "session R@5", 0, 0.89, 0.91, func(r setReport) float64 { return sessions(r).Recall5 }},
	{"realtalk", "turn R@10", 0.52, 0.70, 0.60, func(r setReport) float64 { return turns(r).Recall10 }},
	{"beam_100k", "turn R@10", 0.40, 0.67, 0.60, func(r setReport) float64 { return turns(r).Recall10 }},
	{"plain_a", "hit@1", 0, 0.95, 0.98, first},
	{"ident_a", "hit@1", 0, 0.96, 0.99, first},
	{"time_a", "hit@1", 0, 0.82, 0.90, first},
	{"time_a", "hit@5", 0, 0.96, 0.98, five},
	{"typo_a", "hit@1", 0, 0.97, 0.99, first},
	{"langs_a", "hit@1", 0, 0.95, 0.98, first},
	{"plain_life", "hit@1", 0, 0.68, 0.80, first},
	{"plain_work", "hit@1", 0, 0.66, 0.80, first},
	{"plain", "hit@1", 0.83, 0.95, 0.97, first},
	{"identifiers", "hit@1", 0.72, 0.94, 0.98, first},
	{"identifiers", "hit@5", 0.85, 0.99, 1, five},
	{"ident", "hit@1", 0, 0.79, 0.85, first},
	{"temporal", "hit@1", 0.26, 0.85, 0.88, first},
	{"temporal", "hit@5", 0.78, 0.94, 0.98, five},
	{"when", "hit@1", 0, 0.74, 0.85, first},
	{"typos", "hit@1", 0.66, 0.96, 0.99, first},
	{"typo", "hit@1", 0, 0.84, 0.95, first},
	{"multilingual", "hit@1", 0, 0.90, 0.93, first},
	{"multilingual", "hit@5", 0, 0.95, 0.97, five},
	{"langs", "hit@1", 0, 0.66, 0.75, first},
	{"cross_a", "hit@5", 0, 0.50, 0.70, five},
	{"realmem_facts", "fact R@10", 0, 0.41, 0.50, func(r setReport) float64 { return turns(r).Recall10 }},
	{"friendsqa", "turn R@10", 0, 0.62, 0.70, func(r setReport) float64 { return turns(r).Recall10 }},
	{"qmsum", "turn hit@5", 0, 0.78, 0.85, five},
	{"beam_100k", "turn MRR", 0.34, 0.66, 0.58, func(r setReport) float64 { return turns(r).MRR }},
}

// barResult is a figure beside its bar.
type barResult struct {
	Figure   string  `json:"figure"`
	Measured float64 `json:"measured"`
	Plain    float64 `json:"plain,omitempty"`
	Must     float64 `json:"must"`
	Aim      float64 `json:"aim"`
	PassMust bool    `json:"pass_must"`
	PassAim  bool    `json:"pass_aim"`
}

// checkBars compares a set with the bars of its family, if it has one.
func checkBars(r setReport) []barResult {
	var family string
	var results []barResult
	for _, b := range bars {
		if !strings.HasPrefix(r.Set, b.family) || (family != "" && family != b.family) {
			continue
		}
		family = b.family
		x := b.of(r)
		results = append(results, barResult{b.figure, x, b.plain, b.must, b.aim, x >= b.must, x >= b.aim})
	}
	return results
}
