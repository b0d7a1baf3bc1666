package worth

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"mcp-memory/text/analysis"
	"mcp-memory/text/timex"
)

// Sort says what kind of sentence it is to somebody who begins a new session.
type Sort uint8

// The sorts of sentence.
const (
	Plain      Sort = iota // a fact like any other
	Identity               // who somebody is
	Preference             // how somebody wants to be answered or served
	Decision               // what was decided, or a rule
	Task                   // what somebody still has to do, or promised
	Change                 // a state that began or ended
	Lesson                 // a cause that was found, a warning
	Tentative              // considered, suspected, a draft
	Event                  // something that happened and left nothing
	Trivia                 // weather, meals, moods, small mishaps
)

var sortNames = [...]string{"plain", "identity", "preference", "decision", "task", "change", "lesson", "tentative", "event", "trivia"}

// String returns the name in lower case, such as "preference".
func (s Sort) String() string {
	if int(s) >= len(sortNames) {
		return "unknown"
	}
	return sortNames[s]
}

// worths are what sentences of the sorts are worth, 0 to 1: choices of this
// project, of which only the order and the distance to [Shown] matter.
var worths = [...]float64{
	Plain: 0.3, Identity: 0.9, Preference: 0.85, Decision: 0.75, Task: 0.75,
	Change: 0.65, Lesson: 0.6, Event: 0.18, Tentative: 0.1, Trivia: 0.05,
}

// Shown is the worth from which a sentence deserves a line on a page for a new
// session before that page is filled up.
const Shown = 0.4

// Judgement is what a sentence is, as far as its words tell.
type Judgement struct {
	Sort  Sort
	Worth float64 // 0 to 1
	// Name is, for the sort Identity, the name that the sentence introduces ("Anna Berg" of
	// "User: Anna Berg, 29"); for other sorts the full name, of two to four words, that the
	// sentence begins with, perhaps behind a label. "" if there is none.
	Name string
	// Due is the end of the last day or month that the sentence names; zero if it names none.
	Due time.Time
	// News are the clauses, each followed by "; ", that say that a state began or ended, that
	// something is done, what the cause was or what was decided: older sentences about the
	// same may be out of date. "" if there are none.
	News string
	// Done says that something was finished, Defines that the sentence says what something is.
	Done, Defines bool
	// Rejected says that something was decided against.
	Rejected bool
}

// Open reports whether a day that the sentence names ([Judgement.Due]) is not over at now.
func (j Judgement) Open(now time.Time) bool { return j.Due.After(now) }

// Of judges a sentence, or a text by its first 600 bytes. said is the moment at which it was
// said: "tomorrow" is the day after. With the zero time, days are not read and Due stays zero.
func Of(text string, said time.Time) Judgement {
	text = head(text)
	words := split(text)
	found := table().find(words)
	j := Judgement{Name: fullName(words), News: news(text, words), Done: found.n[done] > 0, Defines: found.n[defines] > 0,
		Rejected: found.n[rejected] > 0}
	if !said.IsZero() {
		j.Due = due(text, said, found.n[task] > 0)
	}
	j.Sort = sortOf(words, found, j)
	j.Worth = worths[j.Sort]
	if j.Sort == Identity {
		j.Name = introduced(words)
	}
	if j.Sort == Identity && found.n[health] > 0 {
		j.Worth = 0.8
	}
	return j
}

// Rejects reports whether a text says that something was decided against. It is
// [Judgement.Rejected] without the cost of the rest of [Of].
func Rejects(text string) bool {
	var few [32]word // on the stack, as this is called for each candidate of a question
	return table().find(appendWords(few[:0], head(text))).n[rejected] > 0
}

