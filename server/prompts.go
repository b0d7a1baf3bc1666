package server

import (
	"context"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/memory"
)

func (s *Server) addPrompts() {
	for _, p := range s.opts.Pages.Prompts() {
		prompt := mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description, Icons: []mcp.Icon{icon}}
		for _, a := range p.Arguments {
			prompt.Arguments = append(prompt.Arguments,
				mcp.PromptArgument{Name: a.Name, Title: a.Title, Description: a.Description, Required: a.Required})
		}
		s.mcp.AddPrompt(prompt, func(ctx context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			messages, err := s.prompt(ctx, request)
			if err != nil {
				s.refused(ctx, "make prompt", err) // only to log the error
				return nil, memory.Public(err)
			}
			return &mcp.GetPromptResult{Description: p.Description, Messages: messages}, nil
		})
	}
}

func (s *Server) prompt(ctx context.Context, request mcp.GetPromptRequest) ([]mcp.PromptMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	said, err := s.opts.Pages.Prompt(ctx, request.Params.Name, request.Params.Arguments)
	var messages []mcp.PromptMessage
	for _, m := range said {
		messages = append(messages, mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(m.Text)))
		if m.Page.URI != "" {
			messages = append(messages, mcp.NewPromptMessage(mcp.RoleUser, mcp.NewEmbeddedResource(
				mcp.TextResourceContents{URI: m.Page.URI, MIMEType: m.Page.Type, Text: m.Page.Text})))
		}
	}
	return messages, err
}

// promptBefore refuses arguments that a prompt cannot be made of. The library does not check
// arguments and turns a handler's error into an internal error. For an unknown prompt it answers
// "invalid params" with the name, so the refusal is appended to the name; see readBefore.
func (s *Server) promptBefore(ctx context.Context, _ any, request *mcp.GetPromptRequest) {
	err := s.opts.Pages.CheckPrompt(ctx, request.Params.Name, request.Params.Arguments)
	if text, ok := s.refused(ctx, "check prompt", err); ok {
		request.Params.Name = memory.Shorten(request.Params.Name, maxRepeated) + " : " + text
	}
}

// usablePrompts removes the prompts that the caller may not use.
func (s *Server) usablePrompts(ctx context.Context, prompts []mcp.Prompt) []mcp.Prompt {
	return slices.DeleteFunc(prompts, func(p mcp.Prompt) bool { return !s.opts.Pages.Usable(ctx, p.Name) })
}
