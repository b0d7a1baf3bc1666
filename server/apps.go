package server

import (
	"context"
	_ "embed"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/resources"
	"mcp-memory/tools"
)

// Names of the MCP Apps extension (2026-01-26), by which hosts show a page of a server in the
// conversation.
const (
	appsExtension = "io.modelcontextprotocol/ui"
	appType       = "text/html;profile=mcp-app"
	memoriesURI   = "ui://mcp-memory/memories.html"
)

// memoriesApp shows what tools have found. It has no memory in it: the host gives it a tool's result.
//
//go:embed apps/memories.html
var memoriesApp string

// showsApps reports whether the client declares that it shows pages of type appType.
func showsApps(ctx context.Context) bool {
	extension, _ := tools.ClientCapabilities(ctx).Extensions[appsExtension].(map[string]any)
	types, _ := extension["mimeTypes"].([]any)
	return slices.Contains(types, any(appType))
}

// memoriesResource describes the page in the list of resources.
func memoriesResource() mcp.Resource {
	return mcp.NewResource(memoriesURI, "memories", mcp.WithResourceTitle("Memories"),
		mcp.WithResourceDescription("What a tool has found, to look at, correct and forget."), mcp.WithMIMEType(appType))
}

// readApp returns the page. It is false for any other address than memoriesURI.
func readApp(uri string) (resources.Page, bool) {
	return resources.Page{URI: memoriesURI, Type: appType, Text: memoriesApp}, uri == memoriesURI
}

// linkApps adds to the tools whose results have memories the address of the page that shows them,
// for clients that show apps.
func (s *Server) linkApps(ctx context.Context, _ any, _ *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
	if s.opts.Pages.Service == nil || !showsApps(ctx) {
		return
	}
	result.Tools = slices.Clone(result.Tools)
	for i, t := range result.Tools {
		if !s.specs[t.Name].Memories {
			continue
		}
		meta := mcp.Meta{}
		if t.Meta != nil {
			meta = *t.Meta
		}
		fields := maps.Clone(meta.AdditionalFields)
		if fields == nil {
			fields = map[string]any{}
		}
		fields["ui"] = map[string]any{"resourceUri": memoriesURI}
		meta.AdditionalFields = fields
		result.Tools[i].Meta = &meta
	}
}
