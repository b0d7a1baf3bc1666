package contextwindow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcp-memory/memory"
)

// AppendRequest reports what was said and what happened.
type AppendRequest struct {
	Scope    memory.Scope // whose bank, and the project of turns and facts
	Session  string       // the conversation
	Messages []Message    // in order, up to memory.MaxBatch
	Events   []Event      // up to memory.MaxBatch
	// Total is the model's context window and Reserve the part of it that is kept free for the
	// answer, in tokens; Model names the tokenizer. A value that is 0, nil or empty keeps what
	// the session has.
	Total   int
	Reserve *int
	Model   string
	Source  string // where the messages come from, for example "chat" or "hook"
}

// Event is one entry of a session's event stream.
type Event struct {
	Type       string
	Content    string
	GoalID     string
	TaskID     string
	TS         time.Time
	ExternalID string // the caller's own name for it, unique in its session
}

// errMoved is returned by a transaction that finds that another process has changed the session
// since it was read; the call then begins again.
var errMoved = errors.New("the session has changed")

// Append stores messages and events at the end of a session, and saves facts
// or compacts if the window asks for it. Nothing is written if an argument is
// wrong: [memory.CodeInvalidArgument] and [memory.CodeTooLarge] name it. What
// was reported before is known again, see the package document.
func (s *Service) Append(ctx context.Context, r AppendRequest) (Result, error) {
	drafts, err := s.check(r)
	if err != nil {
		return Result{}, err
	}
	k := key{r.Scope.Agent, r.Session}
	defer s.lock(k)()
	for range maxAttempts {
		a := &appending{Service: s, key: k, request: r, drafts: drafts}
		if err = a.prepare(ctx); err != nil {
			return Result{}, err
		}
		err = s.store.Write(ctx, k.agent, func(tx memory.Tx) error { return a.commit(ctx, tx) })
		if errors.Is(err, errMoved) {
			continue
		}
		if err != nil {
			return Result{}, err
		}
		return a.after(ctx)
	}
	return Result{}, keepsChanging(r.Session)
}

// maxAttempts is how often a call begins again because another process has
// changed its session.
const maxAttempts = 10

func keepsChanging(session string) error {
	return memory.Errorf(memory.CodeUnavailable, "other processes keep changing session %q", session).WithHint("try again")
}

// check looks at everything that the caller gave.
func (s *Service) check(r AppendRequest) ([]draft, error) {
	if err := checkSession(r.Session); err != nil {
		return nil, err
	}
	if err := r.Scope.CheckWritable(); err != nil {
		return nil, err
	}
	if max(len(r.Messages), len(r.Events)) > memory.MaxBatch {
		return nil, memory.Errorf(memory.CodeTooLarge, "%d messages and %d events, at most %d of each are allowed", len(r.Messages),
			len(r.Events), memory.MaxBatch).
			WithHint("report them in several calls")
	}
	for _, f := range [][2]string{{"project", r.Scope.Project}, {"model", r.Model}, {"input_source", r.Source}} {
		if err := memory.CheckLine(f[0], f[1], memory.MaxNameBytes); err != nil {
			return nil, err
		}
	}
	for i, e := range r.Events {
		if err := e.check(); err != nil {
			return nil, at(fmt.Sprintf("events[%d]", i), err)
		}
	}
	return s.drafts(r.Scope, r.Session, r.Source, r.Messages)
}

func checkSession(session string) error {
	if strings.TrimSpace(session) == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "session_id is empty").WithHint("name the conversation, the same in every call")
	}
	return memory.CheckLine("session_id", session, memory.MaxNameBytes)
}

func (e Event) check() error {
	if strings.TrimSpace(e.Type) == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "type is missing").WithHint("say what happened, for example task_completed")
	}
	for _, f := range [][2]string{{"type", e.Type}, {"goal_id", e.GoalID}, {"task_id", e.TaskID}, {"external_id", e.ExternalID}} {
		if err := memory.CheckLine(f[0], f[1], memory.MaxNameBytes); err != nil {
			return err
		}
	}
	return memory.CheckText("content", e.Content, memory.MaxTurnBytes)
}

// appending is one attempt to store what a call reports.
type appending struct {
	*Service
	key
	request AppendRequest
	drafts  []draft // all messages of the request, as turns

	live    liveWindow  // the window as prepare read it, with the request's settings; put renews it
	fresh   []draft     // the drafts that the session does not have yet
	vectors [][]float32 // one for each of fresh; nil if they are made later
	events  []memory.ContextEvent
	replay  int // index after the last turn that the request repeats, 0 if it repeats none

	stored []memory.Turn // what the transaction stores of fresh
	sizes  []turnSize    // of stored
	known  map[int]draft // messages whose external id the session has, by the index of that turn
	job    *memory.Job   // the session's unfinished job, from before or stored by this call; nil for none
	notice *outcome      // what was finished in the background and is told by this call; nil for nothing
	mine   bool          // the job was stored by this call
	wasCut bool          // the window was cut to its last messages, without a summary; see trimmed
}

