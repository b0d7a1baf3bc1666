package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/memory"
)

var (
	appendSpec = Spec{
		Name: "context_append", Title: "Report messages", Group: Context, Effect: Add,
		Description: "Report the messages of a conversation as they come, to know how full its context window is. At 60 % facts are saved; at 70 % the history is summarised " +
			"and messages holds the shorter history that takes its place. The originals stay searchable. What was reported before is recognised, so a call may be repeated.",
	}
	assembleSpec = Spec{
		Name: "context_assemble", Title: "Assemble a prompt", Group: Context, Effect: Read,
		Description: "Make a prompt that fits the window: system prompt, to-dos, the last three turns, task, relevant memories, older turns and events, in this priority.",
	}
	statusSpec = Spec{
		Name: "context_status", Title: "Look at a window", Group: Context, Effect: Change,
		Description: "Show how full a session's window is, what is still running and, once, the result of work finished in the background.",
	}
	compactSpec = Spec{
		Name: "context_compact", Title: "Flush or compact", Group: Context, Effect: Change,
		Description: "Save the facts of a session now (flush), or also replace its history by a summary (compact). Give facts and summary if you have written them yourself; they are used as they are.",
	}
)

// messageShape is a message of a conversation, in arguments and in results.
type messageShape struct {
	Role       memory.Role `json:"role" desc:"Who speaks." required:"true"`
	Content    string      `json:"content" desc:"What is said; may be empty beside tool_calls."`
	Name       string      `json:"name,omitempty" desc:"The speaker's name." maxlen:"256"`
	TS         time.Time   `json:"ts,omitzero" desc:"When it was said."`
	Thinking   string      `json:"thinking,omitempty" desc:"What the model thought; kept, never sent back."`
	ToolCalls  []callShape `json:"tool_calls,omitempty" desc:"Calls that the message makes, with their outcome if it is known." maxitems:"500"`
	ToolCallID string      `json:"tool_call_id,omitempty" desc:"Of a tool's message: the call that it answers." maxlen:"256"`
	ExternalID string      `json:"external_id,omitempty" desc:"Your own id for it, unique in the session." maxlen:"256"`
}

type callShape struct {
	ID        string          `json:"id,omitempty" desc:"Id of the call." maxlen:"256"`
	Name      string          `json:"name" desc:"The tool." required:"true" maxlen:"256"`
	Arguments json.RawMessage `json:"arguments,omitempty" desc:"Its arguments."`
	Result    string          `json:"result,omitempty" desc:"What it returned."`
	Error     string          `json:"error,omitempty" desc:"Why it failed."`
}

type eventShape struct {
	Type       string    `json:"type" desc:"What sort of event." required:"true" maxlen:"256"`
	Content    string    `json:"content" desc:"What happened." required:"true"`
	GoalID     string    `json:"goal_id,omitempty" desc:"The goal it belongs to." maxlen:"256"`
	TaskID     string    `json:"task_id,omitempty" desc:"The task it belongs to." maxlen:"256"`
	TS         time.Time `json:"ts,omitzero" desc:"When it happened."`
	ExternalID string    `json:"external_id,omitempty" desc:"Your own id for it." maxlen:"256"`
}

func messageOf(m messageShape) contextwindow.Message {
	out := contextwindow.Message{
		Role: m.Role, Content: m.Content, Name: m.Name, TS: m.TS, Thinking: m.Thinking,
		ToolCallID: m.ToolCallID, ExternalID: m.ExternalID,
	}
	for _, c := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, memory.ToolCall(c))
	}
	return out
}

func messageShapes(messages []contextwindow.Message) []messageShape {
	var out []messageShape
	for _, m := range messages {
		one := messageShape{Role: m.Role, Content: m.Content, Name: m.Name, TS: m.TS, ToolCallID: m.ToolCallID, ExternalID: m.ExternalID}
		for _, c := range m.ToolCalls {
			one.ToolCalls = append(one.ToolCalls, callShape(c))
		}
		out = append(out, one)
	}
	return out
}

