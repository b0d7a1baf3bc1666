package slots

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-memory/text/analysis"
)

// token is a word, a number or a sign of money in a text.
type token struct {
	word   string // in lower case
	e      *entry
	start  int32
	end    int32
	cap    bool // begins with a capital
	num    bool // begins with a digit
	neg    bool // an n't was cut off
	poss   bool // an 's was cut off
	quoted bool // stands between quotation marks
	post   byte // the strongest punctuation behind it: one of , : ; . ? ! ( -
}

var nothing = &entry{}

// stem returns the form by which words are compared: that of synonyms.txt if there is one, else the
// stem of the singular or the base form.
func (t *token) stem() string {
	if t.e.canonical != "" {
		return t.e.canonical
	}
	if t.e.stem != "" {
		return t.e.stem
	}
	if t.num {
		return number(t.word)
	}
	return analysis.Stem(t.word)
}

// base returns the word as it is written in a subject: the form of synonyms.txt or the singular if
// there is one.
func (t *token) base() string {
	if t.e.canonical != "" {
		return t.e.canonical
	}
	if t.e.noun != "" {
		return t.e.noun
	}
	return t.word
}

func (t *token) is(f flag) bool { return t.e.flags&f != 0 }

// number writes a number in one way: "1,015" and "1.015" as "1015", "02:30"
// as "2:30".
func number(w string) string {
	if i := strings.IndexByte(w, ','); i > 0 && len(w)-i == 4 {
		w = w[:i] + w[i+1:]
	}
	if len(w) > 3 && w[0] == '0' && strings.IndexByte(w, ':') == 2 {
		w = w[1:]
	}
	return w
}

// tokens appends the tokens of text to buf.
func (x *lexicon) tokens(buf []token, text string) []token {
	lower := lowered(text)
	quoted := false
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			end := wordEnd(text, i)
			if key := userKey(lower, i, end); key > 0 { // "user.city", "user_city"
				buf = append(buf, token{word: User, e: x.find(User), start: int32(i), end: int32(i + len(User)), poss: true})
				i, end = i+len(User)+1, key
			}
			t := token{word: lower[i:end], start: int32(i), end: int32(end), quoted: quoted}
			t.cap, t.num = unicode.IsUpper(r), unicode.IsDigit(r) || r == 'v' && i+1 < len(lower) && lower[i+1] >= '0' && lower[i+1] <= '9'
			if abroad[t.word] {
				t.word = User
			}
			t.e = x.find(t.word)
			if t.cap && t.e.flags&(isWill|isHedge|isFluff|isDo|isBe) != 0 && t.e.flags&isTime == 0 && len(buf) > 0 &&
				buf[len(buf)-1].post == 0 {
				t.e = nothing // a name inside a sentence: Will, Max
			}
			switch name := len(buf) > 0 && buf[len(buf)-1].post == 0; {
			case name && t.word == "a" && (t.cap || text[i-1] == '-'): // "host A", "clock-a"
				t.e = nothing
			case text[i:end] == "US":
				t.word = "usa"
				t.e = x.find(t.word)
			}
			i = end
			if rest, n := apostrophe(lower[i:]); n > 0 {
				i += n
				switch {
				case rest == "t":
					t.neg = true
				case rest == "s":
					t.poss = true
				default:
					buf = append(buf, t)
					t = token{word: rest, start: int32(i - len(rest)), end: int32(i), quoted: quoted}
					t.e = x.find(rest)
				}
			}
			buf = append(buf, t)
			continue
		}
		switch {
		case r == '€' || r == '$' || r == '£' || r == '%':
			buf = append(buf, token{word: lower[i : i+size], e: x.find(lower[i : i+size]), start: int32(i), end: int32(i + size),
				quoted: quoted})
		case r == '"' || r == '“' || r == '”' || r == '„' || r == '«' || r == '»':
			quoted = !quoted
		case len(buf) > 0:
			last := &buf[len(buf)-1]
			if p := punctuation(text, i, r, size, last); p > last.post || rank(p) > rank(last.post) {
				if rank(p) > rank(last.post) {
					last.post = p
				}
				if rank(p) == rankEnd {
					quoted = quoted && r != '\n'
				}
			}
		}
		i += size
	}
	return buf
}

