package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/width"

	"mcp-memory/cmd/mcp-memory/screen"
	"mcp-memory/internal/golden"
	"mcp-memory/memory"
	"mcp-memory/recall"
)

// at runs a command at a moment, with the clock standing still.
func (m *machine) at(now time.Time, stdin string, args ...string) ran {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	p := Program{
		Args: args, Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr,
		Env: func(name string) string { return m.env[name] }, Clock: func() time.Time { return now },
	}
	code := p.Run(context.WithoutCancel(m.t.Context()))
	return ran{code, stdout.String(), stderr.String()}
}

// shownBank is a machine whose bank has one of everything that screens show, each saved
// an hour after the one before, so that ids begin alike in every run.
func shownBank(t *testing.T) (m *machine, now time.Time) {
	m = newMachine(t)
	m.env["MCP_MEMORY_EMBED_LOCAL"] = tableName // alike on every machine, however slow
	now = someDay.AddDate(0, 0, -30)
	do := func(stdin string, args ...string) string {
		t.Helper()
		now = now.Add(time.Hour)
		r := m.at(now, stdin, args...)
		if r.code != exitDone || r.stderr != "" {
			t.Fatalf("%q: %+v", args, r)
		}
		return r.stdout
	}
	saved := func(args ...string) string {
		t.Helper()
		id := regexp.MustCompile(`"id": "([^"]+)"`).FindStringSubmatch(do("", append(args, "--json")...))
		if id == nil {
			t.Fatalf("%q has no id", args)
		}
		return id[1]
	}
	saved("save",
		"Anna moved from Bergen to Oslo last spring, works at the harbour office, and takes the number 17 tram because the bridge is closed for repairs until the autumn.",
		"--category", "personal", "--tags", "anna,oslo", "--occurred-at", "2025-05-04")
	saved("save", "東京は日本の首都であり、最大の都市である。春には上野公園で桜が咲き、多くの人が花見に訪れるので、宿は早めに予約しておくこと。", "--category", "travel")
	saved("save",
		"The family 👩‍👩‍👧‍👦 flies 🇳🇴 → 🇯🇵 in April ✈️, and everybody packs a rain jacket 🧥, good shoes 👟 and the cafe\u0301 list.",
		"--project", "")
	saved("save",
		"To release, tag and push:\n\n```sh\ngit tag -s \"v$VERSION\" -m \"Release $VERSION\" && git push origin main \"v$VERSION\" --follow-tags --atomic\n```\n\n"+
			"Then wait for the pipeline, which signs the packages and publishes them within ten minutes.",
		"--category", "technical", "--pinned")
	coffee := saved("save", "Anna drinks two cups of coffee before nine.", "--category", "preference")
	do("", "update", coffee, "--content", "Anna drinks green tea and no coffee since her doctor's advice.")
	saved("save", "The alarm code of the boat house is 4711.", "--category", "secret")
	gone := saved("save", "The ferry to Nesodden leaves every half hour.")
	do("", "forget", gone, "--reason", "the timetable changed")
	do("", "soul", "add", "I say what I do not know.")
	do("", "episode", "add", "The demo failed because the harbour's network was down; we went on from a phone.", "--occurred-at",
		"2026-01-20 14:30")
	do(`{"role":"user","content":"Where did we moor the boat?"}`+"\n"+
		`{"role":"assistant","content":"At the guest pier of the harbour, berth 東-12, until Sunday evening; the harbour office wants the fee in cash."}`+"\n",
		"context", "--session", "mooring", "-")
	return m, someDay
}

// What is random in an id, and what the ranking alone decides.
var (
	scored   = regexp.MustCompile(`score \d\.\d\d`)
	randomly = regexp.MustCompile(`\b([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-)[0-9a-f]{4}-[0-9a-f]{12}\b`)
)

// TestScreens compares what commands show on terminals of three widths, and with
// colours, with golden files: go test ./cmd/mcp-memory -run Screens -update.
func TestScreens(t *testing.T) {
	m, now := shownBank(t)
	var coffee listing
	m.read(&coffee, "list", "--superseded", "--category", "preference")
	for _, shown := range []struct { // those first that say how often something was recalled
		name string
		args []string
	}{
		{"get", []string{"get", coffee.Items[0].ID}},
		{"list", []string{"list"}},
		{"all", []string{"list", "--archived", "--superseded", "-n", "4"}},
		{"log", []string{"log", "-n", "6"}},
		{"history", []string{"history", coffee.Items[0].ID}},
		{"recall", []string{"recall", "What does Anna drink?", "--limit", "1"}},
		{"search", []string{"search", "harbour fee", "--in", "conversations"}},
		{"cjk", []string{"search", "東京", "--limit", "1"}},
		{"context", []string{"context", "status", "mooring"}},
	} {
		name, args := shown.name, shown.args
		t.Run(name, func(t *testing.T) {
			compareScreens(t, name, func(columns int, color string) string {
				m.env["COLUMNS"] = strconv.Itoa(columns)
				r := m.at(now, "", append(args, "--color", color)...)
				if r.code != exitDone || r.stderr != "" {
					t.Fatalf("%+v", r)
				}
				return scored.ReplaceAllString(randomly.ReplaceAllString(r.stdout, "${1}8000-000000000000"), "score 0.00")
			})
		})
	}
}

