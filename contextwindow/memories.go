package contextwindow

import (
	"context"
	"strings"

	"mcp-memory/memory"
	"mcp-memory/recall"
)

// Recaller finds the records that a prompt may be about.
type Recaller interface {
	// Memories returns the records of some kinds that a query is about, best
	// first, at most limit.
	Memories(ctx context.Context, scope memory.Scope, query string, kinds []memory.Kind, limit int) ([]memory.Record, error)
}

// Recalls makes a [Recaller] of the service that answers questions.
func Recalls(s *recall.Service) Recaller { return recalls{s} }

type recalls struct{ service *recall.Service }

// Memories implements [Recaller]. What is below the floor of relevance stays out.
func (r recalls) Memories(ctx context.Context, scope memory.Scope, query string, kinds []memory.Kind, limit int) ([]memory.Record, error) {
	answer, err := r.service.Recall(ctx, recall.Request{
		Query: query, Scope: scope, Filter: memory.Filter{Kinds: kinds}, Limit: limit, MinScore: recall.Floor,
	})
	if err != nil {
		return nil, err
	}
	records := make([]memory.Record, len(answer.Results))
	for i, result := range answer.Results {
		records[i] = result.Record
	}
	return records, nil
}

// memoryGroup is one of the kinds of memory that share a prompt.
type memoryGroup struct {
	heading string
	kinds   []memory.Kind
	budget  func(MemoryBudget) int
}

var memoryGroups = []memoryGroup{
	{"What happened:", []memory.Kind{memory.KindLongTerm, memory.KindEpisode, memory.KindDiary, memory.KindSummary},
		func(b MemoryBudget) int { return b.Episodic }},
	{"What is known:", []memory.Kind{memory.KindFact, memory.KindTriple, memory.KindLearning, memory.KindSoul},
		func(b MemoryBudget) int { return b.Semantic }},
	{"How to do it:", []memory.Kind{memory.KindProcedure}, func(b MemoryBudget) int { return b.Procedural }},
	{"Who is who:", []memory.Kind{memory.KindRelationship}, func(b MemoryBudget) int { return b.Relationship }},
}

const (
	memoriesAsked  = 20      // records of each group
	maxQueryBytes  = 2 << 10 // of the query for them
	provenShare    = 0.7     // success rate from which a procedure is shown
	memoryLineSize = 1500    // characters of one memory
)

// memories returns the block of memories for a query, in at most limit tokens
// as a message, each group within its budget; empty if there is none. A bank
// that does not answer costs the prompt its memories, not its life.
func (s *Service) memories(ctx context.Context, c memory.TokenCounter, scope memory.Scope, query string, budget MemoryBudget, limit int) string {
	limit = min(limit, budget.Total)
	query = strings.ToValidUTF8(query[:min(len(query), maxQueryBytes)], "")
	if s.recall == nil || strings.TrimSpace(query) == "" || limit <= 0 {
		return ""
	}
	var blocks []blockLine
	for _, g := range memoryGroups {
		room := g.budget(budget) - c.Count(g.heading)
		if room <= 0 {
			continue
		}
		records, err := s.recall.Memories(ctx, scope, query, g.kinds, memoriesAsked)
		if err != nil {
			s.log.WarnContext(ctx, "recall for a prompt", "error", err)
			continue
		}
		lines := []blockLine{{g.heading, true}}
		for _, r := range s.proven(ctx, scope, records) {
			line := memoryLine(r)
			if n := c.Count(line) + 1; n <= room {
				lines, room = append(lines, blockLine{text: line}), room-n
			}
		}
		if len(lines) > 1 {
			blocks = append(blocks, lines...)
		}
	}
	text, _ := blockWithin(c, injectedMemories, blocks, limit)
	return text
}

// memoryLine is a memory as a prompt shows it: one line, with the day.
func memoryLine(r memory.Record) string {
	day := ""
	if t := r.EventTime(); !t.IsZero() {
		day = t.UTC().Format("2006-01-02") + ": "
	}
	return "- " + day + shorten(r.Content, memoryLineSize)
}

// proven leaves out procedures that fail too often. One that never ran may be
// tried, after those that are proven.
func (s *Service) proven(ctx context.Context, scope memory.Scope, records []memory.Record) []memory.Record {
	var proven, untried []memory.Record
	for _, r := range records {
		if r.Kind == memory.KindProcedure && r.Procedure == nil { // a search need not bring details
			if full, err := s.store.Records(ctx, scope.Agent, []string{r.ID}); err == nil && len(full) == 1 {
				r = full[0]
			}
		}
		switch p := r.Procedure; {
		case r.Kind != memory.KindProcedure || p != nil && p.Executed > 0 && p.SuccessRate() >= provenShare:
			proven = append(proven, r)
		case p == nil || p.Executed == 0:
			untried = append(untried, r)
		}
	}
	return append(proven, untried...)
}

// blockLine is a line of a block. A heading goes with what is below it.
type blockLine struct {
	text    string
	heading bool
}

// blockWithin returns lines between delimiters, without as many of the last as it
// takes to fit into limit tokens as a message, and how many there are; empty if
// none fits.
func blockWithin(c memory.TokenCounter, kind string, lines []blockLine, limit int) (block string, kept int) {
	for len(lines) > 0 {
		texts := make([]string, len(lines))
		for i, l := range lines {
			texts[i] = l.text
		}
		text := delimited(kind, strings.Join(texts, "\n"))
		n := messageTokens(c, Message{Content: text})
		if n <= limit {
			return text, len(lines)
		}
		lines = lines[:len(lines)-max(1, len(lines)*(n-limit)/(2*n))]
		for len(lines) > 0 && lines[len(lines)-1].heading {
			lines = lines[:len(lines)-1]
		}
	}
	return "", 0
}
