package mirror

import (
	"context"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/text/secrets"
	"mcp-memory/workspace"
)

// form says which records have a line in a file, and what a line of it is in the bank.
type form struct {
	name string
	// belongs reports whether a record that holds has to be in the file.
	belongs func(memory.Record) bool
	// todos says that a bullet with a box is a to-do.
	todos bool
	// save returns the request to save a new line, without its content; nil if the lines of the
	// file are no memories.
	save func(d *decision, one workspace.Item) remember.SaveRequest
	// recast changes a record whose line was moved under another heading; false if that changes
	// nothing.
	recast func(d *decision, r *memory.Record, heading string) bool
}

// forms are the mirrored files; MEMORY.md is the first. A slice of [Changes] by the numbers of
// forms has one element for each, in this order.
var forms = []form{
	{workspace.MemoryFile, durable, true, saveFact, recastFact},
	{workspace.SoulFile, func(r memory.Record) bool { return r.Kind == memory.KindSoul && !secrets.Is(r) }, false, saveSoul, recastSoul},
	{workspace.ErrorsFile, learningIn(workspace.ErrorsFile), false, saveLearning(memory.LearningError), nothing},
	{workspace.CorrectionsFile, learningIn(workspace.CorrectionsFile), false, saveLearning(memory.LearningCorrection), nothing},
	{workspace.HeartbeatFile, func(memory.Record) bool { return false }, true, nil, nothing},
}

func nothing(*decision, *memory.Record, string) bool { return false }

func learningIn(name string) func(memory.Record) bool {
	return func(r memory.Record) bool {
		return r.Kind == memory.KindLearning && workspace.LearningFile(r) == name && r.Source != memory.SourceLink && !secrets.Is(r)
	}
}

func saveFact(d *decision, one workspace.Item) remember.SaveRequest {
	return remember.SaveRequest{Category: d.category(one.Under)}
}

func recastFact(d *decision, r *memory.Record, heading string) bool {
	category := d.category(heading)
	if category == "" || category == r.Category {
		return false
	}
	r.Category, r.CategoryGuessed = category, false
	return true
}

// soulOf returns the type of soul entry that stands under a heading; a belief if the heading is
// of no type.
func soulOf(heading string) memory.SoulType {
	for _, t := range memory.SoulTypes() {
		if heading == string(t)+"s" {
			return t
		}
	}
	return memory.SoulBelief
}

func saveSoul(_ *decision, one workspace.Item) remember.SaveRequest {
	full := 1.0
	return remember.SaveRequest{
		Kind: memory.KindSoul, Category: "identity", Importance: &full, Pinned: true,
		KindDetails: memory.KindDetails{Soul: &memory.SoulDetails{Type: soulOf(one.Under)}},
	}
}

func recastSoul(_ *decision, r *memory.Record, heading string) bool {
	if r.SoulType() == soulOf(heading) {
		return false
	}
	r.Soul = &memory.SoulDetails{Type: soulOf(heading)}
	return true
}

func saveLearning(kind memory.LearningType) func(*decision, workspace.Item) remember.SaveRequest {
	return func(*decision, workspace.Item) remember.SaveRequest {
		importance := kind.Importance()
		return remember.SaveRequest{
			Kind: memory.KindLearning, Importance: &importance,
			KindDetails: memory.KindDetails{Learning: &memory.LearningDetails{Type: kind}},
		}
	}
}

// whole returns all soul entries, the oldest first and without secrets, for SOUL.md, which is
// written as a whole.
func (s *Service) whole(ctx context.Context, agent string) ([]memory.Record, error) {
	entries, _, err := s.store.List(ctx, memory.CatalogFilter{Agent: agent, Kind: memory.KindSoul})
	slices.Reverse(entries)
	return slices.DeleteFunc(entries, secrets.Is), err
}
