package taxonomy

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-memory/text/analysis"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy/model"
	"mcp-memory/text/when"
)

//go:embed scopes.model
var scopesFile []byte

var trainedScopes = sync.OnceValue(func() *model.Model {
	m, err := model.Decode(scopesFile)
	if err != nil {
		panic(fmt.Sprintf("taxonomy: %v", err))
	}
	return m
})

// likelyGlobal is the least probability of "global" at which a text counts as
// global. The answer is certain if the probability is at least certainScope or
// at most 1-certainScope.
const (
	likelyGlobal = 0.55
	certainScope = 0.9
)

// Global reports whether a text that is saved while somebody works on a project
// is about the person (who they are, their family, health, home and
// preferences, how they want to be answered, the tools and rules that they use
// everywhere) and not about the work at hand. certain reports whether that is
// certain. A text that names the project is about the work.
func Global(text, project string) (global, certain bool) {
	table := semantics.Builtin()
	m := trainedScopes()
	if names(text, project) || !m.Fits(table) {
		return false, true
	}
	f := model.NewReader(table).Read(undated(text))
	if !f.Known {
		return false, false
	}
	p := m.Probabilities(f)[slices.Index(m.Names(), "global")]
	return p >= likelyGlobal, p >= certainScope || p <= 1-certainScope
}

const digits = "0123456789"

// undated returns a text without the times that are written with digits. They do
// not tell whom a text is about, but "30 November 2026" is more frequent in texts
// about work.
func undated(text string) string {
	if !strings.ContainsAny(text, digits) {
		return text
	}
	var b strings.Builder
	done := 0
	for _, m := range when.Mentions(text, time.Unix(0, 0)) {
		if strings.ContainsAny(m.Text, digits) && m.Start >= done {
			b.WriteString(text[done:m.Start])
			done = m.End
		}
	}
	return b.String() + text[done:]
}

// names reports whether a text has the name of the project, which is the part
// of project after the last slash. If that is one short word, such as "home" or
// "blog", it counts only as the second word of the text after "the", "our" or
// "this": "The blog is built with Hugo". One longer word must be in the same
// case as in project.
func names(text, project string) bool {
	words, said := analysis.Words(path.Base(project)), analysis.Words(text)
	if len(words) == 1 && len(words[0]) < 5 {
		return len(said) > 2 && said[1] == words[0] && slices.Contains([]string{"the", "our", "this"}, said[0])
	}
	for i := range said {
		if i+len(words) <= len(said) && slices.Equal(said[i:i+len(words)], words) {
			return len(words) > 1 || strings.Contains(text, path.Base(project))
		}
	}
	return false
}
