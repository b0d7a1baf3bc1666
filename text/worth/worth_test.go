package worth_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"mcp-memory/text/worth"
)

var said = time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)

type sample struct{ sort, text string }

func samples(t testing.TB) (all []sample) {
	t.Helper()
	file, err := os.ReadFile("testdata/sentences.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		if sort, text, ok := strings.Cut(strings.TrimSpace(line), "|"); ok && line[0] != '#' {
			all = append(all, sample{sort, text})
		}
	}
	return all
}

// TestDays: a day without a year is the nearest, that of a task one to come.
func TestDays(t *testing.T) {
	for text, want := range map[string]string{
		"The form must be sent by 15 July.":         "2026-07-16",
		"The form must be sent by 15 April.":        "2027-04-16",
		"The fair is on 5 October.":                 "2026-10-06",
		"She fell on 20 May.":                       "2026-05-21",
		"She fell on 20 May 2024.":                  "2024-05-21",
		"Rent is due on 3 June, the trip on 9 June": "2026-06-10",
		"He was ill two weeks ago.":                 "2026-05-22",
		"The gate is open since May.":               "0001-01-01",
		"The gate is grey.":                         "0001-01-01",
	} {
		j := worth.Of(text, said)
		if got := j.Due.Format(time.DateOnly); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if j.Open(said) != (want > "2026-06-01") {
			t.Errorf("%s: open is %t", text, j.Open(said))
		}
	}
	if j := worth.Of("The form must be sent by 15 July.", time.Time{}); !j.Due.IsZero() {
		t.Error("a day without a moment to count from")
	}
}

// TestUnfinished: what is half done is work to go on with, what is done is not.
func TestUnfinished(t *testing.T) {
	for text, want := range map[string]worth.Sort{
		"The login flow is half done, next is the token refresh.": worth.Task,
		"Refactoring of the parser is in progress.":               worth.Task,
		"Currently working on the token refresh.":                 worth.Task,
		"The login flow is done.":                                 worth.Plain,
		"Tasks must be idempotent in maps/tasks.py.":              worth.Decision,
		"Commit messages have to be in English.":                  worth.Decision,
		"Request bodies must not be logged.":                      worth.Decision,
		"Every change should have a test.":                        worth.Decision,
		"Invoices have to be sent by 12 June.":                    worth.Task,
		"The tests must be fixed.":                                worth.Task,
		"Jonas must call the bank.":                               worth.Task,
		"Anna's notes must be typed.":                             worth.Task,
	} {
		if j := worth.Of(text, said); j.Sort != want {
			t.Errorf("%s: %s, want %s", text, j.Sort, want)
		}
	}
}

// TestNames: who is introduced, and with whom a sentence begins.
func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"User: Anna Berg, 29, pilot.":                "Anna Berg",
		"My name is Per.":                            "Per",
		"The user is Dr. Odile Varga, from Lyon.":    "Odile Varga",
		"Anna Berg-Løve flies freight.":              "Anna Berg-Løve",
		"Client: Anna Berg wants a blue door.":       "Anna Berg",
		"The Torvald is sold.":                       "",
		"Since March the gate is open.":              "",
		"Anna flies.":                                "",
		"Anna Berg":                                  "",
		"it is late":                                 "",
		"Great Western Railway Company Shop is shut": "",
	} {
		if got := worth.Of(text, said).Name; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestNews: only the clauses that say what is new.
func TestNews(t *testing.T) {
	for text, want := range map[string]string{
		"The bike is sold; she rides a tram.":              "The bike is sold; ",
		"Values are fine, dose raised.":                    "dose raised; ",
		"Decided with Ann: timber frame, no concrete.":     "Decided with Ann; timber frame; no concrete; ",
		"Talk with Ann, two hours, rule: no work at night": "rule; no work at night; ",
		"The gate is grey.":                                "",
	} {
		if got := worth.Of(text, said).News; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestHostile: any text is judged, a long one by its beginning.
func TestHostile(t *testing.T) {
	for _, text := range []string{"", " ", ":", "a-", "-", "’", "\x00", "\xff\xfe", strings.Repeat("é", 400),
		strings.Repeat("must ", 1<<17), "İstanbul’da ’", "長い文章です。"} {
		if j := worth.Of(text, said); j.Worth < 0 || j.Worth > 1 {
			t.Errorf("%.20q: %+v", text, j)
		}
	}
	late := strings.Repeat("The gate is grey. ", 100) + "It must be painted."
	if j := worth.Of(late, said); j.Sort != worth.Plain {
		t.Errorf("a long text is %s", j.Sort)
	}
}

// TestSentences: nine of ten sentences are of the sort that a person gave them,
// and as many are shown or left out as they should be.
func TestSentences(t *testing.T) {
	all := samples(t)
	right, placed := 0, 0
	for _, s := range all {
		j := worth.Of(s.text, said)
		if j.Sort.String() == s.sort {
			right++
		} else {
			t.Logf("%s: %s, not %s", s.text, j.Sort, s.sort)
		}
		low := s.sort == "plain" || s.sort == "trivia" || s.sort == "event" || s.sort == "tentative"
		if low == (j.Worth < worth.Shown) {
			placed++
		}
	}
	t.Logf("%d of %d right, %d on the right side", right, len(all), placed)
	if 10*right < 9*len(all) || 100*placed < 95*len(all) {
		t.Error("too few")
	}
}

// TestRejects: asked alone, it is what the whole judgement says.
func TestRejects(t *testing.T) {
	some := 0
	for _, s := range append(samples(t), sample{"", "Rejected: Glimmer paper, it tears."},
		sample{"", "We decided against the slate roof."}) {
		got, want := worth.Rejects(s.text), worth.Of(s.text, said).Rejected
		if got != want {
			t.Errorf("%q: %v, want %v", s.text, got, want)
		}
		if want {
			some++
		}
	}
	if some == 0 {
		t.Error("nothing rejects")
	}
}
