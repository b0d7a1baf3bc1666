package child

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcp-memory/internal/testbinary"
)

// Program is a built binary with its data directory.
type Program struct {
	Binary string
	Home   string // working directory, in which nothing else is
	Data   string
	// Database is the URL of a server that has the banks, "" for the file in Data.
	Database string
	Env      []string // more than the caller's own environment
}

// New lays out a directory for a binary, which it builds into it if the path is empty.
func New(ctx context.Context, dir, binary string) (Program, error) {
	p := Program{Home: filepath.Join(dir, "work"), Data: filepath.Join(dir, "data")}
	for _, d := range []string{p.Home, p.Data} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return p, err
		}
	}
	var err error
	if binary == "" {
		p.Binary, err = testbinary.Build(ctx, dir, "")
	} else {
		p.Binary, err = filepath.Abs(binary)
	}
	return p, err
}

// Command prepares a run over the data directory. Settings of the caller's own
// environment are left out.
func (p Program) Command(ctx context.Context, args ...string) *exec.Cmd {
	args = append(args, "--data-dir", p.Data)
	if p.Database != "" {
		args = append(args, "--database", p.Database)
	}
	cmd := exec.CommandContext(ctx, p.Binary, args...)
	cmd.Dir = p.Home
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "MCP_MEMORY_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, p.Env...)
	return cmd
}

// Run executes a command to its end and returns its stdout, also of one that fails.
func (p Program) Run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := p.Command(ctx, args...)
	var stderr tail
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("%s: %w%s", strings.Join(args, " "), err, stderr.quoted())
	}
	return out, nil
}

// Server is a running child.
type Server struct {
	*Client
	cmd    *exec.Cmd
	stdin  io.Closer
	stderr *tail
	exited chan struct{}
}

// Start starts the program as a stdio server. Stop it in any case.
func (p Program) Start(ctx context.Context) (*Server, error) {
	return Serve(p.Command(ctx, "serve"))
}

// Serve starts a command that is a stdio server. Stop it in any case.
func Serve(cmd *exec.Cmd) (*Server, error) {
	s := &Server{cmd: cmd, stderr: &tail{}, exited: make(chan struct{})}
	s.cmd.Stderr = s.stderr
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	// Not StdoutPipe: Wait would close it while the client still reads.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.stdin, s.cmd.Stdout = stdin, w
	err = s.cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s.Client = newClient(stdin, r)
	go func() {
		s.cmd.Wait() // how it ended shows in the calls
		close(s.exited)
	}()
	return s, nil
}

// patience is how long a child has to end by itself when its stdin is closed.
const patience = 3 * time.Second

// Stop ends the child, by force if it does not end by itself, which is
// reported.
func (s *Server) Stop() error {
	s.stdin.Close()
	select {
	case <-s.exited:
		return nil
	case <-time.After(patience):
		s.cmd.Process.Kill()
		<-s.exited
		return fmt.Errorf("the server was still there %v after its stdin was closed, and was killed", patience)
	}
}

// Kill ends the child as it is, at once, and waits for its end.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	<-s.exited
	s.stdin.Close()
}

// Explain adds what the server said last to an error.
func (s *Server) Explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w%s", err, s.stderr.quoted())
}

// Resident returns the resident memory of the child in bytes.
func (s *Server) Resident() (int64, error) { return residentOf(s.cmd.Process.Pid) }

func residentOf(pid int) (int64, error) {
	if runtime.GOOS == "linux" {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return 0, err
		}
		for line := range strings.Lines(string(status)) {
			if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				return kilobytes(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
			}
		}
		return 0, fmt.Errorf("process %d has no VmRSS: has it ended?", pid)
	}
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, fmt.Errorf("ask ps for process %d: %w", pid, err)
	}
	return kilobytes(strings.TrimSpace(string(out)))
}

func kilobytes(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n << 10, err
}

// tail keeps the last lines that were written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 2000

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = bytes.Clone(t.text[extra:])
	}
	return len(p), nil
}

func (t *tail) quoted() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.text) == 0 {
		return ""
	}
	return "\nits stderr: " + strings.TrimSpace(string(t.text))
}
