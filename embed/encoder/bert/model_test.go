package bert

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/modelfile"
	"mcp-memory/embed/tokenizer"
	"mcp-memory/internal/testmodel"
	"mcp-memory/memory"
)

// install writes a model as somebody has it who fetched it, and its manifest.
func install(t testing.TB, e testmodel.Encoder) string {
	t.Helper()
	dir := t.TempDir()
	e.WriteTo(t, dir)
	settings, err := ReadSettings(dir, "small")
	if err != nil {
		t.Fatal(err)
	}
	m := modelfile.Manifest{Name: "small", Encoder: &settings}
	for _, name := range modelfile.FileNames() {
		f, err := modelfile.Measure(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		m.Files = append(m.Files, f)
	}
	if m, err = Prepare(dir, m); err != nil {
		t.Fatal(err)
	}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func openModel(t testing.TB, dir string) *Model {
	t.Helper()
	m, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func query(t testing.TB, m *Model, text string) []float32 {
	t.Helper()
	v, err := m.EmbedQuery(t.Context(), text)
	if err != nil {
		t.Fatalf("%.40q: %v", text, err)
	}
	return v
}

func document(t testing.TB, m *Model, text string) []float32 {
	t.Helper()
	vectors, err := m.EmbedDocuments(t.Context(), []string{text})
	if err != nil {
		t.Fatalf("%.40q: %v", text, err)
	}
	return vectors[0]
}

var kinds = map[string]testmodel.Encoder{
	"WordPiece, mean":         {},
	"WordPiece, first, tanh":  {First: true, Activation: "gelu_new"},
	"Unigram, prefixes, relu": {Unigram: true, Prefixes: true, Activation: "relu"},
	"RoBERTa, 16 bits":        {Unigram: true, RoBERTa: true, Kind: "BF16"},
}

var texts = []string{
	"A vessel lies at anchor.", "my sister works at the harbour",
	"Where does the cat sleep?", "x", "kids, kids: (kids)!", "zebra zoo 東京 7 é",
	strings.Repeat("the doctor is in the house of money ", 6),
}

// The network by floats gives what a plain computation of the same formulas gives,
// and at 8 bits nearly that.
func TestVectorsAreThoseOfTheFormulas(t *testing.T) {
	for name, kind := range kinds {
		dir := install(t, kind)
		config, err := ReadConfig(dir)
		if err != nil {
			t.Fatal(err)
		}
		o, err := OpenOriginal(dir)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := Load(config, o)
		if err != nil {
			t.Fatal(err)
		}
		plain := plainNetwork{config, o, t}
		m := openModel(t, dir)
		rules, err := tokenizer.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		before, after := rules.Around()
		for _, text := range texts {
			prefix := m.manifest.Encoder.QueryPrefix
			pieces := rules.Pieces(prefix+text, maxText)
			pieces = slices.Concat(before, pieces[:min(len(pieces), 62)], after)
			want := plain.vector(pieces, m.manifest.Encoder.Pooling)
			got, err := exact.Vector(pieces, m.manifest.Encoder.Pooling)
			if err != nil {
				t.Fatal(err)
			}
			if c := cosine(got, want); c < 0.99999 {
				t.Errorf("%s, %.30q: by floats the cosine is %.6f", name, text, c)
			}
			if c := cosine(query(t, m, text), want); c < 0.995 {
				t.Errorf("%s, %.30q: by 8 bits the cosine is %.6f", name, text, c)
			}
		}
		o.Close()
	}
}

func cosine(a []float32, b []float64) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * b[i]
	}
	return sum
}

// plainNetwork computes by the formulas of BERT, in float64 and one value at a time.
type plainNetwork struct {
	Config
	*Original
	t *testing.T
}

func (p plainNetwork) floats(name string, n int) []float64 {
	values, err := p.Original.Floats(name, n)
	if err != nil {
		p.t.Fatal(err)
	}
	list := make([]float64, n)
	for i, x := range values {
		list[i] = float64(x)
	}
	return list
}

// linear is a matrix of the model, applied to each token.
func (p plainNetwork) linear(name string, x [][]float64, rows int) (out [][]float64) {
	columns := len(x[0])
	weights, bias := p.floats(name+".weight", rows*columns), p.floats(name+".bias", rows)
	for _, token := range x {
		to := slices.Clone(bias)
		for r := range rows {
			for c, v := range token {
				to[r] += weights[r*columns+c] * v
			}
		}
		out = append(out, to)
	}
	return out
}

// norm adds a to x and normalises the sum.
func (p plainNetwork) norm(name string, x, a [][]float64) (out [][]float64) {
	scale, bias := p.floats(name+".weight", p.Width), p.floats(name+".bias", p.Width)
	for i := range x {
		mean, variance, to := 0.0, 0.0, make([]float64, p.Width)
		for c := range to {
			to[c] = x[i][c]
			if a != nil {
				to[c] += a[i][c]
			}
			mean += to[c] / float64(p.Width)
		}
		for _, v := range to {
			variance += (v - mean) * (v - mean) / float64(p.Width)
		}
		for c, v := range to {
			to[c] = (v-mean)/math.Sqrt(variance+float64(p.Epsilon))*scale[c] + bias[c]
		}
		out = append(out, to)
	}
	return out
}

func (p plainNetwork) attention(at string, x [][]float64) (out [][]float64) {
	q, k, v := p.linear(at+"query", x, p.Width), p.linear(at+"key", x, p.Width), p.linear(at+"value", x, p.Width)
	size := p.Width / p.Heads
	for i := range x {
		to := make([]float64, p.Width)
		for head := range p.Heads {
			part, weights, sum := head*size, make([]float64, len(x)), 0.0
			for j := range x {
				for c := range size {
					weights[j] += q[i][part+c] * k[j][part+c] / math.Sqrt(float64(size))
				}
				weights[j] = math.Exp(weights[j])
				sum += weights[j]
			}
			for j := range x {
				for c := range size {
					to[part+c] += weights[j] / sum * v[j][part+c]
				}
			}
		}
		out = append(out, to)
	}
	return out
}

func (p plainNetwork) vector(pieces []int32, pooling string) []float64 {
	words := p.floats("embeddings.word_embeddings.weight", p.Vocabulary*p.Width)
	places := p.floats("embeddings.position_embeddings.weight", p.Places*p.Width)
	types := p.floats("embeddings.token_type_embeddings.weight", p.Types*p.Width)
	first := 0
	if p.Architecture != "bert" {
		first = 2
	}
	var x [][]float64
	for i, piece := range pieces {
		token := make([]float64, p.Width)
		for c := range token {
			token[c] = words[int(piece)*p.Width+c] + places[(first+i)*p.Width+c] + types[c]
		}
		x = append(x, token)
	}
	x = p.norm("embeddings.LayerNorm", x, nil)
	for i := range p.Layers {
		at := "encoder.layer." + string(rune('0'+i)) + "."
		x = p.norm(at+"attention.output.LayerNorm", x, p.linear(at+"attention.output.dense", p.attention(at+"attention.self.", x), p.Width))
		inner := p.linear(at+"intermediate.dense", x, p.Inner)
		for _, token := range inner {
			for c, v := range token {
				switch p.Activation {
				case "gelu":
					token[c] = v / 2 * (1 + math.Erf(v/math.Sqrt2))
				case "gelu_new":
					token[c] = v / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(v+0.044715*v*v*v)))
				default:
					token[c] = max(v, 0)
				}
			}
		}
		x = p.norm(at+"output.LayerNorm", x, p.linear(at+"output.dense", inner, p.Width))
	}
	sum := x[0]
	if pooling == modelfile.PoolMean {
		for _, token := range x[1:] {
			for c, v := range token {
				sum[c] += v
			}
		}
	}
	length := 0.0
	for _, v := range sum {
		length += v * v
	}
	for c := range sum {
		sum[c] /= math.Sqrt(length)
	}
	return sum
}

