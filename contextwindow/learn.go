package contextwindow

import (
	"context"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// Classify sets the class of each turn of a conversation, as [Service.Append] does for messages.
// All turns need details.
func (s *Service) Classify(turns []memory.Turn) {
	names := map[string]string{} // call id → tool
	for i := range turns {
		turns[i].Details.Classification = s.rules.classOf(turns[i], names)
	}
}

// classOf returns the class of a turn. names has the tools of earlier calls, by call id; those of
// the turn's calls are added.
func (r *Rules) classOf(t memory.Turn, names map[string]string) memory.TurnClass {
	for _, c := range t.Details.ToolCalls {
		names[c.ID] = c.Name
	}
	tool := ""
	if t.Role == memory.RoleTool {
		if tool = names[t.Details.ToolCallID]; tool == "" && t.Speaker != string(memory.RoleTool) {
			tool = t.Speaker
		}
	}
	return r.Classify(t, tool)
}

// Learn returns what a flush of the turns of a finished conversation would save, as requests for
// the scope: facts first, and learnings and episodes as others. It stores nothing and needs no
// window. The turns are in order, with ids, details and classes. Only local summarizers are
// asked: an import is long, and what a person gave to one model yesterday is not sent to another
// today.
//
// Saving a request again changes nothing, as long as the turns have the same ids.
func (s *Service) Learn(ctx context.Context, scope memory.Scope, session string, turns []memory.Turn) (facts, others []remember.SaveRequest,
	err error) {
	if len(turns) == 0 {
		return nil, nil, nil
	}
	r := &attempt{
		Service: s, key: key{scope.Agent, session}, summarizers: local(s.summarizers), turns: slices.Clone(turns),
		window: memory.Window{Agent: scope.Agent, Session: session, Project: scope.Project},
	}
	said := map[int]memory.Turn{}
	for i, t := range r.turns {
		t.SaidAt = s.clock.In(t.SaidAt)
		r.turns[i] = t
		said[t.Index] = t
	}
	r.work.From, r.work.To = turns[0].Index, turns[len(turns)-1].Index+1
	if err := r.findFacts(ctx); err != nil {
		return nil, nil, err
	}
	for i, f := range r.work.Facts {
		request, err := r.saveRequest(i, f, said)
		if err != nil {
			return nil, nil, err
		}
		facts = append(facts, imported(request))
	}
	for _, request := range r.experience(said) {
		others = append(others, imported(request))
	}
	return facts, others, nil
}

// imported returns a request as an import makes it. A repetition is recognised by its content
// (Again), so it has no idempotency key of a job.
func imported(request remember.SaveRequest) remember.SaveRequest {
	request.IdempotencyKey, request.Again, request.Source = "", true, memory.SourceImport
	return request
}
