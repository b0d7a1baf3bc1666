package main

import (
	"mcp-memory/memory"
	"mcp-memory/workspace"
)

// Values of the setting workspace.store.
const (
	filesAuto    = "auto"
	filesOnDisk  = "disk"
	filesInStore = "database"
)

func (p *Program) workspaceStore() (string, error) {
	return p.settings.oneOf("workspace.store", filesAuto, filesOnDisk, filesInStore)
}

// workspaces returns the workspaces that belong to the banks in a store.
func (p *Program) workspaces(store any) (func(agent string) workspace.Dir, error) {
	setting, err := p.workspaceStore()
	if err != nil {
		return nil, err
	}
	files, can := store.(memory.FileStore)
	switch {
	case setting == filesInStore && !can:
		return nil, memory.Errorf(memory.CodeInvalidArgument, "workspace.store is %s, and the database is a file", setting).
			WithHint("workspaces are folders beside it; a PostgreSQL server can have them")
	case setting != filesOnDisk && can:
		return workspace.In(files).Open, nil
	}
	dir := p.settings.get("data_dir")
	return func(agent string) workspace.Dir { return workspace.Open(dir, agent) }, nil
}
