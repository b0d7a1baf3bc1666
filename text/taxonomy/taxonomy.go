// Package taxonomy sorts text into categories without a language model. The
// same text always gets the same category. It is right often enough to help
// ranking and to make a listing readable, and wrong often enough that nothing
// may be hidden by it: a record with a guessed category is marked so, and
// retrieval treats the guess as a hint.
//
// Two judges give the scores. A trained model (package model, made by package
// training) knows the default categories from some 250 sentences each.
// Prototypes judge what it cannot know: a user's own categories by the vectors
// of their descriptions and examples, a bank's own by the centroids of their
// records. A text that is near enough to a prototype takes probability away
// from all trained categories; a category with both has the sum.
package taxonomy

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"mcp-memory/memory"
	"mcp-memory/text/semantics"
	"mcp-memory/text/taxonomy/model"
)

//go:embed categories.model
var modelFile []byte

// trained opens the model that is part of the program at the first call. It
// panics if the file was damaged when the program was built.
var trained = sync.OnceValue(func() *model.Model {
	m, err := model.Decode(modelFile)
	if err != nil {
		panic(fmt.Sprintf("taxonomy: %v", err))
	}
	return m
})

// Score is how likely a text belongs to a category, from 0 to 1. The scores
// of a text add up to 1 at most; the rest is what belongs nowhere.
type Score struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// Classifier knows a set of categories. Safe for concurrent use.
type Classifier struct{ judges func() judges }

// judges are the categories as texts are compared with them.
type judges struct {
	reader *model.Reader
	table  *semantics.Table
	names  []string // without "other"
	model  *model.Model
	place  []int // of each category of the model in names, or -1
	own    []prototypes
}

// New returns a classifier of the categories over a semantic table. What the
// trained model knows by name is judged by it; what it does not know, or what
// has examples or another description than the default, (also) by prototypes.
// [memory.CategoryOther] is what fits nowhere and needs no judge. The table is
// asked for when the first text comes, so that starting a program does not
// wait for it. With a table that the model was not trained for, all categories
// are judged by their descriptions alone.
func New(categories []memory.Category, table func() *semantics.Table) *Classifier {
	return &Classifier{sync.OnceValue(func() judges { return newJudges(categories, table()) })}
}

// With returns a classifier that knows the centroids of records, too. A name
// that is new comes behind the others; a centroid of "other", or one that is
// no vector of the classifier's table, is ignored.
func (c *Classifier) With(centroids []Centroid) *Classifier {
	return &Classifier{sync.OnceValue(func() judges { return c.judges().with(centroids) })}
}

// Learns reports whether the records of a category say more about it than the
// classifier knows: those of a category that the trained model judges do not.
func (c *Classifier) Learns(category string) bool {
	if category == "" || category == memory.CategoryOther {
		return false
	}
	j := c.judges()
	if j.model == nil {
		return true
	}
	at := slices.Index(j.model.Names(), category)
	return at < 0 || j.place[at] < 0
}

func newJudges(categories []memory.Category, table *semantics.Table) judges {
	j := judges{reader: model.NewReader(table), table: table}
	if m := trained(); m.Fits(table) {
		j.model = m
	}
	usual := map[string]string{}
	for _, c := range memory.DefaultCategories() {
		usual[c.Name] = c.Description
	}
	for _, c := range categories {
		if c.Name == memory.CategoryOther || slices.Contains(j.names, c.Name) {
			continue
		}
		j.names = append(j.names, c.Name)
		known := j.model != nil && slices.Contains(j.model.Names(), c.Name)
		if known && (c.Description == "" || c.Description == usual[c.Name]) {
			c.Description = ""
			if len(c.Examples) == 0 {
				continue
			}
		}
		j.own = append(j.own, j.prototypesOf(len(j.names)-1, c, known))
	}
	j.placeModel()
	return j
}

// placeModel finds the names of the model among the categories.
func (j *judges) placeModel() {
	j.place = nil
	if j.model == nil {
		return
	}
	for _, name := range j.model.Names() {
		j.place = append(j.place, slices.Index(j.names, name))
	}
}

// Rank returns every category but [memory.CategoryOther] with its score, best
// first; ties keep the order in which the categories were given. A text
// without a word that the table or a category knows has scores of 0.
func (c *Classifier) Rank(text string) []Score {
	scores, _ := c.rank(text)
	return scores
}

// Choose returns the category that a text most likely belongs to, which may be
// [memory.CategoryOther].
func (c *Classifier) Choose(text string) string {
	if scores, other := c.rank(text); len(scores) > 0 && scores[0].Score > other {
		return scores[0].Name
	}
	return memory.CategoryOther
}

// rank returns the scores and that of belonging nowhere.
func (c *Classifier) rank(text string) (scores []Score, other float64) {
	j := c.judges()
	f := j.reader.Read(text)
	own, rest := j.ownShares(f)
	scores, other = make([]Score, len(j.names)), rest
	for i, name := range j.names {
		scores[i] = Score{name, own[i]}
	}
	if j.model != nil && f.Known {
		other = 0
		for i, p := range j.model.Probabilities(f) {
			if at := j.place[i]; at >= 0 {
				scores[at].Score += rest * p
			} else {
				other += rest * p
			}
		}
	}
	for i := range scores {
		scores[i].Score = min(1, scores[i].Score) // of rounding
	}
	slices.SortStableFunc(scores, func(a, b Score) int { return cmp.Compare(b.Score, a.Score) })
	return scores, other
}
