package hub

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/testmodel"
	"mcp-memory/memory"
)

func TestTheListIsPinned(t *testing.T) {
	hexadecimal := regexp.MustCompile(`^[0-9a-f]+$`)
	if len(Models()) != 7 {
		t.Errorf("%d models", len(Models()))
	}
	for _, m := range Models() {
		if CheckName(m.Name) != nil || len(m.Revision) != 40 || !hexadecimal.MatchString(m.Revision) || m.Dimensions < 1 ||
			m.Languages == "" ||
			m.Licence == "" || m.About == "" || len(m.Files) != len(modelfile.FileNames()) {
			t.Errorf("%+v", m)
		}
		if e := m.Encoder; e != nil {
			query, document := modelfile.KnownPrefixes(m.Name)
			if e.Pooling != modelfile.PoolMean && e.Pooling != modelfile.PoolFirst || e.MaxPieces < 128 || e.QueryPrefix != query ||
				e.DocumentPrefix != document {
				t.Errorf("%s: %+v, known are %q and %q", m.Name, e, query, document)
			}
		}
		for i, f := range m.Files {
			if f.Name != modelfile.FileNames()[i] || f.Size < 1 || len(f.SHA256) != 64 || !hexadecimal.MatchString(f.SHA256) {
				t.Errorf("%s: %+v", m.Name, f)
			}
		}
	}
	if m, ok := Find(Models(), "POTION-base-8m"); !ok || m.Name != "potion-base-8M" {
		t.Errorf("found %q", m.Name)
	}
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, ".hidden", "a ", "builtin", "a:b", "a."} {
		if memory.CodeOf(CheckName(name)) != memory.CodeInvalidArgument {
			t.Errorf("%q is a name", name)
		}
	}
}

// source is a hub with one model.
type source struct {
	*httptest.Server
	model    Model
	dir      string
	requests atomic.Int32
	limit    atomic.Int64 // bytes after which connections break; 0 is none
	ranges   atomic.Int32 // requests for a part
}

func newSource(t *testing.T) *source {
	t.Helper()
	s := &source{dir: t.TempDir()}
	testmodel.WordPiece(t, s.dir)
	s.model = Model{Manifest: modelfile.Manifest{Name: "small", Repository: "makers/small", Revision: strings.Repeat("ab", 20),
		Dimensions: testmodel.Dimensions}}
	for _, name := range modelfile.FileNames() {
		f, err := modelfile.Measure(s.dir, name)
		if err != nil {
			t.Fatal(err)
		}
		s.model.Files = append(s.model.Files, f)
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		name, ok := strings.CutPrefix(r.URL.Path, "/makers/small/resolve/"+s.model.Revision+"/")
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.Header.Get("Range") != "" {
			s.ranges.Add(1)
		}
		if limit := s.limit.Load(); limit > 0 {
			w = &breaking{w, limit}
		}
		http.ServeFile(w, r, filepath.Join(s.dir, name))
	}))
	t.Cleanup(s.Close)
	return s
}

// breaking ends a connection after some bytes.
type breaking struct {
	http.ResponseWriter
	left int64
}