// TestLongTextsFitTheTerminal lays out what tools have to say to models: which memories are
// in it is up to the ranking.
func TestLongTextsFitTheTerminal(t *testing.T) {
	m, now := shownBank(t)
	m.env["COLUMNS"] = "60"
	r := m.at(now, "", "context", "assemble", "mooring")
	if r.code != exitDone || !strings.Contains(r.stdout, "evening; the harbour office wants the fee in cash.") {
		t.Errorf("%+v", r)
	}
	fits(t, r.stdout, 60)
}

// compareScreens shows something at each width and compares it with the golden file.
func compareScreens(t *testing.T, name string, show func(columns int, color string) string) {
	t.Helper()
	var b strings.Builder
	for _, columns := range []int{60, 80, 120} {
		text := show(columns, colorNever)
		fits(t, text, columns)
		fmt.Fprintf(&b, "%s %d columns %s\n%s", strings.Repeat("=", 3), columns, strings.Repeat("=", columns-16), text)
	}
	fmt.Fprintf(&b, "=== 80 columns, colours\n%s", strings.ReplaceAll(show(80, colorAlways), "\x1b", "␛"))
	golden.Compare(t, goldenScreens+"/"+name+".txt", []byte(b.String()))
}

// goldenScreens is where the golden screens are, whatever the working directory is then.
var goldenScreens, _ = filepath.Abs(filepath.Join("testdata", "screens"))

// fits wants no line to be wider than the terminal, but for code. East Asian characters
// are counted by the tables of golang.org/x/text, which the program does not use for that.
func fits(t *testing.T, text string, columns int) {
	t.Helper()
	code := false
	for line := range strings.SplitSeq(text, "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if code = code != fence; code || fence {
			continue
		}
		if w := screen.Width(line); w > columns {
			t.Errorf("%d columns: a line has %d: %q", columns, w, line)
		}
		wide := 0
		for _, r := range line {
			switch width.LookupRune(r).Kind() {
			case width.EastAsianWide, width.EastAsianFullwidth:
				wide += 2
			default:
				wide++
			}
		}
		if !strings.ContainsAny(line, "\u200d\u0301\ufe0f🇳🇯") && wide != screen.Width(line) {
			t.Errorf("%q is %d columns wide, not %d", line, wide, screen.Width(line))
		}
	}
}

// TestScreensOfNumbers is the same for what is different on every machine, or changes
// with the ranking: it is laid out of fixed values.
func TestScreensOfNumbers(t *testing.T) {
	stats := memory.Stats{
		Agent: "default", Records: 1204, Archived: 31, Superseded: 88, Turns: 5120, Sessions: 46,
		ByKind:     map[string]int{"fact": 1010, "episode": 120, "soul": 9, "procedure": 21, "learning": 44},
		ByCategory: map[string]int{"personal": 210, "technical": 600, "preference": 94, "旅行": 12, "secret": 3, "event": 285},
		ByProject:  map[string]int{"": 204, "harbour/office": 700, "acme/boats": 300},
		Vectors:    900, VectorsQueued: 304, VectorsFailed: 2, Encoded: 800, EncoderQueued: 404,
		Embedder: "openai/text-embedding-3-small/1536", DatabaseBytes: 41 << 20, SchemaVersion: 31, ErasePending: true,
	}
	findings := []memory.Finding{
		{Check: "version", Condition: memory.ConditionOK, Detail: "1.4.0, linux/amd64, modernc"},
		{Check: "settings", Condition: memory.ConditionOK,
			Detail: "those of /home/anna/.local/share/mcp-memory/config.yaml and the environment are understood"},
		{Check: "permissions", Condition: memory.ConditionWarning, Detail: "/home/anna/.local/share/mcp-memory may be read by others",
			Advice: "chmod 700 /home/anna/.local/share/mcp-memory"},
		{Check: "texts", Condition: memory.ConditionBroken,
			Detail: "3 memories are not what was saved, among them 019c0f86-84c0-7001-8000-000000000000 of the agent 東京-bot",
			Advice: "stop every server, then: mcp-memory doctor --repair"},
	}
	explained := []recall.Result{
		{Document: memory.Document{Record: memory.Record{Content: "Anna drinks green tea and no coffee since her doctor's advice, and 東京 has the best of it."}}, Score: 0.8571,
			Why: &recall.Why{MatchedTerms: []string{"anna", "drink"},
				Parts: []recall.Part{{Name: "gathered_best", Value: 2.318}, {Name: "words", Value: 0.2},
					{Name: "sentence", Value: 1.476}, {Name: "salience", Value: 0.1},
					{Name: "stale", Value: -1.2}, {Name: "certainty", Value: -0.9}}}},
		{Document: memory.Document{Record: memory.Record{Content: "The ferry leaves."}}, Score: 0.1,
			Why: &recall.Why{Parts: []recall.Part{{Name: "vector", Value: 0.11}}}},
	}
	for name, show := range map[string]func(screen.Screen) (string, error){
		"stats":   func(s screen.Screen) (string, error) { return statsText(s, stats), nil },
		"doctor":  func(s screen.Screen) (string, error) { return findingsText(s, findings), nil },
		"explain": func(s screen.Screen) (string, error) { return explainText(s, explained), nil },
	} {
		t.Run(name, func(t *testing.T) {
			compareScreens(t, name, func(columns int, color string) string {
				text, err := show(screen.Screen{Width: columns, Color: color == colorAlways})
				if err != nil {
					t.Fatal(err)
				}
				return text + "\n"
			})
		})
	}
}
