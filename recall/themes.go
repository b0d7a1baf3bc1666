package recall

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"mcp-memory/text/analysis"
)

//go:embed themes.txt
var themesFile string

// themeShare is how clearly a stem is of a theme, above 0 to 1.
type themeShare struct {
	theme int // its line in themes.txt
	share float64
}

// themes has, by stem, the themes of themes.txt that have it: the more have it, the
// less it says of each.
var themes = sync.OnceValue(func() map[string][]themeShare {
	table := map[string][]themeShare{}
	number := 0
	for line := range strings.Lines(themesFile) {
		_, words, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for _, stem := range analysis.Content(words) {
			if list := table[stem]; len(list) == 0 || list[len(list)-1].theme != number {
				table[stem] = append(list, themeShare{theme: number})
			}
		}
		number++
	}
	for _, list := range table {
		for i := range list {
			list[i].share = 1 / float64(len(list))
		}
	}
	return table
})

// themesOf returns how clearly stems are of each theme, 0 to 1: as clearly as the
// word that says most.
func themesOf(stems []string) map[int]float64 {
	told := map[int]float64{}
	for _, stem := range stems {
		for _, t := range themes()[stem] {
			told[t.theme] = max(told[t.theme], t.share)
		}
	}
	return told
}

// themeShared is how clearly two texts have a theme in common, 0 to 1.
func themeShared(a, b map[int]float64) (most float64) {
	for theme, share := range a {
		most = max(most, min(share, b[theme]))
	}
	return most
}

// topical is what some text is about by its words alone.
type topical struct {
	themes map[int]float64
	topics []string // classes of package slots
}

func (t *topical) shares(other *topical) bool {
	return slices.ContainsFunc(t.topics, func(id string) bool { return slices.Contains(other.topics, id) })
}

// apart reports whether both have topics, of which none is the same.
func (t *topical) apart(other *topical) bool {
	return len(t.topics) > 0 && len(other.topics) > 0 && !t.shares(other)
}
