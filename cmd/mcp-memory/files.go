package main

import (
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// Where workspaces are, see the setting workspace.store.
const (
	filesAuto     = "auto"
	filesOnDisk   = "disk"
	filesInStore  = "database"
	filesSettings = "auto, disk or database"
)

// workspaces says where the workspaces of agents are that have their banks in a store.
func (p *Program) workspaces(store any) (func(agent string) workspace.Dir, error) {
	setting := p.settings.get("workspace.store")
	files, can := store.(memory.FileStore)
	switch {
	case setting != filesAuto && setting != filesOnDisk && setting != filesInStore:
		return nil, p.settings.wrong("workspace.store", filesSettings)
	case setting == filesInStore && !can:
		return nil, memory.Errorf(memory.CodeInvalidArgument, "workspace.store is %s, and the database is a file", setting).
			WithHint("workspaces are folders beside it; a PostgreSQL server can have them")
	case setting != filesOnDisk && can:
		return workspace.In(files).Open, nil
	}
	dir := p.settings.get("data_dir")
	return func(agent string) workspace.Dir { return workspace.Open(dir, agent) }, nil
}
