package main

import (
	"context"
	"net/url"
	"path/filepath"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/upkeep"
)

// database returns where the banks are: the URL of a server, or the path of the file in the data
// directory.
func (p *Program) database() string {
	if set := p.settings.get("database"); set != "" {
		return set
	}
	return filepath.Join(p.settings.get("data_dir"), databaseName)
}

// onServer reports whether the banks are on a database server.
func (p *Program) onServer() bool { return db.IsServer(p.settings.get("database")) }

// checkDatabase refuses a setting that is not a server's URL. The error does not repeat it, because
// it may have a password.
func (p *Program) checkDatabase() error {
	if p.settings.get("database") == "" || p.onServer() {
		return nil
	}
	return memory.Errorf(memory.CodeInvalidArgument, "database is not the URL of a PostgreSQL server (%s)", p.settings.origins["database"]).
		WithHint("postgres://USER@HOST:5432/NAME; for a file set data_dir, or leave both out")
}

// enter enters the data directory. If the banks are on a server, it has only workspaces and
// settings.
func (p *Program) enter(ctx context.Context, dir string) (*upkeep.Dir, error) {
	if p.onServer() {
		return upkeep.EnterFiles(ctx, dir)
	}
	return upkeep.Enter(ctx, dir, p.create)
}

// onlyFiles refuses a feature that needs a database file if the banks are on a server.
func (p *Program) onlyFiles(what string) error {
	if !p.onServer() {
		return nil
	}
	return memory.Errorf(memory.CodeUnavailable, "%s is for the database file, and a PostgreSQL server has the banks", what).
		WithHint("pg_dump and pg_restore copy them with the workspaces; the data directory has config.yaml")
}

// shownURL returns the value of a setting without a password.
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
