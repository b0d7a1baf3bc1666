package resources

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"mcp-memory/actions"
	"mcp-memory/memory"
)

// maxLearnings is how many of the newest learnings of each type compete for a line.
const maxLearnings = 200

// learnings returns the learnings that a session should know, without secrets, ordered by
// [memory.CompareLearnings], and whether there are older ones that were not read.
func (s *Service) learnings(ctx context.Context, scope memory.Scope) (all []memory.Record, more bool, err error) {
	for _, kind := range memory.LearningTypes() {
		records, _, err := s.store.List(ctx, memory.CatalogFilter{
			Agent: scope.Agent, Projects: scope.Readable(), Kind: memory.KindLearning,
			Type: string(kind), Limit: maxLearnings, Now: s.clock(), Uncounted: true,
		})
		if err != nil {
			return nil, false, err
		}
		more = more || len(records) == maxLearnings
		all = append(all, withoutSecrets(records)...)
	}
	slices.SortFunc(all, memory.CompareLearnings)
	all, err = s.lasting(ctx, scope, all)
	return all, more, err
}

// maxFailures bounds the failed tool calls on a page. The most frequent ones are kept.
const maxFailures = 20

// lasting removes learnings about failed tool calls, as extraction found them in conversations,
// unless the call failed at least twice and has not succeeded since.
func (s *Service) lasting(ctx context.Context, scope memory.Scope, all []memory.Record) ([]memory.Record, error) {
	var failures []actions.Failure
	gone, again := map[string]bool{}, []string{}
	for _, r := range all {
		reason := failureOf(r)
		switch {
		case reason == "":
		case r.Confirmations < 2 || len(again) == maxFailures:
			gone[r.ID] = true
		default:
			_, command, _ := strings.Cut(r.Learning.Tool, ": ")
			failures, again = append(failures, actions.Failure{Command: command, Says: reason}), append(again, r.ID)
		}
	}
	if s.work != nil {
		mended, err := s.work.Mended(ctx, scope, failures)
		if err != nil {
			return nil, err
		}
		for i, id := range again {
			gone[id] = mended[i]
		}
	}
	return slices.DeleteFunc(all, func(r memory.Record) bool { return gone[r.ID] }), nil
}

// failureOf returns why a tool call failed, if the learning was made from one in a conversation,
// else "".
func failureOf(r memory.Record) string {
	if r.Learning == nil || r.Learning.Type != memory.LearningError || sessionOf(r) == "" {
		return ""
	}
	_, reason, _ := strings.Cut(r.Content, " failed: ")
	return strings.TrimPrefix(reason, "Error: ") // added by hosts
}

// openSays is how many bytes of an error's beginning are searched for in the lines of the last
// session.
const openSays = 60

// without removes the learnings that memories on the page or lines of the last session say as well.
func (p section) without(chosen []placed, last []string) section {
	rest := p
	rest.lines, rest.ids, rest.says = nil, nil, nil
	for i, text := range p.says {
		if slices.ContainsFunc(chosen, func(c placed) bool { return memory.SameContent(c.Content) == memory.SameContent(text) }) ||
			slices.ContainsFunc(last, func(line string) bool {
				return strings.Contains(line, strings.ToValidUTF8(text[:min(len(text), openSays)], ""))
			}) {
			continue
		}
		rest.lines, rest.ids, rest.says = append(rest.lines, p.lines[i]), append(rest.ids, p.ids[i]), append(rest.says, text)
	}
	return rest
}

// startLearnings makes the section of learnings: corrections by the user before errors of tools,
// most often confirmed first, without those of which a memory says that they are over.
func (s *Service) startLearnings(ctx context.Context, scope memory.Scope, judged *chooser) (section, error) {
	p := section{title: titleLearnings, more: "learning_list", share: 0.2}
	records, more, err := s.learnings(ctx, scope)
	records = slices.DeleteFunc(records, judged.lifted)
	if more {
		p.more += ", and older ones"
	}
	for _, r := range records {
		p.lines, p.ids, p.says = append(p.lines, "- "+learningLine(r)+"\n"),
			append(p.ids, r.ID), append(p.says, cmp.Or(failureOf(r), r.Content))
	}
	return p, err
}

// learningLine says what was learned, of which type, about which tool, and how often.
func learningLine(r memory.Record) string {
	line, beside := oneLine(r.Content, partLine), []string{}
	if r.Learning != nil {
		line = string(r.Learning.Type) + ": " + line
		if r.Learning.Tool != "" {
			beside = append(beside, oneLine(r.Learning.Tool, 80))
		}
	}
	if r.Confirmations > 1 {
		beside = append(beside, fmt.Sprintf("%d times", r.Confirmations))
	}
	if len(beside) > 0 {
		line += " (" + strings.Join(beside, ", ") + ")"
	}
	return line
}
