package contextwindow

import (
	"cmp"
	"context"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/text/analysis"
	"mcp-memory/text/injected"
)

// Recaller finds the records that a prompt may be about.
type Recaller interface {
	// Memories returns the records of some kinds that a query is about, best
	// first, at most limit.
	Memories(ctx context.Context, scope memory.Scope, query string, kinds []memory.Kind, limit int) ([]memory.Record, error)
	// Conversations returns the messages that a query is about, best first, at
	// most limit; none where it is not sure.
	Conversations(ctx context.Context, scope memory.Scope, query string, limit int) ([]memory.Document, error)
	// Salience says how present a record is now, 0 to 1; see package salience.
	Salience(r memory.Record) float64
}

// Recalls makes a [Recaller] of the service that answers questions.
func Recalls(s *recall.Service) Recaller { return recalls{s} }

type recalls struct{ service *recall.Service }

// Salience implements [Recaller].
func (r recalls) Salience(one memory.Record) float64 { return r.service.Salience(one) }

// namedFloor is the least score of a record that names somebody whom the query names; others have
// to reach [recall.Floor].
const namedFloor = recall.Floor / 3

// Memories implements [Recaller]. What is below the floor of relevance stays out
// unless it names somebody in the query.
func (r recalls) Memories(ctx context.Context, scope memory.Scope, query string, kinds []memory.Kind, limit int) ([]memory.Record, error) {
	answer, err := r.service.Recall(ctx, recall.Request{
		Query: query, Scope: scope, Filter: memory.Filter{Kinds: kinds}, Limit: limit, MinScore: namedFloor,
	})
	if err != nil {
		return nil, err
	}
	var records []memory.Record
	shown := map[string]bool{}
	for _, result := range answer.Results {
		if shown[cmp.Or(result.OutdatedBy, result.DoubtedBy)] {
			continue // a record that is shown already has replaced it, or may have
		}
		shown[result.ID] = true
		if relevant(query, result.Content, result.Score) {
			records = append(records, result.Record)
		}
	}
	return records, nil
}

// relevant reports whether a prompt may show a record that a query finds with a
// score.
func relevant(query, content string, score float64) bool {
	return score >= recall.Floor || score >= namedFloor && shareName(query, content)
}

// The parts of a [MemoryBudget], as indexes of what its method parts returns.
const (
	semantic = iota
	episodic
	procedural
	relational
)

// parts returns the parts of a budget by these indexes.
func (b MemoryBudget) parts() [4]int {
	return [4]int{semantic: b.Semantic, episodic: b.Episodic, procedural: b.Procedural, relational: b.Relationship}
}

// memoryGroup is one of the kinds of memory that share a prompt.
type memoryGroup struct {
	heading string
	kinds   []memory.Kind
	part    int     // the part of the budget that it takes from
	share   float64 // of that part at most; one record of what is always shown may take more
	always  bool    // shown whatever the query is about
}

// memoryGroups are in the order of a prompt; what does not fit is cut from the
// end.
var memoryGroups = []memoryGroup{
	{"Who you are:", []memory.Kind{memory.KindSoul}, semantic, 1. / 3, true},
	{"Learned the hard way:", []memory.Kind{memory.KindLearning}, semantic, 1. / 3, true},
	{"What is known:", []memory.Kind{memory.KindFact, memory.KindTriple}, semantic, 1, false},
	{"What happened:", []memory.Kind{memory.KindLongTerm, memory.KindEpisode, memory.KindDiary, memory.KindSummary}, episodic, 1, false},
	{"How to do it:", []memory.Kind{memory.KindProcedure}, procedural, 1, false},
	{"Who is who:", []memory.Kind{memory.KindRelationship}, relational, 1, false},
}

const (
	memoriesAsked  = 20      // records of each group
	maxQueryBytes  = 2 << 10 // of the query for them
	provenShare    = 0.7     // success rate from which a procedure is shown
	memoryLineSize = 1500    // characters of one memory that the query finds
	fillLineSize   = 400     // and of one that it does not
)

