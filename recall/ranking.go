package recall

import (
	"maps"
	"slices"

	"mcp-memory/memory"
)

// ranking is an answer in the making: all that was found, and in which order.
type ranking struct {
	q     *question
	list  []*candidate // best first
	small bool         // few records pass the filter
}

// records returns the memories that have a relevance of the fitted model, best first.
func (r *ranking) records() (list []*candidate) {
	for _, c := range r.list {
		if c.Corpus == memory.Memories && c.fitted {
			list = append(list, c)
		}
	}
	return list
}

// stage is a step from the candidates found to the results shown.
type stage struct {
	name  string
	shows bool // it only shapes what is shown, and is left out where results are just counted
	run   func(s *Service, r *ranking)
}

// stages are all of them, in order. "relevance" ranks by the fitted model, the same for every
// question; "versions" reorders only the versions of one fact among each other; "certainty" makes
// scores of relevance; "floor" cuts what is below MinScore. Those that shape what is shown follow:
// they spread and fold results, and move no record past another.
var stages = []stage{
	{relevanceStage, false, func(s *Service, r *ranking) { s.weigh(r.q, r.found(), r.small) }},
	{"versions", false, func(s *Service, r *ranking) { s.byVersion(r.q, r.records()) }},
	{"certainty", false, func(s *Service, r *ranking) { s.judge(r.q, r.records()) }},
	{"floor", false, func(_ *Service, r *ranking) { r.list = r.q.cut(r.list, r.small) }},
	{overviewPart, true, func(s *Service, r *ranking) { r.q.spread(r.list, s.clock.Day) }},
	{width, true, func(_ *Service, r *ranking) { r.list = widen(r.list, r.q.Limit) }},
	{"duplicates", true, func(_ *Service, r *ranking) { r.list = diversify(r.list, r.q.Limit+1) }},
}

const relevanceStage = "relevance"

// runs takes an answer through the stages whose shows is as given and that [Options.Without] does
// not name. Behind each stage that is not about what is shown it ranks by score.
func (s *Service) runs(r *ranking, shows bool) {
	for _, stage := range stages {
		if stage.shows == shows && !slices.Contains(s.without, stage.name) {
			stage.run(s, r)
			if !shows {
				rank(r.list)
			}
		}
	}
}

// found returns the memories in the list, for weigh; none for a question without content words, by
// which alone relevance can be measured.
func (r *ranking) found() []*candidate {
	if len(r.q.stems) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.list), func(c *candidate) bool { return c.Corpus != memory.Memories })
}

// Signals lists what [Options.Without] can name, in alphabetical order: measures of the
// index, features of relevance, and stages.
func Signals() []string {
	names := slices.Collect(maps.Keys(signals))
	for _, s := range stages {
		names = append(names, s.name)
	}
	names = append(names, relevanceNames()...)
	slices.Sort(names)
	return slices.Compact(names)
}