type utilizationOutput struct {
	TotalTokens      int                          `json:"total_tokens"`
	UsedTokens       int                          `json:"used_tokens"`
	Percent          float64                      `json:"utilization_percent"`
	TurnsInContext   int                          `json:"turns_in_context"`
	CompressedTurns  int                          `json:"compressed_turns"`
	CompressionRatio float64                      `json:"compression_ratio"`
	HeadroomTokens   int                          `json:"headroom_tokens"`
	Recommendation   contextwindow.Recommendation `json:"recommendation"`
}

type appendInput struct {
	SessionID     string         `json:"session_id" desc:"The conversation." required:"true" maxlen:"256"`
	Messages      []messageShape `json:"messages,omitempty" desc:"What was said, in order." maxitems:"500"`
	Events        []eventShape   `json:"events,omitempty" desc:"Entries of the event stream." maxitems:"500"`
	ContextWindow int            `json:"context_window,omitempty" desc:"The model's window in tokens; default: as before, at first 200000." min:"1"`
	ReserveTokens *int           `json:"reserve_tokens,omitempty" desc:"Kept free for the answer; default: as before, at first 4096." min:"0"`
	Model         string         `json:"model,omitempty" desc:"Whose tokenizer counts." maxlen:"256"`
	InputSource   string         `json:"input_source,omitempty" desc:"Where the messages come from." maxlen:"256"`
	Project       *string        `json:"project,omitempty" desc:"Project of the conversation and its facts."`
}

func (in appendInput) project() *string { return in.Project }

// WindowOutput is the output of context_append and context_compact: what a report of messages or a
// compaction did to a session's context window.
type WindowOutput struct {
	SessionID         string               `json:"session_id"`
	Appended          int                  `json:"appended"`
	Classifications   []memory.TurnClass   `json:"classifications"`
	Utilization       utilizationOutput    `json:"utilization"`
	UtilizationBefore utilizationOutput    `json:"utilization_before"`
	Action            contextwindow.Action `json:"action"`
	FactsSaved        []string             `json:"facts_saved"`
	Summary           string               `json:"summary,omitempty"`
	Messages          []messageShape       `json:"messages,omitempty"`
	Differing         []string             `json:"differing,omitempty"`
	Problem           string               `json:"problem,omitempty"`
	Fallback          string               `json:"fallback,omitempty"`
}

// WindowOutputOf converts the result of a use case to the tools' output.
func WindowOutputOf(r contextwindow.Result) WindowOutput {
	return WindowOutput{
		SessionID: r.Session, Appended: r.Appended, Classifications: r.Classifications,
		Utilization: utilizationOutput(r.Utilization), UtilizationBefore: utilizationOutput(r.Before), Action: r.Action,
		FactsSaved: r.FactsSaved, Summary: r.Summary, Messages: messageShapes(r.Messages), Differing: r.Differing,
		Problem: r.Problem, Fallback: r.Fallback,
	}
}

func (s Services) append(ctx context.Context, scope memory.Scope, in appendInput) (*WindowOutput, string, error) {
	r := contextwindow.AppendRequest{
		Scope: scope, Session: in.SessionID, Total: in.ContextWindow, Reserve: in.ReserveTokens, Model: in.Model, Source: in.InputSource,
	}
	for _, m := range in.Messages {
		r.Messages = append(r.Messages, messageOf(m))
	}
	for _, e := range in.Events {
		r.Events = append(r.Events, contextwindow.Event(e))
	}
	result, err := s.Window.Append(ctx, r)
	if err != nil {
		return nil, "", err
	}
	text := WindowText(result)
	if result.Action != contextwindow.ActionCompacted && len(result.Messages) > 0 { // history cut, or a call repeated
		text += fmt.Sprintf(" Use the %s returned in place of the history.", plural(len(result.Messages), "message"))
	}
	out := WindowOutputOf(result)
	return &out, text + messagesText(result.Messages), nil
}

