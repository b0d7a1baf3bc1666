package pages

import "testing"

// Pages that say where others are used stand at equal distances, in a file that can be cut.
func TestIsMap(t *testing.T) {
	first := make([]byte, 4096)
	if IsMap(first, 2) {
		t.Error("a file that cannot be cut has one")
	}
	first[55] = 9 // the largest root
	for n, want := range map[int64]bool{1: false, 2: true, 3: false, 821: false, 822: true, 823: false, 1642: true} {
		if got := IsMap(first, n); got != want {
			t.Errorf("page %d: %t", n, got)
		}
	}
	first[20] = 96 // bytes of a page that are not SQLite's: 800 entries
	if IsMap(first, 822) || !IsMap(first, 803) {
		t.Error("reserved bytes are not counted")
	}
}
