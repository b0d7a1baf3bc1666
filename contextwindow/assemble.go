package contextwindow

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
	"mcp-memory/text/injected"
	"mcp-memory/text/secrets"
)

// Todos lists an agent's to-dos; every [memory.PlanReader] is one.
type Todos interface {
	// Todos returns to-dos, the most urgent first, and how many there are.
	Todos(ctx context.Context, agent string, f memory.TodoFilter, limit int) ([]memory.Todo, int, error)
}

// AssembleRequest asks for a prompt. Only Session is needed.
type AssembleRequest struct {
	Scope        memory.Scope
	Session      string
	SystemPrompt string // never cut
	Todo         string // empty is the pending to-dos of the bank
	Task         string
	Query        string // for memories; empty is the last user message and the task
	Total        int    // tokens; 0 is as the session has it
	Reserve      *int   // tokens; nil is as the session has it
	MemoryBudget *int   // tokens for memories; nil is as in the settings
}

// Assembled is a prompt.
type Assembled struct {
	Messages    []Message
	Utilization Utilization
	Budget      Budget
	Events      CompactedEvents // those that the prompt shows, newest first
}

// floorTokens is the room, in tokens, that to-dos, task and each of the last turns are given at
// least if they need it: enough for a message whose text is cut to the mark that says so.
const floorTokens = 64

// lastTurns is how many of the latest turns every prompt has.
const lastTurns = 3

// eventsAsked is how many of the newest events are considered for a prompt.
const eventsAsked = 200

// Assemble makes a prompt of at most total − reserve tokens. In the order of
// their priority: the system prompt, to-dos, the last 3 turns (with the call
// that a result among them answers), the task, memories, older turns with the
// summary as the oldest, and events as references. The first four are always
// in it; to-dos, turns and task are cut where they must be, head and tail kept.
// [memory.CodeTooLarge] names the one that is too large even so. The messages
// come in the order in which a model reads best: the conversation last.
func (s *Service) Assemble(ctx context.Context, r AssembleRequest) (Assembled, error) {
	if err := r.check(); err != nil {
		return Assembled{}, err
	}
	l, turns, err := s.assemblyOf(ctx, r)
	if err != nil {
		return Assembled{}, err
	}
	counter := s.counter(l.window.Model)
	a := &assembly{Service: s, request: r, live: l, turns: turns, counter: counter, left: l.capacity()}
	for _, t := range turns {
		a.messages = append(a.messages, messageOf(t))
	}
	a.budget = Budget{TotalTokens: l.window.Total, ReserveTokens: l.window.Reserve}
	if err := a.required(ctx); err != nil {
		return Assembled{}, err
	}
	a.optional(ctx)
	return a.result(), nil
}

func (r AssembleRequest) check() error {
	if err := checkSession(r.Session); err != nil {
		return err
	}
	for _, f := range [][2]string{{"system_prompt", r.SystemPrompt}, {"todo", r.Todo}, {"task", r.Task}} {
		if err := memory.CheckText(f[0], f[1], memory.MaxTurnBytes); err != nil {
			return err
		}
	}
	if b := r.MemoryBudget; b != nil && (*b < 0 || *b > 1<<30) {
		return memory.Errorf(memory.CodeInvalidArgument, "memory_budget is %d", *b).WithHint("tokens, 0 or more")
	}
	return memory.CheckText("query", r.Query, memory.MaxQueryBytes)
}

// assemblyOf returns a session's window, with the sizes that the request gives, and its live
// turns; no turns for an unknown session.
func (s *Service) assemblyOf(ctx context.Context, r AssembleRequest) (liveWindow, []memory.Turn, error) {
	k := key{r.Scope.Agent, r.Session}
	unlock := s.lock(k)
	l, err := s.load(ctx, k)
	unlock()
	if err != nil {
		return l, nil, err
	}
	if r.Total != 0 {
		l.window.Total = r.Total
	}
	if r.Reserve != nil {
		l.window.Reserve = *r.Reserve
	}
	if err := checkSize(l.window.Total, l.window.Reserve); err != nil {
		return l, nil, err
	}
	end := l.window.Compacted + len(l.turns)
	if len(l.turns) == 0 {
		return l, nil, nil
	}
	turns, err := s.store.Turns(ctx, r.Scope.Agent, r.Session, l.window.Compacted, end)
	if err == nil && len(turns) != len(l.turns) {
		err = fmt.Errorf("session has %d live turns, %d are there", len(l.turns), len(turns))
	}
	return l, turns, err
}

