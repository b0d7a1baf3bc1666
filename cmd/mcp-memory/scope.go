package main

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
)

// ownScope returns the scope of this process.
func (p *Program) ownScope() (memory.Scope, error) {
	project, err := memory.NormalProject(p.settings.get("project"))
	if err != nil {
		return memory.Scope{}, err
	}
	scope := memory.Scope{Agent: p.settings.get("agent"), Project: project}
	if err := memory.CheckAgent(scope.Agent); err != nil {
		return scope, err
	}
	if origin := p.settings.origins["project"]; origin != "default" {
		// A server or hook is told where it runs. A person who names a project in a command means
		// it for what is saved.
		scope.Chosen = strings.HasPrefix(origin, "flag") && !p.serving && !p.calling
		return scope, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return scope, nil // the working directory was deleted, so there is no project
	}
	p.place, err = findProjectInTime(dir, homeDir(p.Env))
	scope.Project = p.place.name
	if err != nil && p.forHost {
		p.astray, err = err, nil
	}
	return scope, err
}

// noProject is the message for a model if [Program.astray] is set. It does not name the directory,
// because its name may be somebody else's text. `mcp-memory doctor` does.
const noProject = "Tell the user: the project of the working directory cannot be found out, as of a " + projectFile +
	" that is not plain text; `mcp-memory doctor` says why. Until then memories belong to no project unless you name one.\n"

// scopeOf returns the scope of a call, with its project argument resolved, also if that is an
// alias. Over HTTP the agent is that of the request's identity, and the default is no project, or
// the only one of its token.
func (a *app) scopeOf(ctx context.Context, project *string) (memory.Scope, error) {
	scope, err := a.ownScopeOf(ctx, project)
	if err == nil && !a.readOnly { // every call comes through here, so it sees what a person has edited
		a.inOrder(ctx, scope.Agent)
		a.mirror.Refresh(ctx, scope.Agent)
	}
	return scope, err
}

// inOrder makes the ids that an agent gets from now on greater than those in its log, even if the
// clock was set back. Otherwise undo would not find the last change.
func (a *app) inOrder(ctx context.Context, agent string) {
	if _, before := a.ordered.LoadOrStore(agent, true); before {
		return
	}
	if last, err := a.raw.Log(ctx, agent, "", 1); err == nil && len(last) > 0 {
		a.ids.Behind(last[0].ID)
	}
}

func (a *app) ownScopeOf(ctx context.Context, project *string) (memory.Scope, error) {
	identity, ok := access.From(ctx)
	if ok {
		return a.scopeOfIdentity(ctx, identity, project)
	}
	scope := a.scope
	if project != nil {
		scope.Project, scope.Chosen = *project, true
	}
	var err error
	if scope.Project, err = memory.NormalProject(scope.Project); err != nil {
		return scope, err
	}
	if !scope.Chosen {
		scope.Project, err = a.remember.ResolveProject(ctx, scope.Agent, scope.Project)
		return scope, err
	}
	known := false
	if scope.Project, known, err = a.remember.NamedProject(ctx, scope.Agent, scope.Project); err == nil && !known &&
		a.unknownProject != nil {
		a.unknownProject(scope.Project)
	}
	return scope, err
}

// scopeOfIdentity returns the scope of a call over HTTP. A token that is not for a project does not
// get it by an alias.
func (a *app) scopeOfIdentity(ctx context.Context, identity access.Identity, project *string) (memory.Scope, error) {
	if project != nil {
		given, err := memory.NormalProject(*project)
		if err != nil {
			return a.scope, err
		}
		project = &given
		name, err := a.remember.ResolveProject(ctx, identity.Agent, given)
		if err != nil {
			return a.scope, err
		}
		if !identity.Restricted() || slices.Contains(identity.Projects, name) {
			project = &name
		}
	}
	scope, err := identity.Scope(project)
	scope.Chosen = project != nil
	if scope.Session == "" { // in the newer era there is no session: accesses of one day count as one
		scope.Session = a.scope.Session + "/" + a.clock().UTC().Format(time.DateOnly)
	}
	return scope, err
}

// follow renames the project of a repository without a remote when the repository gets one. An
// error is only logged, because nothing depends on it.
func (a *app) follow(ctx context.Context, at place, log *slog.Logger) {
	var err error
	switch agent := a.scope.Agent; {
	case at.root == "":
		return
	case at.local():
		err = a.remember.KnowLocal(ctx, agent, at.name, at.root)
	default:
		_, err = a.remember.AdoptLocal(ctx, agent, localName(at.root), at.root, at.name)
	}
	if err != nil {
		log.WarnContext(ctx, "follow a project to its remote", "project", at.name, "error", err)
	}
}