// Words of one group begin as the same values, so a text does not differ by them.
func TestTextsOfOneMeaningAreNear(t *testing.T) {
	for name, kind := range kinds {
		m := openModel(t, install(t, kind))
		ship, boat, other := query(t, m, "a ship in the harbour"), query(t, m, "A boat in the port"), query(t, m, "cash of my kid")
		if like, unlike := encoder.Dot(ship, boat), encoder.Dot(ship, other); like < 0.9999 || unlike > 0.98 {
			t.Errorf("%s: %.4f to the same meaning, %.4f to another", name, like, unlike)
		}
		for _, text := range []string{"", "  \n", "東京", "\x00"} {
			if v := document(t, m, text); len(v) != testmodel.EncoderDimensions ||
				slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
				t.Errorf("%s: %q has the vector %v", name, text, v[:3])
			}
		}
		if floor, like := m.Unrelated(), encoder.Dot(query(t, m, questions[1]), document(t, m, statements[1])); floor < 0.1 ||
			math.Abs(floor-float64(like)) > 0.15 {
			t.Errorf("%s: what has nothing in common is alike by %g, one such pair by %g", name, floor, like)
		}
		f := m.Fingerprint()
		if !strings.HasPrefix(f.Model, "bert/small/") || f.Dimensions != testmodel.EncoderDimensions || m.Local() || f.Second() {
			t.Errorf("%s: %+v", name, f)
		}
		if same := cosine32(query(t, m, "my sister"), document(t, m, "my sister")); kind.Prefixes == (same > 0.9999) {
			t.Errorf("%s: a question and a document are at %.5f", name, same)
		}
	}
}

