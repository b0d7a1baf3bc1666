package foreign_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/transfer/foreign"
)

// openCodeTables are those of OpenCode 1.18, as far as they are read.
const openCodeTables = `CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL, title text NOT NULL, version text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
	CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
	CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);`

// TestOpenCode reads what was said and done out of OpenCode's database: parts in their order, of sessions that are
// young enough and no sub-agent's, without what the host put there and calls that never ended.
func TestOpenCode(t *testing.T) {
	at := now.Add(-time.Hour).UnixMilli()
	statements := openCodeTables + fmt.Sprintf(`
		INSERT INTO session VALUES ('s1', 'p', NULL, 'a', '/w', 'Fix it', '1.18.33', %[1]d, %[1]d), ('s2', 'p', 's1', 'b', '/w', 'Sub', '1.18.33', %[1]d, %[1]d), ('s3', 'p', NULL, 'c', '/w', 'Old', '1.18.33', 1700000000000, 1700000000000);
		INSERT INTO message VALUES ('m2', 's1', %[1]d + 1, 0, '{"role":"assistant","path":{"cwd":"/w"}}'), ('m1', 's1', %[1]d, 0, '{"role":"user"}'), ('m3', 's1', %[1]d + 2, 0, 'no json'), ('m4', 's2', %[1]d, 0, '{"role":"user"}');
		INSERT INTO part VALUES ('p3', 'm2', 's1', 0, 0, '{"type":"tool","tool":"bash","callID":"c1","state":{"status":"completed","input":{"command":"go test ./...","description":"Test"},"output":"FAIL pkg\n","metadata":{"exit":1}}}'),
			('p2', 'm2', 's1', 0, 0, '{"type":"text","text":"I run the tests."}'), ('p1', 'm1', 's1', 0, 0, '{"type":"text","text":"Fix the tests."}'), ('p0', 'm1', 's1', 0, 0, '{"type":"text","synthetic":true,"text":"You are in plan mode."}'),
			('p4', 'm2', 's1', 0, 0, '{"type":"tool","tool":"edit","callID":"c2","state":{"status":"completed","input":{"filePath":"/w/a.go","oldString":"x","newString":"a new line here"},"output":"Edit applied successfully."}}'),
			('p5', 'm2', 's1', 0, 0, '{"type":"tool","tool":"read","callID":"c3","state":{"status":"error","input":{"filePath":"/w/b.go"},"error":"File not found: /w/b.go"}}'),
			('p6', 'm2', 's1', 0, 0, '{"type":"tool","tool":"bash","callID":"c4","state":{"status":"running","input":{"command":"sleep 9"}}}'),
			('p7', 'm2', 's1', 0, 0, '{"type":"tool","tool":"memory_memory_save","callID":"c5","state":{"status":"completed","input":{"content":"x"},"output":"saved"}}'),
			('p8', 'm4', 's2', 0, 0, '{"type":"text","text":"Of a sub-agent."}'), ('p9', 'm2', 's1', 0, 0, '{"type":"step-finish"}');`, at)
	var did []string
	var skipped int
	target := []foreign.Target{{Source: source(t, "opencode"), Path: database(t, statements)}}
	var said []string
	err := foreign.Read(t.Context(), target, foreign.Input{Open: open, Options: foreign.Options{Now: now}}, func(i foreign.Item) error {
		if i.Skip != "" {
			skipped++
		}
		if i.Bad != nil {
			t.Error(i.Bad)
		}
		if i.Talk != nil {
			for _, turn := range i.Talk.Turns {
				said = append(said, strings.Join([]string{i.Talk.Session, i.Dir, string(turn.Role), turn.Content}, "|"))
			}
			for _, a := range i.Talk.Actions {
				did = append(did, fmt.Sprintf("%s %s %s %d/%d %s: %s", a.Host, a.Kind, a.Text, a.Outcome, a.Exit, a.Asked, a.Tail))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"s1|/w|user|Fix the tests.", "s1|/w|assistant|I run the tests."}; !slices.Equal(said, want) || skipped != 1 {
		t.Errorf("said %q, skipped %d", said, skipped)
	}
	want := []string{
		"opencode test go test ./... 2/1 Fix the tests.: FAIL pkg", "opencode edit /w/a.go 1/0 Fix the tests.: ",
		"opencode read /w/b.go 2/0 Fix the tests.: File not found: /w/b.go",
	}
	if !slices.Equal(did, want) {
		t.Errorf("did %q", did)
	}
	sample, err := foreign.Look(t.Context(), target[0].Path, open)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := foreign.Recognise(sample); err != nil || s.Name != "opencode" {
		t.Errorf("it is recognised as %q, %v", s.Name, err)
	}
}
