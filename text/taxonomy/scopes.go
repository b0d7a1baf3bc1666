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

// A text follows the person where that is at least this likely, and it is certain where it
// belongs where it is as likely as that, or as unlikely.
const (
	likelyGlobal = 0.55
	certainScope = 0.9
)

// Global reports whether what a text says, noted while somebody works on a project, is
// about the person (who he is, his family, health, home and likes, how he wants to be
// answered, the tools and rules that he uses everywhere) and not about the work at hand,
// and whether that is certain. A text that names the project is about that.
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

// undated is a text without the dates in it, which say nothing of whose it is: "30 November
// 2026" stands in what was said of work more often.
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

// names reports whether a text has the name of a project in it, or what stands behind its
// owner in the name; a short word alone, such as "home" or "blog", says little unless the
// text begins with it: "The blog is built with Hugo".
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
