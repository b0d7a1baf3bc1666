package index

import (
	"cmp"
	"math"
	"slices"

	"mcp-memory/text/taxonomy"
)

// scopeOf marks the categories with those names, nil if there is none.
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

// category returns the number of a category, 0 for none, making it if it is new.
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

// centroid is the sum of the meanings of a category's documents.
type centroid struct {
	name      string
	sum       []float32
	documents int
}

// addToCentroid counts a document in, unless its meaning is nil.
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

// Centroids returns what the documents with a meaning say of their categories,
// the category with most documents first; of very many categories only those
// with most documents.
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
