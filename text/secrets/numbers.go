package secrets

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"mcp-memory/text/lazyregexp"
)

// cardForm matches the digits of a payment card, in groups or in a row;
// ibanForm an international bank account number. Next to a letter, a digit, a
// slash, a dash or an underscore, or after a point, the digits of a card are
// part of something else; so is an account number after a letter or a digit.
var (
	cardForm = lazyregexp.New(`(?:^|[^\pL\pN._/-])((?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6\d{3}|35\d\d)(?:[ -]?\d{4}){3}(?:[ -]?\d{1,3})?|3[0-9]\d\d[ -]?\d{6}[ -]?\d{4,5})(?:$|[^\pL\pN_/-])`)
	ibanForm = lazyregexp.New(`(?i)(?:^|[^\pL\pN])([a-z]{2}\d{2}(?:[ -]?[a-z0-9]{1,4}){3,9})`)
)

// minDigits is the least number of digits in a text that may have a card or an
// account.
const minDigits = 11

func digitsIn(text string) (n int) {
	for i := range len(text) {
		if text[i] >= '0' && text[i] <= '9' {
			n++
		}
	}
	return n
}

// hasCard reports whether a text has the number of a payment card.
func hasCard(text string) bool {
	if digitsIn(text) < minDigits {
		return false
	}
	for _, match := range cardForm().FindAllStringSubmatch(text, -1) {
		if luhn(strings.NewReplacer(" ", "", "-", "").Replace(match[1])) {
			return true
		}
	}
	return false
}

// luhn reports whether the check digit of a number is right and not all digits
// are the same.
func luhn(digits string) bool {
	if strings.Count(digits, digits[:1]) == len(digits) {
		return false
	}
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}

//go:embed iban.txt
var ibanFile string

// ibanLengths maps a country's code to the number of characters of its account
// numbers.
var ibanLengths = sync.OnceValue(func() map[string]int {
	lengths := map[string]int{}
	for _, one := range strings.Fields(ibanFile) {
		n, err := strconv.Atoi(one[2:])
		if err != nil {
			panic("iban.txt: " + err.Error()) // cannot happen: a test reads the file
		}
		lengths[one[:2]] = n
	}
	return lengths
})

// hasIBAN reports whether a text has an international bank account number.
func hasIBAN(text string) bool {
	if digitsIn(text) < minDigits {
		return false
	}
	for _, match := range ibanForm().FindAllStringSubmatch(text, -1) {
		number := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(match[1]))
		if n := ibanLengths()[number[:2]]; n > 0 && n <= len(number) && checksOut(number[:n]) {
			return true
		}
	}
	return false
}

// checksOut reports whether the check digits of an account number are right
// (ISO 7064, MOD 97-10).
func checksOut(number string) bool {
	rest := 0
	for _, c := range number[4:] + number[:4] {
		switch {
		case c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		default:
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}
