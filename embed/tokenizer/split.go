package tokenizer

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A splitter cuts the parts of a text further and keeps their order; "pre_tokenizer" in
// tokenizer.json.
type splitter func(parts []string) []string

// splitterEntry is a "pre_tokenizer" in tokenizer.json, with the fields that each type uses.
type splitterEntry struct {
	Type string `json:"type"`

	PreTokenizers []json.RawMessage `json:"pretokenizers"` // Sequence

	Replacement string `json:"replacement"` // Metaspace
	Scheme      string `json:"prepend_scheme"`
	AddSpace    *bool  `json:"add_prefix_space"` // in older files, instead of prepend_scheme
	Split       *bool  `json:"split"`

	IndividualDigits bool   `json:"individual_digits"` // Digits
	Behavior         string `json:"behavior"`          // Punctuation
}

// bertWords cuts at blanks and makes each punctuation mark a part of its own.
func bertWords(parts []string) []string { return isolate(fields(parts), isPunctuation) }

// newSplitter returns the splitter of a pre-tokenizer; null does not split.
func newSplitter(text json.RawMessage, depth int) (splitter, error) {
	if len(text) == 0 || string(text) == "null" {
		return func(parts []string) []string { return parts }, nil
	}
	var e splitterEntry
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, broken("a pre-tokenizer has another form: %v", err)
	}
	switch e.Type {
	case "Sequence":
		return splitSequence(e.PreTokenizers, depth)
	case "BertPreTokenizer":
		return bertWords, nil
	case "WhitespaceSplit":
		return fields, nil
	case "Whitespace":
		return each(wordsAndRest), nil
	case "Punctuation":
		if e.Behavior != "" && e.Behavior != "Isolated" {
			break
		}
		return func(parts []string) []string { return isolate(parts, isPunctuation) }, nil
	case "Digits":
		if !e.IndividualDigits {
			return each(func(s string) []string { return runs(s, unicode.IsNumber) }), nil
		}
		return func(parts []string) []string { return isolate(parts, unicode.IsNumber) }, nil
	case "Metaspace":
		return e.metaspace()
	}
	return nil, broken("the pre-tokenizer %q is not known", strings.TrimSpace(e.Type+" "+e.Behavior))
}

func splitSequence(list []json.RawMessage, depth int) (splitter, error) {
	if depth >= maxNesting {
		return nil, broken("its pre-tokenizers are nested too deep")
	}
	splitters := make([]splitter, len(list))
	for i, one := range list {
		var err error
		if splitters[i], err = newSplitter(one, depth+1); err != nil {
			return nil, err
		}
	}
	return func(parts []string) []string {
		for _, split := range splitters {
			parts = split(parts)
		}
		return parts
	}, nil
}

// each returns a splitter that applies split to each part.
func each(split func(string) []string) splitter {
	return func(parts []string) []string {
		var out []string
		for _, part := range parts {
			out = append(out, split(part)...)
		}
		return out
	}
}

func fields(parts []string) []string { return each(strings.Fields)(parts) }

// isolate makes each character for which meant returns true a part of its own.
func isolate(parts []string, meant func(rune) bool) []string {
	var out []string
	for _, part := range parts {
		for part != "" {
			at := strings.IndexFunc(part, meant)
			if at < 0 {
				out = append(out, part)
				break
			}
			if at > 0 {
				out = append(out, part[:at])
			}
			_, width := utf8.DecodeRuneInString(part[at:])
			end := at + width
			out, part = append(out, part[at:end]), part[end:]
		}
	}
	return out
}

// runs cuts s into runs of characters for which meant returns the same.
func runs(s string, meant func(rune) bool) []string {
	var out []string
	begin, last := 0, false
	for i, r := range s {
		if is := meant(r); i > 0 && is != last {
			out, begin, last = append(out, s[begin:i]), i, is
		} else {
			last = is
		}
	}
	if begin < len(s) {
		out = append(out, s[begin:])
	}
	return out
}

// wordsAndRest cuts at blanks, and between words and other characters.
func wordsAndRest(s string) []string {
	var out []string
	for _, field := range strings.Fields(s) {
		out = append(out, runs(field, isWord)...)
	}
	return out
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.M, r) || unicode.Is(unicode.Nd, r) || unicode.Is(unicode.Nl, r) ||
		unicode.Is(unicode.Pc, r)
}

// isPunctuation reports whether BERT takes r for punctuation. In ASCII that includes symbols such
// as "$".
func isPunctuation(r rune) bool {
	if r < 0x80 {
		return r > ' ' && r < 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return unicode.IsPunct(r)
}

// mark is what usually stands for a space in vocabularies.
const mark = "▁"

// metaspace returns a splitter that replaces spaces by a visible mark, puts one before the text,
// and cuts before each mark.
func (e splitterEntry) metaspace() (splitter, error) {
	blank, scheme := e.Replacement, e.Scheme
	if blank == "" {
		blank = mark
	}
	if scheme == "" {
		scheme = "always"
		if e.AddSpace != nil && !*e.AddSpace {
			scheme = "never"
		}
	}
	switch scheme {
	case "always", "first", "never":
	default:
		return nil, broken("the scheme %q of Metaspace is not known", scheme)
	}
	cut := e.Split == nil || *e.Split
	return func(parts []string) []string {
		var out []string
		for i, part := range parts {
			part = strings.ReplaceAll(part, " ", blank)
			if !strings.HasPrefix(part, blank) && part != "" && (scheme == "always" || scheme == "first" && i == 0) {
				part = blank + part
			}
			if !cut {
				out = append(out, part)
				continue
			}
			out = append(out, before(part, blank)...)
		}
		return out
	}, nil
}

// before cuts a text before each blank but one at its beginning.
func before(s, blank string) []string {
	var out []string
	for s != "" {
		end := len(s)
		skip := 0
		if strings.HasPrefix(s, blank) {
			skip = len(blank)
		}
		if i := strings.Index(s[skip:], blank); i >= 0 {
			end = skip + i
		}
		out, s = append(out, s[:end]), s[end:]
	}
	return out
}
