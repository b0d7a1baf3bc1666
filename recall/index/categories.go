package index

import "math"

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
