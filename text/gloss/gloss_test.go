package gloss

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEnglish(t *testing.T) {
	for text, want := range map[string][]string{ // what its English has
		"Wo arbeitet meine Schwester?":              {"where", "working|work", "my", "sister"},
		"Der Kellerschlüssel liegt beim Nachbarn.":  {"the", "key", "neighbour|neighbor|neighbors|neighbours"},
		"Où est-ce que ma sœur a acheté son vélo ?": {"where", "my", "sister", "bought|purchased|buy", "bicycle|bike"},
		"J'ai rendez-vous chez le dentiste lundi.":  {"I", "have", "dentist", "monday"},
		"¿Dónde vive mi hermana?":                   {"where", "lives|live", "my", "sister"},
		"Waar woont mijn zus?":                      {"where", "my", "sister"},
		"Onde é que a minha irmã trabalha?":         {"where", "my", "sister", "works|work|working"},
		"Dove abita mia sorella?":                   {"where", "my", "sister"},
		"Gdzie mieszka moja siostra?":               {"where", "my", "sister"},
		"Kız kardeşim nerede çalışıyor?":            {"where", "working|works|work"},
		"Где работает моя сестра?":                  {"where", "works|working|work", "my", "sister"},
		"我姐姐在哪里工作？":                                 {"sister", "where", "work|working"},
		"姉はどこで働いていますか。":                             {"sister", "where"},
		"우리 회사는 어디에 있습니까?":                          {"where"},
		"أين تعمل أختي؟":                            {"where"},
		"Işık nerede ve nasıl?":                     {"light", "where"},
		"Zahnarzt am Dienstag":                      {"dentist", "tuesday"},
	} {
		got, ok := English(text)
		words := strings.FieldsFunc(strings.ToLower(got), func(r rune) bool { return strings.ContainsRune(" .,?!'¿ ", r) })
		for _, w := range want {
			if !slices.ContainsFunc(strings.Split(strings.ToLower(w), "|"), func(one string) bool { return slices.Contains(words, one) }) {
				t.Errorf("%s: %q, %t, without %q", text, got, ok, w)
			}
		}
	}
}

// What is English, or no language that is known, stays as it is.
func TestUntouched(t *testing.T) {
	for _, text := range []string{
		"", "42", "Where does my sister live?", "The die was cast in the war.",
		"I am in a chat on the main line", "kubectl apply -f deploy.yaml",
		"gateway timeout PAY-318", "ten men on site", "door code 4711", "chat history", "Die Post AG invoice",
		"Die Hard", "Los Angeles office", "hotel", "Zahnarzt", "Η αδελφή μου ζει στην Αθήνα.", "मेरी बहन कहाँ रहती है?",
		"func main() { return a }", "SELECT a, no, de FROM x",
	} {
		if got, ok := English(text); ok || got != text {
			t.Errorf("%q: %q, %t", text, got, ok)
		}
	}
}

// What is no word of any language is not taken apart, however long it is.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("haus", 20)
	if got, ok := English("Wo ist " + long + " und der Hund?"); !ok || !strings.Contains(got, long) || !strings.Contains(got, "dog") {
		t.Errorf("%q, %t", got, ok)
	}
}

// Names are no words.
func TestNames(t *testing.T) {
	for text, name := range map[string]string{
		"Mi hermana Rosa vive en Madrid.": "Rosa",
		"Notre voisin s'appelle Pierre.":  "Pierre",
		"Meine Kollegin heißt Jördis.":    "Jördis",
	} {
		if got, ok := English(text); !ok || !strings.Contains(got, name) {
			t.Errorf("%s: %q, %t", text, got, ok)
		}
	}
}

// The lists are sorted, and have one meaning of each word; so have the small words.
func TestWordLists(t *testing.T) {
	if len(languages) != 13 {
		t.Errorf("%d languages", len(languages))
	}
	for name, l := range languages {
		w, last := l.words(), ""
		if len(w.ends) < 15_000 {
			t.Errorf("%s has %d words", name, len(w.ends))
		}
		for i := range w.ends {
			word, meaning, ok := strings.Cut(string(w.line(i)), " ")
			if !ok || word <= last || meaning == "" || word == meaning || strings.ToLower(word) != word && name != "tr" ||
				!utf8.ValidString(word) {
				t.Fatalf("%s, line %d: %q behind %q", name, i+1, w.line(i), last)
			}
			if got, ok := w.find(word); !ok || got != meaning {
				t.Fatalf("%s: %s is found as %q", name, word, got)
			}
			last = word
		}
	}
	for line := range strings.Lines(commonFile) {
		if f := strings.Fields(line); !strings.HasPrefix(line, "#") && (len(f) < 3 || languages[f[0]] == nil) {
			t.Errorf("common.txt: %q", line)
		}
	}
}

func FuzzEnglish(f *testing.F) {
	f.Add("Wo arbeitet meine Schwester?")
	f.Add("我姐姐在哪里工作？ l'été -")
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := English(text)
		if !ok && got != text {
			t.Errorf("%q became %q", text, got)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q of %q", got, text)
		}
	})
}

func BenchmarkEnglish(b *testing.B) {
	for name, text := range map[string]string{"english": "Who was the best man at my wedding, and where does he live now?",
		"german": "Wer war mein Trauzeuge, und in welcher Stadt wohnt er jetzt?"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				English(text)
			}
		})
	}
}

// TestLanguageAgain: a text has its language whatever was asked before it.
func TestLanguageAgain(t *testing.T) {
	texts := map[string]string{"The dog sleeps in the garden and the cat is on the roof.": "",
		"Der Hund schläft im Garten und die Katze ist auf dem Dach.": "de", strings.Repeat("Der Hund ist im Garten. ", 100): "de"}
	for range 2 {
		for text, want := range texts {
			for range 2 {
				if got := Language(text); got != want {
					t.Errorf("%.40q is %q, want %q", text, got, want)
				}
			}
		}
	}
}
