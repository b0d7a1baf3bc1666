package actions

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mcp-memory/text/analysis"
	"mcp-memory/text/thesaurus"
)

// document is a text that is looked for, as its stems with how much each of them counts.
type document map[string]float64

// add adds the stems of a text.
func (d document) add(text string, weight float64) {
	for _, stem := range analysis.Content(strings.NewReplacer("_", " ", "/", " ", ".", " ", "-", " ", ":", " ", "=", " ", `"`, " ").
		Replace(text)) {
		d[stem] = max(d[stem], weight)
	}
	for _, stem := range analysis.Content(text) {
		d[stem] = max(d[stem], weight)
	}
}

// How much a word counts that stands for one that is asked for.
const (
	asSynonym = 0.75
	asPart    = 0.6
)

// shortForms are what people write short, which is neither word nor synonym.
var shortForms = map[string][]string{
	"db": {"databas", "postgr", "psql", "mysql"}, "databas": {"db", "postgr", "psql", "postgresql"},
	"dev": {"develop"}, "develop": {"dev"}, "prod": {"product"}, "product": {"prod"},
	"dep": {"depend", "instal"}, "depend": {"dep", "instal"}, "packag": {"dep", "pip", "npm"},
	"config": {"configur", "set"}, "configur": {"config"}, "env": {"environ", "venv"},
	"environ": {"env", "venv"}, "k8": {"kubernet", "kubectl"}, "kubernet": {"kubectl", "k8"},
	"cluster": {"kubectl", "kubernet"}, "contain": {"docker", "podman"}, "imag": {"docker"},
	"start": {"up", "run", "serv"}, "run": {"start", "up"}, "launch": {"start", "run", "up"},
	"stop": {"down", "kill"}, "schema": {"migrat"}, "migrat": {"schema"}, "format": {"fmt", "gofmt", "prettier"},
	"lint": {"eslint", "vet", "ruff", "golangci"}, "type": {"tsc", "mypi"},
	"deploy": {"releas", "rollout", "appli"}, "releas": {"deploy", "publish", "tag"}, "flash": {"upload"},
	"upload": {"flash", "push", "cp"}, "build": {"compil", "make"}, "compil": {"build"},
	"test": {"pytest", "spec", "vitest", "jest", "rspec"}, "check": {"test", "lint"},
	"sampl": {"seed", "fixtur"}, "seed": {"sampl", "fixtur"}, "fill": {"seed", "load"},
	"restor": {"recov", "import"}, "backup": {"dump"}, "dump": {"backup"}, "infrastructur": {"terraform"},
}

// scored is a document that a question found.
type scored struct {
	at    int
	score float64
}

// search returns the documents that have something of a question in common, best first: a score is the
// share of what the question says, from 0 to 1.
func search(question string, documents []document) []scored {
	stems := analysis.Telling(question)
	slices.Sort(stems)
	stems = slices.Compact(stems)
	count := map[string]int{}
	for _, d := range documents {
		for stem := range d {
			count[stem]++
		}
	}
	rarity := func(stem string) float64 {
		return math.Sqrt(math.Log(1 + float64(len(documents)+1)/(float64(count[stem])+0.5)))
	}
	instead := make([]map[string]float64, len(stems))
	total := 0.0
	for i, stem := range stems {
		instead[i] = insteadOf(stem, count)
		says, heard := rarity(stem), count[stem] > 0
		for other := range instead[i] { // what stands for a word says as much as it does
			if count[other] > 0 {
				says, heard = min(says, rarity(other)), true
			}
		}
		if !heard { // such as "bring" of "bring it up to date"
			says *= unheard
		}
		total += says
	}
	var found []scored
	for at, d := range documents {
		score := 0.0
		for i, stem := range stems {
			best := d[stem] * rarity(stem)
			for other, share := range instead[i] {
				best = max(best, share*d[other]*min(rarity(other), rarity(stem)))
			}
			score += best
		}
		if score > 0 {
			found = append(found, scored{at, score / max(total, 1e-9)})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return found
}

// insteadOf is what may stand in a text for a stem, and what it counts then.
func insteadOf(stem string, there map[string]int) map[string]float64 {
	others := map[string]float64{}
	for _, s := range thesaurus.Technical().Of([]string{stem}) {
		if len(s.Stems) == 1 {
			others[s.Stems[0]] = asSynonym
		}
	}
	for _, other := range shortForms[stem] {
		others[other] = asSynonym
	}
	const least = 4
	for other := range there {
		if len(stem) >= least && len(other) >= least && stem != other &&
			(strings.HasPrefix(other, stem) || strings.HasPrefix(stem, other)) {
			others[other] = max(others[other], asPart)
		}
	}
	return others
}
