package resources

import (
	"context"
	"strings"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// Pages answers a host's requests for resources and prompts. All fields are needed.
type Pages struct {
	Service *Service
	Recall  *recall.Service
	Scope   access.ScopeFunc
	Reports bool // the tool context_append is offered
}

// Resource is a page that every bank has.
type Resource struct {
	URI         string
	Name        string // for programs
	Title       string // for people
	Description string
	Type        string // of media
	Priority    float64
	Reach       access.Reach
}

// Template is a family of pages, one for each value of its argument.
type Template struct {
	URI         string // URI template (RFC 6570)
	Name        string
	Title       string
	Description string
	Type        string // media type, "" where pages of the family differ
	Argument    string
	Reach       access.Reach
}

// Resources returns the pages that every bank has.
func (p Pages) Resources() []Resource {
	return []Resource{
		{SessionStart, "session-start", "Start of a session",
			"What a new session should know: soul, requests that wait, who the user is and how answers should be, the project, decisions, what is open or due, and learnings.", "text/markdown", 1, access.WholeBank},
		{Soul, "soul", "Soul", "The agent's beliefs, values, fears and convictions.", "text/markdown", 0.8, access.WholeBank},
		{Salient, "salient", "Most salient memories", "The memories that are pinned, important or often recalled.", "text/markdown", 0.6,
			access.WholeBank},
		{Stats, "stats", "Statistics", "How much the memory holds.", "text/markdown", 0.1, access.WholeBank},
	}
}

// Templates returns the families of pages.
func (p Pages) Templates() []Template {
	return []Template{
		{Records + "{id}", "record", "Memory", "A memory with what it replaced.", "text/markdown", "id", access.WholeBank},
		{Diary + "{date}", "diary", "Diary entry", "The diary of a day, YYYY-MM-DD.", "text/markdown", "date", access.WholeBank},
		{Sessions + "{id}", "session", "Conversation", "The messages of a conversation.", "text/markdown", "id", access.WholeBank},
		{Blames + "{+path}", "blame", "Behind a file",
			"The sessions that changed a file of the project, and the decisions and corrections about it; the path may be its end.",
			"text/markdown", "path", access.WholeBank},
		{Workspaces + "{+path}", "workspace", "Workspace file", "A file of the agent's workspace.", "", "path", access.WholeBank},
	}
}

// start returns the prefix of all addresses of the family.
func (t Template) start() string {
	start, _, _ := strings.Cut(t.URI, "{")
	return start
}

// Readable reports whether the caller may read the page at an address. It may also be the prefix of
// a family, such as [Records]. See [access.Refusal].
func (p Pages) Readable(ctx context.Context, uri string) bool {
	reach := access.WholeBank // addresses of no page are closed to restricted tokens too
	for _, r := range p.Resources() {
		if r.URI == uri {
			reach = r.Reach
		}
	}
	for _, t := range p.Templates() {
		if strings.HasPrefix(uri, t.start()) {
			reach = t.Reach
		}
	}
	return access.Refusal(ctx, uri, false, reach) == nil
}

// Read returns a page. Errors are those of [Service.Read], and [memory.CodeNotFound] for pages that
// are not [Pages.Readable].
func (p Pages) Read(ctx context.Context, uri string) (Page, error) {
	if !p.Readable(ctx, uri) {
		return Page{}, memory.Errorf(memory.CodeNotFound, "this token has no resources")
	}
	scope, err := p.Scope(ctx, nil)
	if err != nil {
		return Page{}, err
	}
	return p.Service.Read(ctx, scope, uri)
}

// Files lists the files of the caller's workspace as pages, ordered by name.
func (p Pages) Files(ctx context.Context) ([]Entry, error) {
	if !p.Readable(ctx, Workspaces) {
		return nil, nil
	}
	scope, err := p.Scope(ctx, nil)
	if err != nil {
		return nil, err
	}
	return p.Service.Workspace(ctx, scope)
}

// Version returns a text that changes whenever any of the caller's pages, other than workspace
// files, may change.
func (p Pages) Version(ctx context.Context) (string, error) {
	scope, err := p.Scope(ctx, nil)
	if err != nil {
		return "", err
	}
	return p.Service.Version(ctx, scope)
}

// Complete returns possible values of a template's argument that begin with typed, and whether
// there are more. It returns none for an unknown template or argument.
func (p Pages) Complete(ctx context.Context, template, argument, typed string) (values []string, more bool, err error) {
	for _, t := range p.Templates() {
		if t.URI != template || t.Argument != argument || !p.Readable(ctx, t.start()) {
			continue
		}
		scope, err := p.Scope(ctx, nil)
		if err != nil {
			return nil, false, err
		}
		return p.Service.Complete(ctx, scope, t.start(), typed)
	}
	return nil, false, nil
}
