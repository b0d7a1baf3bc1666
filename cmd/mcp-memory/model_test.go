package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"mcp-memory/embed/hub"
	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/testmodel"
	"mcp-memory/memory"
)

// modelHub serves a small model as the public hub would, and returns what the
// program would know of it, and where its files are.
func modelHub(t *testing.T, name string, write func(testing.TB, string)) (address string, model hub.Model, dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, dir)
	model = hub.Model{Manifest: modelfile.Manifest{Name: name, Repository: "makers/" + name, Revision: strings.Repeat("ab", 20),
		Dimensions: testmodel.Dimensions}, Languages: "English"}
	for _, file := range modelfile.FileNames() {
		f, err := modelfile.Measure(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		model.Files = append(model.Files, f)
	}
	prefix := "/makers/" + name + "/resolve/" + model.Revision + "/"
	server := httptest.NewServer(http.StripPrefix(prefix, http.FileServer(http.Dir(dir))))
	t.Cleanup(server.Close)
	return server.URL, model, dir
}

// runModels runs the program with a list of models of its own.
func (m *machine) runModels(models []hub.Model, args ...string) ran {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	p := Program{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Env: func(name string) string { return m.env[name] },
		Clock: func() time.Time { return time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC) }, Models: models,
	}
	code := p.Run(context.WithoutCancel(m.t.Context()))
	return ran{code, stdout.String(), stderr.String()}
}

// From a fetch to a search by meaning, and back to the built-in table.
func TestModelFromPullToRecall(t *testing.T) {
	for name, make := range map[string]func(testing.TB, string){"tiny-wordpiece": testmodel.WordPiece, "tiny-unigram": testmodel.Unigram} {
		m := withOwnModel(t)
		address, model, _ := modelHub(t, name, make)
		models := []hub.Model{model}
		config := filepath.Join(m.dataDir(), "config.yaml")
		write(t, config, "# mine\ntools: core\n")
		m.ok("save", "The feline sleeps on the sofa.")

		r := m.runModels(models, "model", "use", name)
		if r.code != exitFailed || !strings.Contains(r.stderr, "mcp-memory model pull "+name) {
			t.Errorf("used before it is here: %+v", r)
		}
		r = m.runModels(models, "model", "pull", strings.ToUpper(name), "--hub", address)
		if r.code != exitDone || r.stderr != "" || !strings.Contains(r.stdout, "mcp-memory model use "+name) {
			t.Fatalf("pull: %+v", r)
		}
		if r = m.runModels(models, "model", "pull", name, "--hub", address); !strings.Contains(r.stdout, "here already") {
			t.Errorf("pulled again: %+v", r)
		}
		r = m.runModels(models, "model", "use", name, "--json")
		var used struct {
			Settings     map[string]string
			OverriddenBy []string `json:"overridden_by"`
		}
		if err := json.Unmarshal([]byte(r.stdout), &used); err != nil || used.Settings["embed.local"] != name ||
			len(used.OverriddenBy) != 0 {
			t.Errorf("use: %+v, %v", r, err)
		}
		if text, _ := os.ReadFile(config); string(text) != "# mine\ntools: core\nembed.local: "+name+"\n" {
			t.Errorf("config.yaml is %q", text)
		}
		if r = m.runModels(models, "model", "list"); !strings.Contains(r.stdout, name+"  in use  ") {
			t.Errorf("list: %s", r.stdout)
		}
		// What was saved before waits for its vector, what is saved now has one.
		var stats memory.Stats
		m.read(&stats, "stats")
		if stats.VectorsQueued != 1 || stats.Vectors != 0 {
			t.Errorf("%s: after the change %+v", name, stats)
		}
		m.ok("save", "A vessel lies at anchor.")
		m.read(&stats, "stats")
		if stats.Vectors == 0 {
			t.Errorf("%s: after a save %+v", name, stats)
		}
		if text := m.ok("recall", "schiff"); !strings.Contains(text, "A vessel lies at anchor") {
			t.Errorf("%s: recall finds %q", name, text)
		}
		m.fails(exitFailed, name+" is in use", "model", "remove", name)
		m.ok("model", "use", "builtin")
		if text, _ := os.ReadFile(config); string(text) != "# mine\ntools: core\n" {
			t.Errorf("config.yaml is %q", text)
		}
		m.ok("model", "remove", name)
		m.fails(exitFailed, "there is no model", "model", "remove", name)
		m.ok("recall", "vessel")
	}
}