// memories returns the block of memories for a query of a session: at most limit tokens as a
// message, each group within its budget; empty if there is none. If the bank cannot be read, the
// prompt is made without memories.
func (s *Service) memories(ctx context.Context, c memory.TokenCounter, scope memory.Scope, session, query string, budget MemoryBudget,
	limit int) string {
	limit = min(limit, budget.Total)
	query = strings.ToValidUTF8(query[:min(len(query), maxQueryBytes)], "")
	if s.recall == nil || limit <= 0 {
		return ""
	}
	f := &filling{Service: s, scope: scope, query: query, filled: map[string]bool{}}
	left, whole := budget.parts(), budget.parts()
	blocks := s.filesWithin(ctx, c, scope, int(filesShare*float64(limit)))
	for _, g := range memoryGroups {
		heading := c.Count(g.heading)
		all := left[g.part] - heading
		room := min(all, int(g.share*float64(whole[g.part]))-heading)
		if all <= 0 {
			continue
		}
		lines, used := []blockLine{{g.heading, true}}, 0
		for _, r := range s.proven(ctx, scope, f.records(ctx, g)) {
			line := memoryLine(r, f.clock.In(r.EventTime()), f.lineSize(r))
			n := c.Count(line) + 1
			if used+n <= room || used == 0 && n <= all && g.always {
				lines, used = append(lines, blockLine{text: line}), used+n
			}
		}
		if used > 0 {
			blocks = append(blocks, lines...)
			left[g.part] -= heading + used
		}
	}
	blocks = append(blocks, s.othersWithin(ctx, c, scope, session, query, int(othersShare*float64(limit)))...)
	text, _ := blockWithin(c, injected.Memories, blocks, limit)
	return text
}

// filesShare is how much of the room for memories what a person wrote in the files of
// the workspace may take.
const filesShare = 0.25

// filesWithin returns, within room tokens, what a person wrote in the files of the workspace that
// sessions are given, as quoted lines below the titles of the files.
func (s *Service) filesWithin(ctx context.Context, c memory.TokenCounter, scope memory.Scope, room int) (blocks []blockLine) {
	files := s.files(scope.Agent)
	if files == nil {
		return nil
	}
	for _, one := range files.Loaded(ctx, room, func(line string) int { return c.Count("> " + line) }, false) {
		blocks = append(blocks, blockLine{one[0] + ":", true})
		for _, line := range one[1:] {
			blocks = append(blocks, blockLine{text: "> " + line})
		}
	}
	return blocks
}

// memoryLine returns a memory as a prompt shows it: "- 2026-05-01: " and at most size characters
// of its content. A soul entry, and a record without a time, has no day.
func memoryLine(r memory.Record, t time.Time, size int) string {
	day := ""
	if !t.IsZero() && r.Kind != memory.KindSoul {
		day = t.Format(time.DateOnly) + ": "
	}
	return "- " + day + shortenLines(r.Content, size)
}

// shortenLines is [shorten] for a text of several lines: it keeps them, indented from the second
// on.
func shortenLines(text string, limit int) string {
	var b strings.Builder
	for i, line := range analysis.Lines(text) {
		if i > 0 {
			b.WriteString("\n  ")
		}
		left := max(0, limit-b.Len())
		b.WriteString(shorten(line, left))
		if len(line) > left {
			break
		}
	}
	return b.String()
}

// proven leaves out procedures whose success rate is below provenShare, and moves those that
// never ran behind all other records.
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

// blockLine is a line of a block. A heading is left out where no line below it is left.
type blockLine struct {
	text    string
	heading bool
}

// blockWithin returns lines as one block between delimiters, and how many of them it has: the
// last ones are left out until the block fits into limit tokens as a message. It is empty if no
// line fits.
func blockWithin(c memory.TokenCounter, kind string, lines []blockLine, limit int) (block string, kept int) {
	for len(lines) > 0 {
		texts := make([]string, len(lines))
		for i, l := range lines {
			texts[i] = l.text
		}
		text := injected.Block(kind, strings.Join(texts, "\n"))
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
