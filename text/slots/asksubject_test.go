package slots

import "testing"

// A word of a name is no word of its own: nothing is said to be new of "new-cart".
func TestNameWithAHyphen(t *testing.T) {
	on, off := Read("The feature flag new-cart is on.", Options{}), Read("The feature flag new-cart is off.", Options{})
	if len(on) != 1 || len(off) != 1 || on[0].Change {
		t.Fatalf("read as %+v and %+v", on, off)
	}
	if got := Compare(&on[0], &off[0]); got != Contradicts {
		t.Errorf("%v, want %v", got, Contradicts)
	}
}