func (b *breaking) Write(p []byte) (int, error) {
	if int64(len(p)) > b.left {
		b.ResponseWriter.Write(p[:b.left])
		b.ResponseWriter.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	b.left -= int64(len(p))
	return b.ResponseWriter.Write(p)
}

func (s *source) fetch(t *testing.T, root string) (bool, error) {
	t.Helper()
	last := int64(-1)
	fetched, err := Fetch(t.Context(), root, s.model, Options{URL: s.URL + "/", Progress: func(done, total int64) {
		if done < last || done > total || total != s.model.Size() {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}})
	if err == nil && fetched && last != s.model.Size() {
		t.Errorf("the progress ended at %d of %d", last, s.model.Size())
	}
	return fetched, err
}

func entries(t *testing.T, dir string) string {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var list []string
	for _, e := range found {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestFetch(t *testing.T) {
	s, root := newSource(t), filepath.Join(t.TempDir(), "models")
	if fetched, err := s.fetch(t, root); err != nil || !fetched {
		t.Fatal(fetched, err)
	}
	if got := entries(t, root); got != "small" {
		t.Errorf("there is %q", got)
	}
	if got := entries(t, filepath.Join(root, "small")); got != "config.json model.json model.safetensors tokenizer.json" {
		t.Errorf("in it there is %q", got)
	}
	before := s.requests.Load()
	if fetched, err := s.fetch(t, root); err != nil || fetched || s.requests.Load() != before {
		t.Errorf("again: %v, %v, %d requests", fetched, err, s.requests.Load()-before)
	}
	// A damaged file is fetched anew.
	if err := os.WriteFile(filepath.Join(root, "small", "config.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if fetched, err := s.fetch(t, root); err != nil || !fetched {
		t.Errorf("a damaged file: %v, %v", fetched, err)
	}
	if found, err := Installed(root); err != nil || len(found) != 1 || found[0].Revision != s.model.Revision ||
		found[0].Verify(filepath.Join(root, "small")) != nil {
		t.Errorf("%+v, %v", found, err)
	}
	if err := Remove(root, "small"); err != nil || entries(t, root) != "" {
		t.Error(err, entries(t, root))
	}
	if err := Remove(root, "small"); memory.CodeOf(err) != memory.CodeNotFound {
		t.Error(err)
	}
}

func TestAnInterruptedFetchGoesOn(t *testing.T) {
	s, root := newSource(t), t.TempDir()
	s.limit.Store(700)
	ctxRoot := root
	fetched, err := s.fetch(t, ctxRoot)
	// Each connection brings something, so one call may come to the end.
	if err != nil || !fetched || s.ranges.Load() == 0 {
		t.Fatalf("%v, %v, %d parts", fetched, err, s.ranges.Load())
	}
	// One that brings nothing ends the call, and keeps what there is.
	root = t.TempDir()
	dead := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Range") != "" {
			panic(http.ErrAbortHandler)
		}
		http.ServeFile(&breaking{w, 300}, r, filepath.Join(s.dir, filepath.Base(r.URL.Path)))
	}))
	defer dead.Close()
	_, err = Fetch(t.Context(), root, s.model, Options{URL: dead.URL})
	if memory.CodeOf(err) != memory.CodeUnavailable {
		t.Fatal(err)
	}
	if got := entries(t, root); got != ".small.partial" {
		t.Errorf("there is %q", got)
	}
	if found, _ := Installed(root); len(found) != 0 {
		t.Errorf("half a model is one: %+v", found)
	}
	s.limit.Store(0)
	s.ranges.Store(0)
	if fetched, err := s.fetch(t, root); err != nil || !fetched || s.ranges.Load() != 1 || entries(t, root) != "small" {
		t.Errorf("%v, %v, %d parts, %q", fetched, err, s.ranges.Load(), entries(t, root))
	}
}

// A server that knows no parts sends the file whole, which is no error.
func TestAServerWithoutParts(t *testing.T) {
	s, root := newSource(t), t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".small.partial"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".small.partial", "tokenizer.json"), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Range")
		http.ServeFile(w, r, filepath.Join(s.dir, filepath.Base(r.URL.Path)))
	}))
	defer whole.Close()
	if _, err := Fetch(t.Context(), root, s.model, Options{URL: whole.URL}); err != nil {
		t.Error(err)
	}
}

func TestWrongFilesLeaveNothing(t *testing.T) {
	for name, change := range map[string]func([]byte) []byte{
		"changed": func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
		"longer":  func(b []byte) []byte { return append(b, 'x') },
	} {
		s, root := newSource(t), t.TempDir()
		path := filepath.Join(s.dir, "model.safetensors")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, change(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := s.fetch(t, root); memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("%s: %v", name, err)
		}
		if err := Copy(root, s.model, s.dir); memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), "pinned") {
			t.Errorf("%s, copied: %v", name, err)
		}
		if got := entries(t, root); got != "" {
			t.Errorf("%s: %q is left", name, got)
		}
	}
}

func TestHubsThatDoNotHaveIt(t *testing.T) {
	s, root := newSource(t), t.TempDir()
	s.model.Revision = strings.Repeat("cd", 20)
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }))
	defer busy.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for url, want := range map[string]memory.Code{
		missing.URL: memory.CodeNotFound, busy.URL: memory.CodeUnavailable,
		gone.URL: memory.CodeUnavailable, "nowhere": memory.CodeInvalidArgument,
	} {
		if _, err := Fetch(t.Context(), root, s.model, Options{URL: url}); memory.CodeOf(err) != want {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
	}
	if got := entries(t, root); got != "" {
		t.Errorf("%q is left", got)
	}
}

// What could not be tried is not fetched again.
func TestAModelThatCouldNotBeTriedIsKept(t *testing.T) {
	root := t.TempDir()
	s, err := open(root, "small")
	if err != nil {
		t.Fatal(err)
	}
	testmodel.Unigram(t, s.dir)
	rules := s.path(modelfile.RulesFile)
	if err := errors.Join(os.Remove(rules), os.Mkdir(rules, 0o700)); err != nil { // which no one can read as a file
		t.Fatal(err)
	}
	if err := s.finish(modelfile.Manifest{Name: "small"}); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("an unreadable file: %v", err)
	}
	if got := entries(t, s.dir); entries(t, root) != ".small.partial" || !strings.Contains(got, modelfile.TableFile) {
		t.Errorf("there is %q, in it %q", entries(t, root), got)
	}
}

