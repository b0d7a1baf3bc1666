package main

import (
	"context"
	"os"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// ownScope is whose memory this process is about.
func (p *Program) ownScope() (memory.Scope, error) {
	scope := memory.Scope{Agent: p.settings.get("agent"), Project: p.settings.get("project")}
	if err := memory.CheckAgent(scope.Agent); err != nil {
		return scope, err
	}
	if p.settings.origins["project"] != "default" {
		return scope, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return scope, nil // deleted meanwhile: no project
	}
	scope.Project, err = findProject(dir, homeDir(p.Env))
	return scope, err
}

// scopeOf says whose bank a call is about, and resolves its project argument.
// Over HTTP a request's identity is the agent, and no project is the default.
func (a *app) scopeOf(ctx context.Context, project *string) (memory.Scope, error) {
	scope := a.scope
	if identity, ok := access.From(ctx); ok {
		var err error
		if scope, err = identity.Scope(project); err != nil {
			return scope, err
		}
		if scope.Session == "" { // the stateless era: accesses of a day count as one session
			scope.Session = a.scope.Session + "/" + a.clock().UTC().Format(time.DateOnly)
		}
	} else if project != nil {
		scope.Project = *project
	}
	return scope, memory.CheckText("project", scope.Project, memory.MaxNameBytes)
}
