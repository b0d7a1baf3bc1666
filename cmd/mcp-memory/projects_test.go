package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
)

// contents returns what a recall finds, in order of the alphabet.
func (m *machine) contents(project, question string) (found []string) {
	m.t.Helper()
	var out struct{ Results []struct{ Content string } }
	m.read(&out, "--project", project, "recall", question)
	for _, r := range out.Results {
		found = append(found, r.Content)
	}
	slices.Sort(found)
	return found
}

func TestProjectList(t *testing.T) {
	m := newMachine(t)
	m.ok("save", "Bob has a bank.", "--agent", "bob")
	if got := m.ok("project", "list"); got != "The bank is empty.\n" {
		t.Errorf("empty: %q", got)
	}
	m.ok("--project=", "save", "Everything is everywhere.")
	for _, project := range []string{"My-App", "my_app", "myapp", "blog", "acme/blog", "other/blog", "shop"} {
		m.ok("--project", project, "save", "The release branch is called stable.")
	}
	m.ok("project", "alias", "my_app", "myapp")
	got := m.ok("project")
	for _, want := range []string{
		`(?m)^project +records +turns +last use$`,
		`(?m)^\(none: global\) +1 +0 +\d{4}-\d\d-\d\d$`, `(?m)^my_app +1 +0 +[0-9-]+ +alias of myapp$`,
		`(?m)^Likely the same: My-App, my_app, myapp\. `, `(?m)^Likely the same: acme/blog, blog\. `,
	} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	var list struct {
		Items []projectShown
		Total int
	}
	m.read(&list, "project", "list")
	same := map[string][]string{}
	for _, one := range list.Items {
		same[one.Name] = one.LikelySame
	}
	if list.Total != 8 || len(same["shop"])+len(same[""]) > 0 || !slices.Equal(same["myapp"], []string{"My-App", "my_app"}) ||
		slices.Contains(same["acme/blog"], "other/blog") {
		t.Errorf("%+v", list)
	}
}

// TestNameOfAProject: what a project is called behind its owner means it, if only one is.
func TestNameOfAProject(t *testing.T) {
	m := newMachine(t)
	m.ok("--project", "nordfracht/parcelbot", "save", "The release branch is called stable.")
	for _, name := range []string{"parcelbot", "ParcelBot", "nordfracht/parcelbot"} {
		if got := m.contents(name, "release branch"); len(got) != 1 {
			t.Errorf("%s: %q", name, got)
		}
	}
	var one saved
	m.read(&one, "save", "Tags are signed.", "--project", "parcelbot")
	if one.Project != "nordfracht/parcelbot" {
		t.Errorf("saved in %q", one.Project)
	}
	m.ok("--project", "other/parcelbot", "save", "The release branch is called main.")
	m.fails(exitUsage, "nordfracht/parcelbot or other/parcelbot", "--project", "parcelbot", "recall", "release branch")
	if r := m.run("", "--project", "parcelbox", "recall", "release branch"); r.code != 0 ||
		!strings.Contains(r.stderr, "no project is called parcelbox") {
		t.Errorf("an unknown one: %+v", r)
	}
}

func TestProjectAlias(t *testing.T) {
	m := newMachine(t)
	m.ok("--project", "old", "save", "The old wiki is on port 8080.")
	if got := m.ok("project", "alias", "old", "new"); !strings.Contains(got,
		"old still has 1 memory and 0 messages: mcp-memory project merge old new") {
		t.Errorf("alias: %q", got)
	}
	m.ok("project", "alias", "older", "old")
	m.ok("--project", "older", "save", "The port of the new wiki is 9090.")
	write(t, filepath.Join(m.home, "lines.jsonl"), `{"content":"The port of the imported wiki is 7070."}`+"\n")
	m.ok("--project", "old", "import", filepath.Join(m.home, "lines.jsonl"))
	want := []string{"The port of the imported wiki is 7070.", "The port of the new wiki is 9090."}
	for _, project := range []string{"new", "old", "older"} {
		if got := m.contents(project, "port of the wiki"); !slices.Equal(got, want) {
			t.Errorf("%s: %q", project, got)
		}
	}
	// A tool's own argument is no exception.
	if got := m.ok("search", "port of the wiki", "--project", "older", "--in", "memories"); !strings.Contains(got, "9090") {
		t.Errorf("search: %q", got)
	}
	if got := m.ok("project", "alias"); got != "old stands for new\nolder stands for old\n" {
		t.Errorf("aliases: %q", got)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"new", "older"}, exitFailed, `conflict: project "older" stands for "new" already`},
		{[]string{"new", "new"}, exitUsage, "would be its own alias"},
		{[]string{"*", "new"}, exitUsage, `project "*" is not the name of one`},
		{[]string{"new", ""}, exitUsage, `project "" is not the name of one`},
		{[]string{"new"}, exitUsage, "alias takes OLD and NEW"},
		{[]string{"--remove", "new"}, exitFailed, `project "new" is no alias`},
		{[]string{"--remove", "old", "new"}, exitUsage, "alias takes OLD and NEW"},
	} {
		if r := m.run("", append([]string{"project", "alias"}, c.args...)...); r.code != c.code || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%q: exit %d, %s", c.args, r.code, r.stderr)
		}
	}
	m.ok("project", "alias", "--remove", "old")
	if got := m.contents("older", "port of the wiki"); !slices.Equal(got, []string{"The old wiki is on port 8080."}) {
		t.Errorf("after --remove: %q", got)
	}
}

