package extractive

import "testing"

// TestErrandsAreNoFacts: what an assistant is told to do now is done and over.
func TestErrandsAreNoFacts(t *testing.T) {
	for _, errand := range []string{
		"Please look at module 4 and tell me why the test fails.",
		"Please rename the function foo to bar.",
		"Look at the logs and find out why the build is red.",
		"Check whether the login page still works.",
		"Find all usages of parseConfig in the repo.",
		"Run the tests and fix what fails.",
		"Please run the linter on the whole project.",
		"Add a unit test for the retry logic in client.go.",
		"Please add a README with install instructions.",
		"Update the Dockerfile to use Go 1.26.",
		"Remove the unused imports in server.ts.",
		"Move the helper functions into utils.py.",
		"Make the button blue and center it.",
		"Change the error message to something friendlier.",
		"Create a branch and open a pull request.",
		"Review this diff and tell me what you think.",
		"Write a function that parses ISO dates.",
		"Convert this class to a functional component.",
		"Please investigate the memory leak in the worker.",
		"Debug the failing integration test for me.",
		"Read src/main.rs and summarize what it does.",
		"Search the codebase for TODO comments.",
		"Install the missing dependencies and try again.",
		"Revert the last commit and push.",
		"Try it again with a timeout of 30 seconds.",
		"Can you please clean up the tests in module 7?",
		"Could you have a look at the CI configuration?",
		"Please make sure that the migration also works on an empty database.",
		"Replace the hard-coded port 8080 by an environment variable.",
		"Split this file into two smaller ones.",
		"Please continue where you left off.",
		"Go ahead and implement the second option.",
		"Show me how the cache is invalidated.",
		"Take a look at issue 42 and reproduce it.",
		"Set the version in package.json to 2.3.0.",
		"Bump the dependency to the latest version.",
		"Document the new endpoint in the API reference.",
		"Please use a map instead of a slice in that function.",
		"Extract the validation into its own method.",
		"Delete the old snapshot files.",
	} {
		if facts := factsOf(t, "u "+errand+"\na Done."); len(facts) > 0 {
			t.Errorf("%q leaves %q", errand, facts)
		}
	}
	for _, standing := range []string{
		"Always run the tests with make check before you commit.",
		"From now on use pnpm in this repository.",
		"Never push to main without asking me.",
		"Please always answer in French.",
		"Remember that the staging database is called oslo-7.",
	} {
		if facts := factsOf(t, "u "+standing+"\na Understood."); len(facts) == 0 {
			t.Errorf("%q leaves nothing", standing)
		}
	}
}
