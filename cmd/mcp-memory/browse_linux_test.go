package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mcp-memory/internal/testbinary"
	"mcp-memory/test/ramdisk"
)

var binary testbinary.Binary

func TestMain(m *testing.M) {
	ramdisk.Use()
	code := m.Run()
	if err := binary.Remove(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// seat is a person in front of a pseudo terminal in which the program runs.
type seat struct {
	t             *testing.T
	cmd           *exec.Cmd
	master, slave *os.File
	before        unix.Termios
	mu            sync.Mutex
	screen        *terminal
	news          chan struct{}
}

// sit starts the program on a terminal of a size.
func sit(t *testing.T, env []string, width, height int, args ...string) *seat {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Skip("there are no pseudo terminals here: ", err)
	}
	t.Cleanup(func() { master.Close() })
	s := &seat{t: t, master: master, screen: newTerminal(width, height), news: make(chan struct{}, 1)}
	var number int
	s.control(func(fd int) (err error) {
		if err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err == nil {
			number, err = unix.IoctlGetInt(fd, unix.TIOCGPTN)
		}
		return err
	})
	s.size(width, height)
	if s.slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.slave.Close() })
	s.before = s.termios()
	s.cmd = exec.CommandContext(t.Context(), binary.Path(t, ""), args...)
	s.cmd.Env, s.cmd.Dir = env, t.TempDir()
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = s.slave, s.slave, s.slave
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.look()
	return s
}

func (s *seat) control(do func(fd int) error) {
	s.t.Helper()
	raw, err := s.master.SyscallConn()
	if err == nil {
		wrong := raw.Control(func(fd uintptr) { err = do(int(fd)) })
		err = errors.Join(err, wrong)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *seat) size(width, height int) {
	s.t.Helper()
	s.mu.Lock()
	s.screen.resize(width, height)
	s.mu.Unlock()
	s.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(width), Row: uint16(height)})
	})
}

func (s *seat) termios() unix.Termios {
	s.t.Helper()
	state, err := unix.IoctlGetTermios(int(s.slave.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	return *state
}

// look takes what the program writes, until the terminal is gone.
func (s *seat) look() {
	part := make([]byte, 4096)
	for {
		n, err := s.master.Read(part)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.screen.write(part[:n])
		s.mu.Unlock()
		select {
		case s.news <- struct{}{}:
		default:
		}
	}
}

func (s *seat) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.text()
}

// patient is what a test waits for what should come at once on any machine.
const patient = time.Minute

// sees waits until texts are to be seen.
func (s *seat) sees(want ...string) {
	s.t.Helper()
	limit := time.After(patient)
	for _, one := range want {
		for !strings.Contains(s.text(), one) {
			select {
			case <-s.news:
			case <-limit:
				s.t.Fatalf("%q is not to be seen:\n%s", one, s.text())
			}
		}
	}
}

func (s *seat) types(keys string) {
	s.t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// left waits for the end of the program, which has to leave the terminal as it was.
func (s *seat) left() {
	s.t.Helper()
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("it ends with %v:\n%s", err, s.text())
	}
	if after := s.termios(); after != s.before {
		s.t.Errorf("the terminal is %+v, and was %+v", after, s.before)
	}
	limit := time.After(patient)
	for { // what was written last may still be on its way
		s.mu.Lock()
		modes := fmt.Sprint(s.screen.modes["?1049"], s.screen.modes["?25"], s.screen.modes["?2004"], s.screen.modes["?1000"])
		s.mu.Unlock()
		if modes == "false true false false" {
			return
		}
		select {
		case <-s.news:
		case <-limit:
			s.t.Fatalf("alternate screen, cursor, paste and mouse are %s", modes)
		}
	}
}

// browsing is the environment of a machine with memories.
func browsing(t *testing.T) (env []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program")
	}
	home := t.TempDir()
	editor := filepath.Join(home, "editor")
	script := "#!/bin/sh\necho 'an editor is open'\ngrep -q tea \"$1\" && printf 'Anna drinks cocoa.\\n' >\"$1\"\n"
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	env = []string{"HOME=" + home, "XDG_DATA_HOME=" + filepath.Join(home, "data"), "TMPDIR=" + t.TempDir(), "PATH=" + os.Getenv("PATH"),
		"TERM=xterm-256color", "EDITOR=" + editor, "LANG=C.UTF-8"}
	for _, text := range []string{"The harbour office opens at six.", "東京は日本の首都である。", "The family 👩‍👩‍👧‍👦 flies in April.",
		"Anna drinks tea."} {
		cmd := exec.CommandContext(t.Context(), binary.Path(t, ""), "save", text)
		cmd.Env, cmd.Dir = env, t.TempDir()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return env
}

// TestBrowse does with the program what a person does, on a terminal that answers no
// questions.
func TestBrowse(t *testing.T) {
	s := sit(t, browsing(t), 80, 24, "browse")
	s.sees("The newest memories", "› ", "Anna drinks tea.", "東京は日本の首都である。", "The harbour office", "q quit", strings.Repeat("─", 80))
	s.types("/harbour")
	s.sees("/harbour", "›  The harbour office", "enter to the list")
	s.types("\x1b")
	s.sees("The newest memories", "東京")
	s.types("/standup")
	s.sees("/standup", "Nothing about this is remembered.")
	if strings.Contains(s.text(), "東京") {
		t.Errorf("what has nothing to do with the question is listed:\n%s", s.text())
	}
	s.types("\x1b")
	s.sees("The newest memories", "東京")
	s.size(60, 20)
	s.sees("\n"+strings.Repeat("─", 60)+"\n", "› ")
	s.types("g")
	s.sees("›  Anna drinks tea.")
	s.types("e")
	s.sees("Saved. The old text is history.", "›  Anna drinks cocoa.", "History")
	s.types("f")
	s.sees("Forget this? Anna drinks cocoa. (y/n)")
	s.types("y")
	s.sees("Forgot 1 memory", "›  The family")
	s.types("u")
	s.sees("Take this back? forget")
	s.types("y")
	s.sees("Took back", "Anna drinks cocoa.")
	s.size(120, 30)
	s.sees(" │ The family", "importance 0.5")
	s.types("q")
	s.left()
	if strings.Contains(s.text(), "The newest memories") {
		t.Errorf("the screen is left behind:\n%s", s.text())
	}
}

// TestBrowseEnds ends it in other ways than by its key.
func TestBrowseEnds(t *testing.T) {
	env := browsing(t)
	s := sit(t, env, 60, 20, "browse", "harbour")
	s.sees("/harbour", "›  The harbour office")
	s.types("\x03")
	s.left()
	s = sit(t, append(env, "EDITOR=/nowhere/editor"), 60, 20, "browse")
	s.sees("›  Anna drinks")
	s.types("e")
	s.sees("there is no editor /nowhere/editor")
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.left()
}
