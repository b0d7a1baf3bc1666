package consolidate

import (
	"slices"
	"strings"
	"time"

	"mcp-memory/memory"
)

// Phase says what is consolidated.
type Phase string

// The phases.
const (
	PhaseBoth          Phase = "both"
	PhaseMemories      Phase = "memories"
	PhaseConversations Phase = "conversations"
)

// Phases lists every phase.
func Phases() []Phase { return []Phase{PhaseBoth, PhaseMemories, PhaseConversations} }

// Mode says who writes the summaries.
type Mode string

// The modes.
const (
	ModeAuto       Mode = "auto"       // the model if there is one and it answers, else the built-in summariser
	ModeAgent      Mode = "agent"      // the agent that asks: it gets the batch and gives its summary
	ModeLLM        Mode = "llm"        // the configured model
	ModeExtractive Mode = "extractive" // the built-in summariser
)

// Modes lists every mode.
func Modes() []Mode { return []Mode{ModeAuto, ModeAgent, ModeLLM, ModeExtractive} }

// Status says how a call ended.
type Status string

// The statuses.
const (
	StatusDone         Status = "done"
	StatusNeedsSummary Status = "needs_summary" // a batch waits for the agent's summary
	StatusNothing      Status = "nothing_to_do"
	StatusDryRun       Status = "dry_run" // what would be done; nothing was written
	StatusUndone       Status = "undone"
)

// Statuses lists every status.
func Statuses() []Status {
	return []Status{StatusDone, StatusNeedsSummary, StatusNothing, StatusDryRun, StatusUndone}
}

// Request asks for self-care. With BatchID it submits the agent's summary of a
// batch, with Undo it takes back an earlier call. Only Agent is needed.
type Request struct {
	Agent    string
	Focus    string        // what to pay attention to; empty is everything
	Phase    Phase         // empty is both
	Kinds    []memory.Kind // longterm, episode or fact; nil is longterm and episode
	Mode     Mode          // empty is auto
	DryRun   bool          // only tell what would be done
	BatchID  string        // of a batch that ModeAgent returned
	Summary  string        // the agent's summary of that batch
	Undo     string        // Result.UndoID of an earlier call
	Location string        // where the agent is; see Options.Home
}

// kinds are the kinds of memories that may be summarised; the first two are the
// default. The others describe the agent itself, or have a form that a summary
// would lose.
var kinds = []memory.Kind{memory.KindLongTerm, memory.KindEpisode, memory.KindFact}

// Result says what a call did, or in a dry run would do. Counts and tokens are
// those of the call.
type Result struct {
	Status                  Status
	Phase                   Phase
	MemoriesConsidered      int // live, of the kinds, not pinned; on the focus or not
	MemoriesArchived        int
	Summaries               []Summary
	ConversationsSummarised int       // turns that were summarised
	Watermark               time.Time // of the newest turn ever summarised, or zero
	TokensBefore            int       // of what was summarised, and of the summaries folded in
	TokensAfter             int       // of the summaries that were made
	BatchID                 string
	Batch                   []memory.DatedText
	Earlier                 string // summary to be folded into that of the batch
	UndoID                  string
	ModeUsed                Mode // ModeExtractive if the built-in summariser wrote one of them
	// BroughtBack counts the memories and turns that an undo made live again.
	// Left has the ids of those that were changed or erased since, and of
	// summaries that were corrected, all of which it leaves as they are.
	BroughtBack int
	Left        []string
	// Problem tells why a call that did something ended early.
	Problem string
}

// Summary is a summary that was made. ID is empty in a dry run.
type Summary struct {
	ID      string
	Content string
	Covers  int // memories or turns, with those of the summaries folded in
}

// check fills in defaults and validates the request.
func (s *Service) check(r *Request) error {
	if s.home != "" && !strings.EqualFold(strings.TrimSpace(r.Location), s.home) {
		return memory.Errorf(memory.CodeForbidden, "self-care is done at home only").WithHint("location must be %q", s.home)
	}
	if r.Phase == "" {
		r.Phase = PhaseBoth
	}
	if r.Mode == "" {
		r.Mode = ModeAuto
	}
	if len(r.Kinds) == 0 {
		r.Kinds = kinds[:2]
	}
	r.Focus = strings.TrimSpace(r.Focus)
	for _, check := range []func() error{r.checkNames, r.checkBatch, r.checkUndo} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Request) checkNames() error {
	if !slices.Contains(Phases(), r.Phase) {
		return memory.Errorf(memory.CodeInvalidArgument, "phase %q does not exist", r.Phase).
			WithHint("one of both, memories, conversations")
	}
	if !slices.Contains(Modes(), r.Mode) {
		return memory.Errorf(memory.CodeInvalidArgument, "mode %q does not exist", r.Mode).WithHint("one of auto, agent, llm, extractive")
	}
	for _, k := range r.Kinds {
		if !slices.Contains(kinds, k) {
			return memory.Errorf(memory.CodeInvalidArgument, "kinds has %q, which is never summarised", k).
				WithHint("longterm, episode or fact")
		}
	}
	r.Kinds = slices.Compact(slices.Sorted(slices.Values(r.Kinds)))
	return memory.CheckText("focus", r.Focus, memory.MaxContentBytes)
}

func (r *Request) checkBatch() error {
	if r.BatchID == "" {
		if r.Summary == "" {
			return nil
		}
		return memory.Errorf(memory.CodeInvalidArgument, "summary without batch_id").WithHint("give the batch_id that mode agent returned")
	}
	if r.DryRun || r.Undo != "" {
		return memory.Errorf(memory.CodeInvalidArgument, "batch_id goes with neither dry_run nor undo").
			WithHint("give batch_id and summary alone")
	}
	r.Summary = strings.TrimSpace(r.Summary)
	if r.Summary == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "summary is empty").WithHint("say what the batch says, in your own words")
	}
	return memory.CheckText("summary", r.Summary, memory.MaxContentBytes)
}

func (r *Request) checkUndo() error {
	if r.Undo != "" && r.DryRun {
		return memory.Errorf(memory.CodeInvalidArgument, "undo does not go with dry_run").WithHint("leave dry_run out")
	}
	return nil
}