// An end between two renames leaves the model before, which goes with its successor.
func TestRemoveLeavesNothing(t *testing.T) {
	root := t.TempDir()
	for _, left := range []string{"small", ".small.partial", ".small.old"} {
		if err := os.Mkdir(filepath.Join(root, left), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := Remove(root, "small"); err != nil || entries(t, root) != "" {
		t.Errorf("%v; there is %q", err, entries(t, root))
	}
}

func TestNamesThatMeanSomethingElse(t *testing.T) {
	for _, name := range []string{"builtin", "table", "Encoder", "a/b", "a.", ""} {
		if err := CheckName(name); memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := CheckName("table-2"); err != nil {
		t.Error(err)
	}
}

func TestCopyAUsersOwn(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	testmodel.Unigram(t, dir)
	own := Model{Manifest: modelfile.Manifest{Name: "own"}}
	if err := Copy(root, own, dir); err != nil {
		t.Fatal(err)
	}
	m, err := Open(filepath.Join(root, "own"))
	if err != nil || m.Fingerprint().Dimensions != testmodel.Dimensions {
		t.Fatal(m, err)
	}
	if err := os.Remove(filepath.Join(dir, "config.json")); err != nil {
		t.Fatal(err)
	}
	if err := Copy(root, own, dir); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte("["), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Copy(root, own, dir); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Error(err)
	}
	if got := entries(t, root); got != "own" {
		t.Errorf("there is %q", got)
	}
}

// An encoder is fetched as it is pinned, and of a user's own is kept how it is used.
func TestEncoders(t *testing.T) {
	s, root := newSource(t), t.TempDir()
	testmodel.Encoder{Prefixes: true, First: true}.WriteTo(t, s.dir)
	s.model.Dimensions, s.model.Files = testmodel.EncoderDimensions, nil
	s.model.Encoder = &modelfile.Encoder{Pooling: modelfile.PoolMean, MaxPieces: 32}
	for _, name := range modelfile.FileNames() {
		f, err := modelfile.Measure(s.dir, name)
		if err != nil {
			t.Fatal(err)
		}
		s.model.Files = append(s.model.Files, f)
	}
	if fetched, err := s.fetch(t, root); err != nil || !fetched {
		t.Fatal(fetched, err)
	}
	if err := Copy(root, Model{Manifest: modelfile.Manifest{Name: "own"}}, s.dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]modelfile.Encoder{
		"small": {Pooling: "mean", MaxPieces: 32},
		"own":   {Pooling: "cls", MaxPieces: 64, QueryPrefix: "query: ", DocumentPrefix: "passage: "},
	} {
		if got := entries(t, filepath.Join(root, name)); got != "config.json model.8bit model.json model.safetensors tokenizer.json" {
			t.Errorf("in %s there is %q", name, got)
		}
		m, err := modelfile.ReadManifest(filepath.Join(root, name))
		if err != nil || m.Encoder == nil || m.Encoder.Unrelated <= 0 {
			t.Fatalf("%s: %+v, %v", name, m, err)
		}
		measured := want
		measured.Unrelated = m.Encoder.Unrelated
		if *m.Encoder != measured || m.Dimensions != testmodel.EncoderDimensions {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
		e, err := Open(filepath.Join(root, name))
		if err != nil || e.Local() || e.Fingerprint().Prefix != want.DocumentPrefix {
			t.Fatal(e, err)
		}
		if v, err := e.EmbedQuery(t.Context(), "a ship"); err != nil || len(v) != testmodel.EncoderDimensions {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
}

// What cannot be used is refused with its reason, and nothing of it is kept.
func TestUnknownArchitectures(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	testmodel.Encoder{}.WriteTo(t, dir)
	change := func(name, from, to string) {
		t.Helper()
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), from) {
			t.Fatal(err, from)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(want string) {
		t.Helper()
		err := Copy(root, Model{Manifest: modelfile.Manifest{Name: "own"}}, dir)
		if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), want) || entries(t, root) != "" {
			t.Errorf("%v, want %q; there is %q", err, want, entries(t, root))
		}
	}
	change("modules.json", "models.Normalize", "models.Dense")
	refused(`"Dense" are not understood`)
	change("modules.json", "models.Dense", "models.Normalize")
	change("config.json", `"bert"`, `"mpnet"`)
	refused(`architecture "mpnet" are not understood`)
}
