package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"mcp-memory/internal/golden"
)

// goldenDoors is where the golden file is, whatever the working directory is then.
var goldenDoors, _ = filepath.Abs(filepath.Join("testdata", "doors.txt"))

// TestDoorsSayTheSame asks the same of the command line, of the tool and of the page, and
// compares what they say with a golden file: how sure the answer is, what no longer holds,
// whose it is and how old: go test ./cmd/mcp-memory -run Doors -update.
func TestDoorsSayTheSame(t *testing.T) {
	m := newMachine(t)
	m.env["MCP_MEMORY_EMBED_LOCAL"] = tableName // alike on every machine, however slow
	now := someDay.AddDate(0, 0, -30)
	do := func(args ...string) {
		t.Helper()
		now = now.Add(time.Hour)
		if r := m.at(now, "", append(args, "--project", "acme/shop")...); r.code != exitDone || r.stderr != "" {
			t.Fatalf("%q: %+v", args, r)
		}
	}
	do("save", "The parking permit of the van holds until the end of the year.", "--valid-until", "2027-01-01", "--tags", "van")
	do("save", "Anna lives in Bergen.")
	do("save", "Anna has moved to Oslo.")
	do("save", "The demo of the harbour failed.", "--occurred-at", "2026-01-20 14:30", "--pinned")
	do("save", "The staging server listens on port 4000.")
	do("save", "The staging server of the shop now listens on port 4010 when it is dark.")
	do("save", "The ferry to Nesodden leaves every half hour.")
	do("forget", "--query", "The ferry to Nesodden leaves every half hour.")
	visit := m.page(t)
	var b strings.Builder
	for _, question := range []string{
		"Until when does the parking permit of the van hold?", "Where does Anna live?",
		"What failed at the harbour?", "Which port does the staging server listen on?",
		"How often does the ferry to Nesodden leave?", "Who is the king of Norway?",
	} {
		arguments, _ := json.Marshal(map[string]any{"query": question, "include_archived": true, "limit": 1, "project": "acme/shop"})
		var tool struct{ Content []struct{ Text string } }
		if err := json.Unmarshal(m.answers([]string{`"method":"tools/call","params":{"name":"memory_recall","arguments":` +
			string(arguments) + `}`}, "serve")[1], &tool); err != nil {
			t.Fatal(err)
		}
		typed := m.at(someDay, "", "recall", question, "--include-archived", "--limit", "1", "--project", "acme/shop")
		fmt.Fprintf(&b, "=== %s\n\ncommand line\n%s\ntool\n%s\n\npage\n%s\n", question, typed.stdout, tool.Content[0].Text, visit(question))
	}
	golden.Compare(t, goldenDoors,
		[]byte(scored.ReplaceAllString(randomly.ReplaceAllString(b.String(), "${1}8000-000000000000"), "score 0.00")))
}

// page opens the page of a machine and returns what asks it a question: the verdict and the
// first result, a line each.
func (m *machine) page(t *testing.T) func(question string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	p := &Program{Args: []string{"web", "--no-open", "--project", "acme/shop"}, Stdin: strings.NewReader(""), Stdout: in,
		Stderr: io.Discard,
		Env:    func(name string) string { return m.env[name] }, Clock: func() time.Time { return someDay }}
	ended := make(chan int, 1)
	go func() { ended <- p.Run(ctx); in.Close() }()
	t.Cleanup(func() { stop(); <-ended })
	link, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(strings.TrimSpace(link))
	if err != nil {
		t.Fatal(err)
	}
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	if answer, err := client.Get(address.String()); err != nil || answer.Body.Close() != nil {
		t.Fatal(err)
	}
	return func(question string) string {
		t.Helper()
		answer, err := client.Get("http://" + address.Host + "/ui/memories?archived=1&q=" + url.QueryEscape(question))
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		document, err := html.Parse(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		text := said(first(document, "class", "verdict"))
		row := first(document, "data-item", "")
		for _, class := range []string{"mark", "text", "hint", "glance"} {
			if part := first(row, "class", class); part != nil {
				text += "\n  " + said(part)
			}
		}
		return text + "\n"
	}
}

// first finds the first element with an attribute of a value, or of any.
func first(n *html.Node, attribute, value string) *html.Node {
	if n == nil {
		return nil
	}
	for _, a := range n.Attr {
		if a.Key == attribute && (value == "" || a.Val == value) {
			return n
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if found := first(c, attribute, value); found != nil {
			return found
		}
	}
	return nil
}

// said is the text of an element, its parts apart.
func said(n *html.Node) string {
	if n == nil {
		return ""
	}
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data)
	}
	var parts []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if text := said(c); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " | ")
}
