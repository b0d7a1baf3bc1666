package minilm

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcp-memory/embed/encoder"
	"mcp-memory/embed/tokenizer"
	"mcp-memory/memory"
)

func needsWeights(t testing.TB) {
	t.Helper()
	if !Available() {
		t.Skip("built without the weights")
	}
}

func vectorOf(t *testing.T, e *Encoder, text string) []float32 {
	t.Helper()
	vectors, err := e.EmbedDocuments(context.Background(), []string{text})
	if err != nil {
		t.Fatalf("%.40q: %v", text, err)
	}
	return vectors[0]
}

func zero(v []float32) bool { return !slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) }

// What the original gave for some texts; test/encoder compares many more.
func TestAsTheOriginal(t *testing.T) {
	needsWeights(t)
	b, err := os.ReadFile("testdata/original.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts []struct {
		Text   string
		Pieces []int32
		Vector []float32
	}
	if err := json.Unmarshal(b, &texts); err != nil {
		t.Fatal(err)
	}
	tokens := tokensOf(t)
	before, after := tokens.Around()
	read, err := Read(weights())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range texts {
		if pieces := slices.Concat(before, tokens.Pieces(want.Text, Config.Places), after); !slices.Equal(pieces, want.Pieces) {
			t.Errorf("%q: pieces %v, want %v", want.Text, pieces, want.Pieces)
		}
		vectors, err := read.Documents(context.Background(), []string{want.Text})
		if err != nil {
			t.Fatal(err)
		}
		if cosine := encoder.Dot(vectors[0], want.Vector); cosine < 0.985 {
			t.Errorf("%q: the cosine with the original is %.5f", want.Text, cosine)
		}
	}
	if len(texts) < 5 {
		t.Errorf("only %d texts", len(texts))
	}
}

