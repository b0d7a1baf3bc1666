package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	watched = 12 // memories that a client has subscribed to
	waves   = 3  // of changes of all of them
)

// playStream: a client is told of changes over a stream that breaks again and again, and goes on behind the last event that it has
// seen. It gets each event once, in order, and each change has its event.
func playStream(ctx context.Context, r *round) error {
	p, err := r.copyOf("data", r.bases["old"])
	if err != nil {
		return err
	}
	ids, err := idsOf(ctx, p)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the server hangs"))
	defer cancel()
	s, err := openSession(ctx, p.Command(ctx, "serve", "--http", "127.0.0.1:0"))
	if err != nil {
		return err
	}
	defer s.end()
	some := slices.Sorted(maps.Values(ids))[:watched]
	for _, id := range some {
		if err := s.call(ctx, "resources/subscribe", fmt.Sprintf(`{"uri":"memory://record/%s"}`, id)); err != nil {
			return err
		}
	}
	heard := make(chan error, 1)
	listening, hangUp := context.WithCancel(ctx)
	defer hangUp()
	go func() { heard <- s.listen(listening, r) }()
	for wave := range waves {
		for _, id := range some {
			if err := s.call(ctx, "tools/call",
				fmt.Sprintf(`{"name":"memory_update","arguments":{"id":%q,"importance":0.%d}}`, id, wave+1)); err != nil {
				return err
			}
		}
		s.waitFor(ctx, (wave+1)*watched)
	}
	hangUp()
	if err := <-heard; err != nil {
		return err
	}
	r.acknowledged += waves * watched
	r.judgeEvents(s.events, some)
	return nil
}

// event is what a stream has told.
type event struct {
	number int64
	about  string
}

// judgeEvents looks at what a client has heard in all. The calls of its session have numbers of their own in between.
func (r *round) judgeEvents(heard []event, some []string) {
	of := map[string]int{}
	for i, e := range heard {
		if i > 0 && e.number <= heard[i-1].number {
			r.halving("event %d came behind %d", e.number, heard[i-1].number)
		}
		for _, id := range some {
			if strings.Contains(e.about, id) {
				of[id]++
			}
		}
	}
	for _, id := range some {
		switch n := of[id]; {
		case n < waves:
			r.losing(waves-n, "%d of %d changes of %s were heard", n, waves, id)
		case n > waves:
			r.halving("%d events of %d changes of %s", n, waves, id)
		}
	}
}

// session is a client of a server over HTTP.
type session struct {
	cmd    *exec.Cmd
	mu     sync.Mutex // of events
	url    string
	id     string
	last   string // id of the event that was heard last, "" before
	events []event
}

var servingAt = regexp.MustCompile(`serving MCP at (http://[^ \n]*/mcp)`)

// openSession starts a server and shakes hands.
func openSession(ctx context.Context, cmd *exec.Cmd) (*session, error) {
	log, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &session{cmd: cmd}
	said := ""
	for lines := bufio.NewScanner(log); s.url == "" && lines.Scan(); said += lines.Text() + "\n" {
		if m := servingAt.FindStringSubmatch(lines.Text()); m != nil {
			s.url = m[1]
		}
	}
	if s.url == "" {
		s.end()
		return nil, fmt.Errorf("the server does not start: %s", said)
	}
	go io.Copy(io.Discard, log) //nolint:errcheck // until it ends
	err = s.call(ctx, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"torture","version":"1"}}`)
	if err != nil {
		s.end()
	}
	return s, err
}

func (s *session) end() {
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.cmd.Wait()
}

// ask makes a request, of a stream behind the last event; the answer's body is open.
func (s *session) ask(ctx context.Context, method, body, last string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range map[string]string{"Mcp-Session-Id": s.id, "Last-Event-ID": last} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	return http.DefaultClient.Do(request)
}

func (s *session) call(ctx context.Context, method, params string) error {
	answer, err := s.ask(ctx, http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params), "")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		s.id = id
	}
	text, err := io.ReadAll(answer.Body)
	if err == nil && (answer.StatusCode != http.StatusOK || strings.Contains(string(text), `"error":{`) ||
		strings.Contains(string(text), `"isError":true`)) {
		err = fmt.Errorf("%s: %s: %s", method, answer.Status, text)
	}
	return err
}

// listen hears the stream until ctx ends. It breaks again and again, once an event was heard: before it there is nothing to
// go on behind.
func (s *session) listen(ctx context.Context, r *round) error {
	for ctx.Err() == nil {
		unbroken := patience
		if s.last != "" {
			unbroken = time.Duration(r.chance.Int64N(int64(700 * time.Millisecond)))
		}
		once, cut := context.WithTimeout(ctx, unbroken)
		err := s.hear(once, r.chance)
		cut()
		if err != nil && once.Err() == nil {
			return err
		}
		time.Sleep(time.Duration(r.chance.Int64N(int64(100 * time.Millisecond)))) // nobody listens
	}
	return nil
}

// waitFor waits until so many events were heard, as long as a server that is busy may take for one look.
func (s *session) waitFor(ctx context.Context, events int) {
	for begun := time.Now(); ctx.Err() == nil && time.Since(begun) < patience/(waves+1); time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		heard := len(s.events)
		s.mu.Unlock()
		if heard >= events {
			return
		}
	}
}

// hear listens until the stream breaks, or breaks it behind an event.
func (s *session) hear(ctx context.Context, chance *rand.Rand) error {
	answer, err := s.ask(ctx, http.MethodGet, "", s.last)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("a stream: %s: %s", answer.Status, text)
	}
	id := ""
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		line := lines.Text()
		if said, ok := strings.CutPrefix(line, "id: "); ok {
			id = said
		}
		if said, ok := strings.CutPrefix(line, "data: "); ok && id != "" {
			_, digits, _ := strings.Cut(id, "-")
			number, err := strconv.ParseInt(digits, 10, 64)
			if err != nil {
				return fmt.Errorf("event %q: %w", id, err)
			}
			s.mu.Lock()
			s.events = append(s.events, event{number, said})
			s.mu.Unlock()
			s.last, id = id, ""
			if chance.IntN(3) == 0 { // what was sent behind it is not heard
				return nil
			}
		}
	}
	return nil
}