// prepare does what needs no transaction: it reads the window, finds out which messages the
// session has already, counts and classifies all of them, and embeds the new ones.
func (a *appending) prepare(ctx context.Context) error {
	var err error
	if a.live, err = a.load(ctx, a.key); err != nil {
		return err
	}
	w := &a.live.window
	if a.request.Total != 0 {
		w.Total = a.request.Total
	}
	if a.request.Reserve != nil {
		w.Reserve = *a.request.Reserve
	}
	if a.request.Model != "" {
		w.Model = a.request.Model
	}
	if !a.live.stored {
		w.Project = a.request.Scope.Project
	}
	if err := checkSize(w.Total, w.Reserve); err != nil {
		return err
	}
	index, err := a.findFresh(ctx)
	if err != nil {
		return err
	}
	a.events = a.contextEvents(index)
	counter := a.counter(w.Model)
	for i, e := range a.events {
		a.events[i].Tokens = counter.Count(e.Content)
	}
	a.classify(counter)
	a.vectors = a.embed(ctx)
	return nil
}

// findFresh sets a.fresh to the messages that the session does not have, and a.replay. It returns
// the index in the session of the request's first message, behind a summary or prompt that the
// session has already: where it is repeated, or where it will be stored.
func (a *appending) findFresh(ctx context.Context) (index int, err error) {
	w := a.live.window
	a.fresh = a.drafts
	if w.Summary != "" && len(a.fresh) > 0 && a.fresh[0].Content == summaryMessage(w.Summary).Content {
		a.fresh = a.fresh[1:] // the summary that this package made, sent back by the host
	}
	replay := a.cache.of(a.key).replay
	n, index, err := a.repeated(ctx, a.key, w.Turns, replay, a.fresh)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		rest, err := a.afterPrompt(ctx, a.key, a.fresh)
		if err != nil {
			return 0, err
		}
		if len(rest) < len(a.fresh) {
			found, at, err := a.repeated(ctx, a.key, w.Turns, replay, rest)
			if err != nil {
				return 0, err
			}
			if found > 0 {
				a.fresh, n, index = rest, found, at
			}
		}
	}
	if n > 0 {
		a.replay = index + n
	}
	a.fresh = a.fresh[n:]
	return index, nil
}

// classify gives the messages their class and their size.
func (a *appending) classify(counter memory.TokenCounter) {
	names := map[string]string{} // call id → tool
	for i := range a.drafts {
		d := &a.drafts[i]
		d.Details.Classification = a.rules.classOf(d.Turn, names)
		d.Details.Tokens = messageTokens(counter, messageOf(d.Turn))
	}
}

// embed returns a vector for each fresh message, or nil if the embedder is not local or fails:
// such turns are queued for their vectors.
func (a *appending) embed(ctx context.Context) [][]float32 {
	if len(a.fresh) == 0 || !a.embedder.Local() {
		return nil
	}
	texts := make([]string, len(a.fresh))
	for i, d := range a.fresh {
		texts[i] = d.Content
	}
	vectors, err := a.embedder.EmbedDocuments(ctx, texts)
	if err != nil {
		a.log.WarnContext(ctx, "embed messages", "error", err)
		return nil
	}
	return vectors
}

// contextEvents returns the request's events as they are stored. An event without an external id
// gets one, so that a call that is tried again stores it once: a hash of its fields and its time
// or, if it has no time, of its place in the call and of index, where the call's messages stand
// in the session. An event of a call without messages, and without a time, gets none.
func (a *appending) contextEvents(index int) []memory.ContextEvent {
	now := a.now()
	list := make([]memory.ContextEvent, len(a.request.Events))
	for i, e := range a.request.Events {
		c := memory.ContextEvent{
			ID: a.ids.New(), Agent: a.agent, Session: a.session, Type: e.Type, Content: e.Content, GoalID: e.GoalID, TaskID: e.TaskID,
			ExternalID: e.ExternalID, At: memory.StoredTime(e.TS),
		}
		place := ""
		switch {
		case !e.TS.IsZero():
			place = c.At.Format(time.RFC3339Nano)
		case len(a.drafts) > 0:
			place = fmt.Sprint(i, " at ", index)
		}
		if c.ExternalID == "" && place != "" {
			h := sha256.New()
			fmt.Fprintf(h, "%q %q %q %q %q", e.Type, e.Content, e.GoalID, e.TaskID, place)
			c.ExternalID = autoEvent + hex.EncodeToString(h.Sum(nil)[:16])
		}
		if e.TS.IsZero() {
			c.At = now
		}
		list[i] = c
	}
	return list
}
