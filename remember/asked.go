package remember

import (
	"context"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/worth"
)

// maxAsked is how many memories one sentence may have forgotten. Of more, or of none, nothing is.
const maxAsked = 3

// ForgetAsked archives what a sentence of the user at a moment asks to forget: the memories from
// before whose content has all words of what is named, at most maxAsked; pinned ones only if there
// are no others. What is the user's own ("my phone number") has to be named so; what a memory says
// besides is saved anew. If there are none or more, or if the sentence asks for nothing of the kind,
// nothing is forgotten and the result is empty.
func (s *Service) ForgetAsked(ctx context.Context, scope memory.Scope, sentence string, at time.Time) (ForgetResult, error) {
	asked, ok := worth.AsksToForget(sentence)
	if !ok {
		return ForgetResult{}, nil
	}
	own := asked.Of == worth.Own
	meant := func(r memory.Record) bool {
		_, of := withoutOwn(r.Content, asked.Named)
		return of || !own
	}
	found, err := s.before(ctx, scope, asked.Named, at, meant)
	if words := saidOtherwise[strings.ToLower(asked.Named)]; own && err == nil && len(found) == 0 && words != "" {
		found, err = s.before(ctx, scope, words, at, meant)
	}
	if err != nil {
		return ForgetResult{}, err
	}
	if loose := slices.DeleteFunc(slices.Clone(found), func(r memory.Record) bool { return r.Pinned }); len(loose) > 0 {
		found = loose
	}
	if len(found) == 0 || len(found) > maxAsked {
		return ForgetResult{}, nil
	}
	ids := make([]string, len(found))
	for i, r := range found {
		ids[i] = r.ID
		if rest, _ := withoutOwn(r.Content, asked.Named); own && rest != "" {
			if _, err := s.Save(ctx, memory.Scope{Agent: scope.Agent, Project: r.Project, Session: scope.Session}, SaveRequest{
				Content: rest, Kind: r.Kind, Importance: &r.Importance, Tags: r.Tags, Source: r.Source, OccurredAt: r.OccurredAt,
				Pinned: r.Pinned, Quiet: true, IdempotencyKey: "left/" + r.ID,
			}); err != nil {
				return ForgetResult{}, err
			}
		}
	}
	return s.Forget(ctx, scope, ForgetRequest{IDs: ids, Reason: "the user asked: " + memory.OneLine(sentence, 200)})
}

// Ended returns the rules, bans and tasks from before a moment that a sentence of the user ends, see
// [worth.Ends].
func (s *Service) Ended(ctx context.Context, scope memory.Scope, sentence string, at time.Time) ([]memory.Record, error) {
	later := worth.ReadRule(sentence)
	named := later.Names()
	return s.before(ctx, scope, named, at, func(r memory.Record) bool {
		return r.SupersededBy == "" && later.Ends(worth.ReadRule(r.Content))
	})
}

// before returns the memories of a scope from before a moment that have all content words of
// what is named and fit.
func (s *Service) before(ctx context.Context, scope memory.Scope, named string, at time.Time,
	fits func(memory.Record) bool) (list []memory.Record, err error) {
	if len(analysis.Content(named)) == 0 {
		return nil, nil
	}
	ids, err := s.match(ctx, scope, ForgetRequest{Query: named})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	for page := range slices.Chunk(ids, memory.MaxIDs) {
		records, err := s.store.Records(ctx, scope.Agent, page)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			switch r.Kind {
			case memory.KindFact, memory.KindLongTerm, memory.KindLearning:
				if r.EventTime().Before(at) && fits(r) {
					list = append(list, r)
				}
			}
		}
	}
	return list, nil
}

// withoutOwn returns what a content says besides what something of the user is, in sentences of its own
// ("" for nothing), and whether it says that at all. It is false of a content that cannot be taken apart.
func withoutOwn(content, thing string) (rest string, of bool) {
	for _, sentence := range analysis.Sentences(content) {
		for _, clause := range clauses(sentence) {
			_, says, owns := strings.Cut(strings.ToLower(clause), "user's "+strings.ToLower(thing)+" ")
			verb, _, _ := strings.Cut(says, " ")
			switch {
			case saysOtherwise(clause, thing):
				of = true
			case owns && slices.Contains(ofOwn, verb) && !strings.Contains(clause, ", "):
				of = true
			case owns:
				return "", false
			default:
				if after, cut := strings.CutPrefix(clause, "the user"); cut {
					clause = "The user" + after
				}
				rest += " " + strings.TrimRight(clause, ".") + "."
			}
		}
	}
	return strings.TrimSpace(rest), of
}

// saidOtherwise are the words that say something of the user without its name.
var saidOtherwise = map[string]string{"address": "lives at", "home address": "lives at", "birthday": "was born on", "employer": "works at"}

func saysOtherwise(clause, thing string) bool {
	words := saidOtherwise[strings.ToLower(thing)]
	return words != "" && strings.HasPrefix(strings.ToLower(clause), "the user "+words+" ") && !strings.Contains(clause, ", ")
}

// ofOwn are the verbs of what something of the user is.
var ofOwn = []string{"is", "are", "was", "were", "has", "ends", "starts"}

// clauses cuts a sentence before what it says of the user next: "and the user lives in Trier".
func clauses(sentence string) []string {
	for _, next := range []string{", and the user", " and the user", "; and the user", "; the user"} {
		sentence = strings.ReplaceAll(sentence, next, "\x00the user")
	}
	return strings.Split(sentence, "\x00")
}
