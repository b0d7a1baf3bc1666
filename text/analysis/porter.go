package analysis

// The stemmer of M. F. Porter, "An algorithm for suffix stripping", Program
// 14(3), 1980, as printed there: without the rules "logi" and "bli" and the
// list of exceptions, which later revisions added. The semantic table was
// trained with exactly this variant.

// Stem returns the stem of a word in lower case: "motoring" gives "motor",
// "ponies" gives "poni". Words of fewer than three bytes, or with anything but
// a-z in them, are their own stems. A stem is a key and not always a word.
func Stem(word string) string {
	if !stemmable(word) {
		return word
	}
	var buffer [32]byte
	b := append(buffer[:0], word...)
	b = stripPlural(b)
	b = stripTense(b)
	b = replaceFinalY(b)
	b = replaceSuffix(b, &doubleSuffixes, 0)
	b = replaceSuffix(b, &derivations, 0)
	b = replaceSuffix(b, &residues, 1)
	b = stripFinalE(b)
	b = singleFinalL(b)
	// Most stems are a prefix of their word: return that without an allocation.
	if len(b) <= len(word) && string(b) == word[:len(b)] {
		return word[:len(b)]
	}
	return string(b)
}

func stemmable(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return len(word) >= 3
}

// stripPlural is step 1a.
func stripPlural(b []byte) []byte {
	switch {
	case hasSuffix(b, "sses"), hasSuffix(b, "ies"):
		return b[:len(b)-2]
	case hasSuffix(b, "ss"):
		return b
	case hasSuffix(b, "s"):
		return b[:len(b)-1]
	}
	return b
}

// stripTense is step 1b.
func stripTense(b []byte) []byte {
	switch {
	case hasSuffix(b, "eed"):
		if measure(b[:len(b)-3]) > 0 {
			return b[:len(b)-1]
		}
	case hasSuffix(b, "ed") && hasVowel(b[:len(b)-2]):
		return repairEnd(b[:len(b)-2])
	case hasSuffix(b, "ing") && hasVowel(b[:len(b)-3]):
		return repairEnd(b[:len(b)-3])
	}
	return b
}

// repairEnd restores the end of a stem after "ed" or "ing" was removed:
// conflat(ed) gets an e, hopp(ing) loses its second p.
func repairEnd(b []byte) []byte {
	switch {
	case hasSuffix(b, "at"), hasSuffix(b, "bl"), hasSuffix(b, "iz"):
		return append(b, 'e')
	case endsDouble(b):
		if last := b[len(b)-1]; last != 'l' && last != 's' && last != 'z' {
			return b[:len(b)-1]
		}
		return b
	case endsShort(b) && measure(b) == 1:
		return append(b, 'e')
	}
	return b
}

// replaceFinalY is step 1c.
func replaceFinalY(b []byte) []byte {
	if last := len(b) - 1; hasSuffix(b, "y") && hasVowel(b[:last]) {
		b[last] = 'i'
	}
	return b
}

// suffixRule replaces a suffix.
type suffixRule struct{ suffix, replacement string }

// suffixStep is a list of rules in the order in which they are tried.
type suffixStep struct {
	rules []suffixRule
	// hints has bit c-'a' set if a suffix has c as its last letter but one. For
	// most words that rules out all rules at once.
	hints uint32
}

func newStep(rules []suffixRule) suffixStep {
	step := suffixStep{rules: rules}
	for _, rule := range rules {
		step.hints |= 1 << (rule.suffix[len(rule.suffix)-2] - 'a')
	}
	return step
}

// Steps 2, 3 and 4.
var (
	doubleSuffixes = newStep([]suffixRule{
		{"ational", "ate"}, {"ization", "ize"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"},
		{"tional", "tion"}, {"biliti", "ble"}, {"ousli", "ous"}, {"entli", "ent"}, {"ation", "ate"},
		{"alism", "al"}, {"aliti", "al"}, {"iviti", "ive"}, {"enci", "ence"}, {"anci", "ance"},
		{"izer", "ize"}, {"abli", "able"}, {"alli", "al"}, {"ator", "ate"}, {"eli", "e"},
	})
	derivations = newStep([]suffixRule{
		{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
	})
	residues = newStep([]suffixRule{
		{"ement", ""}, {"ance", ""}, {"ence", ""}, {"able", ""}, {"ible", ""}, {"ment", ""}, {"ant", ""},
		{"ent", ""}, {"ion", ""}, {"ism", ""}, {"ate", ""}, {"iti", ""}, {"ous", ""}, {"ive", ""},
		{"ize", ""}, {"al", ""}, {"er", ""}, {"ic", ""}, {"ou", ""},
	})
)

// replaceSuffix applies the first rule whose suffix b has, if the measure of
// what precedes the suffix is more than above. The first match ends the step
// even if that condition fails. No replacement is longer than its suffix.
func replaceSuffix(b []byte, step *suffixStep, above int) []byte {
	if len(b) < 2 || step.hints>>(b[len(b)-2]-'a')&1 == 0 {
		return b
	}
	for i := range step.rules {
		rule := &step.rules[i]
		if !hasSuffix(b, rule.suffix) {
			continue
		}
		base := b[:len(b)-len(rule.suffix)]
		if measure(base) <= above {
			return b
		}
		if rule.suffix == "ion" && !hasSuffix(base, "s") && !hasSuffix(base, "t") {
			return b
		}
		return append(base, rule.replacement...)
	}
	return b
}

// stripFinalE is step 5a.
func stripFinalE(b []byte) []byte {
	if !hasSuffix(b, "e") {
		return b
	}
	base := b[:len(b)-1]
	if m := measure(base); m > 1 || m == 1 && !endsShort(base) {
		return base
	}
	return b
}

// singleFinalL is step 5b.
func singleFinalL(b []byte) []byte {
	if hasSuffix(b, "ll") && measure(b) > 1 {
		return b[:len(b)-1]
	}
	return b
}
