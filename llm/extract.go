package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"mcp-memory/memory"
)

// Extract asks for the facts in turns. An answer of another form than was asked for is refused. In
// one of the right form
//
//   - only the first 100 facts of each request are used,
//   - a fact that is blank or longer than 2,000 characters is left out, and the answer is refused
//     if none is left,
//   - content becomes one line without control characters,
//   - an unknown type becomes [memory.FactOther],
//   - importance outside of 0 to 1, or missing, becomes 0.5,
//   - OccurredAt is zero for everything but events and for what is not a date; a date without a
//     zone is in that of r.Now,
//   - Turn is -1 if the model names no turn that it was shown, unless it was shown only one,
//   - Replaces is empty if it names no fact of r.Facts. Several facts may name the same one.
//
// A fact is left out unless most of its words, all of its numbers and all of its dates were said in
// the turn that it names or in the three before it, or anywhere if Turn is -1. OccurredAt becomes
// zero if nobody spoke of that time. If all facts that the model found are left out so, that is
// [memory.CodeUnavailable].
//
// A fact that r.Known has as a line, that is in r.Facts, or that was found before is left out. Of
// more than r.Max facts the most important ones are kept. [memory.CodeUnavailable] as soon as one
// part gets no usable answer.
func (s *Summarizer) Extract(ctx context.Context, r memory.ExtractRequest) ([]memory.Extracted, error) {
	entries := entriesOf(r.Turns, true)
	if len(entries) == 0 {
		return nil, nil
	}
	most := maxFacts
	if r.Max > 0 {
		most = min(r.Max, maxFacts)
	}
	known, ids := knownLines(r)
	f := fields{Max: most, Known: known != "", Named: len(ids) > 0, Types: typeNames("|"), Now: day(r.Now)}
	budget := s.budget(extractPrompt, f)
	if f.Known {
		known, _ = cut(s.counter, known, budget/4)
		budget -= cost(s.counter, "KNOWN "+newBoundary()+"\n"+known)
	}
	var facts []memory.Extracted
	said, made := 0, 0
	all := conversation{turns: r.Turns, known: map[string]string{}, now: r.Now}
	seen := contents(r.Known)
	for _, k := range r.Facts {
		seen[memory.SameContent(k.Content)], all.known[k.ID] = true, k.Content
	}
	for _, part := range pack(s.counter, entries, budget) {
		q := s.question(extractPrompt, f, known, part)
		q.schema, q.maxTokens = factSchema(f.Named), s.options.MaxOutput
		parser := factParser{turns: map[int]bool{}, zone: r.Now.Location(), ids: ids}
		for _, p := range part {
			parser.turns[p.turn] = true
		}
		found, err := ask(ctx, s, q, parser.read)
		if err != nil {
			return nil, err
		}
		for _, fact := range found {
			fact, ok := all.supported(fact)
			if !ok {
				made++ // made up by the model
				continue
			}
			said++
			if same := memory.SameContent(fact.Content); !seen[same] {
				seen[same], facts = true, append(facts, fact)
			}
		}
	}
	if made > 0 && said == 0 {
		return nil, memory.Errorf(memory.CodeUnavailable, "what the language model found was not said in the conversation").
			WithHint("try again, or choose another model")
	}
	return mostImportant(facts, r.Max), nil
}

// knownLines returns what is known, as a model is shown it: first the facts that may be replaced,
// each behind a short name such as [k3], which a model copies better than an id, then r.Known. ids
// maps names to ids.
func knownLines(r memory.ExtractRequest) (text string, ids map[string]string) {
	var b strings.Builder
	ids = map[string]string{}
	for _, k := range r.Facts {
		content := strings.Join(strings.Fields(clean(k.Content)), " ")
		if content == "" || k.ID == "" {
			continue
		}
		name := "k" + strconv.Itoa(len(ids)+1)
		ids[name] = k.ID
		b.WriteString("[" + name + "] " + content + "\n")
	}
	b.WriteString(strings.TrimSpace(clean(r.Known)))
	return strings.TrimSpace(b.String()), ids
}

// contents returns the lines of a text such as MEMORY.md, without list markers, in the form in
// which contents are compared ([memory.SameContent]).
func contents(text string) map[string]bool {
	lines := map[string]bool{}
	for line := range strings.Lines(text) {
		lines[memory.SameContent(strings.TrimLeft(strings.TrimSpace(line), "-*• "))] = true
	}
	return lines
}

// mostImportant returns the most important facts, at most limit unless that is 0, in the order of
// facts. Of equally important ones the earlier are kept.
func mostImportant(facts []memory.Extracted, limit int) []memory.Extracted {
	if limit <= 0 || len(facts) <= limit {
		return facts
	}
	places := make([]int, len(facts))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(facts[b].Importance, facts[a].Importance) })
	places = places[:limit]
	slices.Sort(places)
	kept := make([]memory.Extracted, 0, limit)
	for _, i := range places {
		kept = append(kept, facts[i])
	}
	return kept
}

func typeNames(separator string) string {
	var names []string
	for _, t := range memory.FactTypes() {
		names = append(names, string(t))
	}
	return strings.Join(names, separator)
}

// factSchema returns the JSON schema of an answer. If named is true, a fact has a member "replaces"
// for the name of a known fact.
func factSchema(named bool) json.RawMessage {
	required, replaces := "", ""
	if named {
		required, replaces = `,"replaces"`, `,"replaces":{"type":["string","null"]}`
	}
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["facts"],"properties":{"facts":{"type":"array","items":` +
		`{"type":"object","additionalProperties":false,"required":["content","type","importance","occurred_at","turn"` + required +
		`],"properties":{` +
		`"content":{"type":"string"},"type":{"type":"string","enum":["` + typeNames(`","`) + `"]},"importance":{"type":"number"},` +
		`"occurred_at":{"type":["string","null"]},"turn":{"type":["integer","null"]}` + replaces + `}}}}}`)
}

var summarySchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["summary"],"properties":{"summary":{"type":"string"}}}`)
