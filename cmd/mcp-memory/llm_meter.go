package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"mcp-memory/internal/plainfile"
	"mcp-memory/llm"
	"mcp-memory/memory"
)

// asked counts how often a model was asked on one day, by all processes that share a data
// directory.
type asked struct {
	Day    string `json:"day"`
	Calls  int    `json:"calls"`
	Tokens int    `json:"tokens"` // of requests and answers, by this program's own count
	Failed int    `json:"failed,omitempty"`
	// Problem is the last failure, on whatever day. The next answer removes it.
	Problem string    `json:"problem,omitempty"`
	At      time.Time `json:"at,omitzero"` // when Problem happened
}

// askedFile is the file in the data directory that has an [asked].
const askedFile = "llm.json"

// meter counts the requests of a day in a file, and refuses those that exceed the limits of the
// settings.
type meter struct {
	path          string
	calls, tokens int // limits for a day; 0 is no limit
	clock         memory.Clock
	day           func(time.Time) string
}

var _ llm.Meter = (*meter)(nil)

func (p *Program) newMeter() (*meter, error) {
	calls, err := p.settings.count("llm.calls")
	if err != nil {
		return nil, err
	}
	tokens, err := p.settings.count("llm.tokens")
	if err != nil {
		return nil, err
	}
	return &meter{path: filepath.Join(p.settings.get("data_dir"), askedFile), calls: calls, tokens: tokens, clock: p.Clock,
		day: memory.Clock(p.Clock).Day}, nil
}

// Allow implements [llm.Meter]. If there is a limit and counting fails, it refuses.
func (m *meter) Allow(ctx context.Context, tokens int) error {
	var refused error
	err := m.change(ctx, func(a *asked) {
		switch {
		case m.calls > 0 && a.Calls >= m.calls:
			refused = memory.Errorf(memory.CodeUnavailable, "the model was asked %d times today, which is the limit", a.Calls).
				WithHint("llm.calls raises it; 0 is no limit")
		case m.tokens > 0 && a.Tokens+tokens > m.tokens:
			refused = memory.Errorf(memory.CodeUnavailable, "%d tokens went to and from the model today, and the limit is %d", a.Tokens,
				m.tokens).WithHint("llm.tokens raises it; 0 is no limit")
		default:
			a.Calls, a.Tokens = a.Calls+1, a.Tokens+tokens
		}
	})
	if refused == nil && err != nil && m.calls+m.tokens > 0 {
		return memory.Errorf(memory.CodeUnavailable, "requests to the model cannot be counted").WithHint("can %s be written?", m.path).
			WithCause(err)
	}
	return refused
}

// Answered implements [llm.Meter].
func (m *meter) Answered(ctx context.Context, tokens int, problem error) {
	_ = m.change(context.WithoutCancel(ctx), func(a *asked) { // an error loses this count; the call itself is counted
		if a.Tokens += tokens; problem == nil {
			a.Problem, a.At = "", time.Time{}
			return
		}
		a.Failed, a.Problem, a.At = a.Failed+1, message(problem), m.clock()
	})
}

// change changes the counts of the day, while a lock keeps out other processes.
func (m *meter) change(ctx context.Context, do func(*asked)) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	lock := flock.New(m.path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return err
	}
	defer lock.Unlock()
	a, err := readAsked(m.path)
	if err != nil {
		return err
	}
	if today := m.day(m.clock()); a.Day != today {
		a = asked{Day: today, Problem: a.Problem, At: a.At}
	}
	do(&a)
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return replaceFile(m.path, string(text)+"\n")
}

// readAsked reads the file. A missing or broken file counts as empty.
func readAsked(path string) (a asked, err error) {
	text, err := plainfile.Read(path, maxOwn)
	if errors.Is(err, fs.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return a, err
	}
	if json.Unmarshal(text, &a) != nil {
		return asked{}, nil
	}
	return a, nil
}

// askedText says how often the model was asked today, and its last failure as problem. Both are ""
// if no model is configured or the counts cannot be read, problem also after a success.
func (p *Program) askedText() (text, problem string) {
	if !p.readsByModel() {
		return "", ""
	}
	m, err := p.newMeter()
	if err != nil {
		return "", ""
	}
	a, err := readAsked(m.path)
	if err != nil {
		return "", ""
	}
	if a.Day != m.day(m.clock()) {
		a.Calls, a.Tokens, a.Failed = 0, 0, 0
	}
	of := func(n, limit int) string {
		if limit == 0 {
			return fmt.Sprint(n)
		}
		return fmt.Sprintf("%d of at most %d", n, limit)
	}
	text = fmt.Sprintf("asked %s times today, %s tokens", of(a.Calls, m.calls), of(a.Tokens, m.tokens))
	if a.Failed > 0 {
		text += fmt.Sprintf("; %d failed, the rules took their place", a.Failed)
	}
	if a.Problem != "" {
		problem = fmt.Sprintf("%s: %s", a.At.Format("2006-01-02 15:04"), a.Problem)
	}
	return text, problem
}

// checkModel reports how often the model was asked today, and its last failure. It does not ask the
// model.
func (p *Program) checkModel() memory.Finding {
	f := memory.Finding{Check: "model", Condition: memory.ConditionOK}
	text, problem := p.askedText()
	f.Detail = text
	if problem != "" {
		f.Condition, f.Advice = memory.ConditionWarning, "failed last at "+problem
	}
	return f
}
