package extractive

import (
	"slices"
	"testing"
)

// TestOrders: what an assistant is told once and for all is kept, what it is told
// to do now is not.
func TestOrders(t *testing.T) {
	for order, want := range map[string]string{
		"Don't use emojis in your answers.":              "The user wants the assistant not to use emojis in the assistant's answers.",
		"Do not push to main.":                           "The user wants the assistant not to push to main.",
		"Please don't use emojis.":                       "The user wants the assistant not to use emojis.",
		"No emojis please.":                              "The user wants the assistant to use no emojis.",
		"Don't mock the database in tests":               "The user wants the assistant not to mock the database in tests.",
		"use polars, not pandas":                         "The user wants the assistant to use polars, not pandas.",
		"use tabs instead of spaces":                     "The user wants the assistant to use tabs instead of spaces.",
		"always run the tests before you push":           "The user wants the assistant to always run the tests before the assistant pushes.",
		"run migrations with `make migrate ENV=dev`":     "The user wants the assistant to run migrations with `make migrate ENV=dev`.",
		"call me Tom please, nobody says Thomas":         "The user wants to be called Tom, nobody says Thomas.",
		"don't use it now":                               "",
		"don't touch the old file":                       "",
		"run the tests with -v":                          "",
		"call me back on Monday":                         "",
		"explain eigenvalues to me like I'm five":        "",
		"print it twice":                                 "",
		"use this one instead":                           "",
		"rename load_rows to read_rows in etl.py for me": "",
	} {
		var wanted []string
		if want != "" {
			wanted = []string{want}
		}
		if got := factsOf(t, "u "+order); !slices.Equal(got, wanted) {
			t.Errorf("%s\n\tgot %q\n\twant %q", order, got, wanted)
		}
	}
}
