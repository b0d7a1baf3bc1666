package servertest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"mcp-memory/server"
	"mcp-memory/server/stdio"
)

// Patience is how long a test waits for what should happen at once.
const Patience = time.Minute

// Exchange sends input all at once over stdin and returns the lines of stdout.
func Exchange(t testing.TB, s *server.Server, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := stdio.Serve(t.Context(), s, strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return answers(t, out.String())
}

func answers(t testing.TB, out string) []string {
	t.Helper()
	if out == "" {
		return nil
	}
	if !strings.HasSuffix(out, "\n") {
		t.Fatalf("the last line has no end: %q", out)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Fatalf("not JSON: %q", l)
		}
	}
	return lines
}

// Client is a client at the other end of a server's stdin and stdout, which waits for each answer.
type Client struct {
	t    testing.TB
	in   *io.PipeWriter
	out  *io.PipeReader
	got  *json.Decoder
	done chan error
	stop context.CancelFunc
}

// Dial connects a client to a server until the test ends.
func Dial(t testing.TB, s *server.Server) *Client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	c := &Client{t, inW, outR, json.NewDecoder(outR), make(chan error, 1), stop}
	go func() {
		err := stdio.Serve(ctx, s, inR, outW)
		_ = outW.Close()
		c.done <- err
	}()
	t.Cleanup(func() { _ = inW.Close(); _ = outR.Close(); stop() })
	return c
}

// Send sends lines.
func (c *Client) Send(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

// Next waits for a message.
func (c *Client) Next() string {
	c.t.Helper()
	var raw json.RawMessage
	if err := c.got.Decode(&raw); err != nil {
		c.t.Fatal(err)
	}
	return string(raw)
}

// HangUp ends the client's side.
func (c *Client) HangUp() { _ = c.in.Close() }

// Stop cancels the context of the server's connection.
func (c *Client) Stop() { c.stop() }

// Wait waits until the server has finished with the client, and returns its error.
func (c *Client) Wait() error {
	c.t.Helper()
	select {
	case err := <-c.done:
		return err
	case <-time.After(Patience):
		c.t.Fatal("the server did not end")
		return nil
	}
}

// Expect checks that there is one answer for each part, in order, that contains it. A part may list
// several texts, separated by " & ".
func Expect(t testing.TB, got []string, parts ...string) {
	t.Helper()
	if len(got) != len(parts) {
		t.Fatalf("%d answers, want %d:\n%s", len(got), len(parts), strings.Join(got, "\n"))
	}
	for i, part := range parts {
		for _, p := range strings.Split(part, " & ") {
			if !strings.Contains(got[i], p) {
				t.Errorf("answer %d is\n%s\nwithout %s", i, got[i], p)
			}
		}
	}
}
