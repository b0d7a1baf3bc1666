package slots

import "slices"

// liking is the plain word of poles.txt for what somebody likes.
const liking = "like"

var preferring = []string{"prefer", "prefers", "preferred", "favourite", "favorite", "favourites", "favorites", "bevorzuge",
	"préfère", "prefiero"}

// Tastes reports whether a text says that somebody likes something, and whether it says
// that they do not: "I love tea and can't stand coffee" does both.
func Tastes(text string) (likes, dislikes bool) {
	r := borrow(text, &Options{})
	defer r.giveBack()
	for i := 0; i < len(r.tokens); {
		p, n := r.poleAt(i)
		switch {
		case n > 0 && p.plain == liking:
			denied := p.denies != r.deniedAt(i)
			likes, dislikes = likes || !denied, dislikes || denied
		case slices.Contains(preferring, r.tokens[i].word):
			likes = true
		}
		i += max(n, 1)
	}
	return likes, dislikes
}

// deniedAt reports whether a negation stands in one of the two words before the token at i: "do not
// like", "don't really like".
func (r *reader) deniedAt(i int) bool {
	for back := 1; back <= 2 && i-back >= 0 && r.tokens[i-back].post == 0; back++ {
		if t := &r.tokens[i-back]; t.neg || t.word == "not" || t.word == "never" || t.word == "no" {
			return true
		}
	}
	return false
}
