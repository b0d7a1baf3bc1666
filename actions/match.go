package actions

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mcp-memory/text/analysis"
	"mcp-memory/text/thesaurus"
)

// document is a text to be searched: its stems, each with its weight.
type document map[string]float64

// add adds the stems of a text, also those of the parts of compound words.
func (d document) add(text string, weight float64) {
	for _, stem := range analysis.Content(strings.NewReplacer("_", " ", "/", " ", ".", " ", "-", " ", ":", " ", "=", " ", `"`, " ").
		Replace(text)) {
		d[stem] = max(d[stem], weight)
	}
	for _, stem := range analysis.Content(text) {
		d[stem] = max(d[stem], weight)
	}
}

// Factors for a word of a text that matches a word of the question as a synonym or by a common
// beginning.
const (
	asSynonym = 0.75
	asPart    = 0.6
)

// shortForms has, by stem, stems that stand for each other in commands, such as abbreviations and
// names of programs. The thesaurus does not have them.
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

// scored is a document found, by its index, with its score.
type scored struct {
	at    int
	score float64
}

// search returns the documents that have a word of the question or a substitute for one, best
// first. A score is the weighted share of the question's words that a document has. It is from 0 to
// 1, but may be more if a document has a rare word itself that also has a common substitute.
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
		for other := range instead[i] { // a stem weighs no more than what stands for it
			if count[other] > 0 {
				says, heard = min(says, rarity(other)), true
			}
		}
		if !heard { // such as "bring" in "bring it up to date"
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

// insteadOf returns the stems that may stand for a stem in a text, with their factors. there has
// the stems of all documents.
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