// sortOf chooses the sort of a sentence by the classes of the cues in it; the first case that fits
// decides. After Identity and clear wishes come sorts that bind somebody (Decision, Task), then those
// that only describe; Trivia comes near the end, as words of small talk also stand in sentences that
// matter.
func sortOf(words []word, found counts, j Judgement) Sort {
	style := found.n[noun] > 0 && found.n[manner] > 0
	wish := found.n[want] > 0 && found.first[want] < 4
	day := !j.Due.IsZero()
	switch {
	case found.n[identity] > 0, labelled(words), aged(words):
		return Identity
	case wish && (style || found.n[noun]+found.n[manner] > 0):
		return Preference
	case found.n[decision] > 0, found.n[rejected] > 0 && found.n[tentative] > 0, found.n[tentative] == 0 && !day && rule(words):
		return Decision
	case found.n[task] > 0 && (day || found.n[trivia] == 0) && found.n[tentative] == 0 && phraseIn(words, sparing) < 0 &&
		!(found.n[done] > 0 && found.first[task] > found.first[done]):
		return Task
	case wish, style && found.n[noun]+found.n[manner] > 2, found.n[noun] > 0 && found.first[noun] == 0 && found.n[manner] > 0:
		return Preference
	case found.n[lesson] > 0:
		return Lesson
	case found.n[tentative] > 0:
		return Tentative
	case found.n[health] > 0:
		return Identity
	case found.n[trivia] > 0 && !day:
		return Trivia
	case found.n[change] > 0:
		return Change
	case found.n[trivia] > 0:
		return Trivia
	case found.n[past] > 0 && found.n[present] == 0 && !day:
		return Event
	}
	return Plain
}

// rule reports whether the first clause states a general rule ("Tasks must be idempotent", "Every
// change should have a test") and not a single thing that is to be done ("The form must be sent").
// The subject has to begin with a word such as "every", or to be a plural without an article.
func rule(words []word) bool {
	for i, w := range words[:min(len(words), maxSubject)] {
		switch {
		case i > 0 && (w.start || words[i-1].ends), i == 0 && opensOne[w.text], strings.HasSuffix(w.text, "'s"):
			return false
		case i == 0 || !obliges[w.text] || i+1 == len(words):
			continue
		case everyOne[words[0].text]:
			return true
		}
		last, rest := words[i-1].text, words[i+1:]
		one := w.text == "must" || w.text == "should" // may be said of one as well
		if rest[0].text != "to" && !one {
			return false
		}
		return strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss") && (!one || rest[0].text == "be" || constant[rest[0].text])
	}
	return false
}

// maxSubject bounds the words from the first one to the verb of a rule.
const maxSubject = 6