func cosine32(a, b []float32) float32 { return encoder.Dot(a, b) }

// A long text is read to its end, in windows.
func TestLongTexts(t *testing.T) {
	for name, kind := range kinds {
		m := openModel(t, install(t, kind))
		filler := strings.Repeat("the sister is at anchor ", 60)
		wanted := query(t, m, "cash cash cash cash")
		with, without := document(t, m, filler+strings.Repeat("cash ", 40)), document(t, m, filler)
		if a, b := encoder.Dot(wanted, with), encoder.Dot(wanted, without); a < b+0.005 {
			t.Errorf("%s: the end of a long text adds %.3f to %.3f", name, a-b, b)
		}
		if kind.First || kind.RoBERTa {
			continue // the rest takes long, and is as of the others
		}
		for _, text := range []string{strings.Repeat("cat ", 9_000), strings.Repeat("z", 1<<15), strings.Repeat("é", 1<<14),
			"\xff\xfe cat"} {
			v := document(t, m, text)
			if square := encoder.Dot(v, v); square != 0 && math.Abs(float64(square)-1) > 1e-3 {
				t.Errorf("%s, %.10q: the length² is %g", name, text, square)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := openModel(t, install(t, testmodel.Encoder{}))
	if _, err := m.EmbedDocuments(ctx, []string{"a cat"}); err != context.Canceled {
		t.Errorf("a call that has ended: %v", err)
	}
}

func TestManyAtOnce(t *testing.T) {
	m := openModel(t, install(t, testmodel.Encoder{}))
	want := query(t, openModel(t, install(t, testmodel.Encoder{})), texts[0])
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				if got, err := m.EmbedQuery(t.Context(), texts[0]); err != nil || !slices.Equal(got, want) {
					t.Errorf("another vector, %v", err)
				}
			}
		})
	}
	wg.Wait()
}