// WindowText describes a result in one or a few sentences, for the text form.
func WindowText(r contextwindow.Result) string {
	var b strings.Builder
	if len(r.Classifications) > 0 { // messages were reported
		fmt.Fprintf(&b, "Stored %s. ", plural(r.Appended, "message"))
	}
	fmt.Fprintf(&b, "The window is %.1f %% full (%s).", r.Utilization.Percent, r.Utilization.Recommendation)
	switch r.Action {
	case contextwindow.ActionFlushStarted:
		b.WriteString(" Facts are being saved.")
	case contextwindow.ActionFlushed:
		fmt.Fprintf(&b, " Saved %s.", plural(len(r.FactsSaved), "fact"))
	case contextwindow.ActionCompacting:
		b.WriteString(" The history is being compacted; context_status brings the result.")
	case contextwindow.ActionCompacted:
		fmt.Fprintf(&b, " Saved %s and compacted: use the %s returned in place of the history.", plural(len(r.FactsSaved), "fact"),
			plural(len(r.Messages), "message"))
	}
	b.WriteString(trouble(r.Problem, r.Fallback))
	if len(r.Differing) > 0 {
		fmt.Fprintf(&b, " Known with another content, which stays: %s.", plural(len(r.Differing), "message"))
	}
	return b.String()
}

// trouble returns sentences about a failed step and about a replaced summarizer, "" for neither.
func trouble(problem, fallback string) (text string) {
	if problem != "" {
		text += " Not done yet: " + problem + "."
	}
	if fallback != "" {
		text += " Note: " + fallback + "."
	}
	return text
}

type assembleInput struct {
	SessionID     string  `json:"session_id" desc:"The conversation." required:"true" maxlen:"256"`
	SystemPrompt  string  `json:"system_prompt,omitempty" desc:"Comes first, never cut."`
	Todo          string  `json:"todo,omitempty" desc:"To-dos; default: those that are pending."`
	Task          string  `json:"task,omitempty" desc:"What is to be done."`
	Query         string  `json:"query,omitempty" desc:"What memories to look for; default: the last user message and the task."`
	ContextWindow int     `json:"context_window,omitempty" desc:"In tokens; default: the session's." min:"1"`
	ReserveTokens *int    `json:"reserve_tokens,omitempty" desc:"Kept free for the answer; default: the session's." min:"0"`
	MemoryBudget  *int    `json:"memory_budget,omitempty" desc:"Tokens for memories; default 2000." min:"0"`
	Project       *string `json:"project,omitempty" desc:"Project to read memories of."`
}

func (in assembleInput) project() *string { return in.Project }

type assembleOutput struct {
	Messages    []messageShape    `json:"messages"`
	Utilization utilizationOutput `json:"utilization"`
	Budget      budgetOutput      `json:"budget"`
	Events      *eventsOutput     `json:"events,omitempty"`
}

// eventsOutput describes the events that a prompt shows as references: their number, their tokens
// in full and in compact form, and the ratio compact by full (0 to 1).
type eventsOutput struct {
	References       int     `json:"references"`
	OriginalTokens   int     `json:"original_tokens"`
	CompactedTokens  int     `json:"compacted_tokens"`
	CompressionRatio float64 `json:"compression_ratio"`
}

func eventsOf(c contextwindow.CompactedEvents) *eventsOutput {
	if len(c.Events) == 0 {
		return nil
	}
	return &eventsOutput{len(c.Events), c.OriginalTokens, c.CompactTokens, c.Ratio}
}

type budgetOutput struct {
	TotalTokens         int `json:"total_tokens"`
	ReserveTokens       int `json:"reserve_tokens"`
	SystemPromptTokens  int `json:"system_prompt_tokens"`
	TodoTokens          int `json:"todo_tokens"`
	TaskTokens          int `json:"task_tokens"`
	MemoryTokens        int `json:"memory_tokens"`
	EventTokens         int `json:"event_tokens"`
	TurnTokens          int `json:"turn_tokens"`
	CompressionHeadroom int `json:"compression_headroom"`
}

func (s Services) assemble(ctx context.Context, scope memory.Scope, in assembleInput) (*assembleOutput, string, error) {
	made, err := s.Window.Assemble(ctx, contextwindow.AssembleRequest{
		Scope: scope, Session: in.SessionID, SystemPrompt: in.SystemPrompt, Todo: in.Todo, Task: in.Task, Query: in.Query,
		Total: in.ContextWindow, Reserve: in.ReserveTokens, MemoryBudget: in.MemoryBudget,
	})
	if err != nil {
		return nil, "", err
	}
	text := fmt.Sprintf("A prompt of %s and %d tokens.", plural(len(made.Messages), "message"), made.Budget.Used())
	return &assembleOutput{messageShapes(made.Messages), utilizationOutput(made.Utilization), budgetOutput(made.Budget),
		eventsOf(made.Events)}, text + messagesText(made.Messages), nil
}