// obliges are the verbs of a rule, which follow its subject. constant are words behind "must" and
// "should" that mark a rule, beside "be". everyOne are first words of a subject that means all of
// a kind, opensOne those of a subject that means a single thing or person.
var (
	obliges  = setOf("must should have need")
	constant = setOf("not never always only")
	everyOne = setOf("all every each any no nobody")
	opensOne = setOf("the a an this that these those my our his her their your its i we you he she it they there")
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// textSize is how many bytes of a text are read: its beginning says what it is.
const textSize = 600

func head(text string) string {
	if len(text) > textSize {
		text = strings.ToValidUTF8(text[:textSize], "")
	}
	return text
}

// labelled reports whether the text begins with a label that introduces somebody: "User: ...".
func labelled(words []word) bool {
	return len(words) > 1 && words[0].colon && slices.Contains(introductions, words[0].text)
}

// aged reports whether a name and an age stand at the beginning: "Anna Berg, 29".
func aged(words []word) bool {
	for i := 1; i < len(words) && i < 5; i++ {
		if !words[i-1].capital {
			return false
		}
		if n := words[i].text; words[i-1].comma && len(n) == 2 && n[0] >= '1' && n[0] <= '9' && unicode.IsDigit(rune(n[1])) {
			return true
		}
	}
	return false
}

// fullName returns the name that a text begins with, or that follows a label within the first
// three words ("Client: Anna Berg, ..."): two to four words with capital letters, followed by
// something else. It returns "" if there is none, and if the first word is one that has its
// capital only from the beginning of the sentence.
func fullName(words []word) string {
	var parts []string
	for i := range words[:min(len(words), 3)] { // a label: "Client: Anna Berg"
		if words[i].colon {
			words = words[i+1:]
			break
		}
	}
	for _, w := range words {
		if len(parts) == 4 && w.capital || len(parts) == 0 && opens(w.text) {
			return ""
		}
		if !w.capital {
			break
		}
		parts = append(parts, w.original)
		if w.comma || w.colon {
			break
		}
	}
	if len(parts) < 2 || len(parts) == len(words) {
		return ""
	}
	return strings.Join(parts, " ")
}

// opens reports whether a word in lower case is a stop word or one of openers: at the beginning
// of a sentence its capital letter does not make it a name.
func opens(word string) bool {
	return analysis.IsStop(word) || slices.Contains(openers, word)
}

var openers = []string{"since", "from", "after", "until", "during", "user", "name", "de", "het", "der", "die", "das", "le", "la", "les",
	"el", "los"}

// introduced returns the first run of words with capital letters among the first ten words,
// without words that introduce a name: "Anna Berg" of "User: Anna Berg, 29".
func introduced(words []word) string {
	var parts []string
	for i, w := range words[:min(len(words), 10)] {
		if w.capital && !slices.Contains(introductions, w.text) {
			if parts = append(parts, w.original); w.comma || w.colon {
				break
			}
		} else if len(parts) > 0 || i > 8 {
			break
		}
	}
	return strings.Join(parts, " ")
}

var introductions = []string{
	"the", "user", "user's", "name", "my", "i", "i'm", "she", "he", "mijn", "naam", "ik",
	"ich", "mein", "je", "me", "de", "der", "die", "gebruiker", "nutzer", "nutzerin", "dr", "prof",
}

// news returns the clauses of a text that have a cue of change, done, lesson or decision, each
// followed by "; ". From a clause with a decision on it returns all clauses, as these say what
// was decided.
func news(text string, words []word) string {
	var b strings.Builder
	from, decided := 0, false
	for from < len(words) {
		to := from
		for to < len(words) && (to == from || !words[to-1].ends) {
			to++
		}
		clause := table().find(words[from:to])
		decided = decided || clause.n[decision] > 0
		if decided || clause.n[change]+clause.n[done]+clause.n[lesson] > 0 {
			b.WriteString(text[words[from].at:words[to-1].end] + "; ")
		}
		from = to
	}
	return b.String()
}

// due returns the end of the last day or month that a text names, or the zero time if it names
// none. A day without a year that passed more than half a year before said is taken for the next
// year's. With coming, for a task, so is any calendar day that passed within the year.
func due(text string, said time.Time, coming bool) time.Time {
	var last time.Time
	for _, s := range timex.Find(text, said) {
		if s.Open() || s.Precision > timex.Month || strings.HasPrefix(strings.ToLower(s.Text), "since") {
			continue
		}
		end := s.To
		if !hasYear(s.Text) {
			if passed := said.Sub(end); passed > half || coming && passed > 0 && passed < 2*half && named(s.Text) {
				end = end.AddDate(1, 0, 0)
			}
		}
		if end.After(last) {
			last = end
		}
	}
	return last
}

// half is half a year.
const half = 182 * 24 * time.Hour

// hasYear reports whether an expression has four digits in a row.
func hasYear(expression string) bool {
	run := 0
	for _, r := range expression {
		if run++; r < '0' || r > '9' {
			run = 0
		}
		if run == 4 {
			return true
		}
	}
	return false
}

// named reports whether an expression names a day of the calendar ("15 March") and not one that
// is counted from today ("3 days ago", "tomorrow").
func named(expression string) bool {
	return strings.ContainsAny(expression, "0123456789") && !strings.Contains(expression, "ago")
}
