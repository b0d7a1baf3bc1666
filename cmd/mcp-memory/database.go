package main

import (
	"context"
	"net/url"
	"path/filepath"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/upkeep"
)

// database is where the banks are: the URL of a server, or the path of the file
// in the data directory.
func (p *Program) database() string {
	if set := p.settings.get("database"); set != "" {
		return set
	}
	return filepath.Join(p.settings.get("data_dir"), databaseName)
}

// onServer reports whether a database server has the banks.
func (p *Program) onServer() bool { return db.IsServer(p.settings.get("database")) }

// enter begins to use the data directory. Where a server has the banks there are only
// workspaces and settings in it.
func (p *Program) enter(ctx context.Context, dir string) (*upkeep.Dir, error) {
	if p.onServer() {
		return upkeep.EnterFiles(ctx, dir)
	}
	return upkeep.Enter(ctx, dir, p.create)
}

// onlyFiles refuses what is done with the database's file where a server has the banks.
func (p *Program) onlyFiles(what string) error {
	if !p.onServer() {
		return nil
	}
	return memory.Errorf(memory.CodeUnavailable, "%s is for the database file, and a PostgreSQL server has the banks", what).
		WithHint("pg_dump and pg_restore copy them; the data directory has the workspaces and config.yaml")
}

// shownURL is a setting's value without the password that may be in it.
func shownURL(value string) string {
	if !db.IsServer(value) {
		return value
	}
	u, err := url.Parse(value)
	if err != nil {
		return "(set)"
	}
	return u.Redacted()
}
