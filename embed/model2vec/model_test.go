package model2vec

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/testmodel"
	"mcp-memory/memory"
)

// install writes a model and its manifest.
func install(t testing.TB, write func(testing.TB, string)) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir)
	dimensions, err := Inspect(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := modelfile.Manifest{Name: "small", Dimensions: dimensions}
	for _, name := range modelfile.FileNames() {
		f, err := modelfile.Measure(dir, name)
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
	read, err := modelfile.ReadTensors(strings.NewReader(string(file)), int64(len(file)))
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
	bits := math.Float32bits(x)
	if x == 0 {
		return uint16(bits >> 16)
	}
	return uint16(bits>>16&0x8000) | uint16(bits>>23&0xff-112)<<10 | uint16(bits>>13&0x3ff)
}

// A damaged file is an error that names it, whatever part is damaged.
func TestDamagedFilesAreRefused(t *testing.T) {
	whole := t.TempDir()
	testmodel.WordPiece(t, whole)
	for _, test := range []struct{ file, text, want string }{
		{modelfile.TableFile, "", "too short"},
		{modelfile.TableFile, "\xff\xff\xff\xff\xff\xff\xff\xff{}", "does not fit"},
		{modelfile.TableFile, "\x02\x00\x00\x00\x00\x00\x00\x00[]", "not JSON"},
		{modelfile.TableFile, header(`{"other":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`) + "1234", "no table"},
		{modelfile.TableFile, header(`{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,8]}}`) + "1234", "cut off"},
		{modelfile.TableFile, header(`{"embeddings":{"dtype":"F32","shape":[1,2],"data_offsets":[0,4]}}`) + "1234",
			"not the 8 of its shape"},
		{modelfile.TableFile, header(`{"embeddings":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`), "cannot be"},
		{modelfile.TableFile, header(`{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`) + "1234", "fewer vectors"},
		{modelfile.TableFile, header(`{"embeddings":{"dtype":"F4","shape":[1,1],"data_offsets":[0,4]}}`) + "1234", "the kind F4"},
		{modelfile.RulesFile, "", "not what it should be"},
		{modelfile.RulesFile, "{}", "no model"},
		{modelfile.RulesFile, `{"model":{"type":"BPE","vocab":{}}}`, `of the kind "BPE"`},
		{modelfile.RulesFile, `{"model":{"type":"WordPiece","vocab":{"a":-1}}}`, "has the number -1"},
		{modelfile.RulesFile, `{"model":{"type":"WordPiece","vocab":["a"]}}`, "vocabulary"},
		{modelfile.RulesFile, `{"model":{"type":"Unigram","vocab":[["a","b"]]}}`, "vocabulary"},
		{modelfile.RulesFile, `{"normalizer":{"type":"Magic"},"model":{"type":"WordPiece","vocab":{"a":0}}}`, `normalizer "Magic"`},
		{modelfile.RulesFile, `{"pre_tokenizer":{"type":"Magic"},"model":{"type":"WordPiece","vocab":{"a":0}}}`, `pre-tokenizer "Magic"`},
		{modelfile.RulesFile,
			`{"normalizer":{"type":"Replace","pattern":{"Regex":"(?<=a)b"}},"model":{"type":"WordPiece","vocab":{"a":0}}}`,
			"regular expression"},
		{modelfile.RulesFile,
			`{"normalizer":{"type":"Precompiled","precompiled_charsmap":"/////w=="},"model":{"type":"WordPiece","vocab":{"a":0}}}`, "cut off"},
		{modelfile.RulesFile, strings.Repeat(`{"normalizer":{"type":"Sequence","normalizers":[`, 1) +
			strings.Repeat(`{"type":"Sequence","normalizers":[`, 20) + strings.Repeat("]}", 21) + `,"model":{}}`, "nested too deep"},
		{modelfile.ConfigFile, "[", "not what it should be"},
	} {
		dir := t.TempDir()
		testmodel.WordPiece(t, dir)
		if err := os.WriteFile(filepath.Join(dir, test.file), []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Inspect(dir)
		if memory.CodeOf(err) != memory.CodeInvalidArgument || !strings.Contains(err.Error(), test.want) ||
			!strings.Contains(err.Error(), test.file) {
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
	m, err := modelfile.ReadManifest(dir)
	if err != nil || m.Verify(dir) != nil {
		t.Fatal(err, m.Verify(dir))
	}
	path := filepath.Join(dir, modelfile.TableFile)
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
	if err := os.WriteFile(filepath.Join(dir, modelfile.ManifestFile), []byte("{"), 0o600); err != nil {
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
		for _, text := range []string{strings.Repeat("cat ", 10_000), strings.Repeat("z", 1<<18), strings.Repeat("é", 1<<17),
			"\xff\xfe cat"} {
			if _, err := m.EmbedQuery(t.Context(), text); err != nil {
				t.Error(err)
			}
		}
	}
}

func FuzzTable(f *testing.F) {
	f.Add([]byte(header(`{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`) + "1234"))
	f.Add([]byte(header(`{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`) + "\x7f\xff\xff\xff"))
	f.Add(testmodel.Safetensors(map[string]testmodel.Tensor{
		"embeddings": {Kind: "I8", Shape: []int{1, 2}, Data: []byte{1, 2}},
		"mapping":    {Kind: "I64", Shape: []int{1}, Data: u64(0)}, "weights": {Kind: "F32", Shape: []int{1}, Data: f32(1)},
	}))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := modelfile.ReadTensors(strings.NewReader(string(data)), int64(len(data)))
		if err != nil {
			return
		}
		vectors, err := newTable(tensors)
		if err != nil || vectors.holds(1) != nil {
			return
		}
		switch v, err := vectors.mean([]int32{0, 0}); {
		case err != nil && memory.CodeOf(err) != memory.CodeInvalidArgument: // values that are no numbers are said
			t.Error(err)
		case err == nil && len(v) != vectors.columns:
			t.Errorf("%d values, not %d", len(v), vectors.columns)
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
