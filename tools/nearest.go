package tools

import "strings"

// Nearest returns the name that is most likely meant by a misspelt one, or "" if none is close:
// case and separators do not count, and one edit is allowed, and one more for every four bytes.
func Nearest(written string, names []string) string {
	w := fold(written)
	if len(w) > 64 {
		return ""
	}
	best, most := "", 1+len(w)/4
	for _, name := range names {
		if d := distance(w, fold(name)); d <= most {
			best, most = name, d-1
		}
	}
	return best
}

// fold removes the differences of naming styles: maxTokens is max_tokens.
func fold(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}

// distance counts the insertions, deletions and substitutions of bytes that
// turn a into b (Levenshtein 1965).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
