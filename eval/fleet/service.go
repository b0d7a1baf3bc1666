package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
)

// service is the program under measurement.
type service struct {
	binary, data string
	database     string // URL of a PostgreSQL server, "" for the file in data
	address      string // to listen at; after the first start that of the server
	cmd          *exec.Cmd
	pid          atomic.Int64 // of cmd, for who watches it
}

func (s *service) command(ctx context.Context, args ...string) *exec.Cmd {
	if s.database != "" {
		args = append([]string{"--database", s.database}, args...)
	}
	cmd := exec.CommandContext(ctx, s.binary, append([]string{"--data-dir", s.data}, args...)...)
	cmd.Stderr = os.Stderr
	return cmd
}

var servingAt = regexp.MustCompile(`http://([^/ ]+)/mcp`)

// start starts the server and waits until it says where it is.
func (s *service) start(ctx context.Context) error {
	s.cmd = s.command(ctx, "serve", "--http", s.address)
	s.cmd.Stderr = nil
	log, err := s.cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.pid.Store(int64(s.cmd.Process.Pid))
	said := ""
	for lines := bufio.NewScanner(log); lines.Scan(); {
		said += lines.Text() + "\n"
		if m := servingAt.FindStringSubmatch(lines.Text()); m != nil {
			s.address = m[1]
			go func() { // what it says further is of interest
				for lines.Scan() {
					fmt.Fprintln(os.Stderr, lines.Text())
				}
			}()
			return nil
		}
	}
	return fmt.Errorf("the server does not start: %s", said)
}

func (s *service) kill() {
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.cmd.Wait()
}

// end ends the server the way a supervisor does.
func (s *service) end() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return s.cmd.Wait()
}

// resident returns the server's resident memory in MB, 0 if it cannot be told.
func (s *service) resident() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.pid.Load()))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kib float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kib); err == nil {
			return kib / 1024
		}
	}
	return 0
}

var (
	people = []string{"Aino", "Bela", "Chidi", "Dara", "Emil", "Farah", "Goran", "Hana", "Ivo", "Jun", "Kaja", "Liam", "Mira", "Noor",
		"Otto", "Petra"}
	deeds  = []string{"keeps", "repairs", "sells", "paints", "collects", "borrows", "measures", "photographs", "packs", "remembers"}
	things = []string{"bicycles", "lanterns", "old maps", "clocks", "wooden boats", "kites", "radios", "teapots", "letters", "ladders",
		"telescopes", "violins"}
	places = []string{"the harbour", "the mill", "the north tower", "the market", "the station", "the orchard", "the library", "the bakery",
		"the bridge", "the quarry"}
)

func fact(n int) string {
	return fmt.Sprintf("%s %s %s at %s, shelf %d.", people[n%len(people)], deeds[n/3%len(deeds)], things[n/7%len(things)],
		places[n/11%len(places)], n)
}

func question(n int) string {
	return fmt.Sprintf("Who %s %s at %s?", deeds[n/3%len(deeds)], things[n/7%len(things)], places[n/11%len(places)])
}
