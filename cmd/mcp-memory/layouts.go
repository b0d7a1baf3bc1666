package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/memory"
	"mcp-memory/recall"
	"mcp-memory/render"
)

// layouter lays out the result of a tool for a person, while the bank is open. show prints it.
type layouter func(p *Program, cmd *cobra.Command, a *app, result json.RawMessage, text string) (show func() error, err error)

// layouts are the layouters for tools whose own text is written for models.
var layouts = map[string]layouter{
	"memory_recall": layFound,
	"memory_search": layFound,
	"memory_get":    layRecords,

	"soul_list": layMemories, "query_semantic": layMemories, "learning_list": layMemories, "relationship_get": layMemories,
	"list_todo": layTodos, "check_calendar": layEvents, "add_to_calendar": layAddedEvent, "neural_link": layLinks,
}

// layFound shows the results of a search after a sentence on how sure it is. Without results it
// shows the tool's text, which says why.
func layFound(p *Program, cmd *cobra.Command, a *app, result json.RawMessage, text string) (func() error, error) {
	var answer foundAnswer
	if err := json.Unmarshal(result, &answer); err != nil {
		return nil, err
	}
	s := p.screen()
	plans := p.planBlocks(answer.Plans)
	if len(plans) > 0 && !answer.Confidence.Sure() { // then the plans are the answer
		answer.Results = nil
	}
	results, err := a.resultsOf(cmd.Context(), answer.Results)
	if err != nil {
		return nil, err
	}
	var parts []string
	if len(results) > 0 {
		parts, err = p.foundParts(cmd, a, answer, results, text)
	}
	if len(plans) > 0 {
		parts = append(parts, s.In(screen.Bold, "Planned"), s.Show(plans))
	}
	if len(parts) == 0 {
		return p.showing(s, text), err
	}
	return func() error { return p.show(strings.Join(parts, "\n\n"), s) }, err
}

// foundParts returns how sure an answer is, its results, and how many more there are.
func (p *Program) foundParts(cmd *cobra.Command, a *app, answer foundAnswer, results []recall.Result, text string) (parts []string,
	err error) {
	s, all := p.screen(), len(results)
	if results[0].Score > 0 { // a score of 0 means that there was no query
		verdict := render.Verdict(answer.Confidence, all)
		if len(answer.Elsewhere) > 0 { // the first line of the text says which other projects have more
			there, _, _ := strings.Cut(text, "\n")
			verdict = there + "\n" + verdict
		}
		parts = append(parts, s.In(screen.Bold, strings.Join(s.Wrap(verdict), "\n")))
		if limit := cmd.Flags().Lookup("limit"); !isSet(cmd, showAll) && (limit == nil || !limit.Changed) {
			results = results[:render.Shown(answer.Confidence, results)]
		}
	}
	if isSet(cmd, "explain") {
		parts = append(parts, explainText(s, results))
	} else {
		blocks, err := p.blocksOf(cmd.Context(), a, results)
		if err != nil {
			return nil, err
		}
		parts = append(parts, s.Show(blocks))
	}
	if more := all - len(results); more > 0 {
		parts = append(parts, s.In(screen.Dim, counted(more, "weaker result", "weaker results")+" more: --"+showAll))
	}
	return parts, nil
}

// showAll is the flag that also shows results that are probably not worth a look.
const showAll = "all"

// layRecords shows whole memories. If one of the ids is missing, it fails after it has shown the
// others.
func layRecords(p *Program, cmd *cobra.Command, a *app, result json.RawMessage, _ string) (func() error, error) {
	var answer struct {
		Records []struct {
			ID      string
			Details map[string]json.RawMessage
			History []struct{ ID string }
		}
		Missing []string
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range answer.Records {
		ids = append(ids, r.ID)
	}
	records, short, err := a.recordsAndShortIDs(cmd.Context(), ids)
	if err != nil {
		return nil, err
	}
	s := p.screen()
	var blocks []screen.Block
	for _, one := range answer.Records {
		r := records[one.ID]
		l := p.words().Record(r)
		if r.OccurredAt.IsZero() {
			l.When = "saved " + p.local(r.CreatedAt) // with the time of day
		}
		l.Source = "" // fieldsOf has it
		b := blockOf(r.Content, l, map[string]string{r.ID: r.ID}, p.fieldsOf(r)...)
		b.Below = p.detailLines(one.Details)
		if len(one.History) > 1 {
			b.Below = append(b.Below, "It has "+counted(len(one.History), "version", "versions")+": mcp-memory history "+short[one.ID])
		}
		blocks = append(blocks, b)
	}
	return func() error {
		if len(blocks) > 0 {
			if err := p.show(s.Show(blocks), s); err != nil {
				return err
			}
		}
		return missing(answer.Missing)
	}, nil
}

// missing returns the error for ids that do not exist, nil for none.
func missing(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return failedError{memory.Errorf(memory.CodeNotFound, "there is no memory %s", strings.Join(ids, ", ")).
		WithHint("`mcp-memory list` shows what there is")}
}

// idArgument is an argument of a tool that is an id or a list of ids.
type idArgument struct {
	name string
	of   memory.IDsOf
}

// takesIDs are the arguments of tools for which the beginning of an id is enough. The words on the
// command line are values of the first.
var takesIDs = map[string][]idArgument{
	"memory_get":           {{"ids", memory.IDsOfRecords}},
	"memory_forget":        {{"ids", memory.IDsOfRecords}, {"undo", memory.IDsOfChanges}, {"link_id", idsOfLinks}},
	"memory_update":        {{"id", memory.IDsOfRecords}},
	"memory_save":          {{"supersedes", memory.IDsOfRecords}},
	"memory_recall":        {{"link_id", idsOfLinks}},
	"self_care":            {{"undo", memory.IDsOfChanges}},
	"soul_remove":          {{"id", memory.IDsOfRecords}},
	"complete_todo":        {{"id", memory.IDsOfTodos}},
	"remove_from_calendar": {{"id", memory.IDsOfEvents}},
	"neural_link":          {{"link_id", idsOfLinks}},
}

// wholeIDs replaces beginnings of ids in a call by the whole ids.
func (a *app) wholeIDs(cmd *cobra.Command, tool string, call json.RawMessage) (json.RawMessage, error) {
	if takesIDs[tool] == nil {
		return call, nil
	}
	var arguments map[string]json.RawMessage // raw, so that numbers stay as they were typed
	if err := json.Unmarshal(call, &arguments); err != nil {
		return nil, err
	}
	for _, one := range takesIDs[tool] {
		raw, given := arguments[one.name]
		if !given {
			continue
		}
		whole, err := a.wholeArgument(cmd.Context(), one.of, raw)
		if err != nil {
			return nil, err
		}
		arguments[one.name] = whole
	}
	return json.Marshal(arguments)
}

// wholeArgument is wholeIDs for one argument, a string or a list of strings.
func (a *app) wholeArgument(ctx context.Context, of memory.IDsOf, raw json.RawMessage) (json.RawMessage, error) {
	whole := func(given string) (string, error) {
		if len(given) >= fullID || given == "" {
			return given, nil
		}
		id, err := a.wholeID(ctx, of, given)
		return cmp.Or(id, given), err
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		id, err := whole(one)
		if err != nil {
			return nil, err
		}
		return json.Marshal(id)
	}
	var several []string
	if json.Unmarshal(raw, &several) != nil {
		return raw, nil // the tool reports what is wrong
	}
	var err error
	for i, given := range several {
		id, wrong := whole(given)
		several[i], err = id, errors.Join(err, wrong)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(several)
}