// The rounded weights are made once, and again where they are damaged, of other
// files or gone; where they cannot be kept, the model is used all the same.
func TestRoundedWeightsAreKept(t *testing.T) {
	dir := install(t, testmodel.Encoder{})
	path := filepath.Join(dir, roundedFile)
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := query(t, openModel(t, dir), texts[0])
	for name, damage := range map[string]func() error{
		"changed": func() error {
			changed := slices.Clone(first)
			changed[len(changed)/2] ^= 1
			return os.WriteFile(path, changed, 0o600)
		},
		"cut off": func() error { return os.Truncate(path, int64(len(first)/2)) },
		"gone":    func() error { return os.Remove(path) },
		"of other files": func() error {
			config, _ := ReadConfig(dir)
			other, err := rounded(dir, config, "another stamp")
			if err != nil {
				return err
			}
			return os.WriteFile(path, other, 0o600)
		},
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if got := query(t, openModel(t, dir), texts[0]); !slices.Equal(got, want) {
			t.Errorf("%s: another vector", name)
		}
		if again, err := os.ReadFile(path); err != nil || !slices.Equal(again, first) {
			t.Errorf("%s: it was not made again, %v", name, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("there remain %v", left)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		// A directory in its place cannot be replaced by a file.
		if err := os.MkdirAll(filepath.Join(path, "x"), 0o700); err != nil {
			t.Fatal(err)
		}
	} else {
		os.Chmod(dir, 0o500)
		defer os.Chmod(dir, 0o700)
	}
	if got := query(t, openModel(t, dir), texts[0]); !slices.Equal(got, want) {
		t.Error("where the weights cannot be kept, another vector")
	}
}

// What is kept is used: a model whose weights were kept does not read the original.
func TestKeptWeightsAreUsed(t *testing.T) {
	dir := install(t, testmodel.Encoder{})
	want := query(t, openModel(t, dir), texts[0])
	path := filepath.Join(dir, modelfile.TableFile)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, make([]byte, info.Size()), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := query(t, openModel(t, dir), texts[0]); !slices.Equal(got, want) {
		t.Error("another vector")
	}
}

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	testmodel.Encoder{}.WriteTo(t, dir)
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(name string, want modelfile.Encoder) {
		t.Helper()
		if got, err := ReadSettings(dir, name); err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	check("x", modelfile.Encoder{Pooling: "mean", MaxPieces: 64})
	check("my-E5-small", modelfile.Encoder{Pooling: "mean", MaxPieces: 64, QueryPrefix: "query: ", DocumentPrefix: "passage: "})
	put("1_Pooling/config.json", `{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false,"include_prompt":true}`)
	put(lengthFile, `{"max_seq_length":1000}`)
	put(promptsFile, `{"prompts":{"query":"q: ","document":"d: "}}`)
	check("e5-small", modelfile.Encoder{Pooling: "cls", MaxPieces: 80, QueryPrefix: "q: ", DocumentPrefix: "d: "})
	put(promptsFile, `{"prompts":{"all":"a: "},"default_prompt_name":"all"}`)
	put(modulesFile, `[{"type":"sentence_transformers.models.Pooling","path":"elsewhere"}]`)
	check("x", modelfile.Encoder{Pooling: "mean", MaxPieces: 80, QueryPrefix: "a: ", DocumentPrefix: "a: "})
	for _, test := range []struct{ file, text, want string }{
		{modulesFile, `[{"type":"sentence_transformers.models.Dense","path":"2_Dense"}]`, `"Dense" are not understood`},
		{modulesFile, `[{"type":"x.Pooling","path":"../.."}]`, "not a directory of the model"},
		{modulesFile, `{`, "not what it should be"},
		{modulesFile, `[{"type":"x.Pooling","path":"1_Pooling"}]`, ""},
		{"1_Pooling/config.json", `{"pooling_mode_lasttoken":true}`, "not understood: lasttoken"},
		{"1_Pooling/config.json", `{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":true}`, "not understood"},
		{"1_Pooling/config.json", `{"include_prompt":false}`, "does not count"},
		{"1_Pooling/config.json", `{}`, ""},
		{lengthFile, `[]`, "not what it should be"},
		{lengthFile, `{}`, ""},
		{promptsFile, `{"prompts":["x"]}`, "not what it should be"},
	} {
		put(test.file, test.text)
		_, err := ReadSettings(dir, "x")
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %s: %v", test.file, test.text, err)
		case test.want != "" && (memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), test.file)):
			t.Errorf("%s: %s: %v, want %q", test.file, test.text, err, test.want)
		}
	}
}

