package taxonomy

import (
	"math"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/text/analysis"
	"mcp-memory/text/taxonomy/model"
)

// Centroid stands for the records of a category: the sum or mean of their
// vectors in the semantic table, of any length.
type Centroid struct {
	Name   string
	Vector []float32
}

// prototypes are what is known of a category besides the trained model: texts
// in any number, each as a vector of length 1, and their words.
type prototypes struct {
	category int // in judges.names
	vectors  [][]float32
	stems    map[string]bool
}

// How a likeness to prototypes becomes a logit beside 0, which stands for all
// else. Found by training without one of the default categories at a time and
// giving it as an own one, by its description and eight examples: then half of
// its sentences (65 % of the easy ones) get there, and 7 % of all others.
const (
	nearEnough = 0.45 // likeness at which belonging is as likely as not
	sharpness  = 10   // of the step from unlikely to likely
	wordShare  = 0.2  // of the likeness that shared words can add
	alone      = -1   // in place of 0 where no category is a trained one: nothing is lost then
)

// prototypesOf makes the prototypes of a category: description, examples and,
// of several, their centroid. Of one that the model knows the name says nothing new.
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

// add enters a text and returns its vector.
func (p *prototypes) add(j *judges, text string) []float32 {
	vector := j.table.TextVector(analysis.Stems(text), nil)
	p.vectors = append(p.vectors, vector)
	for _, stem := range analysis.Content(text) {
		p.stems[stem] = true
	}
	return vector
}

// with returns judges that know the centroids, too; j stays as it is.
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

// ownShares returns how likely a text belongs to each category by prototypes
// alone, and what is left for all else; together 1.
func (j *judges) ownShares(f model.Features) (shares []float64, rest float64) {
	shares = make([]float64, len(j.names))
	logits := make([]float64, len(j.own)+1) // the last is for all else
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

// likeness is the cosine to the nearest prototype and a bonus for each stem
// that they share, with diminishing returns.
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

// unit gives a vector length 1, in place, unless it is all zeros.
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