func TestProjectMerge(t *testing.T) {
	m := newMachine(t)
	m.ok("--project", "my_app", "save", "The port of the wiki is 8080.")
	m.ok("--project", "my_app", "save", "The port of the wiki is 8081 now.") // a later state
	m.ok("--project", "myapp", "save", "The port of the blog is 9090.")
	if r := m.run(`{"session":"s","text":"The port of the shop is 7070."}`, "--project", "my_app", "import", "-"); r.code != 0 {
		t.Fatal(r.stderr)
	}
	before := m.ok("project", "list")
	if got := m.ok("project", "merge", "my_app", "myapp",
		"--dry-run"); got != "Would move 2 memories and 1 message of 1 conversation from my_app into myapp; nothing was changed.\n" {
		t.Errorf("dry run: %q", got)
	}
	if after := m.ok("project", "list"); after != before {
		t.Errorf("the dry run changed %s\nto %s", before, after)
	}
	told := regexp.MustCompile(`^Moved 2 memories and 1 message of 1 conversation from my_app into myapp\.
To take that back: mcp-memory undo (\S+)
If the old name is still in use: mcp-memory project alias my_app myapp\n$`).FindStringSubmatch(m.ok("project", "merge", "my_app", "myapp"))
	if told == nil {
		t.Fatal("the merge says something else")
	}
	if got := m.contents("myapp", "port"); !slices.Equal(got,
		[]string{"The port of the blog is 9090.", "The port of the wiki is 8081 now."}) {
		t.Errorf("myapp: %q", got)
	}
	if r := m.run("", "--project", "my_app", "recall", "port"); strings.Contains(r.stdout, "port") ||
		!strings.Contains(r.stderr, "no project is called my_app") {
		t.Errorf("my_app: %+v", r)
	}
	if got := m.ok("--project", "myapp", "search", "port of the shop"); !strings.Contains(got, "7070") {
		t.Errorf("the conversation: %q", got)
	}
	m.ok("--project", "myapp", "save", "The port of the bakery is 6060.") // stays when the merge is undone
	if got := m.ok("forget", "--undo", told[1]); !strings.HasPrefix(got, "Brought back 2 memories.") {
		t.Errorf("undo: %q", got)
	}
	if got := m.contents("my_app", "port"); !slices.Equal(got, []string{"The port of the wiki is 8081 now."}) {
		t.Errorf("my_app after the undo: %q", got)
	}
	if got := m.contents("myapp", "port"); !slices.Equal(got,
		[]string{"The port of the bakery is 6060.", "The port of the blog is 9090."}) {
		t.Errorf("myapp after the undo: %q", got)
	}

	var merged map[string]any
	m.read(&merged, "project", "merge", "my_app", "myapp", "--yes", "--alias")
	if merged["records"] != 2.0 || merged["turns"] != 1.0 || merged["undo_id"] == "" {
		t.Errorf("%v", merged)
	}
	m.ok("--project", "my_app", "save", "The port of the museum is 5050.")
	if got := m.contents("myapp", "port of the museum"); !slices.Contains(got, "The port of the museum is 5050.") {
		t.Errorf("through the alias: %q", got)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"nothing", "myapp"}, exitFailed, `nothing belongs to project "nothing"`},
		{[]string{"myapp", "my_app"}, exitUsage, `project "myapp" would be merged into itself`},
		{[]string{"*", "myapp"}, exitUsage, `project "*" is not the name of one`},
		{[]string{"myapp"}, exitUsage, "merge: INTO is missing"},
	} {
		if r := m.run("", append([]string{"project", "merge"}, c.args...)...); r.code != c.code || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%q: exit %d, %s", c.args, r.code, r.stderr)
		}
	}
}