// A file that cannot be used is an error that names it and says why.
func TestBadModelsAreRefused(t *testing.T) {
	with := func(key string, value any) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			var config map[string]any
			text, _ := os.ReadFile(filepath.Join(dir, modelfile.ConfigFile))
			if err := json.Unmarshal(text, &config); err != nil {
				t.Fatal(err)
			}
			config = maps.Clone(config)
			config[key] = value
			text, _ = json.Marshal(config)
			if err := os.WriteFile(filepath.Join(dir, modelfile.ConfigFile), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	written := func(name, text string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	removed := func(name string) func(t *testing.T, dir string) {
		return func(_ *testing.T, dir string) { os.Remove(filepath.Join(dir, name)) }
	}
	empty := string(testmodel.Safetensors(map[string]testmodel.Tensor{"embeddings": {Kind: "F32", Shape: []int{1}, Data: make([]byte, 4)}}))
	for _, test := range []struct {
		damage func(*testing.T, string)
		file   string
		want   string
	}{
		{with("model_type", "mpnet"), "config.json", `architecture "mpnet"`},
		{with("model_type", nil), "config.json", `architecture ""`},
		{with("hidden_size", 63), "config.json", "not a multiple of 16"},
		{with("hidden_size", 1<<30), "config.json", "not a multiple of 16"},
		{with("hidden_size", 128), "model.safetensors", "not the"},
		{with("num_attention_heads", 5), "config.json", "num_attention_heads"},
		{with("num_attention_heads", 0), "config.json", "num_attention_heads"},
		{with("num_hidden_layers", 4), "model.safetensors", `no tensor called "encoder.layer.3.`},
		{with("num_hidden_layers", 1000), "config.json", "num_hidden_layers"},
		{with("intermediate_size", 100), "config.json", "intermediate_size"},
		{with("vocab_size", 10), "tokenizer.json", "vocab_size"},
		{with("vocab_size", 500), "model.safetensors", "word_embeddings"},
		{with("type_vocab_size", 0), "config.json", "type_vocab_size"},
		{with("max_position_embeddings", 0), "config.json", "max_position_embeddings"},
		{with("max_position_embeddings", 5), "config.json", "beside its prefix"},
		{with("pad_token_id", -5), "config.json", "max_position_embeddings"},
		{with("layer_norm_eps", -1), "config.json", "layer_norm_eps"},
		{with("position_embedding_type", "relative_key"), "config.json", "relative_key"},
		{with("hidden_act", "silu"), "config.json", "silu"},
		{with("hidden_size", "x"), "config.json", "not what it should be"},
		{written("config.json", "{"), "config.json", "not what it should be"},
		{removed("config.json"), "config.json", "cannot be read"},
		{written("tokenizer.json", "{}"), "tokenizer.json", "no model"},
		{removed("tokenizer.json"), "tokenizer.json", "missing"},
		{written("model.safetensors", "short"), "model.safetensors", "too short"},
		{written("model.safetensors", empty), "model.safetensors", "word_embeddings"},
		{func(t *testing.T, dir string) {
			path := filepath.Join(dir, "model.safetensors")
			text, _ := os.ReadFile(path)
			if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte(`"F32"`), []byte(`"I32"`)), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "model.safetensors", "the kind I32"},
		{removed("model.safetensors"), "model.safetensors", "cannot be read"},
		{func(t *testing.T, dir string) {
			path := filepath.Join(dir, "model.safetensors")
			text, _ := os.ReadFile(path)
			copy(text[len(text)-400:], slices.Repeat([]byte{0xff}, 400)) // no numbers
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "model.safetensors", "no numbers"},
	} {
		dir := t.TempDir()
		testmodel.Encoder{}.WriteTo(t, dir)
		test.damage(t, dir)
		_, err := Prepare(dir, modelfile.Manifest{Name: "x", Encoder: &modelfile.Encoder{Pooling: "mean", MaxPieces: 64}})
		if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), test.file) {
			t.Errorf("%v, want %q of %s", err, test.want, test.file)
		}
	}
}

// A model need not know a word of English.
func TestAnotherLanguage(t *testing.T) {
	dir := t.TempDir()
	testmodel.Encoder{}.WriteTo(t, dir)
	rules := `{"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"猫":3,"船":4}},` +
		`"post_processor":{"type":"BertProcessing","cls":["[CLS]",1],"sep":["[SEP]",2]}}`
	if err := os.WriteFile(filepath.Join(dir, modelfile.RulesFile), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := Prepare(dir, modelfile.Manifest{Name: "x", Encoder: &modelfile.Encoder{Pooling: "mean", MaxPieces: 64}})
	if err != nil || m.Dimensions != testmodel.EncoderDimensions || m.Encoder.Unrelated != 0 {
		t.Fatalf("%+v, %v", m, err)
	}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	if v := query(t, newModel(dir, m), "猫 船"); encoder.Dot(v, v) < 0.99 {
		t.Errorf("the length² is %g", encoder.Dot(v, v))
	}
}

func TestOpenChecksTheManifest(t *testing.T) {
	dir := install(t, testmodel.Encoder{})
	m, err := modelfile.ReadManifest(dir)
	if err != nil || m.Verify(dir) != nil {
		t.Fatal(err, m.Verify(dir))
	}
	m.Dimensions = 32
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := openModel(t, dir).EmbedQuery(t.Context(), "x"); memory.CodeOf(err) != memory.CodeInvalidArgument ||
		!strings.Contains(err.Error(), "64 values, not 32") {
		t.Errorf("another length: %v", err)
	}
	for _, bad := range []*modelfile.Encoder{{Pooling: "max", MaxPieces: 64}, {Pooling: "mean"},
		{Pooling: "mean", MaxPieces: 64, Unrelated: 1}} {
		m.Encoder = bad
		if err := m.Write(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	m.Encoder = nil
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("a static model: %v", err)
	}
	if _, err := Open(t.TempDir()); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("an empty directory: %v", err)
	}
	if err := os.Truncate(filepath.Join(dir, modelfile.TableFile), 100); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("weights that are cut off: %v", err)
	}
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(`{"model_type":"bert","vocab_size":90,"hidden_size":64,"num_hidden_layers":3,"num_attention_heads":4,"intermediate_size":128,"max_position_embeddings":80}`))
	f.Add([]byte(`{"model_type":"xlm-roberta","pad_token_id":1,"max_position_embeddings":514,"hidden_act":"gelu_new"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := parseConfig(text)
		if err != nil {
			return
		}
		if c.Pieces() < 1 || c.firstPlace()+c.Pieces() > c.Places || c.Width%c.Heads != 0 || c.Width%16 != 0 || c.Inner%16 != 0 ||
			c.Layers < 1 || c.Types < 1 {
			t.Errorf("%+v", c)
		}
	})
}