type statusInput struct {
	SessionID string `json:"session_id" desc:"The conversation." required:"true" maxlen:"256"`
}

type statusOutput struct {
	SessionID      string               `json:"session_id"`
	Utilization    utilizationOutput    `json:"utilization"`
	Watermarks     watermarksOutput     `json:"watermarks"`
	PendingJobs    int                  `json:"pending_jobs"`
	Step           string               `json:"step,omitempty"`
	Attempts       int                  `json:"attempts,omitempty"`
	Action         contextwindow.Action `json:"action"`
	FactsSaved     []string             `json:"facts_saved,omitempty"`
	LastCompaction time.Time            `json:"last_compaction,omitzero"`
	Summary        string               `json:"summary,omitempty"`
	Messages       []messageShape       `json:"messages,omitempty"`
	Problem        string               `json:"problem,omitempty"`
	Fallback       string               `json:"fallback,omitempty"`
}

// watermarksOutput counts turns from the beginning of the session: all of them, those whose facts
// were saved (flushed), and those that a summary replaced (compacted).
type watermarksOutput struct {
	Turns     int `json:"turns"`
	Flushed   int `json:"flushed"`
	Compacted int `json:"compacted"`
}

func (s Services) status(ctx context.Context, scope memory.Scope, in statusInput) (*statusOutput, string, error) {
	st, err := s.Window.Status(ctx, scope, in.SessionID)
	if err != nil {
		return nil, "", err
	}
	text := fmt.Sprintf("The window is %.1f %% full (%s): %s, %d of them replaced by a summary; %s pending.",
		st.Utilization.Percent, st.Utilization.Recommendation, plural(st.Turns, "turn"), st.Compacted, plural(st.PendingJobs, "job"))
	text += trouble(st.Problem, st.Fallback)
	if len(st.Messages) > 0 {
		text += fmt.Sprintf(" Use the %s returned in place of the history.", plural(len(st.Messages), "message"))
	}
	return &statusOutput{
		SessionID: st.Session, Utilization: utilizationOutput(st.Utilization),
		Watermarks:  watermarksOutput{st.Turns, st.Flushed, st.Compacted},
		PendingJobs: st.PendingJobs, Step: st.Step, Attempts: st.Attempts, Action: st.Action, FactsSaved: st.FactsSaved,
		LastCompaction: st.LastCompaction, Summary: st.Summary, Messages: messageShapes(st.Messages), Problem: st.Problem,
		Fallback: st.Fallback,
	}, text + messagesText(st.Messages), nil
}

type compactInput struct {
	SessionID string             `json:"session_id" desc:"The conversation." required:"true" maxlen:"256"`
	Mode      contextwindow.Mode `json:"mode,omitempty" desc:"flush saves facts; compact also replaces the history." enum:"flush,compact" default:"compact"`
	Facts     []string           `json:"facts,omitempty" desc:"Facts to save in place of extracted ones, a sentence each that stands on its own." maxitems:"500"`
	Summary   string             `json:"summary,omitempty" desc:"Your own summary of the history, for the mode compact."`
	KeepLast  int                `json:"keep_last,omitempty" desc:"Messages that stay." default:"4" min:"1" max:"500"`
}

func (s Services) compact(ctx context.Context, scope memory.Scope, in compactInput) (*WindowOutput, string, error) {
	r := contextwindow.CompactRequest{Scope: scope, Session: in.SessionID, Mode: in.Mode, Summary: in.Summary, KeepLast: in.KeepLast}
	for _, f := range in.Facts {
		r.Facts = append(r.Facts, contextwindow.GivenFact{Content: f})
	}
	result, err := s.Window.Compact(ctx, r)
	if err != nil {
		return nil, "", err
	}
	out := WindowOutputOf(result)
	return &out, WindowText(result) + messagesText(result.Messages), nil
}