const rankEnd = 3

// rank orders punctuation by how much it separates.
func rank(p byte) int {
	switch p {
	case '.', '!', '?':
		return rankEnd
	case ';', ':', '-', '(':
		return 2
	case ',':
		return 1
	}
	return 0
}

// punctuation returns the mark that r stands for behind the last token.
func punctuation(text string, i int, r rune, size int, last *token) byte {
	blank := i+size >= len(text) || text[i+size] == ' ' || text[i+size] == '\n' || text[i+size] == '"' || text[i+size] == '\'' ||
		text[i+size] == ')'
	switch r {
	case '\n', '\r', '。', '！':
		return '.'
	case '？':
		return '?'
	case '?', '!':
		return byte(r)
	case '.':
		if !blank || len(last.word) == 1 && last.word != "i" && !last.num || last.is(isTitle) && len(last.word) < 5 {
			return 0
		}
		return '.'
	case '=':
		if blank && i > 0 && text[i-1] == ' ' { // "editor = Helix"
			return ':'
		}
	case ',', ';':
		return byte(r)
	case ':':
		return ':'
	case '–', '—':
		return '-'
	case '-':
		if blank && i > 0 && text[i-1] == ' ' {
			return '-'
		}
	case '(', ')', '[', ']':
		return '('
	}
	return 0
}

// lowered returns text in small letters, each where it stood: what would take more
// or fewer bytes ("İ", broken UTF-8) stays as it is.
func lowered(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return lowerRunes(text)
		}
	}
	return strings.ToLower(text)
}

func lowerRunes(text string) string {
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if small := unicode.ToLower(r); r != utf8.RuneError && utf8.RuneLen(small) == size {
			b = utf8.AppendRune(b, small)
		} else {
			b = append(b, text[i:i+size]...)
		}
		i += size
	}
	return string(b)
}

// wordEnd returns the end of the word that begins at i: letters and digits,
// and signs between them that belong to numbers, versions and addresses.
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			i += size
			continue
		}
		if i+1 < len(text) && inner(text[i-1], byte(r), text[i+1]) && r < utf8.RuneSelf {
			i++
			continue
		}
		return i
	}
	return i
}

// abroad are the words for the user in notes of other languages.
var abroad = map[string]bool{
	"nutzer": true, "nutzerin": true, "benutzer": true, "benutzerin": true, "anwender": true, "anwenderin": true,
	"utilisateur": true, "utilisatrice": true, "usuario": true, "usuaria": true, "gebruiker": true, "gebruikster": true,
}

// userKey returns the end of the first word of a key of the user's at i that stands
// before a value, 0 if there is none: of "home" in "user.home_city: Lund".
func userKey(lower string, i, end int) int {
	rest, of := strings.CutPrefix(lower[i:end], User)
	if !of || len(rest) < 2 || rest[0] != '.' && rest[0] != '_' {
		return 0
	}
	behind := strings.TrimLeft(lower[end:min(len(lower), end+3)], "\" ")
	if !strings.HasPrefix(behind, ":") && !strings.HasPrefix(behind, "=") {
		return 0
	}
	for k := i + len(User) + 1; k < end; k++ {
		if lower[k] == '.' || lower[k] == '_' {
			return k
		}
	}
	return end
}

func inner(before, sign, after byte) bool {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
	switch sign {
	case ',', ':':
		return digit(before) && digit(after)
	case '.', '@', '_', '/', '+':
		return (digit(before) || letter(before)) && (digit(after) || letter(after))
	}
	return false
}

// apostrophe returns what follows an apostrophe directly, and how many bytes
// it takes with it; n is 0 if there is none. A bare one behind a plural
// counts as "s".
func apostrophe(text string) (rest string, n int) {
	switch {
	case strings.HasPrefix(text, "'"):
		n = 1
	case strings.HasPrefix(text, "’"):
		n = len("’")
	default:
		return "", 0
	}
	end := n
	for end < len(text) && text[end] >= 'a' && text[end] <= 'z' {
		end++
	}
	switch rest = text[n:end]; rest {
	case "t", "s", "m", "re", "ve", "ll", "d":
		return rest, end
	case "":
		return "s", n
	}
	return "", 0
}