// assembly is a prompt in the making.
type assembly struct {
	*Service
	request  AssembleRequest
	live     liveWindow
	turns    []memory.Turn
	messages []Message // of turns
	counter  memory.TokenCounter
	left     int // tokens that are not taken yet
	budget   Budget
	compact  CompactedEvents

	system, todo, task, memories, events, summary *Message
	conversation                                  []Message
	first                                         int // index in turns of the first of the last turns, which are required
}

// take takes a message into the prompt: it subtracts its tokens from a.left and returns both.
func (a *assembly) take(m Message) (*Message, int) {
	n := messageTokens(a.counter, m)
	a.left -= n
	return &m, n
}

func systemMessage(content string) Message { return Message{Role: memory.RoleSystem, Content: content} }

// required takes what every prompt has: system prompt, to-dos, the last turns and the task.
// [memory.CodeTooLarge] if they do not fit even when they are cut.
func (a *assembly) required(ctx context.Context) error {
	a.first = whole(a.live.turns, max(0, len(a.turns)-lastTurns))
	last, sizes := a.messages[a.first:], make([]int, len(a.turns)-a.first)
	turnFloor := 0
	for i, m := range last {
		sizes[i] = messageTokens(a.counter, m)
		turnFloor += min(sizes[i], floorTokens)
	}
	todo := a.todoText(ctx)
	floors := []struct {
		name   string
		tokens int
	}{
		{"system_prompt", a.sizeOf(a.request.SystemPrompt, systemMessage)},
		{"todo", min(floorTokens, a.sizeOf(todo, todoMessage))},
		{"messages", turnFloor},
		{"task", min(floorTokens, a.sizeOf(a.request.Task, taskMessage))},
	}
	if err := enough(a.left, floors); err != nil {
		return err
	}
	if strings.TrimSpace(a.request.SystemPrompt) != "" {
		a.system, a.budget.SystemPromptTokens = a.take(systemMessage(a.request.SystemPrompt))
	}
	var ok bool
	if a.todo, a.budget.TodoTokens, ok = a.takeTruncated(todo, todoMessage, a.left-turnFloor-floors[3].tokens); !ok {
		return tooLarge("todo")
	}
	// However long the last turns are, up to a quarter of what is left stays for the task.
	taskRoom := min(a.sizeOf(a.request.Task, taskMessage), max(floors[3].tokens, a.left/4))
	fitted, taken, ok := fit(a.counter, last, sizes, max(turnFloor, a.left-taskRoom))
	if !ok {
		return tooLarge("messages")
	}
	a.conversation = fitted
	for _, n := range taken {
		a.left -= n
		a.budget.TurnTokens += n
	}
	if a.task, a.budget.TaskTokens, ok = a.takeTruncated(a.request.Task, taskMessage, a.left); !ok {
		return tooLarge("task")
	}
	return nil
}

// enough returns [memory.CodeTooLarge], naming the largest part, if the required parts do not fit
// into room tokens even in their shortest forms, of which floors has the sizes.
func enough(room int, floors []struct {
	name   string
	tokens int
}) error {
	total, largest := 0, floors[0]
	for _, f := range floors {
		total += f.tokens
		if f.tokens > largest.tokens {
			largest = f
		}
	}
	if total <= room {
		return nil
	}
	return tooLarge(largest.name)
}

func tooLarge(part string) error {
	return memory.Errorf(memory.CodeTooLarge, "%s does not fit into the context window beside the other required parts", part).
		WithHint("shorten it, or give a larger context_window or a smaller reserve_tokens")
}

func todoMessage(text string) Message {
	return systemMessage(injected.Block(injected.Todo, "To do:\n"+text))
}
func taskMessage(text string) Message {
	return systemMessage(injected.Block(injected.Task, "Task:\n"+text))
}

// sizeOf returns the tokens of the message that as makes of a text; 0 for a blank text.
func (a *assembly) sizeOf(text string, as func(string) Message) int {
	if strings.TrimSpace(text) == "" {
		return 0
	}
	return messageTokens(a.counter, as(text))
}

// takeTruncated takes the message that as makes of a text into the prompt, with the text cut so
// that the message has at most limit tokens, and returns both. A blank text takes nothing. It is
// false if the text cannot be cut so short.
func (a *assembly) takeTruncated(text string, as func(string) Message, limit int) (*Message, int, bool) {
	if strings.TrimSpace(text) == "" {
		return nil, 0, true
	}
	m := as(text)
	for room := limit - messageTokens(a.counter, as("")); messageTokens(a.counter, m) > limit; room -= 1 + room/8 {
		short := truncate(a.counter, text, room)
		if short == "" {
			return nil, 0, false
		}
		m = as(short)
	}
	taken, n := a.take(m)
	return taken, n, true
}

