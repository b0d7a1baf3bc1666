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

// checkDatabase refuses what is no server's URL. It does not repeat it: there may be a password in it.
func (p *Program) checkDatabase() error {
	if p.settings.get("database") == "" || p.onServer() {
		return nil
	}
	return memory.Errorf(memory.CodeInvalidArgument, "database is not the URL of a PostgreSQL server (%s)", p.settings.origins["database"]).
		WithHint("postgres://USER@HOST:5432/NAME; for a file set data_dir, or leave both out")
}

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
		WithHint("pg_dump and pg_restore copy them with the workspaces; the data directory has config.yaml")
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
	query := u.Query()
	for _, secret := range []string{"password", "sslpassword"} {
		if query.Has(secret) {
			query.Set(secret, "xxxxx")
			u.RawQuery = query.Encode()
		}
	}
	return u.Redacted()
}
