// Package taxonomy sorts text into categories without a language model. The
// same text always gets the same category. It is right often enough to help
// ranking and to make a listing readable, and wrong often enough that nothing
// may be hidden by it: a record with a guessed category is marked so, and
// retrieval treats the guess as a hint.
//
// Two judges give the scores. A trained model (package model, made by package
// training) knows the default categories from some 250 sentences each.
// Prototypes judge the others: a user's own categories by the vectors of their
// descriptions and examples, and categories that exist only in a bank by the
// centroids of their records. A text that is near to a prototype has less
// probability left for all trained categories. The score of a category with
// both is their sum.
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

// trained decodes the model that is part of the program, at the first call. It
// panics if the file was damaged when the program was built.
var trained = sync.OnceValue(func() *model.Model {
	m, err := model.Decode(modelFile)
	if err != nil {
		panic(fmt.Sprintf("taxonomy: %v", err))
	}
	return m
})

// Score is how likely a text belongs to a category, from 0 to 1. The scores of
// a text add up to at most 1; the rest is the probability of no category.
type Score struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// Classifier knows a set of categories. Safe for concurrent use.
type Classifier struct{ judges func() judges }

// judges are the model and the prototypes for a set of categories.
type judges struct {
	reader *model.Reader
	table  *semantics.Table
	names  []string // of the categories, without "other"
	model  *model.Model
	place  []int // for each category of the model its index in names, or -1
	own    []prototypes
}

// New returns a classifier of the categories with a semantic table. A category
// whose name the trained model has is judged by the model. Prototypes judge a
// category that it does not have, and also one that has examples or another
// description than the default. [memory.CategoryOther] needs no judge: it is
// for what fits nowhere. The function table is called when the first text
// comes, so that starting a program does not wait for it. With a table for
// which the model was not trained, all categories are judged by prototypes
// alone.
func New(categories []memory.Category, table func() *semantics.Table) *Classifier {
	return &Classifier{sync.OnceValue(func() judges { return newJudges(categories, table()) })}
}

// With returns a classifier that also has the centroids of records. A new name
// comes after the others. A centroid of "other", or one that is not a vector of
// the classifier's table, is ignored.
func (c *Classifier) With(centroids []Centroid) *Classifier {
	return &Classifier{sync.OnceValue(func() judges { return c.judges().with(centroids) })}
}

// Learns reports whether the centroid of a category's records adds to what the
// classifier knows. It does not for a category that the trained model judges.
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

// placeModel sets j.place for the names in j.names.
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
// first. Of equal scores the category that was given first comes first. For a
// text without a word that the table knows the trained model gives no score, and
// prototypes give low ones.
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

// rank returns the scores, and the probability of no category.
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
		scores[i].Score = min(1, scores[i].Score) // rounding may exceed 1
	}
	slices.SortStableFunc(scores, func(a, b Score) int { return cmp.Compare(b.Score, a.Score) })
	return scores, other
}
