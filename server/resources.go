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

// pageOfResources is how many resources one page of resources/list has.
const pageOfResources = 100

// templatesTTL is how long a client may cache the lists of templates and prompts, which do not
// change while the process runs.
const templatesTTL = time.Hour

// icon is the icon of the server and its resources, a note. It is small because every answer of the
// newer era carries it.
var icon = mcp.Icon{
	Src: "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#275" d="M1 1h6v4H5L3 7V5H1z"/></svg>`)),
	MIMEType: "image/svg+xml", Sizes: []string{"any"},
}

// pageOptions are the library's options for resources, prompts and completion.
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
		// Resources may change at any time.
		mcpserver.WithMethodCacheHints(mcp.MethodResourcesList, 0, mcp.CacheScopePrivate),
		mcpserver.WithMethodCacheHints(mcp.MethodResourcesRead, 0, mcp.CacheScopePrivate),
	)
}

// pageHooks adds the hooks around the library's handling of resources and prompts.
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

// outcome is the result of readBefore, for the handler that runs after it.
type outcome struct {
	page resources.Page
	err  error
}

// outcomeKey is the key of the outcome in the metadata of a request. A value that a client sends
// under this key has another type and is ignored.
const outcomeKey = "mcp-memory/outcome"

// readBefore reads a page before the library looks for its handler. The library turns an error of a
// handler into an internal error, but answers "not found" for an address that has no handler, with
// the code of the client's era. So if the address is refused, the refusal is appended to it: then
// no template matches it, and the answer shows the reason.
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

// refused returns the text for a caller's own mistake. Other errors are logged, and refused is
// false for them, as for no error.
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

// maxRepeated is how many characters of wrong input, or of an error about it, an answer has.
const maxRepeated = 300

// handOver is the handler of all resources. It returns what readBefore has read.
func handOver(_ context.Context, request mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	found := outcomeOf(request.Params.Meta)
	if found.err != nil {
		return nil, memory.Public(found.err)
	}
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: found.page.URI, MIMEType: found.page.Type, Text: found.page.Text}}, nil
}

// listPages adds the files of the caller's workspace to the resources that the library knows, which
// are the same for everybody. The list is sorted by address, and a cursor is the last address that
// was listed, so it stays valid when files are added or removed.
func (s *Server) listPages(ctx context.Context, _ any, request *mcp.ListResourcesRequest, result *mcp.ListResourcesResult) {
	result.NextCursor = ""
	list := slices.DeleteFunc(s.fixed(), func(r mcp.Resource) bool {
		if r.URI == memoriesURI {
			return !showsApps(ctx)
		}
		return !s.opts.Pages.Readable(ctx, r.URI)
	})
	files, err := s.opts.Pages.Files(ctx)
	if err != nil { // list the pages without the files
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

// fixed returns the resources registered with the library.
func (s *Server) fixed() []mcp.Resource {
	var list []mcp.Resource
	for _, r := range s.mcp.ListResources() {
		list = append(list, r.Resource)
	}
	return list
}

// filesDigest returns a text that changes when the list of files in the workspace does.
func (s *Server) filesDigest(ctx context.Context) string {
	files, err := s.opts.Pages.Files(ctx)
	if err != nil {
		return string(memory.CodeOf(err))
	}
	return fmt.Sprint(files)
}
