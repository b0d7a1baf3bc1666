package extractive

import (
	"slices"
	"testing"
)

// An order under a condition holds whenever that is met, unless it is about what is at hand.
func TestOrdersUnderConditions(t *testing.T) {
	for _, c := range []struct {
		talk string
		want []string
	}{
		{"u if the build fails with exit 137, restart runner 3",
			[]string{"The user wants the assistant to do this: if the build fails with exit 137, restart runner 3."}},
		{"u If prod is down call Ines.", []string{"The user wants the assistant to do this: if prod is down call Ines."}},
		{"u if you're unsure ask me instead of guessing",
			[]string{"The user wants the assistant to do this: if the assistant is unsure ask the user instead of guessing."}},
		{"u if you add an env var, always add it to .env.example too",
			[]string{"The user wants the assistant to do this: if the assistant adds an env var, always add it to .env.example too."}},
		{"u If a test is flaky, mark it and tell me.",
			[]string{"The user wants the assistant to do this: if a test is flaky, mark it and tell the user."}},
		{"u if I say ship it, never ask again", []string{"The user wants the assistant to do this: if the user says ship it, never ask again."}},

		{"u If something is unclear, ask.", []string{"The user wants the assistant to do this: if something is unclear, ask."}},
		{"u if the cache gets corrupted, delete ~/.cache/kestrel",
			[]string{"The user wants the assistant to do this: if the cache gets corrupted, delete ~/.cache/kestrel."}},
		{"u if the nightly import hangs, kill the worker on bob-3",
			[]string{"The user wants the assistant to do this: if the nightly import hangs, kill the worker on bob-3."}},
		{"u if the disk gets full you should rotate the logs on db-2",
			[]string{"The user wants the assistant to do this: if the disk gets full, rotate the logs on db-2."}},
		{"u If the queue gets stuck, flush redis-2.",
			[]string{"The user wants the assistant to do this: if the queue gets stuck, flush redis-2."}},
		{"u if the build breaks, nobody can deploy", nil},
		{"u if the app crashes, the watchdog restarts it", nil},
		{"u if the nightly import hangs, everything is red", nil},
		{"u if the server crashes you lose the session", nil},
		{"u if it hangs, kill the process", nil},
		{"u If you find more of these, fix them too.", nil},
		{"u if the test still fails, show me the log", nil},
		{"u If the list is empty, return null.", nil},
		{"u if the tests pass, commit and push", nil},
		{"u if the deploy works, tag v1.3", nil},
		{"u if it works, open a PR", nil},
		{"u If you can, fix the flaky test.", nil},
		{"u if that fails try again", nil},
		{"u If I were rich I'd buy a boat.", nil},
		{"u if we used Rust, it would be faster", nil},
		{"u If you like, add an example.", nil},
		{"u if there's a bug, fix it", nil},
		{"u If the migration is done, we can drop the table.", nil},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%q\n\tgot  %q\n\twant %q", c.talk, got, c.want)
		}
	}
}
