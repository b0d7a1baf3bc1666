package slots

import "testing"

var benchTexts = []string{
	"I switched from Vim to Helix as my editor.",
	"We raised the rate limit to 250 requests per minute.",
	"Marit gave up the recorder and plays the saxophone.",
	"After the laser operation I need no lenses any more.",
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	read(benchTexts[0], Options{})
	for i := 0; b.Loop(); i++ {
		read(benchTexts[i%len(benchTexts)], Options{})
	}
}

// BenchmarkReadAgain is of texts that were read a moment ago.
func BenchmarkReadAgain(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Read(benchTexts[i%len(benchTexts)], Options{})
	}
}

func BenchmarkCompare(b *testing.B) {
	older, newer := Read("The rate limit is 100 requests per minute.", Options{}), Read(benchTexts[1], Options{})
	b.ReportAllocs()
	for b.Loop() {
		Between(older, newer)
	}
}

func BenchmarkAsk(b *testing.B) {
	b.ReportAllocs()
	Ask("Where do I live?", Options{})
	for b.Loop() {
		Ask("Which editor did I use before Zed?", Options{})
	}
}

func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		newLexicon()
	}
}

func BenchmarkDiffer(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Differ("Eve does not like jazz.", "Eve likes jazz.")
	}
}

// BenchmarkOpposed is of two texts that have to be put in plain words.
func BenchmarkOpposed(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Opposed("Eve can't stand jazz in the morning.", "Eve loves jazz in the evening.")
	}
}
