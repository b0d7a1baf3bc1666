package extractive

import (
	"slices"
	"testing"

	"mcp-memory/memory"
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
		"never push without asking me first":             "The user wants the assistant to never push without asking the user first.",
		"don't add packages without asking me":           "The user wants the assistant not to add packages without asking the user.",
		"put helpers in lib/, not in utils.py":           "The user wants the assistant to put helpers in lib/, not in utils.py.",
		"next time only run the tests of that package":   "The user wants the assistant to do this: next time only run the tests of that package.",
		"use tabs from now on":                           "The user wants the assistant to use tabs from now on.",
		"stop adding emojis to commit messages":          "The user wants the assistant to stop adding emojis to commit messages.",
		"put the eggs in the fridge, not in the pantry":  "",
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

// TestRefused: what the user puts right in what the assistant did is a correction.
func TestRefused(t *testing.T) {
	for talk, want := range map[string]memory.FactType{
		"a I'll remove it with rm.\nu No, don't use rm, use trash.":     memory.FactCorrection,
		"a I run npm install.\nu No, always use pnpm in this project.":  memory.FactCorrection,
		"a I've added a line on it.\nu Stop adding comments to tests.":  memory.FactCorrection,
		"u Don't use rm, use trash.":                                    memory.FactPreference,
		"a I run npm install.\nu Please always use pnpm.":               memory.FactPreference,
		"a Should I use npm in tests?\nu No, always use pnpm in tests.": memory.FactPreference,
	} {
		if got := extracted(t, talk); len(got) != 1 || got[0].Type != want {
			t.Errorf("%s\n\tgot %+v, want one %s", talk, got, want)
		}
	}
}
