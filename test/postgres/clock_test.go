//go:build postgres

package postgres

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"mcp-memory/eval/child"
	"mcp-memory/test/backend"
)

// TestClockOfTheDatabase: where this machine's clock is wrong, that of the database counts, as for
// all other servers. Here it is the database's that says another time.
func TestClockOfTheDatabase(t *testing.T) {
	const ahead = 90 * time.Second
	url := backend.Database(t.TempDir(), "clock")
	schema := url[strings.LastIndex(url, "=")+1:]
	admin(t, url, `CREATE SCHEMA `+schema+` AUTHORIZATION tester`,
		`CREATE FUNCTION `+schema+
			`.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$SELECT pg_catalog.clock_timestamp() + interval '90 s'$$`)
	url += ",pg_catalog"
	p, err := child.New(t.Context(), t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	text, err := p.Run(t.Context(), "save", "The lock is at the harbour.", "--database", url, "--json")
	if err != nil {
		t.Fatal(err)
	}
	var saved struct{ ID string }
	if err := json.Unmarshal(text, &saved); err != nil {
		t.Fatal(err)
	}
	if text, err = p.Run(t.Context(), "get", saved.ID, "--database", url, "--json"); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Records []struct {
			CreatedAt time.Time `json:"created_at"`
		}
	}
	if err := json.Unmarshal(text, &got); err != nil || len(got.Records) != 1 {
		t.Fatalf("%s, %v", text, err)
	}
	if at := got.Records[0].CreatedAt; at.Before(before.Add(ahead-time.Second)) || at.After(time.Now().Add(ahead+time.Second)) {
		t.Errorf("saved at %s, asked at %s", at, before)
	}
}
