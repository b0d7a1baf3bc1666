package analysis_test

import (
	"strings"
	"testing"
	"time"

	"mcp-memory/text/analysis"
)

// TestStem holds the check values of the table's format, and the words in
// which other variants of the algorithm differ.
func TestStem(t *testing.T) {
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "ties": "ti", "cats": "cat",
		"feed": "feed", "agreed": "agre", "plastered": "plaster", "motoring": "motor",
		"sing": "sing", "conflated": "conflat", "troubled": "troubl", "sized": "size",
		"hopping": "hop", "falling": "fall", "hissing": "hiss", "fizzed": "fizz",
		"filing": "file", "happy": "happi", "sky": "sky", "relational": "relat",
		"conditional": "condit", "digitizer": "digit", "radically": "radic", "vietnamization": "vietnam",
		"hopefulness": "hope", "electrical": "electr", "replacement": "replac", "adoption": "adopt",
		"controlling": "control", "rate": "rate", "dying": "dy", "news": "new",
		"generically": "gener", "as": "as", "naïve": "naïve", "http2": "http2",
		"skis": "ski", "analogies": "analogi", "possibly": "possibli", "logically": "logic",
		"": "", "s": "s", "Running": "Running", "yyy": "yyi", "ying": "ying", "eed": "eed",
		"communion": "communion", "rebellion": "rebellion", "toy": "toi", "syzygy": "syzygi",
	} {
		if got := analysis.Stem(word); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
}

// A word of nothing but y must not cost the square of its length.
func TestStemOfHostileWord(t *testing.T) {
	start := time.Now()
	analysis.Stem(strings.Repeat("y", 1<<20) + "ing")
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}

func BenchmarkStem(b *testing.B) {
	words := strings.Fields("conditional doctors deployment running happily the vacation hopefulness ponies " +
		"release yesterday generously communication databases migrating table person small controlling http2")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		analysis.Stem(words[i%len(words)])
	}
}