// An alias opens nothing to a token that is restricted to projects.
func TestAliasesAndTokens(t *testing.T) {
	m := newMachine(t)
	m.ok("--project", "vault", "save", "The code of the safe is 4711.")
	m.ok("--project", "shop", "save", "The code of the shop is 1234.")
	m.ok("token", "create", "--projects", "shop,vault")
	if got := m.ok("project", "alias", "shop", "vault"); strings.Contains(got, "token") {
		t.Errorf("alias: %q", got)
	}
	m.ok("token", "create", "--projects", "shop")
	if got := m.ok("project", "alias", "shop",
		"vault"); !regexp.MustCompile(`\nThese tokens are for shop and do not open vault: [0-9a-f-]{36}\. `).MatchString(got) {
		t.Errorf("alias: %q", got)
	}
	if got := m.ok("project", "merge", "shop", "attic"); !strings.Contains(got, "\nThese tokens are for shop and do not open attic: ") {
		t.Errorf("merge: %q", got)
	}
	m.ok("project", "alias", "store", "shop2")
	p := &Program{Stdout: new(strings.Builder), Stderr: new(strings.Builder), Env: func(name string) string { return m.env[name] },
		Clock: time.Now}
	root := p.root()
	if err := p.prepare(root); err != nil {
		t.Fatal(err)
	}
	a, err := p.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	for _, c := range []struct {
		projects []string
		asked    string
		want     string
	}{
		{[]string{"shop"}, "shop", "shop"},           // not the vault
		{[]string{"shop", "vault"}, "shop", "vault"}, // open to it anyway
		{[]string{"shop2"}, "store", "shop2"},        // another name of its own
		{nil, "shop", "vault"},
		{[]string{"shop"}, "vault", ""}, // forbidden
	} {
		ctx := access.With(t.Context(), access.Identity{Agent: "default", Projects: c.projects})
		scope, err := a.scopeOf(ctx, &c.asked)
		if got := scope.Project; err == nil && got != c.want || err != nil && c.want != "" || err == nil && c.want == "" {
			t.Errorf("%v asks for %s and gets %q, %v", c.projects, c.asked, got, err)
		}
	}
	only := access.With(t.Context(), access.Identity{Agent: "default", Projects: []string{"shop"}})
	if scope, err := a.scopeOf(only, nil); err != nil || scope.Project != "shop" {
		t.Errorf("%+v, %v", scope, err)
	}
}

// TestProjectSortAndMove: what is about the person goes out of the projects, and back.
func TestProjectSortAndMove(t *testing.T) {
	m := newMachine(t)
	m.ok("--project", "acme/shop", "save", "I'm allergic to penicillin.")
	m.ok("--project", "acme/shop", "save", "The nightly build of the parser runs on the CI server at 2.")
	m.ok("--project", "acme/blog", "save", "My daughter Ida was born in 2016.")
	m.ok("--project", "acme/blog", "save", "Posts are written in Markdown.")
	if text := m.ok("project", "sort", "--dry-run"); !strings.Contains(text, "2 memories would become global; nothing was changed.") ||
		strings.Contains(text, "parser") {
		t.Errorf("%q", text)
	}
	var sorted struct {
		Total  int
		UndoID string `json:"undo_id"`
	}
	m.read(&sorted, "project", "sort", "--yes")
	if got := m.contents("acme/blog", "what am I allergic to?"); sorted.Total != 2 || len(got) == 0 {
		t.Errorf("%+v, %q", sorted, got)
	}
	m.ok("undo", sorted.UndoID)
	if got := m.contents("acme/blog", "what am I allergic to?"); slices.Contains(got, "I'm allergic to penicillin.") {
		t.Errorf("taken back: %q", got)
	}
	if text := m.ok("project", "sort", "acme/wiki"); text != "Nothing there is certainly about you.\n" {
		t.Errorf("%q", text)
	}
	var one saved
	m.read(&one, "--project", "acme/shop", "save", "The nightly build of the blog runs at 3.")
	var moved struct {
		Moved   []string
		Project string
		UndoID  string `json:"undo_id"`
	}
	m.read(&moved, "move", one.ID, "--to", "blog")
	if moved.Project != "acme/blog" || len(moved.Moved) != 1 || moved.UndoID == "" {
		t.Errorf("%+v", moved)
	}
	m.ok("undo", moved.UndoID)
	m.ok("update", one.ID, "--project", "acme/blog")
	if text := m.ok("list", "--project", "acme/blog"); !strings.Contains(text, "of the blog") {
		t.Errorf("%q", text)
	}
	m.fails(exitUsage, "--to is missing", "move", one.ID)
	m.fails(exitFailed, "nosuch", "move", "nosuch", "--to", "global")
	if r := m.run("", "move", one.ID, "nosuch", "--to", "acme/shop", "--json"); r.code != exitFailed ||
		!strings.Contains(r.stdout, one.ID) || !strings.Contains(r.stderr, "there is no memory nosuch") {
		t.Errorf("%+v", r)
	}
	if text := m.ok("list", "--project", "acme/shop"); !strings.Contains(text, "of the blog") {
		t.Errorf("%q", text)
	}
}

// TestRepositoryGetsARemote: the memories of a repository stay its own.
func TestRepositoryGetsARemote(t *testing.T) {
	m := newMachine(t)
	root := filepath.Join(t.TempDir(), "Shop")
	config := filepath.Join(root, ".git", "config")
	write(t, config, "[core]\n\tbare = false\n")
	t.Chdir(root)
	var one saved
	m.read(&one, "save", "Invoices are archived on the server for ten years.")
	if one.Project != "local/shop" {
		t.Errorf("saved in %q", one.Project)
	}
	write(t, config, gitRemote)
	if text := m.ok("list"); !strings.Contains(text, "Invoices") || !strings.Contains(text, "acme/shop") {
		t.Errorf("%q", text)
	}
}
