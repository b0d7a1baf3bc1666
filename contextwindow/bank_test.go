package contextwindow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcp-memory/contextwindow"
	"mcp-memory/internal/testbank"
	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/workspace"
)

var (
	start = testbank.Start
	anna  = memory.Scope{Agent: "anna"}
)

const session = "s1"

// bank is a database and a workspace in a directory, with a service over them.
type bank struct {
	*contextwindow.Service
	t     testing.TB
	all   *testbank.Bank
	dir   string
	store memory.Store
	moved testbank.Clock
}

func newBank(t testing.TB, edits ...func(*contextwindow.Options)) *bank {
	t.Helper()
	return openBank(t, t.TempDir(), edits...)
}

// openBank opens what is in a directory, as a process does that starts.
func openBank(t testing.TB, dir string, edits ...func(*contextwindow.Options)) *bank {
	t.Helper()
	b := &bank{t: t, dir: dir}
	b.all = testbank.New(t, testbank.Options{Dir: dir, Clock: b.clock})
	b.store = b.all.Store
	b.Service = b.service(edits...)
	return b
}

func (b *bank) clock() time.Time { return b.moved.Now() }

func (b *bank) later(d time.Duration) { b.moved.Pass(d) }

func (b *bank) rememberOptions() remember.Options {
	o := b.all.RememberOptions()
	o.DayLog = func(string) remember.DayLog { return nil }
	return o
}

// service is one more service over the bank, as of another process.
func (b *bank) service(edits ...func(*contextwindow.Options)) *contextwindow.Service {
	o := b.all.WindowOptions()
	o.IDs, o.Summarizers, o.Remember = memory.NewIDs(b.clock), []memory.Summarizer{&rules{}}, remember.New(b.rememberOptions())
	o.Files = func(string) contextwindow.Files { return &files{dir: b.dir} }
	o.Settings.Total, o.Settings.Reserve = 2000, 400
	for _, edit := range edits {
		edit(&o)
	}
	s := contextwindow.New(o)
	b.t.Cleanup(func() { s.Close(soon(b.t, 0)) })
	return s
}

// byTokens leaves the number of messages alone.
func byTokens(o *contextwindow.Options) { o.Settings.Compaction = contextwindow.TriggerTokens }

// patience bounds what a test waits for, lest a program that is wrong keeps it
// waiting for minutes. One that is right never takes so long.
const patience = 10 * time.Second

// soon returns a context that ends in a while, also after the test.
func soon(t testing.TB, wait time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), wait)
	t.Cleanup(cancel)
	return ctx
}

func (b *bank) append(messages ...contextwindow.Message) contextwindow.Result {
	b.t.Helper()
	r, err := b.Append(b.t.Context(), contextwindow.AppendRequest{Scope: anna, Session: session, Messages: messages})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *bank) status() contextwindow.Status {
	b.t.Helper()
	status, err := b.Status(b.t.Context(), anna, session)
	if err != nil {
		b.t.Fatal(err)
	}
	return status
}

