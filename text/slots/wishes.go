package slots

import (
	"slices"
	"strings"
)

// ofWish reads what a statement says that somebody is wanted to do: "The user wants the assistant to
// answer in German" is about answering, and says nothing about who the assistant is.
func (s *Statement) ofWish() {
	words := strings.Fields(strings.ToLower(s.Value))
	if len(words) < 3 || words[1] != "to" || !slices.Contains(wished, words[0]) || s.Attribute == "" && s.Topic != "want" {
		return
	}
	words = slices.DeleteFunc(words[2:], func(w string) bool { return slices.Contains(wishWords, w) })
	s.Attribute, s.single, s.Exclusive, s.Topic = "", false, false, "want"
	if len(words) > 0 {
		s.Topic = "want " + words[0]
	}
}

var (
	// wished are of whom something is wanted.
	wished = []string{"assistant", "you", "me", "us", "agent", "team", "everyone", "claude"}
	// wishWords say nothing about what is wanted.
	wishWords = []string{"not", "never", "always", "only", "please"}
)