// An encoder takes milliseconds: a single command waits for its vector all the same.
func TestEncoderFromPullToRecall(t *testing.T) {
	m := withOwnModel(t)
	dir := t.TempDir()
	testmodel.Encoder{Unigram: true, Prefixes: true}.WriteTo(t, dir)
	m.ok("model", "pull", "tiny", "--from", dir)
	m.ok("save", "The feline sleeps on the sofa.")
	m.ok("model", "use", "tiny")
	if text := m.ok("model", "list"); !strings.Contains(text, "64 dimensions") || !strings.Contains(text, "tiny") {
		t.Errorf("list prints %s", text)
	}
	m.ok("save", "vessel")
	var stats memory.Stats
	if m.read(&stats, "stats"); stats.VectorsQueued != 0 || stats.Vectors != 2 {
		t.Errorf("after a save %+v", stats)
	}
	if text := m.ok("recall", "schiff"); !strings.Contains(text, "\nvessel\n") {
		t.Errorf("recall finds %q", text)
	}
	// Where that takes long, the vector follows with the next one.
	defer func(before time.Duration) { embeddingTime = before }(embeddingTime)
	embeddingTime = 0
	if r := m.run("", "save", "The doctor is away."); r.code != exitDone || !strings.Contains(r.stderr, "its vector follows") {
		t.Errorf("%+v", r)
	}
	if m.read(&stats, "stats"); stats.VectorsQueued != 1 {
		t.Errorf("after a save without time %+v", stats)
	}
	embeddingTime = time.Hour
	m.ok("save", "The child is at home.")
	if m.read(&stats, "stats"); stats.VectorsQueued != 0 || stats.Vectors != 4 {
		t.Errorf("after a save with time %+v", stats)
	}
	weights := filepath.Join(m.dataDir(), "models", "tiny", "model.8bit")
	if err := os.Truncate(weights, 100); err != nil {
		t.Fatal(err)
	}
	m.ok("recall", "schiff")
	if info, err := os.Stat(weights); err != nil || info.Size() <= 100 {
		t.Errorf("damaged weights are not made again: %v", err)
	}
	if err := os.Truncate(filepath.Join(m.dataDir(), "models", "tiny", "config.json"), 10); err != nil {
		t.Fatal(err)
	}
	m.fails(exitUsage, "config.json cannot be used: it has 10 bytes", "stats")
	m.ok("model", "use", "builtin")
	m.ok("model", "remove", "tiny")
}

// A model of an earlier version lacks what is measured by now.
func TestModelUseNotesWhatItMeasures(t *testing.T) {
	m, from := withOwnModel(t), t.TempDir()
	testmodel.Encoder{Unigram: true}.WriteTo(t, from)
	m.ok("model", "pull", "tiny", "--from", from)
	dir := filepath.Join(m.dataDir(), "models", "tiny")
	pulled, err := modelfile.ReadManifest(dir)
	if err != nil || pulled.Encoder.Unrelated <= 0 {
		t.Fatal(pulled, err)
	}
	earlier, settings := pulled, *pulled.Encoder
	settings.Unrelated = 0
	earlier.Encoder = &settings
	if err := earlier.Write(dir); err != nil {
		t.Fatal(err)
	}
	m.ok("model", "use", "tiny")
	if used, err := modelfile.ReadManifest(dir); err != nil || used.Encoder.Unrelated != pulled.Encoder.Unrelated {
		t.Errorf("%+v, %v; want %+v", used.Encoder, err, pulled.Encoder)
	}
}

// The line of what is in the program is marked whichever part of it is chosen.
func TestModelListMarksThePartsOfTheProgram(t *testing.T) {
	m := withOwnModel(t)
	for _, name := range []string{"builtin", "table", "encoder"} {
		m.ok("model", "use", name)
		if text := m.ok("model", "list"); !regexp.MustCompile(`(?m)^builtin +in use`).MatchString(text) {
			t.Errorf("%s: list prints %s", name, text)
		}
	}
}

