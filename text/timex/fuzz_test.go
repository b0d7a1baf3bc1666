package timex_test

import (
	"reflect"
	"testing"
	"time"
	"unicode/utf8"

	"mcp-memory/text/timex"
)

// zones to read in: two that are offsets, and one whose clocks change.
var zones = []*time.Location{time.UTC, time.FixedZone("", -9*60*60), oslo()}

func oslo() *time.Location {
	zone, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	return zone
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{
		"between March and May 2023, from 3 to 5 June, since early last year", "the week before 9 June 2023 at 2023-05-07T10:11:12.3+02:00",
		"a couple of decades and a half ago, in 2.5 days; '90s 1990's Q3'24",
		"last last this next mid-mid early late of the end of the start of May",
		"\xff31\xc3 may’s \u0301 December’ 12. – 13 Feb", "the first week of the second half of the third quarter of Feb 29",
		"before before after since until prior to 99 June 0 May 00", "New Year's Eve's eve Sunday Monday Sat, 31 Feb",
	} {
		f.Add(seed, int64(1715783400))
	}
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		now := time.Unix(seconds%(1<<38), 0).In(zones[uint64(seconds)%uint64(len(zones))])
		spans := timex.Find(text, now)
		if !reflect.DeepEqual(spans, timex.Find(text, now)) {
			t.Error("not deterministic")
		}
		end := 0
		for _, s := range spans {
			switch {
			case s.Start < end || s.End <= s.Start || s.End > len(text):
				t.Fatalf("%q is out of order: %+v", text, s)
			case s.Text != text[s.Start:s.End]:
				t.Errorf("%q is not the text of %+v", text, s)
			case !s.From.Before(s.To) || s.From.Before(timex.Earliest) || s.To.After(timex.Latest):
				t.Errorf("%q: empty or out of bounds: %+v", text, s)
			case s.From.Location() != now.Location() && !s.From.Equal(timex.Earliest) ||
				s.To.Location() != now.Location() && !s.To.Equal(timex.Latest):
				t.Errorf("%q: not in the zone of now: %+v", text, s)
			case s.Precision < timex.Moment || s.Precision > timex.Decade:
				t.Errorf("%q: precision of %+v", text, s)
			case utf8.ValidString(text) && !utf8.ValidString(s.Text):
				t.Errorf("%q: %q splits a character", text, s.Text)
			}
			end = s.End
		}
		if len(spans) > 0 && !timex.Mentions(text) {
			t.Errorf("%q has %+v but mentions nothing", text, spans)
		}
		if first, again := timex.Question(text), timex.Question(text); first != again {
			t.Errorf("question is %v and then %v", first, again)
		}
	})
}

func TestMentionsAllocatesNothing(t *testing.T) {
	timex.Mentions("once") // builds the lexicon
	for _, text := range []string{plainMessage, "see you " + plainMessage[:100] + " last Friday"} {
		if n := testing.AllocsPerRun(100, func() { timex.Mentions(text) }); n >= 1 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

func TestMentionsWithoutAMoment(t *testing.T) {
	for text, want := range map[string]bool{
		"every Friday we play": true, "on Mondays": true, "we went yesterday": true, "2 days ago": true,
		"in the sun you may march": false, "the second one": false, "": false, plainMessage: false,
	} {
		if got := timex.Mentions(text); got != want {
			t.Errorf("Mentions(%q) = %v", text, got)
		}
	}
}

const (
	question     = "When did Caroline go to the support group two weeks ago, and what did she say about May 7th, 2023?"
	plainMessage = "I think the server should keep its cache in memory, since reading from disk is slow and the last change did not help " +
		"anybody much; we may try another way, say with 3 workers and a queue of 500 jobs each."
)

func BenchmarkFind(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		timex.Find(question, now)
	}
}

func BenchmarkMentions(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		timex.Mentions(plainMessage)
	}
}

func BenchmarkQuestion(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		timex.Question(question)
	}
}
