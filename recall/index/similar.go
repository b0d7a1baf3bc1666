package index

import (
	"strings"
	"unicode/utf8"
)

// similar is a term of the bank that may stand for one of the question.
type similar struct {
	term uint32
	sim  float32
}

const (
	neighbours    = 16  // similar stems that count
	threshold     = 0.2 // cosine from which stems are similar at all
	typoSim       = 0.8 // of a stem at a small edit distance
	prefixSim     = 0.7 // of a stem that begins with the question's
	shortestTypo  = 4   // letters of a stem that may be mistyped
	longTypo      = 8   // letters from which two errors are forgiven
	maxCandidates = 16  // corrections of one stem
)

// similarTo returns the terms that a stem matches, the same one with 1. A stem
// that neither the bank nor the table knows is a typing error or a partial
// word; a known one is never corrected.
func (ix *Index) similarTo(stem string) []similar {
	if cached, ok := ix.near.Load(stem); ok {
		return cached.([]similar)
	}
	var found []similar
	own, inBank := ix.terms[stem]
	if inBank {
		found = append(found, similar{own, 1})
	}
	_, inTable := ix.table.Lookup(stem)
	if inTable {
		limit := neighbours
		for _, n := range ix.table.Neighbours(stem, ix.known, limit, threshold) {
			if t := ix.termOf[n.ID] - 1; !inBank || t != own {
				found = append(found, similar{t, n.Similarity})
			}
		}
	}
	if !inBank && len(found) == 0 {
		found = ix.corrections(stem)
	}
	ix.near.Store(stem, found)
	return found
}

// corrections finds the bank's stems that an unknown one may have meant: of the
// same first letter, within a small edit distance or starting with it.
func (ix *Index) corrections(stem string) []similar {
	letters := utf8.RuneCountInString(stem)
	if letters < shortestTypo {
		return nil
	}
	allowed := 1
	if letters >= longTypo {
		allowed = 2
	}
	first, _ := utf8.DecodeRuneInString(stem)
	var found []similar
	for t, name := range ix.names {
		if r, _ := utf8.DecodeRuneInString(name); r != first {
			continue
		}
		switch {
		case strings.HasPrefix(name, stem):
			found = append(found, similar{uint32(t), prefixSim})
		case utf8.RuneCountInString(name) >= shortestTypo && within(stem, name, allowed):
			found = append(found, similar{uint32(t), typoSim})
		}
		if len(found) == maxCandidates {
			break
		}
	}
	return found
}

// within reports whether two words are at most limit edits apart; a swap of
// neighbouring letters is one edit (optimal string alignment distance).
func within(a, b string, limit int) bool {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return false
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return false
		}
		before, last, row = last, row, before
	}
	return last[len(y)] <= limit
}
