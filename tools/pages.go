package tools

import (
	"context"

	"mcp-memory/recall"
	"mcp-memory/resources"
)

// Pages is what a host reads and asks for beside calling tools: resources and
// prompts. All fields are needed.
type Pages struct {
	Surface *resources.Service
	Recall  *recall.Service
	Scope   ScopeFunc
}

// Resource is a page that is always there.
type Resource struct {
	URI         string
	Name        string // for programs
	Title       string // for people
	Description string
	Type        string // of media
	Priority    float64
}

// Template is a family of pages, one for each value of its argument.
type Template struct {
	URI         string // as RFC 6570 writes it
	Name        string
	Title       string
	Description string
	Type        string // of media, empty where they differ
	Argument    string
}

// Resources returns the pages that every bank has.
func (p Pages) Resources() []Resource {
	return []Resource{
		{resources.SessionStart, "session-start", "Start of a session", "What a new session should know: soul, requests that wait, learnings, what is due and the most salient memories.", "text/markdown", 1},
		{resources.Soul, "soul", "Soul", "The agent's beliefs, values, fears and convictions.", "text/markdown", 0.8},
		{resources.Salient, "salient", "Most salient memories", "The memories that are pinned, important or often recalled.", "text/markdown", 0.6},
		{resources.Stats, "stats", "Statistics", "How much the memory holds.", "text/markdown", 0.1},
	}
}

// Templates returns the families of pages.
func (p Pages) Templates() []Template {
	return []Template{
		{resources.Records + "{id}", "record", "Memory", "A memory with what it replaced.", "text/markdown", "id"},
		{resources.Diary + "{date}", "diary", "Diary entry", "The diary of a day, YYYY-MM-DD.", "text/markdown", "date"},
		{resources.Sessions + "{id}", "session", "Conversation", "The messages of a conversation.", "text/markdown", "id"},
		{resources.Workspaces + "{+path}", "workspace", "Workspace file", "A file of the agent's workspace.", "", "path"},
	}
}

// Read returns a page. Errors are those of [resources.Service.Read].
func (p Pages) Read(ctx context.Context, uri string) (resources.Page, error) {
	scope, err := p.Scope(ctx, nil)
	if err != nil {
		return resources.Page{}, err
	}
	return p.Surface.Read(ctx, scope, uri)
}

// Files lists the pages of the caller's workspace, in order.
func (p Pages) Files(ctx context.Context) ([]resources.Entry, error) {
	scope, err := p.Scope(ctx, nil)
	if err != nil {
		return nil, err
	}
	return p.Surface.Workspace(ctx, scope)
}

// Version returns a text that differs whenever one of the caller's pages but a
// file may differ.
func (p Pages) Version(ctx context.Context) (string, error) {
	scope, err := p.Scope(ctx, nil)
	if err != nil {
		return "", err
	}
	return p.Surface.Version(ctx, scope)
}

// Complete returns what the argument of a template may be, and whether there is
// more. There is nothing for what is no template or argument.
func (p Pages) Complete(ctx context.Context, template, argument, typed string) (values []string, more bool, err error) {
	for _, t := range p.Templates() {
		if t.URI != template || t.Argument != argument {
			continue
		}
		scope, err := p.Scope(ctx, nil)
		if err != nil {
			return nil, false, err
		}
		return p.Surface.Complete(ctx, scope, t.URI[:len(t.URI)-len(suffix(t))], typed)
	}
	return nil, false, nil
}

// suffix is the expression at the end of a template.
func suffix(t Template) string {
	if t.URI[len(t.URI)-len(t.Argument)-2] == '+' {
		return "{+" + t.Argument + "}"
	}
	return "{" + t.Argument + "}"
}
