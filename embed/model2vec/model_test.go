package model2vec

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/internal/testmodel"
	"mcp-memory/memory"
)

// The numbers in pieces.jsonl are what the tokenizers library (0.23.2) makes of
// the texts, without unknown pieces.
func TestPiecesAreThoseOfTheReference(t *testing.T) {
	rules := map[string]*tokenizer{}
	for _, name := range []string{"wordpiece", "unigram", "sequence"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if rules[name], err = newTokenizer(text); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open("testdata/pieces.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	n := 0
	for ; lines.Scan(); n++ {
		var want struct {
			Rules, Text string
			Pieces      []int32
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if got := rules[want.Rules].pieces(want.Text, maxPieces); !slices.Equal(got, want.Pieces) {
			t.Errorf("%s, %q: %v, want %v", want.Rules, want.Text, got, want.Pieces)
		}
	}
	if n < 90 {
		t.Errorf("%d texts were compared", n)
	}
}

// install writes a model and its manifest.
func install(t testing.TB, write func(testing.TB, string)) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir)
	dimensions, err := Inspect(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := Manifest{Name: "small", Dimensions: dimensions}
	for _, name := range FileNames() {
		f, err := Measure(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		m.Files = append(m.Files, f)
	}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestTextsOfOneMeaningAreNear(t *testing.T) {
	for name, write := range map[string]func(testing.TB, string){"WordPiece": testmodel.WordPiece, "Unigram": testmodel.Unigram} {
		dir := install(t, write)
		m, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		vectors, err := m.EmbedDocuments(t.Context(), []string{"The feline purrs.", "Ships!", "zzz 東京", "", "cat boat"})
		if err != nil {
			t.Fatal(err)
		}
		query, err := m.EmbedQuery(t.Context(), "CAT?")
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{1, 0, 0, 0, math.Sqrt(0.5)} {
			if got := dot(query, vectors[i]); math.Abs(got-want) > 1e-6 {
				t.Errorf("%s: text %d is at %.3f, want %.3f", name, i, got, want)
			}
		}
		f := m.Fingerprint()
		if !strings.HasPrefix(f.Model, "model2vec/small/") || f.Dimensions != testmodel.Dimensions || !m.Local() {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// All kinds of numbers give the same vectors; mapping and weights count.
func TestKindsOfTables(t *testing.T) {
	little := binary.LittleEndian
	numbers := []float32{1, 0, 0, -2, 3, 4} // three rows of two
	encode := map[string]func([]byte, float32) []byte{
		"F64":  func(b []byte, x float32) []byte { return little.AppendUint64(b, math.Float64bits(float64(x))) },
		"F32":  func(b []byte, x float32) []byte { return little.AppendUint32(b, math.Float32bits(x)) },
		"F16":  func(b []byte, x float32) []byte { return little.AppendUint16(b, toHalf(x)) },
		"BF16": func(b []byte, x float32) []byte { return little.AppendUint16(b, uint16(math.Float32bits(x)>>16)) },
		"I8":   func(b []byte, x float32) []byte { return append(b, byte(int8(x))) },
	}
	for kind, add := range encode {
		var data []byte
		for _, x := range numbers {
			data = add(data, x)
		}
		tensors := map[string]testmodel.Tensor{"embeddings": {Kind: kind, Shape: []int{3, 2}, Data: data}}
		if got := meanOf(t, tensors, 3, 1, 2); !near(got, 3, 2) {
			t.Errorf("%s: %v", kind, got)
		}
		tensors["mapping"] = testmodel.Tensor{Kind: "I64", Shape: []int{4}, Data: slices.Concat(u64(2), u64(0), u64(0), u64(1))}
		tensors["weights"] = testmodel.Tensor{Kind: "F32", Shape: []int{4}, Data: slices.Concat(f32(2), f32(1), f32(1), f32(0.5))}
		if got := meanOf(t, tensors, 4, 0, 3); !near(got, 6, 7) { // 2·(3,4) + ½·(0,−2)
			t.Errorf("%s with mapping and weights: %v", kind, got)
		}
	}
}

func u64(x uint64) []byte  { return binary.LittleEndian.AppendUint64(nil, x) }
func f32(x float32) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)) }

func near(v []float32, x, y float64) bool {
	length := math.Hypot(x, y)
	return math.Abs(float64(v[0])-x/length) < 1e-6 && math.Abs(float64(v[1])-y/length) < 1e-6
}

func meanOf(t *testing.T, tensors map[string]testmodel.Tensor, words int, pieces ...int32) []float32 {
	t.Helper()
	file := testmodel.Safetensors(tensors)
	read, err := readTensors(strings.NewReader(string(file)), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := newTable(read)
	if err != nil {
		t.Fatal(err)
	}
	if err := vectors.holds(words); err != nil {
		t.Fatal(err)
	}
	v, err := vectors.mean(pieces)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// toHalf is for numbers that 16 bits hold exactly.
func toHalf(x float32) uint16 {
	for b := range 1 << 16 {
		if half(uint16(b)) == x {
			return uint16(b)
		}
	}
	panic("no such half")
}

func TestHalf(t *testing.T) {
	for b, want := range map[uint16]float64{
		0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x7bff: 65504, 0x0400: 0x1p-14, 0x0001: 0x1p-24, 0x83ff: -0x1.ff8p-15,
		0: 0, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		if got := float64(half(b)); got != want {
			t.Errorf("half(%#04x) is %v, want %v", b, got, want)
		}
	}
	if !math.IsNaN(float64(half(0x7e00))) {
		t.Error("half(0x7e00) is a number")
	}
}

// A damaged file is an error that names it, whatever part is damaged.
func TestDamagedFilesAreRefused(t *testing.T) {
	whole := t.TempDir()
	testmodel.WordPiece(t, whole)
	for _, test := range []struct{ file, text, want string }{
		{tableFile, "", "too short"},
		{tableFile, "\xff\xff\xff\xff\xff\xff\xff\xff{}", "does not fit"},
		{tableFile, "\x02\x00\x00\x00\x00\x00\x00\x00[]", "not JSON"},
		{tableFile, header(`{"other":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`) + "1234", "no table"},
		{tableFile, header(`{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,8]}}`) + "1234", "cut off"},
		{tableFile, header(`{"embeddings":{"dtype":"F32","shape":[1,2],"data_offsets":[0,4]}}`) + "1234", "not the 8 of its shape"},
		{tableFile, header(`{"embeddings":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`), "cannot be"},
		{tableFile, header(`{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`) + "1234", "fewer vectors"},
		{tableFile, header(`{"embeddings":{"dtype":"F4","shape":[1,1],"data_offsets":[0,4]}}`) + "1234", "the kind F4"},
		{rulesFile, "", "not what it should be"},
		{rulesFile, "{}", "no model"},
		{rulesFile, `{"model":{"type":"BPE","vocab":{}}}`, `of the kind "BPE"`},
		{rulesFile, `{"model":{"type":"WordPiece","vocab":{"a":-1}}}`, "has the number -1"},
		{rulesFile, `{"model":{"type":"WordPiece","vocab":["a"]}}`, "vocabulary"},
		{rulesFile, `{"model":{"type":"Unigram","vocab":[["a","b"]]}}`, "vocabulary"},
		{rulesFile, `{"normalizer":{"type":"Magic"},"model":{"type":"WordPiece","vocab":{"a":0}}}`, `normalizer "Magic"`},
		{rulesFile, `{"pre_tokenizer":{"type":"Magic"},"model":{"type":"WordPiece","vocab":{"a":0}}}`, `pre-tokenizer "Magic"`},
		{rulesFile, `{"normalizer":{"type":"Replace","pattern":{"Regex":"(?<=a)b"}},"model":{"type":"WordPiece","vocab":{"a":0}}}`, "regular expression"},
		{rulesFile, `{"normalizer":{"type":"Precompiled","precompiled_charsmap":"/////w=="},"model":{"type":"WordPiece","vocab":{"a":0}}}`, "cut off"},
		{rulesFile, strings.Repeat(`{"normalizer":{"type":"Sequence","normalizers":[`, 1) + strings.Repeat(`{"type":"Sequence","normalizers":[`, 20) + strings.Repeat("]}", 21) + `,"model":{}}`, "nested too deep"},
		{configFile, "[", "not what it should be"},
	} {
		dir := t.TempDir()
		testmodel.WordPiece(t, dir)
		if err := os.WriteFile(filepath.Join(dir, test.file), []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Inspect(dir)
		if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.file) {
			t.Errorf("%s with %.60q: %v, want %q", test.file, test.text, err, test.want)
		}
		os.Remove(filepath.Join(dir, test.file))
		if _, err := Inspect(dir); memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("without %s: %v", test.file, err)
		}
	}
}

func header(text string) string { return string(u64(uint64(len(text)))) + text }

func TestOpenChecksTheManifest(t *testing.T) {
	if _, err := Open(t.TempDir()); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("an empty directory: %v", err)
	}
	dir := install(t, testmodel.WordPiece)
	m, err := ReadManifest(dir)
	if err != nil || m.Verify(dir) != nil {
		t.Fatal(err, m.Verify(dir))
	}
	path := filepath.Join(dir, tableFile)
	data, _ := os.ReadFile(path)
	data[len(data)-1] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(dir); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("a changed byte: %v", err)
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), "100 bytes") {
		t.Errorf("a table that is cut off: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, manifestFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); memory.CodeOf(err) != memory.CodeInvalidArgument {
		t.Errorf("a damaged manifest: %v", err)
	}
}

func TestLongTexts(t *testing.T) {
	for _, write := range []func(testing.TB, string){testmodel.WordPiece, testmodel.Unigram} {
		m, err := Open(install(t, write))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		for _, text := range []string{strings.Repeat("cat ", 10_000), strings.Repeat("z", 1<<18), strings.Repeat("é", 1<<17), "\xff\xfe cat"} {
			if _, err := m.EmbedQuery(t.Context(), text); err != nil {
				t.Error(err)
			}
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte(header(`{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`) + "1234"))
	f.Add(testmodel.Safetensors(map[string]testmodel.Tensor{
		"embeddings": {Kind: "I8", Shape: []int{1, 2}, Data: []byte{1, 2}},
		"mapping":    {Kind: "I64", Shape: []int{1}, Data: u64(0)}, "weights": {Kind: "F32", Shape: []int{1}, Data: f32(1)},
	}))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := readTensors(strings.NewReader(string(data)), int64(len(data)))
		if err != nil {
			return
		}
		vectors, err := newTable(tensors)
		if err != nil || vectors.holds(1) != nil {
			return
		}
		if v, err := vectors.mean([]int32{0, 0}); err != nil || len(v) != vectors.columns {
			t.Errorf("%v, %v", v, err)
		}
	})
}

func FuzzRules(f *testing.F) {
	for _, name := range []string{"wordpiece", "unigram", "sequence"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "Where does my sister work? é ﬁ 東京")
	}
	f.Fuzz(func(t *testing.T, rules []byte, text string) {
		k, err := newTokenizer(rules)
		if err != nil {
			return
		}
		for _, id := range k.pieces(text, maxPieces) {
			if id < 0 || int(id) >= k.size {
				t.Errorf("the piece %d of %d", id, k.size)
			}
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	m, err := Open(install(b, testmodel.WordPiece))
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	text := "My sister has a house near the harbour, and her car stands beside the boat; the doctor says the child is well."
	for b.Loop() {
		if _, err := m.EmbedQuery(b.Context(), text); err != nil {
			b.Fatal(err)
		}
	}
}
