package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Client speaks JSON-RPC 2.0 over a pair of pipes, one message a line. It has
// one call under way at a time, which is all that a measurement needs.
type Client struct {
	out    io.Writer
	in     chan message
	failed error // why in was closed; read it after that only
	last   int
}

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// newClient returns a client that writes to out and reads from in until that
// ends.
func newClient(out io.Writer, in io.Reader) *Client {
	c := &Client{out: out, in: make(chan message, 64)}
	go c.read(bufio.NewReader(in))
	return c
}

func (c *Client) read(r *bufio.Reader) {
	defer close(c.in)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var m message
			if err := json.Unmarshal(line, &m); err != nil {
				c.failed = fmt.Errorf("the server wrote something else than JSON-RPC to stdout: %.120q", line)
				return
			}
			c.in <- m
		}
		if err != nil {
			c.failed = errors.New("the server closed its stdout")
			return
		}
	}
}

// Call sends a request and decodes its result into result, unless that is nil.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	c.last++
	id := fmt.Sprint(c.last)
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": c.last, "method": method, "params": params}); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: no answer: %w", method, context.Cause(ctx))
		case m, ok := <-c.in:
			switch {
			case !ok:
				return fmt.Errorf("%s: %w", method, c.failed)
			case m.Method != "" && m.ID != nil:
				c.refuse(m)
			case m.Method != "" || string(m.ID) != id:
				// a notification, or the answer of a call that was given up
			case m.Error != nil:
				return fmt.Errorf("%s: %w", method, m.Error)
			case result != nil:
				return json.Unmarshal(m.Result, result)
			default:
				return nil
			}
		}
	}
}

// notify sends a message that has no answer.
func (c *Client) notify(method string) error {
	return c.send(map[string]any{"jsonrpc": "2.0", "method": method})
}

// refuse answers a request of the server: there is nothing here to serve it,
// except a ping.
func (c *Client) refuse(m message) {
	answer := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	if m.Method == "ping" {
		answer["result"] = struct{}{}
	} else {
		answer["error"] = rpcError{-32601, "not supported"}
	}
	c.send(answer) // a failure shows in the call under way
}

func (c *Client) send(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = c.out.Write(append(line, '\n'))
	return err
}

// Initialize shakes hands.
func (c *Client) Initialize(ctx context.Context) error {
	err := c.Call(ctx, "initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": struct{}{},
		"clientInfo": map[string]string{"name": "mcp-memory-eval", "version": "1"},
	}, nil)
	if err != nil {
		return err
	}
	return c.notify("notifications/initialized")
}

// Tool is what a host shows its model of a tool.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// Tools lists all tools.
func (c *Client) Tools(ctx context.Context) (all []Tool, err error) {
	for cursor := ""; ; {
		params := map[string]string{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		var page struct {
			Tools []Tool `json:"tools"`
			Next  string `json:"nextCursor"`
		}
		if err := c.Call(ctx, "tools/list", params, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Tools...)
		if cursor = page.Next; cursor == "" {
			return all, nil
		}
	}
}

// Refusal is the text of an answer that says that a call failed: its code, and what
// was wrong. Other errors of a call leave open what became of it.
type Refusal string

// Error implements error.
func (r Refusal) Error() string { return string(r) }

// Use calls a tool and decodes its structured result.
func (c *Client) Use(ctx context.Context, name string, arguments, result any) error {
	var answer struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := c.Call(ctx, "tools/call", map[string]any{"name": name, "arguments": arguments}, &answer); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var text []string
	for _, part := range answer.Content {
		text = append(text, part.Text)
	}
	switch {
	case answer.IsError:
		return fmt.Errorf("%s: %w", name, Refusal(strings.Join(text, " ")))
	case answer.Structured == nil:
		return fmt.Errorf("%s: the answer has no structuredContent", name)
	}
	return json.Unmarshal(answer.Structured, result)
}
