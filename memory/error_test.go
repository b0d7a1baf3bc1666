package memory

import (
	"errors"
	"strings"
	"testing"
)

func TestErrorsRepeatLittle(t *testing.T) {
	long, cause := strings.Repeat("ö", 1<<20), errors.New("cause")
	for _, text := range []any{long, Kind(long)} {
		err := Errorf(CodeNotFound, "there is no %q of %d: %w", text, 7, cause)
		if want := `not_found: there is no "` + strings.Repeat("ö", 200) + `…" of 7: cause`; err.Error() != want || !errors.Is(err, cause) {
			t.Errorf("%.600s", err)
		}
	}
	if err := Errorf(CodeNotFound, "%w", errors.New(long)); len([]rune(err.Message)) != 1001 {
		t.Errorf("a cause of %d characters", len([]rune(err.Message)))
	}
	for _, n := range []int{199, 200} {
		if err := Errorf(CodeNotFound, "%s", strings.Repeat("ö", n)); len([]rune(err.Message)) != n {
			t.Errorf("%d characters: %s", n, err.Message)
		}
	}
}
