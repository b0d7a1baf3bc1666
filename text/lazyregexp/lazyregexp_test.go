package lazyregexp_test

import (
	"testing"

	"mcp-memory/text/lazyregexp"
)

func TestNew(t *testing.T) {
	digits := lazyregexp.New(`^[0-9]+$`)
	if !digits().MatchString("42") || digits().MatchString("4b2") {
		t.Error("the expression is not the one that was given")
	}
	if first, second := digits(), digits(); first != second {
		t.Error("the expression was compiled twice")
	}
	broken := lazyregexp.New(`(`) // nothing happens yet
	defer func() {
		if recover() == nil {
			t.Error("an expression that does not compile was used")
		}
	}()
	broken()
}
