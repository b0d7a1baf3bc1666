package index

import (
	"cmp"
	"math"
	"slices"

	"mcp-memory/text/taxonomy"
)

// scopeOf returns for each number of a category whether its name is one of names; nil if the index
// has none of them.
func (ix *Index) scopeOf(names []string) (scope []bool) {
	for _, name := range names {
		if n, ok := ix.categoryOf[name]; ok {
			if scope == nil {
				scope = make([]bool, len(ix.categoryOf)+1)
			}
			scope[n] = true
		}
	}
	return scope
}

// category returns the number of a category, from 1, and gives it one if it is new. It is 0 for an
// empty name, and for new ones once all 65535 numbers are taken.
func (ix *Index) category(name string) uint16 {
	if name == "" {
		return 0
	}
	n, known := ix.categoryOf[name]
	if !known && len(ix.categoryOf) < math.MaxUint16 {
		n = uint16(len(ix.categoryOf) + 1)
		ix.categoryOf[name] = n
	}
	return n
}

// centroid is the sum of the vectors [Document.Meaning] of a category's documents.
type centroid struct {
	name      string
	sum       []float32
	documents int
}

// addToCentroid adds the meaning of a document to the centroid of its category. Nothing is added
// for a nil meaning, or one of other dimensions than the first.
func (ix *Index) addToCentroid(category string, meaning []float32) {
	if meaning == nil || category == "" {
		return
	}
	c := ix.centroids[category]
	if c == nil {
		c = &centroid{name: category, sum: make([]float32, len(meaning))}
		ix.centroids[category] = c
	}
	if len(meaning) != len(c.sum) {
		return
	}
	for i, x := range meaning {
		c.sum[i] += x
	}
	c.documents++
}

// maxCentroids is how many categories of a bank's own a question is compared
// with.
const maxCentroids = 64

// Centroids returns for each category the sum of its documents' meanings, which is not scaled to
// length 1: the category with most documents first, and at most 64 of them.
func (ix *Index) Centroids() []taxonomy.Centroid {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var all []*centroid
	for _, c := range ix.centroids {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *centroid) int {
		return cmp.Or(cmp.Compare(b.documents, a.documents), cmp.Compare(a.name, b.name))
	})
	var list []taxonomy.Centroid
	for _, c := range head(all, maxCentroids) {
		list = append(list, taxonomy.Centroid{Name: c.name, Vector: slices.Clone(c.sum)})
	}
	return list
}
