package taxonomy

import (
	"math"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/taxonomy/model"
)

// Centroid is the sum or mean of the vectors of a category's records in the
// semantic table. Its length does not matter.
type Centroid struct {
	Name   string
	Vector []float32
}

// prototypes represent a category by examples: vectors of length 1 of any
// number of texts, and the stems of these texts.
type prototypes struct {
	category int // index in judges.names
	vectors  [][]float32
	stems    map[string]bool
}

// The likeness to prototypes becomes a logit. It competes with a logit of 0 for
// "none of these". The values were found by training without one default
// category at a time and giving that one as a user's category, with its
// description and eight examples. Half of its sentences (65 % of the easy ones)
// are then assigned to it, and 7 % of all other sentences.
const (
	nearEnough = 0.45 // likeness with the logit 0
	sharpness  = 10   // logit for each unit of likeness
	wordShare  = 0.2  // the most that shared words add to the likeness
	alone      = -1   // in place of that 0 if the trained model has none of the categories
)

// prototypesOf returns the prototypes of a category: its description, its
// examples, and the centroid of several examples. known says whether the
// trained model has the category: then its name is left out, because it adds
// nothing.
func (j *judges) prototypesOf(at int, c memory.Category, known bool) prototypes {
	p := prototypes{category: at, stems: map[string]bool{}}
	texts := slices.Clone(c.Examples)
	about := c.Description
	if !known {
		about = c.Name + " " + about
	}
	p.add(j, about)
	sum := make([]float32, j.table.Dim())
	for _, text := range texts {
		for i, x := range p.add(j, text) {
			sum[i] += x
		}
	}
	if len(texts) > 1 {
		p.vectors = append(p.vectors, unit(sum))
	}
	return p
}

// add adds a text and returns its vector.
func (p *prototypes) add(j *judges, text string) []float32 {
	vector := j.table.TextVector(analysis.Stems(text), nil)
	p.vectors = append(p.vectors, vector)
	for _, stem := range analysis.Content(text) {
		p.stems[stem] = true
	}
	return vector
}

// with returns judges that also have the centroids. j is not changed.
func (j judges) with(centroids []Centroid) judges {
	j.names, j.own = slices.Clone(j.names), slices.Clone(j.own)
	for _, c := range centroids {
		vector := unit(slices.Clone(c.Vector))
		if c.Name == memory.CategoryOther || len(vector) != j.table.Dim() || dot(vector, vector) == 0 {
			continue
		}
		at := slices.Index(j.names, c.Name)
		if at < 0 {
			at = len(j.names)
			j.names = append(j.names, c.Name)
		}
		if k := slices.IndexFunc(j.own, func(p prototypes) bool { return p.category == at }); k >= 0 {
			j.own[k].vectors = append(slices.Clone(j.own[k].vectors), vector)
		} else {
			j.own = append(j.own, prototypes{category: at, vectors: [][]float32{vector}})
		}
	}
	j.placeModel()
	return j
}

// ownShares returns how likely a text belongs to each category according to
// prototypes alone, and the probability of "none of these" as rest. Together
// they are 1.
func (j *judges) ownShares(f model.Features) (shares []float64, rest float64) {
	shares = make([]float64, len(j.names))
	logits := make([]float64, len(j.own)+1) // the last one is for "none of these"
	if !slices.ContainsFunc(j.place, func(at int) bool { return at >= 0 }) {
		logits[len(j.own)] = alone
	}
	for i, p := range j.own {
		logits[i] = sharpness * (p.likeness(f, j.table.Dim()) - nearEnough)
	}
	model.Softmax(logits)
	for i, p := range j.own {
		shares[p.category] = logits[i]
	}
	return shares, logits[len(j.own)]
}

// likeness returns the cosine to the nearest prototype, plus a bonus for shared
// stems, of which each further one adds less.
func (p *prototypes) likeness(f model.Features, dim int) float64 {
	best := 0.0
	for _, vector := range p.vectors {
		best = max(best, dot(f.Dense[:dim], vector))
	}
	shared := 0
	for i, stem := range f.Stems {
		if p.stems[stem] && !slices.Contains(f.Stems[:i], stem) {
			shared++
		}
	}
	return best + wordShare*(1-math.Exp(-float64(shared)))
}

func dot(a, b []float32) float64 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	return float64(sum)
}

// unit scales a vector to length 1, in place. A zero vector stays as it is.
func unit(vector []float32) []float32 {
	length := math.Sqrt(dot(vector, vector))
	if length == 0 {
		return vector
	}
	for i := range vector {
		vector[i] = float32(float64(vector[i]) / length)
	}
	return vector
}
