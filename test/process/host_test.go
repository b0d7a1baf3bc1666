//go:build unix

package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long anything may take before a test gives up on it.
const patience = 60 * time.Second

// host is what starts the server and talks to it over its pipes, one JSON
// message a line. Only its own goroutine may use it.
type host struct {
	t      testing.TB
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan string // of stdout; closed at its end
	log    *shared     // stderr
	lastID int
}

// shared is a buffer that may be read while it is written.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// ownModel has the data directories whose commands use the model that an installation has.
var ownModel sync.Map

// withOwnModel has commands on a data directory use the model that its settings say, or the sentence encoder.
func withOwnModel(dir string) string {
	ownModel.Store(dir, true)
	return dir
}

// withoutEncoder leaves out the sentence encoder, which would read all that tests save.
const withoutEncoder = "MCP_MEMORY_EMBED_LOCAL=table"

// command is the program with a data directory, knowing nothing of the
// machine that the test runs on. MCP_MEMORY_TEST_TAGS gives build tags. It is without the sentence encoder
// unless [withOwnModel] was called.
func command(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	program := binary.Path(t, os.Getenv("MCP_MEMORY_TEST_TAGS"))
	cmd := exec.CommandContext(t.Context(), program, append([]string{"--data-dir", dir}, args...)...)
	cmd.Env = []string{"HOME=" + home}
	if _, own := ownModel.Load(dir); !own {
		cmd.Env = append(cmd.Env, withoutEncoder)
	}
	cmd.Dir = home
	return cmd
}

// start starts a server.
func start(t testing.TB, dir string, args ...string) *host {
	t.Helper()
	h := &host{t: t, cmd: command(t, dir, args...), lines: make(chan string, 1<<16), log: &shared{}}
	var err error
	if h.in, err = h.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	h.cmd.Stderr = h.log
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(h.lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				if line != "" { // cut off by a kill
					h.lines <- line
				}
				return
			}
			h.lines <- line
		}
	}()
	return h
}

// write writes bytes as they are.
func (h *host) write(s string) {
	h.t.Helper()
	if _, err := io.WriteString(h.in, s); err != nil {
		h.t.Fatalf("write to the server: %v; its log:\n%s", err, h.log)
	}
}

// message is one line of the server.
type message struct {
	ID     json.RawMessage
	Method string // of what the server asks or says by itself
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// result is that of a tool call.
type result struct {
	IsError           bool
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
}

func (r result) text() string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

// next returns the server's next line, which has to be JSON.
func (h *host) next() message {
	h.t.Helper()
	select {
	case line, ok := <-h.lines:
		var m message
		switch {
		case !ok:
			h.t.Fatalf("the server has ended; its log:\n%s", h.log)
		case json.Unmarshal([]byte(line), &m) != nil || !strings.Contains(line, `"jsonrpc":"2.0"`):
			h.t.Fatalf("stdout has what is not protocol: %q", line)
		}
		return m
	case <-time.After(patience):
		h.t.Fatalf("no answer for %v; the log:\n%s", patience, h.log)
	}
	return message{}
}

// callLine is a call of a tool as it goes over the pipe.
func (h *host) callLine(tool string, args any) string {
	h.t.Helper()
	data, err := json.Marshal(args)
	if err != nil {
		h.t.Fatal(err)
	}
	h.lastID++
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, h.lastID, tool, data) + "\n"
}

// answer reads the answer to the call of that id.
func (h *host) answer(id int) result {
	h.t.Helper()
	m := h.next()
	var r result
	if m.Error != nil || string(m.ID) != fmt.Sprint(id) || json.Unmarshal(m.Result, &r) != nil {
		h.t.Fatalf("the answer to %d is %+v", id, m)
	}
	return r
}

// call calls a tool and waits for the answer.
func (h *host) call(tool string, args any) result {
	h.t.Helper()
	h.write(h.callLine(tool, args))
	return h.answer(h.lastID)
}

// object is a call's arguments.
type object = map[string]any

// must calls a tool that has to succeed, and reads its structured result.
func (h *host) must(tool string, args, out any) {
	h.t.Helper()
	r := h.call(tool, args)
	if r.IsError {
		h.t.Fatalf("%s: %s", tool, r.text())
	}
	if err := json.Unmarshal(r.StructuredContent, out); err != nil {
		h.t.Fatal(err)
	}
}

// save saves a fact and returns its id.
func (h *host) save(content string) string {
	h.t.Helper()
	var out struct{ ID string }
	h.must("memory_save", object{"content": content}, &out)
	return out.ID
}

// recall returns the contents of the results, best first.
func (h *host) recall(query string) []string {
	h.t.Helper()
	var out struct{ Results []struct{ Content string } }
	h.must("memory_recall", object{"query": query}, &out)
	contents := make([]string, len(out.Results))
	for i, r := range out.Results {
		contents[i] = r.Content
	}
	return contents
}

// hangUp ends the input and waits for the server, which has to say nothing
// more and to exit with 0.
func (h *host) hangUp() {
	h.t.Helper()
	if err := h.in.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.ended()
}

// ended waits for the server to have ended well.
func (h *host) ended() {
	h.t.Helper()
	for line := range h.lines {
		h.t.Errorf("unasked: %s", line)
	}
	if err := h.cmd.Wait(); err != nil {
		h.t.Fatalf("the server ended with %v; its log:\n%s", err, h.log)
	}
}

// kill ends the server as a crash does.
func (h *host) kill() {
	h.t.Helper()
	if err := h.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		h.t.Fatal(err)
	}
	for range h.lines { // until the pipe is closed, which Wait wants
	}
	var killed *exec.ExitError
	if err := h.cmd.Wait(); !errors.As(err, &killed) || killed.ExitCode() != -1 {
		h.t.Fatalf("the killed server ended with %v", err)
	}
}

// cli runs a command and returns its exit code and output.
func cli(t testing.TB, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := command(t, dir, args...)
	return runCommand(t, cmd)
}

func runCommand(t testing.TB, cmd *exec.Cmd) (code int, stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), log.String()
}
