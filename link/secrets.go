package link

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcp-memory/memory"
)

// secretCategory is the category of secrets, and the word by which a sharer
// names them all.
const secretCategory = "secret"

//go:embed secrets.json
var secretsFile []byte

// secretRules say what is a secret; see secrets.json.
type secretRules struct {
	Tags     []string        `json:"tags"`
	Patterns []secretPattern `json:"patterns"`
}

// secretPattern finds one sort of credential.
type secretPattern struct {
	Name string `json:"name"`
	// Needs are strings of which the text has one, in small letters: most texts
	// have none, and looking for them is quick.
	Needs   []string `json:"needs"`
	Pattern string   `json:"pattern"` // RE2; its first group, if there is one, is the secret
	Unless  []string `json:"unless"`  // what in place of the secret shows that it is none
	// UnlessLike is a regular expression for the same.
	UnlessLike string `json:"unless_like"`

	expression *regexp.Regexp
	unlessLike *regexp.Regexp // nil if there is none
}

// knownSecrets reads the rules when they are first needed.
var knownSecrets = sync.OnceValue(func() secretRules {
	var rules secretRules
	if err := json.Unmarshal(secretsFile, &rules); err != nil {
		panic("secrets.json: " + err.Error()) // part of the program; a test reads it
	}
	for i := range rules.Patterns {
		p := &rules.Patterns[i]
		p.expression = regexp.MustCompile(p.Pattern)
		if p.UnlessLike != "" {
			p.unlessLike = regexp.MustCompile(p.UnlessLike)
		}
	}
	return rules
})

// isSecret reports whether a record is marked as a secret or holds what looks
// like a credential.
func isSecret(r memory.Record) bool {
	rules := knownSecrets()
	marked := func(tag string) bool { return slices.Contains(rules.Tags, strings.ToLower(strings.TrimSpace(tag))) }
	if r.Category == secretCategory || slices.ContainsFunc(r.Tags, marked) {
		return true
	}
	text := searched(r)
	folded := strings.ToLower(text)
	return slices.ContainsFunc(rules.Patterns, func(p secretPattern) bool { return p.finds(text, folded) })
}

func (p secretPattern) finds(text, folded string) bool {
	if !slices.ContainsFunc(p.Needs, func(need string) bool { return strings.Contains(folded, need) }) {
		return false
	}
	for _, match := range p.expression.FindAllStringSubmatch(text, -1) {
		found := strings.ToLower(strings.TrimRight(match[len(match)-1], ".,;:!?"))
		if !slices.Contains(p.Unless, found) && (p.unlessLike == nil || !p.unlessLike.MatchString(found)) {
			return true
		}
	}
	return false
}

// searched is every text of a record in which a credential may stand.
func searched(r memory.Record) string {
	texts := append([]string{r.Content, r.ExternalID, string(r.Metadata)}, r.Tags...)
	if t := r.Triple; t != nil {
		texts = append(texts, t.Subject+" "+t.Predicate+": "+t.Object)
	}
	if r.KindDetails != (memory.KindDetails{}) {
		if details, err := json.Marshal(r.KindDetails); err == nil { // always: they were read from JSON and text
			texts = append(texts, string(details))
		}
	}
	return strings.Join(texts, "\n")
}
