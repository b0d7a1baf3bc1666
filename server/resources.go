package server

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"mcp-memory/memory"
	"mcp-memory/resources"
)

// pageOfResources is how many resources one answer lists.
const pageOfResources = 100

// templatesTTL is how long a client may keep the lists of templates and
// prompts, which do not change while the process lives.
const templatesTTL = time.Hour

// icon is what hosts may show beside the server and what it offers: a note. It
// is small because every answer of the newer era carries it.
var icon = mcp.Icon{
	Src: "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#275" d="M1 1h6v4H5L3 7V5H1z"/></svg>`)),
	MIMEType: "image/svg+xml", Sizes: []string{"any"},
}

// pageOptions are what the library has to know before there are pages.
func (s *Server) pageOptions() []mcpserver.ServerOption {
	options := []mcpserver.ServerOption{mcpserver.WithIcons(icon)}
	if s.opts.Pages.Service == nil {
		return options
	}
	ttl := templatesTTL.Milliseconds()
	return append(options,
		mcpserver.WithResourceCapabilities(true, true),
		mcpserver.WithPromptCapabilities(false),
		mcpserver.WithPromptFilter(s.usablePrompts),
		mcpserver.WithCompletions(),
		mcpserver.WithResourceCompletionProvider(completer{s}),
		mcpserver.WithPromptCompletionProvider(completer{s}),
		mcpserver.WithMethodCacheHints(mcp.MethodResourcesTemplatesList, ttl, mcp.CacheScopePrivate),
		mcpserver.WithMethodCacheHints(mcp.MethodPromptsList, ttl, mcp.CacheScopePrivate),
		// What these say may change at any time.
		mcpserver.WithMethodCacheHints(mcp.MethodResourcesList, 0, mcp.CacheScopePrivate),
		mcpserver.WithMethodCacheHints(mcp.MethodResourcesRead, 0, mcp.CacheScopePrivate),
	)
}

// pageHooks are around the library's own handling of resources and prompts.
func (s *Server) pageHooks(hooks *mcpserver.Hooks) {
	if s.opts.Pages.Service == nil {
		return
	}
	hooks.AddBeforeReadResource(s.readBefore)
	hooks.AddAfterListResources(s.listPages)
	hooks.AddBeforeGetPrompt(s.promptBefore)
	s.subscriptions.hook(hooks)
}

// addPages registers resources, templates and prompts.
func (s *Server) addPages() {
	pages := s.opts.Pages
	if pages.Service == nil {
		return
	}
	for _, r := range pages.Resources() {
		s.mcp.AddResource(mcp.NewResource(r.URI, r.Name,
			mcp.WithResourceTitle(r.Title), mcp.WithResourceDescription(r.Description), mcp.WithMIMEType(r.Type),
			mcp.WithAnnotations([]mcp.Role{mcp.RoleUser, mcp.RoleAssistant}, r.Priority, ""), mcp.WithResourceIcons(icon)), handOver)
	}
	for _, t := range pages.Templates() {
		s.mcp.AddResourceTemplate(mcp.NewResourceTemplate(t.URI, t.Name,
			mcp.WithTemplateTitle(t.Title), mcp.WithTemplateDescription(t.Description), mcp.WithTemplateMIMEType(t.Type),
			mcp.WithTemplateIcons(icon)), handOver)
	}
	s.mcp.AddResource(memoriesResource(), handOver)
	s.addPrompts()
}

// readPage reads a page; a panic is an internal error.
func (s *Server) readPage(ctx context.Context, uri string) (page resources.Page, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.ErrorContext(ctx, "read resource", "panic", p)
			err = memory.Errorf(memory.CodeInternal, "something went wrong inside the server")
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return s.opts.Pages.Read(ctx, uri)
}

const readTimeout = 30 * time.Second

// outcome is what a hook found for the handler that comes after it.
type outcome struct {
	page resources.Page
	err  error
}

// outcomeKey is where an outcome lies in a request's metadata. What a client
// puts there is no outcome.
const outcomeKey = "mcp-memory/outcome"

// readBefore reads a page before the library looks for its handler. The
// library makes an internal error of whatever a handler returns, but what it
// has no handler for is not found, with the code that the client's era has for
// it. So the refusal of an address becomes part of it, which fits no template.
func (s *Server) readBefore(ctx context.Context, _ any, request *mcp.ReadResourceRequest) {
	var found outcome
	var isApp bool
	if found.page, isApp = readApp(request.Params.URI); !isApp {
		found.page, found.err = s.readPage(ctx, request.Params.URI)
	}
	if text, ok := s.refused(ctx, "read resource", found.err); ok {
		request.Params.URI = memory.Shorten(request.Params.URI, maxRepeated) + " : " + text
		return
	}
	request.Params.Meta = withOutcome(request.Params.Meta, found)
}

func withOutcome(meta *mcp.Meta, o outcome) *mcp.Meta {
	made := mcp.Meta{}
	if meta != nil {
		made = *meta
	}
	made.AdditionalFields = map[string]any{outcomeKey: o}
	return &made
}

func outcomeOf(meta *mcp.Meta) outcome {
	if meta != nil {
		if o, ok := meta.AdditionalFields[outcomeKey].(outcome); ok {
			return o
		}
	}
	return outcome{err: memory.Errorf(memory.CodeInternal, "something went wrong inside the server")}
}

// refused returns what a caller reads of its own mistake. Any other error is
// logged, if it is ours.
func (s *Server) refused(ctx context.Context, doing string, err error) (string, bool) {
	switch memory.CodeOf(err) {
	case "":
		return "", false
	case memory.CodeInternal, memory.CodeUnavailable:
		s.log.ErrorContext(ctx, doing, "error", err)
		return "", false
	}
	return memory.Shorten(memory.Public(err).Error(), maxRepeated), true
}

// maxRepeated is how many characters an answer about wrong input repeats of it.
const maxRepeated = 300

// handOver answers with what readBefore found.
func handOver(_ context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	found := outcomeOf(request.Params.Meta)
	if found.err != nil {
		return nil, memory.Public(found.err)
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: found.page.URI, MIMEType: found.page.Type, Text: found.page.Text}}, nil
}

// listPages puts the files of the caller's workspace behind the pages that
// everybody has, which are all that the library knows. All are in the order of
// their addresses, so that a cursor, which is the last address that was listed,
// stays true when files come and go.
func (s *Server) listPages(ctx context.Context, _ any, request *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	result.NextCursor = ""
	list := slices.DeleteFunc(s.fixed(), func(r mcp.Resource) bool {
		if r.URI == memoriesURI {
			return !showsApps(ctx)
		}
		return !s.opts.Pages.Readable(ctx, r.URI)
	})
	files, err := s.opts.Pages.Files(ctx)
	if err != nil { // the pages are there all the same
		s.log.WarnContext(ctx, "list the workspace", "error", err)
	}
	for _, f := range files {
		list = append(list, mcp.NewResource(f.URI, f.Name, mcp.WithMIMEType(f.Type)))
	}
	slices.SortFunc(list, func(a, b mcp.Resource) int { return strings.Compare(a.URI, b.URI) })
	after, _ := base64.StdEncoding.DecodeString(string(request.Params.Cursor)) // the library has refused a broken one
	from := 0
	for from < len(list) && len(after) > 0 && list[from].URI <= string(after) {
		from++
	}
	result.Resources = list[from:min(len(list), from+pageOfResources)]
	if rest := len(list) - from; rest > pageOfResources {
		result.NextCursor = mcp.Cursor(base64.StdEncoding.EncodeToString([]byte(result.Resources[pageOfResources-1].URI)))
	}
}

// fixed are the resources that were registered.
func (s *Server) fixed() []mcp.Resource {
	var list []mcp.Resource
	for _, r := range s.mcp.ListResources() {
		list = append(list, r.Resource)
	}
	return list
}

// filesDigest names the state of a workspace's list.
func (s *Server) filesDigest(ctx context.Context) string {
	files, err := s.opts.Pages.Files(ctx)
	if err != nil {
		return string(memory.CodeOf(err))
	}
	return fmt.Sprint(files)
}
