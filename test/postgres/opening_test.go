//go:build postgres

package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// tryOpen opens and closes a store.
func tryOpen(t *testing.T, at string) error {
	t.Helper()
	s, err := db.Open(t.Context(), at, db.Options{Embedder: fingerprint, Clock: now, BusyTimeout: time.Millisecond})
	if err == nil {
		s.Close()
	}
	return err
}

// tablesIn counts what is in the schema of a URL.
func tablesIn(t *testing.T, at string) (n int) {
	t.Helper()
	err := connect(t, as(at, "postgres", "")).
		QueryRow(t.Context(), `SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCannotBeUsed: what is wrong with a database is said in words, and nothing is changed.
func TestCannotBeUsed(t *testing.T) {
	newer, others := backend.Database(t.TempDir(), "newer"), backend.Database(t.TempDir(), "others")
	s, err := db.Open(t.Context(), newer, db.Options{Embedder: fingerprint, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	admin(t, newer, `UPDATE mcp_memory_schema SET version = version + 1`)
	schema := others[strings.LastIndex(others, "=")+1:]
	admin(t, backend.Server(), `CREATE SCHEMA `+schema, `GRANT ALL ON SCHEMA `+schema+` TO tester`,
		`CREATE TABLE `+schema+`.records (a int)`,
		`DROP DATABASE IF EXISTS latin`,
		`CREATE DATABASE latin ENCODING LATIN1 LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0 OWNER tester`)
	latin := strings.Replace(backend.Server(), "/tests", "/latin", 1)
	tables := tablesIn(t, others)
	cases := []struct {
		url, says string
		code      memory.Code
	}{
		{newer, "newer than this program", memory.CodeUnavailable},
		{others, "tables of another program", memory.CodeUnavailable},
		{latin, "encoded in LATIN1", memory.CodeUnavailable},
		{"postgres://tester@127.0.0.1:1/tests", "cannot be reached", memory.CodeUnavailable},
		{backend.Server() + "nothere", "does not exist", memory.CodeUnavailable},
		{backend.Server() + "?sslmode=require", "does not speak TLS", memory.CodeUnavailable},
		{backend.Server() + "?sslmode=some", "sslmode is invalid", memory.CodeInvalidArgument},
		{backend.Server() + "?sslmode=verify-full&sslrootcert=/nothere", "unable to read CA file", memory.CodeInvalidArgument},
		{"postgres://%zz", "URL cannot be read", memory.CodeInvalidArgument},
		{"mysql://somewhere/x", "no backend for mysql", memory.CodeInvalidArgument},
	}
	for _, c := range cases {
		err := tryOpen(t, c.url)
		says(t, c.url, err, c.code, c.says)
	}
	if n := tablesIn(t, others); n != tables {
		t.Errorf("%d tables of another program became %d", tables, n)
	}
	if n := tablesIn(t, latin); n != 0 {
		t.Errorf("%d tables were made in LATIN1", n)
	}
	admin(t, backend.Server(), `DROP DATABASE latin WITH (FORCE)`)
	report(t, "%d databases and URLs refused with the reason and a hint, nothing in them changed", len(cases))
}

// TestRoles: one role makes the tables, another serves with no right but to read and write rows. A
// right that is missing is named as that, and nothing is half-written.
func TestRoles(t *testing.T) {
	at := backend.Database(t.TempDir(), "roles")
	schema := at[strings.LastIndex(at, "=")+1:]
	admin(t, backend.Server(), `DO $$ BEGIN CREATE ROLE rows_only LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
		`CREATE SCHEMA `+schema+` AUTHORIZATION tester`)
	serving := as(at, "rows_only", "")
	says(t, "without a schema of its own", tryOpen(t, serving), memory.CodeUnavailable, "role that owns the tables")
	admin(t, at, `GRANT USAGE ON SCHEMA `+schema+` TO rows_only`)
	says(t, "before there are tables", tryOpen(t, serving), memory.CodeUnavailable, "role that owns the tables")
	save(t, openAt(t, at, time.Second), "ann", "of the owner")
	says(t, "before it has a right", tryOpen(t, serving), memory.CodeUnavailable, "role that owns the tables")
	admin(t, at, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA `+schema+` TO rows_only`,
		`GRANT USAGE ON ALL SEQUENCES IN SCHEMA `+schema+` TO rows_only`)
	s := openAt(t, serving, time.Second)
	save(t, s, "ann", "of the one that serves")
	save(t, s, "bob", "of the one that serves")
	// One right fewer, in the middle of what a save writes.
	admin(t, at, `REVOKE INSERT ON memories_text FROM rows_only`)
	says(t, "without a right", trySave(t.Context(), s, "ann", "half"), memory.CodeUnavailable, "lacks a right")
	admin(t, at, `GRANT INSERT ON memories_text TO rows_only`)
	save(t, s, "ann", "whole")
	if got := contents(t, s, "ann"); len(got) != 3 {
		t.Errorf("%q", got)
	}
	// The fence stands for it too, and it cannot take it down.
	conn := connect(t, serving)
	for _, statement := range []string{`DROP TABLE records`, `ALTER TABLE records DISABLE ROW LEVEL SECURITY`, `CREATE TABLE more (a int)`,
		`TRUNCATE records`} {
		if _, err := conn.Exec(t.Context(), statement); err == nil {
			t.Errorf("it may %s", statement)
		}
	}
	report(t, "4 rights missing named, 4 statements of an owner refused")
}

// TestRightsOfNewTables: the role that serves may use what a newer version has made, and one that may do
// less, or no more than look at one table, gets no more.
func TestRightsOfNewTables(t *testing.T) {
	at := backend.Database(t.TempDir(), "rights")
	schema := at[strings.LastIndex(at, "=")+1:]
	migrations, err := filepath.Glob("../../db/postgres/migrations/*.sql")
	if err != nil || len(migrations) < 13 {
		t.Fatalf("%v, %v", migrations, err)
	}
	for _, role := range []string{"rows_only", "looks_on", "looks_at_one"} {
		admin(t, backend.Server(), `DO $$ BEGIN CREATE ROLE `+role+` LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`)
	}
	admin(t, backend.Server(), `CREATE SCHEMA `+schema+` AUTHORIZATION tester`,
		`GRANT USAGE ON SCHEMA `+schema+` TO rows_only, looks_on, looks_at_one`)
	owner := connect(t, at)
	const before = 5 // tables, sequences and fences are made after it
	run := []string{`CREATE TABLE mcp_memory_schema (version bigint NOT NULL)`,
		fmt.Sprintf(`INSERT INTO mcp_memory_schema VALUES (%d)`, before)}
	for _, name := range migrations[:before] {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		run = append(run, string(text))
	}
	run = append(run, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA `+schema+` TO rows_only`,
		`GRANT USAGE ON ALL SEQUENCES IN SCHEMA `+schema+` TO rows_only`,
		`GRANT SELECT ON ALL TABLES IN SCHEMA `+schema+` TO looks_on`, `GRANT SELECT ON banks TO looks_at_one`)
	for _, statements := range run {
		if _, err := owner.Exec(t.Context(), statements, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("%.80s: %v", statements, err)
		}
	}
	save(t, openAt(t, at, time.Second), "ann", "of the owner, after a new version")
	s := openAt(t, as(at, "rows_only", ""), time.Second)
	save(t, s, "ann", "of the one that serves")
	if err := s.(memory.FileStore).AppendLog(t.Context(), "ann", "a.md", "", "line\n"); err != nil {
		t.Error(err)
	}
	rights := func(role string) (tables, all, most int) {
		err := owner.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE has_table_privilege($1, oid, 'SELECT')),
			count(*) FILTER (WHERE has_table_privilege($1, oid, 'SELECT') AND has_table_privilege($1, oid, 'INSERT')
				AND has_table_privilege($1, oid, 'UPDATE') AND has_table_privilege($1, oid, 'DELETE')), count(*)
			FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`, role).Scan(&tables, &all, &most)
		if err != nil {
			t.Fatal(err)
		}
		return tables, all, most
	}
	if read, all, of := rights("rows_only"); read != of || all != of {
		t.Errorf("the role that serves may read %d of %d tables, and write %d", read, of, all)
	}
	if read, all, of := rights("looks_on"); read != of || all != 0 {
		t.Errorf("the role that looks on may read %d of %d tables, and write %d", read, of, all)
	}
	if read, all, _ := rights("looks_at_one"); read != 1 || all != 0 {
		t.Errorf("the role that may read one table may read %d, and write %d", read, all)
	}
	report(t, "%d migrations later three roles have the rights that they had", len(migrations)-before)
}

// TestPasswords: a wrong one is refused at once, one in a file counts, also when it changes while the
// server runs.
func TestPasswords(t *testing.T) {
	server := ownServer(t)
	admin(t, server.url, `CREATE ROLE locked LOGIN PASSWORD 'first'`, `GRANT ALL ON DATABASE tests TO locked`,
		`GRANT ALL ON SCHEMA public TO locked`)
	hba := filepath.Join(server.home, "data", "pg_hba.conf")
	rules, err := os.ReadFile(hba)
	if err == nil {
		err = os.WriteFile(hba, append([]byte("host all locked 127.0.0.1/32 scram-sha-256\n"), rules...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	admin(t, server.url, `SELECT pg_reload_conf()`)
	time.Sleep(200 * time.Millisecond)
	says(t, "no password", tryOpen(t, as(server.url, "locked", "")), memory.CodeUnavailable, "does not let this user in")
	says(t, "a wrong one", tryOpen(t, as(server.url, "locked", "password=wrong")), memory.CodeUnavailable, "does not let this user in")
	file := filepath.Join(t.TempDir(), "pass")
	write := func(password string) {
		t.Helper()
		if err := os.WriteFile(file, []byte("127.0.0.1:*:tests:locked:"+password+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("first")
	s := openAt(t, as(server.url, "locked", "passfile="+file), 20*time.Second)
	save(t, s, "ann", "with the first password")
	admin(t, server.url, `ALTER ROLE locked PASSWORD 'second'`,
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'locked'`)
	began := time.Now()
	for range 3 { // connections that are gone are found out one by one
		err = trySave(t.Context(), s, "ann", "with a password that does not count any more")
	}
	says(t, "after it has changed", err, memory.CodeUnavailable, "does not let this user in")
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it was waited for %v, and a password does not come right", took)
	}
	write("second")
	save(t, s, "ann", "with the second password")
	if got := contents(t, s, "ann"); len(got) != 2 {
		t.Errorf("%q", got)
	}
	report(t, "3 wrong passwords refused; a new one in the file counts without a restart")
}

// TestConnectionLimitOfARole: one connection each is enough for nobody, and said so.
func TestConnectionLimitOfARole(t *testing.T) {
	at := backend.Database(t.TempDir(), "few")
	s := openAt(t, at, 200*time.Millisecond)
	save(t, s, "ann", "first")
	admin(t, backend.Server(), `DO $$ BEGIN CREATE ROLE few LOGIN CONNECTION LIMIT 1; EXCEPTION WHEN duplicate_object THEN NULL; END $$`)
	conn, err := pgx.Connect(t.Context(), as(backend.Server(), "few", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	says(t, "a role with no connection left", tryOpen(t, as(at, "few", "")), memory.CodeUnavailable, "max_connections")
}
