package main

import (
	"context"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/resources"
	"mcp-memory/text/tokens"
	"mcp-memory/workspace"
)

// pages puts resources and prompts together.
func (p *Program) pages(a *app) resources.Pages {
	dir := p.settings.get("data_dir")
	return resources.Pages{Recall: a.recall, Scope: a.scopeOf, Service: resources.New(resources.Options{
		Store: a.store, Salience: a.salience, Tokens: tokens.NewCounter(""), Clock: p.Clock,
		Files: func(agent string) resources.Files { return workspace.Open(dir, agent) },
	})}
}

// requestsHeading is put before the requests for an agent's memory.
const requestsHeading = "Other agents ask for a copy of your memory (answer with neural_link, if your user agrees):\n"

// requests are those lines of the instructions that say who waits for an
// answer, in at most room bytes. A token that is restricted to projects cannot
// answer for the bank.
func (p *Program) requests(ctx context.Context, pages resources.Pages, scope memory.Scope, room int) string {
	if access.Refusal(ctx, "the request", false, access.WholeBank) != nil {
		return ""
	}
	lines, err := pages.Service.Requests(ctx, scope, room-len(requestsHeading))
	if err != nil {
		p.log.WarnContext(ctx, "read requests for the memory", "error", err)
	}
	if lines == "" {
		return ""
	}
	return requestsHeading + lines
}
