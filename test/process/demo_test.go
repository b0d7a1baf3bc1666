//go:build unix

package process

import "testing"

// The path that everything stands on: save, end, start, ask a plain question.
func TestSavedFactIsFoundAfterRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, _, stderr := cli(t, dir, "import", factFile(t, facts(1000), false), "--format", "facts"); code != 0 {
		t.Fatalf("import: exit %d, %s", code, stderr)
	}
	const fact = "My cat's name is Whiskerino"
	first := start(t, dir)
	first.save(fact)
	first.hangUp()
	second := start(t, dir)
	for _, question := range []string{
		"What is my cat's name?", "What is my cat called?", "what's my cats name", "name of my cat?", "Who is Whiskerino?",
		"Do I have a cat?", "Tell me what the cat is called.", "WHISKERINO", "Which name does my kitty have?",
	} {
		if got := second.recall(question); len(got) == 0 || got[0] != fact {
			t.Errorf("%s %.3q", question, got)
		}
	}
	second.hangUp()
}
