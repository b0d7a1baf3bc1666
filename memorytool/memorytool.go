package memorytool

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// MaxLine is the longest call in bytes: twice the largest file, because JSON escapes make texts
// longer.
const MaxLine = 4 << 20

// Options configure a [Service]. All but Audit are required.
type Options struct {
	Agent    string // the agent for calls without an identity
	Files    func(agent string) workspace.Memories
	ReadOnly bool // refuse commands that change something
	Audit    access.Auditor
	Log      *slog.Logger
}

// Service answers calls. Safe for concurrent use.
type Service struct{ opts Options }

// New returns a service.
func New(o Options) *Service { return &Service{o} }

// call is a tool_use block, or only its input.
type call struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// answer is a tool_result block. For a call that is a bare input it has no type and id.
type answer struct {
	Type    string `json:"type,omitempty"`
	ID      string `json:"tool_use_id,omitempty"`
	Content string `json:"content"`
	IsError bool   `json:"is_error"`
}

// Serve answers each line of in by a line, in their order, until it ends or the context
// does. The error is that of reading or writing, [memory.CodeTooLarge] for a line that is too long.
func (s *Service) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), MaxLine)
	for ctx.Err() == nil && lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if _, err := out.Write(append(s.Call(ctx, "", line), '\n')); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return memory.Errorf(memory.CodeTooLarge, "a line has more than %d bytes", MaxLine)
	}
	return lines.Err()
}

// Call answers one call, whose identity is in the context if it came over HTTP. The
// request is the id that the log has.
func (s *Service) Call(ctx context.Context, request string, data []byte) []byte {
	var c call
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if err := json.Unmarshal(data, &c); err != nil {
		return encode(answer{Content: "Error: the call is not a JSON object with a command", IsError: true})
	}
	var a answer
	if c.Input != nil {
		a.Type, a.ID, data = "tool_result", c.ID, c.Input
	}
	a.Content, a.IsError = s.run(ctx, request, data)
	return encode(a)
}

func encode(a answer) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(a); err != nil {
		panic(err) // strings only
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// run runs the input of a call.
func (s *Service) run(ctx context.Context, request string, data []byte) (text string, failed bool) {
	in, problem := decode(data)
	if problem != "" {
		return "Error: " + problem, true
	}
	agent, writes, auditor := s.opts.Agent, in.Command != "view", s.opts.Audit
	identity, overHTTP := access.From(ctx)
	if overHTTP {
		agent = identity.Agent
	}
	if !overHTTP || !writes {
		auditor = nil
	}
	access.Audited(ctx, auditor, s.opts.Log, "memory_tool_"+in.Command, request, func(ctx context.Context) (code memory.Code) {
		text, code = s.command(ctx, agent, in, writes)
		failed = code != ""
		return code
	})
	return text, failed
}

// command runs one command in an agent's files; the code is that of its error or "".
func (s *Service) command(ctx context.Context, agent string, in input, writes bool) (text string, code memory.Code) {
	var err error
	if refused := access.Refusal(ctx, "the memory tool", writes, access.WholeBank); refused != nil {
		err = refused
	} else if writes && s.opts.ReadOnly {
		err = memory.Errorf(memory.CodeForbidden, "the memory can only be read")
	} else {
		text, err = commands[in.Command].do(ctx, s.opts.Files(agent), in)
	}
	if err == nil {
		return text, ""
	}
	var told wrong
	if errors.As(err, &told) {
		return string(told), memory.CodeInvalidArgument
	}
	known := memory.Public(err)
	if known.Code == memory.CodeInternal {
		s.opts.Log.ErrorContext(ctx, "memory tool", "command", in.Command, "error", err)
	}
	if text = "Error: " + known.Message; known.Hint != "" {
		text += " (" + known.Hint + ")"
	}
	return text, known.Code
}