func TestModelPullOffline(t *testing.T) {
	m := withOwnModel(t)
	_, model, dir := modelHub(t, "tiny", testmodel.WordPiece)
	models := []hub.Model{model}
	if r := m.runModels(models, "model", "pull", "tiny", "--from", dir); r.code != exitDone {
		t.Errorf("%+v", r)
	}
	// A name of the list wants the files of the list; a model of one's own any.
	write(t, filepath.Join(dir, "config.json"), "{}")
	if r := m.runModels(models, "model", "pull", "tiny", "--from", dir); r.code != exitUsage || !strings.Contains(r.stderr, "pinned") {
		t.Errorf("%+v", r)
	}
	m.ok("model", "pull", "my-own", "--from", dir)
	if text := m.ok("model", "list"); !strings.Contains(text, "my-own") || !strings.Contains(text, "your own") ||
		!strings.Contains(text, "potion-multilingual-128M") {
		t.Errorf("list prints %s", text)
	}
	m.fails(exitUsage, "cannot be read from", "model", "pull", "other", "--from", t.TempDir())
	m.fails(exitUsage, "not a name", "model", "pull", "../x", "--from", dir)
	m.fails(exitUsage, "not a name", "model", "pull", "table", "--from", dir)
	m.fails(exitFailed, "no model nothing is known", "model", "pull", "nothing")
}

// A model that is gone or damaged stops the program with what to do, and the
// commands that mend it still work.
func TestBrokenModel(t *testing.T) {
	m := withOwnModel(t)
	dir := t.TempDir()
	testmodel.WordPiece(t, dir)
	m.ok("model", "pull", "own", "--from", dir)
	m.ok("model", "use", "own")
	table := filepath.Join(m.dataDir(), "models", "own", "model.safetensors")
	if err := os.Truncate(table, 50); err != nil {
		t.Fatal(err)
	}
	m.fails(exitUsage, "model.safetensors cannot be used: it has 50 bytes", "stats")
	m.fails(exitUsage, "`mcp-memory model use builtin` does without", "recall", "x")
	m.fails(exitUsage, "its checksum is", "model", "use", "own")
	m.ok("model", "pull", "own", "--from", dir)
	m.ok("save", "x")
	if err := os.RemoveAll(filepath.Dir(table)); err != nil {
		t.Fatal(err)
	}
	m.fails(exitUsage, "there is no embedding model in", "stats")
	m.ok("model", "list")
	m.env["MCP_MEMORY_EMBED_LOCAL"] = "builtin"
	m.ok("stats")
	m.env["MCP_MEMORY_EMBED_LOCAL"] = "../etc"
	m.fails(exitUsage, `embed.local is "../etc"`, "stats")
	delete(m.env, "MCP_MEMORY_EMBED_LOCAL")
	m.ok("model", "use", "builtin")
	m.ok("stats")
}

func TestModelOfAServer(t *testing.T) {
	m := withOwnModel(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Model string }
		json.NewDecoder(r.Body).Decode(&body)
		w.Header().Set("Content-Type", "application/json")
		if body.Model != "nomic-embed-text" {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"error":{"message":"model not found"}}`)
			return
		}
		fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,0,0,0,0,0]}]}`)
	}))
	defer server.Close()
	config := filepath.Join(m.dataDir(), "config.yaml")
	write(t, config, "embed:\n  local: x\n  query_prefix: \"q: \"\n")
	m.ok("model", "use", "ollama:nomic-embed-text", "--url", server.URL+"/v1/")
	if text, _ := os.ReadFile(config); !sameLines(string(text),
		"embed:\n  url: "+server.URL+"/v1\n  model: nomic-embed-text\n  dimensions: 6\n") {
		t.Errorf("config.yaml is %q", text)
	}
	if text := m.ok("model", "list"); !strings.Contains(text, "nomic-embed-text at "+server.URL) {
		t.Errorf("list prints %s", text)
	}
	m.env["MCP_MEMORY_EMBED_URL"] = server.URL
	if text := m.ok("model", "use", "builtin"); !strings.Contains(text, "MCP_MEMORY_EMBED_URL is set, and goes before") {
		t.Errorf("use prints %q", text)
	}
	delete(m.env, "MCP_MEMORY_EMBED_URL")
	if text, _ := os.ReadFile(config); len(text) != 0 {
		t.Errorf("config.yaml is %q", text)
	}
	m.fails(exitFailed, "gives no vectors of other", "model", "use", "ollama:other", "--url", server.URL+"/v1")
	server.Close()
	m.fails(exitFailed, "Ollama at "+server.URL, "model", "use", "ollama:nomic-embed-text", "--url", server.URL)
	m.fails(exitUsage, "is not a model of a server", "model", "use", "other:x")
	m.fails(exitUsage, "is not a model of a server", "model", "use", "ollama:")
	m.fails(exitUsage, "--url goes with a server", "model", "use", "builtin", "--url", "http://x")
}
