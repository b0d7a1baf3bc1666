package uselite

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcp-memory/embed/encoder"
	"mcp-memory/memory"
)

func vectorOf(t *testing.T, e *Encoder, text string) []float32 {
	t.Helper()
	vectors, err := e.EmbedDocuments(context.Background(), []string{text})
	if err != nil {
		t.Fatalf("%.40q: %v", text, err)
	}
	return vectors[0]
}

func zero(v []float32) bool { return !slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) }

func TestMeaning(t *testing.T) {
	read(t)
	e := New()
	question, err := e.EmbedQuery(context.Background(), "Who looks after our dog when we travel?")
	if err != nil {
		t.Fatal(err)
	}
	near := encoder.Dot(question, vectorOf(t, e, "Mrs Lind from next door takes care of Bruno while we are on holiday"))
	far := encoder.Dot(question, vectorOf(t, e, "The invoice is due at the end of the month"))
	if near < far+0.1 {
		t.Errorf("a rewording has the cosine %.3f, another fact %.3f", near, far)
	}
}

// What has nothing that the vocabulary knows has no direction.
func TestNothingKnown(t *testing.T) {
	read(t)
	e := New()
	for _, text := range []string{"", " \n\t ", "\x00\x01", "私の妹は病院で働いています", "моя сестра работает в больнице", "🎉🎉", "\xff\xfe"} {
		if v := vectorOf(t, e, text); len(v) != Dimensions || !zero(v) {
			t.Errorf("%q has a direction", text)
		}
	}
	if v := vectorOf(t, e, "my sister\x00 works\nat the   hospital"); encoder.Dot(v, vectorOf(t, e, "my sister works at the hospital")) < 0.9999 {
		t.Error("line breaks, blanks and NUL change the vector")
	}
}

// Of a long text every part counts, and 32 KiB take a bounded number of windows.
func TestLongTexts(t *testing.T) {
	read(t)
	e := New()
	filler := strings.Repeat("The weather was dull and nothing happened on that day. ", 60)
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

func TestManyAtOnce(t *testing.T) {
	read(t)
	e := New()
	texts := []string{"my sister works at the hospital", "the build runs on Linux", strings.Repeat("a longer text of many words ", 40)}
	want := make([][]float32, len(texts))
	for i, text := range texts {
		want[i] = vectorOf(t, New(), text)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, text := range texts {
				got, err := e.EmbedDocuments(context.Background(), []string{text})
				if err != nil || !slices.Equal(got[0], want[i]) {
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
		if _, err := open(func() []byte { return other }).EmbedQuery(context.Background(), "text"); memory.CodeOf(err) != memory.CodeUnavailable {
			t.Errorf("with other weights: %v", err)
		}
	}
	broken := open(func() []byte { return nil })
	if _, err := broken.EmbedQuery(context.Background(), "text"); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("without weights: %v", err)
	}
}