// todoText returns the to-dos for the prompt: those of the request or, if it has none, up to 50
// pending ones of the bank, without those that hold a secret.
func (a *assembly) todoText(ctx context.Context) string {
	if a.request.Todo != "" || a.todos == nil {
		return a.request.Todo
	}
	const asked = 50
	list, total, err := a.todos.Todos(ctx, a.request.Scope.Agent,
		memory.TodoFilter{Status: memory.TodoPending, Projects: a.request.Scope.Readable()}, asked)
	if err != nil {
		a.log.WarnContext(ctx, "list to-dos for a prompt", "error", err)
		return ""
	}
	var b strings.Builder
	for _, t := range list {
		if secrets.OfTodo(t) {
			continue
		}
		due := ""
		if !t.DueAt.IsZero() {
			due = ", due " + t.DueAt.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(&b, "- %s (%s%s)\n", shorten(t.Title, 200), t.Priority, due)
	}
	if total > len(list) {
		fmt.Fprintf(&b, "- and %d more\n", total-len(list))
	}
	return b.String()
}

// optional takes, as long as there is room and in this order, memories, older turns with the
// summary, and events.
func (a *assembly) optional(ctx context.Context) {
	budget := a.settings.Memory
	if a.request.MemoryBudget != nil {
		budget = budget.scaled(*a.request.MemoryBudget)
	}
	if text := a.Service.memories(ctx, a.counter, a.request.Scope, a.request.Session, a.query(), budget, a.left); text != "" {
		a.memories, a.budget.MemoryTokens = a.take(systemMessage(text))
	}
	a.older()
	a.takeEvents(ctx)
}

// query returns what memories are searched for: the request's query, else the last message of the
// user and the task.
func (a *assembly) query() string {
	if a.request.Query != "" {
		return a.request.Query
	}
	last := ""
	for _, t := range slices.Backward(a.turns) {
		if t.Role == memory.RoleUser || t.Role == "" {
			last = injected.Without(t.Content)
			break
		}
	}
	return strings.TrimSpace(shorten(last, maxQueryBytes/2) + " " + shorten(a.request.Task, maxQueryBytes/2))
}

// older takes turns before the last ones, the newest first and without a gap, a call always
// together with its results; and the summary if there is still room.
func (a *assembly) older() {
	from := a.first
	for from > 0 {
		begin := whole(a.live.turns[:from], from-1)
		size := 0
		for _, m := range a.messages[begin:from] {
			size += messageTokens(a.counter, m)
		}
		if size > a.left {
			break
		}
		a.left, from = a.left-size, begin
		a.budget.TurnTokens += size
	}
	a.conversation = append(slices.Clone(a.messages[from:a.first]), a.conversation...)
	if a.live.window.Summary == "" {
		return
	}
	if m := summaryMessage(a.live.window.Summary); messageTokens(a.counter, m) <= a.left {
		var n int
		a.summary, n = a.take(m)
		a.budget.TurnTokens += n
	}
}

// takeEvents takes a block with references to the newest events, one a line, as many as there is
// room for.
func (a *assembly) takeEvents(ctx context.Context) {
	events, err := a.store.Events(ctx, a.request.Scope.Agent, a.request.Session, eventsAsked)
	if err != nil {
		a.log.WarnContext(ctx, "read events for a prompt", "error", err)
		return
	}
	slices.Reverse(events)
	lines := []blockLine{{"Events, newest first:", true}}
	for _, e := range CompactEvents(events, a.counter).Events {
		lines = append(lines, blockLine{text: e.Reference})
	}
	if len(lines) == 1 {
		return
	}
	if text, kept := blockWithin(a.counter, injected.Events, lines, a.left); text != "" {
		a.events, a.budget.EventTokens = a.take(systemMessage(text))
		a.compact = CompactEvents(events[:kept-1], a.counter)
	}
}

// result returns the messages in the order of the prompt, with what they take.
func (a *assembly) result() Assembled {
	var messages []Message
	for _, m := range []*Message{a.system, a.todo, a.task, a.memories, a.events, a.summary} {
		if m != nil {
			messages = append(messages, *m)
		}
	}
	used, capacity := a.budget.Used(), a.live.capacity()
	a.budget.CompressionHeadroom = a.settings.headroom(used, capacity)
	return Assembled{
		Messages:    append(messages, a.conversation...),
		Utilization: a.settings.utilization(a.live.window, used, len(a.conversation), false),
		Budget:      a.budget,
		Events:      a.compact,
	}
}
