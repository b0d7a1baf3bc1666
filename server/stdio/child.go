package stdio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// Child is a server in a process of its own, connected through its stdin and stdout as by a host.
type Child struct {
	cmd    *exec.Cmd
	client *client.Client
	stdin  io.Closer
}

// StartChild starts a program that serves MCP over stdin and stdout, and does the handshake. The
// program's stderr is written to log.
func StartChild(ctx context.Context, log io.Writer, program string, args ...string) (*Child, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = log
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	// The library's transport would read stderr too, but it is written to log.
	noStderr := io.NopCloser(strings.NewReader(""))
	c := &Child{cmd: cmd, stdin: stdin, client: client.NewClient(transport.NewIO(stdout, stdin, noStderr))}
	if err := c.greet(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("greet server: %w", err), c.Kill())
	}
	return c, nil
}

func (c *Child) greet(ctx context.Context) error {
	if err := c.client.Start(ctx); err != nil {
		return err
	}
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "mcp-memory", Version: "1"}
	_, err := c.client.Initialize(ctx, hello)
	return err
}

// Call calls a tool and returns its structured result and its text. A tool
// error is returned as an error with its text.
func (c *Child) Call(ctx context.Context, tool string, arguments any) (json.RawMessage, string, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := c.client.CallTool(ctx, request)
	if err != nil {
		return nil, "", fmt.Errorf("call %s: %w", tool, err)
	}
	text := ""
	for _, part := range result.Content {
		if t, ok := part.(mcp.TextContent); ok {
			text += t.Text
		}
	}
	if result.IsError {
		return nil, "", errors.New(text)
	}
	return result.RawStructuredContent, text, nil
}

// PID is the number of the server's process.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Kill ends the server at once (SIGKILL), without time to finish anything, and waits for its end.
func (c *Child) Kill() error {
	err := c.cmd.Process.Kill()
	c.cmd.Wait() // its error only says that the process was killed
	return err
}

// Close closes the server's stdin and waits until the process has ended.
func (c *Child) Close() error {
	c.stdin.Close()
	return c.cmd.Wait()
}