func tokensOf(t *testing.T) *tokenizer.Tokenizer {
	t.Helper()
	pack, err := encoder.OpenPack(weights())
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := tokensIn(pack)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

func TestMeaning(t *testing.T) {
	needsWeights(t)
	e := New()
	for question, texts := range map[string][2]string{
		"Who looks after our dog when we travel?": {"Mrs Lind from next door takes care of Bruno while we are on holiday",
			"The invoice is due at the end of the month"},
		"Wo arbeitet meine Schwester?": {"My sister works at a bakery in Leith.", "My brother plays the drums on Thursdays."},
		"Where does my sister work?":   {"Mi hermana trabaja en una panadería.", "Mi hermano toca la batería los jueves."},
		"我对什么过敏？":                      {"我不能吃花生，会过敏。", "我们的会议改到星期二。"},
		"how do we undo a bad release": {"To roll back, redeploy the image tagged stable", "My sister lives in Basel"},
	} {
		asked, err := e.EmbedQuery(context.Background(), question)
		if err != nil {
			t.Fatal(err)
		}
		near, far := encoder.Dot(asked, vectorOf(t, e, texts[0])), encoder.Dot(asked, vectorOf(t, e, texts[1]))
		if near < far+0.1 {
			t.Errorf("%s: what answers has the cosine %.3f, another fact %.3f", question, near, far)
		}
	}
}

// What has nothing that the vocabulary knows has no direction.
func TestNothingKnown(t *testing.T) {
	needsWeights(t)
	e := New()
	for _, text := range []string{"", " \n\t ", "\x00\x01", "🎉🎉", "\xff\xfe"} {
		if v := vectorOf(t, e, text); len(v) != Dimensions || !zero(v) {
			t.Errorf("%q has a direction", text)
		}
	}
	if v := vectorOf(t, e, "my sister\x00 works\nat the   Hospital"); encoder.Dot(v,
		vectorOf(t, e, "my sister works at the hospital")) < 0.9999 {
		t.Error("line breaks, blanks, NUL and capitals change the vector")
	}
}

// Of a long text every part counts, and 32 KiB take a bounded number of windows.
func TestLongTexts(t *testing.T) {
	needsWeights(t)
	e := New()
	filler := strings.Repeat("The weather was dull and nothing happened on that day. ", 40)
	question := vectorOf(t, e, "Who repairs the violin?")
	with := encoder.Dot(question, vectorOf(t, e, filler+strings.Repeat("The luthier in Mill Street mends my violin. ", 12)))
	if without := encoder.Dot(question, vectorOf(t, e, filler)); with < without+0.02 {
		t.Errorf("the end of a long text adds %.3f to %.3f", with-without, without)
	}
	long := vectorOf(t, e, strings.Repeat("nothing happened here ", 32<<10/22))
	if square := encoder.Dot(long, long); square < 0.999 || square > 1.001 {
		t.Errorf("the vector of 32 KiB has the length² %g", square)
	}
}

// A vector is the same whatever was computed in the same memory before, or is beside.
func TestManyAtOnce(t *testing.T) {
	needsWeights(t)
	e := New()
	texts := []string{"my sister works at the hospital", "the build runs on Linux", "x", strings.Repeat("a longer text of many words ", 30)}
	want := make([][]float32, len(texts))
	for i, text := range texts {
		want[i] = vectorOf(t, New(), text)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, text := range slices.Concat(texts, texts) {
				got, err := e.EmbedDocuments(context.Background(), []string{text})
				if err != nil || !slices.Equal(got[0], want[i%len(texts)]) {
					t.Errorf("%.30q: another vector beside others, error %v", text, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if Available() {
		if _, err := New().EmbedDocuments(ctx, []string{"text"}); !errors.Is(err, context.Canceled) {
			t.Errorf("after the end of the context: %v", err)
		}
	}
	other := slices.Clone(weights())
	if len(other) > 8 {
		other[8]++ // of the checksum
		if _, err := open(func() []byte { return other }).
			EmbedQuery(context.Background(), "text"); memory.CodeOf(err) != memory.CodeUnavailable {
			t.Errorf("with other weights: %v", err)
		}
	}
	broken := open(func() []byte { return nil })
	if _, err := broken.EmbedQuery(context.Background(), "text"); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("without weights: %v", err)
	}
}

// A fingerprint stands for one file: other weights need another name.
func TestFileIsWhole(t *testing.T) {
	needsWeights(t)
	if err := encoder.CheckPack(weights()); err != nil {
		t.Error(err)
	}
	if sum := encoder.PackSum(weights()); sum != modelSum {
		t.Errorf("the file has the checksum %08x, and %s is of %08x: another file needs another name", sum, model, modelSum)
	}
	if size := len(weights()); size > 18_000_000 {
		t.Errorf("the file has %d bytes, more than 18 MB", size)
	}
}

func TestDamagedFiles(t *testing.T) {
	needsWeights(t)
	whole := weights()
	cut := func(n int) []byte { return slices.Clone(whole[:n]) }
	changed := func(at int, b byte) []byte {
		damaged := slices.Clone(whole)
		damaged[at] = b
		return damaged
	}
	for name, file := range map[string][]byte{
		"nothing": nil, "a magic alone": cut(4), "half a header": cut(500),
		"half of it": cut(len(whole) / 2), "all but the end": cut(len(whole) - 1),
		"another magic": changed(0, 'X'), "another version": changed(4, 2),
		"a longer header": changed(15, 0x7f), "no JSON": changed(16, 'X'),
	} {
		if _, err := Read(file); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, err := Read(whole); err != nil {
		t.Error(err)
	}
	if err := encoder.CheckPack(changed(len(whole)-1, whole[len(whole)-1]^1)); err == nil {
		t.Error("a changed byte is not seen")
	}
}

func BenchmarkQuestion(b *testing.B) {
	needsWeights(b)
	e := New()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.EmbedQuery(b.Context(),
			"What is the name of the restaurant that my sister recommended to us last summer?"); err != nil { // 15 words
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen is what the first text waits for.
func BenchmarkOpen(b *testing.B) {
	needsWeights(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(weights()); err != nil {
			b.Fatal(err)
		}
	}
}