// turns are the contents of all turns of the session.
func (b *bank) turns() (list []string) {
	b.t.Helper()
	turns, err := b.store.Turns(b.t.Context(), anna.Agent, session, 0, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	for i, t := range turns {
		if t.Index != i {
			b.t.Fatalf("turn %d has index %d", i, t.Index)
		}
		list = append(list, t.Content)
	}
	return list
}

// facts are the contents of all records, live or not.
func (b *bank) facts() (list []string) {
	b.t.Helper()
	err := b.store.EachRecord(b.t.Context(), anna.Agent, func(r memory.Record) error {
		list = append(list, r.Content)
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

func (b *bank) file(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.t.Fatal(err)
	}
	return string(text)
}

func (b *bank) window() memory.Window {
	b.t.Helper()
	w, err := b.store.Window(b.t.Context(), anna.Agent, session)
	if err != nil || w == nil {
		b.t.Fatalf("window %v, %v", w, err)
	}
	return *w
}

func say(content string) contextwindow.Message {
	return contextwindow.Message{Role: memory.RoleUser, Content: content}
}

func answer(content string) contextwindow.Message {
	return contextwindow.Message{Role: memory.RoleAssistant, Content: content}
}

// filler is a message of about n tokens with a fact in it.
func filler(i, n int) contextwindow.Message {
	text := fmt.Sprintf("My locker number %d is blue.", i)
	return say(text + strings.Repeat(" hm", max(0, n-13)))
}

// rules is a summarizer that finds sentences with "my … is", and summarises by
// the first words of every turn.
type rules struct {
	remote bool
	fail   error
	wait   chan struct{} // if not nil, an answer waits until it is closed
	gate   sync.RWMutex  // an answer waits while it is locked
	asked  atomic.Int32
	spoil  func(string) string
}

var myThing = regexp.MustCompile(`(?i)\bmy [a-z]+( number \d+)? is [a-z]+`)

func (r *rules) Name() string {
	if r.remote {
		return "a model"
	}
	return "rules"
}

func (r *rules) Local() bool { return !r.remote }

func (r *rules) ready(ctx context.Context) error {
	r.asked.Add(1)
	r.gate.RLock()
	defer r.gate.RUnlock()
	if r.wait != nil {
		select {
		case <-r.wait:
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(patience):
			return errors.New("somebody waits for what is not to be waited for")
		}
	}
	return r.fail
}

func (r *rules) Extract(ctx context.Context, q memory.ExtractRequest) ([]memory.Extracted, error) {
	if err := r.ready(ctx); err != nil {
		return nil, err
	}
	var list []memory.Extracted
	for _, t := range q.Turns {
		for _, m := range myThing.FindAllString(t.Content, -1) {
			list = append(list, memory.Extracted{Content: "The user says: " + m, Type: memory.FactIdentity, Importance: 0.6, Turn: t.Index})
		}
	}
	return list, nil
}

func (r *rules) Summarize(ctx context.Context, q memory.SummaryRequest) (string, error) {
	if err := r.ready(ctx); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, t := range q.Texts {
		b.WriteString(t.Text)
	}
	if q.Earlier != "" && q.Sentences == 0 {
		b.WriteString(q.Earlier + " ")
	}
	for i, t := range q.Turns {
		if q.Sentences == 0 || i < q.Sentences {
			fmt.Fprintf(&b, "%d said %.20s. ", t.Index, t.Content)
		}
	}
	text := b.String()
	if limit := 3 * q.MaxTokens; len(text) > limit {
		text = text[len(text)-limit:]
	}
	if r.spoil != nil {
		text = r.spoil(text)
	}
	return text, nil
}

// files keeps an agent's files in a directory: an entry once per id.
type files struct {
	dir  string
	fail atomic.Bool
	mu   sync.Mutex
}

func (f *files) once(name, id, line string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail.Load() {
		return errors.New("no room on the disk")
	}
	path := filepath.Join(f.dir, name)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if strings.Contains(string(old), "<"+id+">") {
		return nil
	}
	return os.WriteFile(path, append(old, fmt.Sprintf("%s <%s>\n", strings.Join(strings.Fields(line), " "), id)...), 0o600)
}

func (f *files) Memory(context.Context) (string, error) {
	text, err := os.ReadFile(filepath.Join(f.dir, "MEMORY.md"))
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return string(text), err
}

func (f *files) MergeMemory(_ context.Context, facts []memory.Record) error {
	for _, r := range facts {
		if err := f.once("MEMORY.md", r.ID, r.Category+": "+r.Content); err != nil {
			return err
		}
	}
	return nil
}

func (f *files) Loaded(ctx context.Context, room int, count func(string) int, brief bool) [][]string {
	return workspace.Open(f.dir, "files").Loaded(ctx, room, count, brief)
}

func (f *files) AppendHistory(_ context.Context, id string, at time.Time, text string) error {
	return f.once("HISTORY.md", id, at.Format(time.RFC3339)+" "+text)
}

// sessionFiles keeps processes of one test from writing at the same time.
var sessionFiles sync.Mutex

func (f *files) AppendSession(_ context.Context, session string, turns []memory.Turn) error {
	sessionFiles.Lock()
	defer sessionFiles.Unlock()
	path := filepath.Join(f.dir, session+".jsonl")
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, t := range turns {
		line, err := json.Marshal(map[string]any{"index": t.Index, "content": t.Content})
		if err != nil {
			return err
		}
		if end := fmt.Sprintf("\"index\":%d}\n", t.Index); !bytes.Contains(text, []byte(end)) {
			text = append(append(text, line...), '\n')
		}
	}
	return os.WriteFile(path, text, 0o600)
}

// wantCode fails unless err has the code.
func wantCode(t *testing.T, err error, code memory.Code) {
	t.Helper()
	if memory.CodeOf(err) != code {
		t.Errorf("error %v, want code %q", err, code)
	}
}
