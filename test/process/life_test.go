//go:build unix

package process

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// personalFacts are what somebody says of himself while he works on one project, what he
// asks in another, and a word of the answer.
var personalFacts = [][3]string{
	{"I'm allergic to penicillin.", "What am I allergic to?", "penicillin"},
	{"My daughter Ida starts school in Malmö.", "Where does my daughter start school?", "Malmö"},
	{"I prefer short answers without bullet points.", "How do I like answers?", "short"},
	{"My wife's name is Henrike.", "What is my wife called?", "Henrike"},
	{"We live in Aarhus, near the harbour.", "Where do we live?", "Aarhus"},
	{"I run ten kilometres every Sunday morning.", "What do I do on Sunday mornings?", "kilometres"},
	{"I don't drink coffee after noon.", "When do I stop drinking coffee?", "noon"},
	{"My father was a shipwright in Esbjerg.", "What was my father?", "shipwright"},
	{"I always use Helix as my editor.", "Which editor do I use?", "Helix"},
	{"I speak Danish, German and some Farsi.", "Which languages do I speak?", "Farsi"},
	{"My dentist is Dr. Overgaard.", "Who is my dentist?", "Overgaard"},
	{"I turned forty in March.", "When did I turn forty?", "March"},
	{"I'm vegetarian since 2011.", "Do I eat meat?", "vegetarian"},
	{"My favourite band is Efterklang.", "What is my favourite band?", "Efterklang"},
	{"I have a cat named Tofu.", "What is my cat called?", "Tofu"},
	{"I commute by bike, also in winter.", "How do I commute?", "bike"},
	{"I wear hearing aids on both ears.", "What do I wear on my ears?", "hearing"},
	{"My brother Jonas works on an oil rig.", "Where does my brother work?", "oil rig"},
	{"Please always write my commit messages in English.", "In which language do I want commit messages?", "English"},
	{"I studied geology in Tromsø.", "What did I study?", "geology"},
}

// workFacts are of the project at hand, and nobody else's.
var workFacts = [][2]string{
	{"The nightly build of the parser runs on the CI server at two.", "When does the nightly build run?"},
	{"We decided to keep tariffs in Postgres and not in Redis.", "Where do we keep tariffs?"},
	{"Run make ship to deploy this service to staging.", "How do I deploy to staging?"},
	{"Svenja reviews all changes of the billing module here.", "Who reviews changes of the billing module?"},
	{"The flaky test is TestRoundHalfEven in money/round_test.go.", "Which test is flaky?"},
	{"Port 5433 is the database in this repo's compose file.", "Which port has the database?"},
}

// repository makes a repository with a remote.
func repository(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for _, args := range [][]string{{"init", "-q", dir}, {"-C", dir, "remote", "add", "origin", "git@example.org:nord/" + name + ".git"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

// TestOneLifeTwoProjects: what is about the person is known in the next repository, on its
// first page and by its question; what is about the work stays where it was said, on no page,
// in no answer and by no hook; and a day that was said is that day.
func TestOneLifeTwoProjects(t *testing.T) {
	t.Parallel()
	data, parcels, garden := t.TempDir(), repository(t, "parcels"), repository(t, "garden")
	in := func(dir, stdin string, args ...string) string {
		t.Helper()
		cmd := command(t, data, args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		code, stdout, stderr := runCommand(t, cmd)
		if code != 0 {
			t.Fatalf("%v: exit %d, %s", args, code, stderr)
		}
		return stdout
	}
	// Two sessions of hosts that said their projects, as servers that hosts start do.
	here, there := start(t, data, "--project", "nord/parcels"), start(t, data, "--project", "nord/garden")
	for _, fact := range personalFacts {
		here.save(fact[0])
	}
	for _, fact := range workFacts {
		here.save(fact[0])
	}
	monday := time.Now().UTC()
	for monday.Weekday() != time.Monday {
		monday = monday.AddDate(0, 0, -1)
	}
	in(parcels, "", "save", "The plumber comes to my house on Thursday.", "--occurred-at", monday.Format(time.DateOnly))
	in(parcels, "", "todo", "add", "Tag the release of parcels", "--priority", "urgent")
	in(parcels, "", "todo", "add", "Buy milk on the way home", "--priority", "urgent")

	first := 0
	for _, fact := range personalFacts {
		got := there.recall(fact[1])
		if len(got) > 0 && strings.Contains(got[0], fact[2]) {
			first++
		} else {
			t.Logf("%s: %q", fact[1], got[:min(2, len(got))])
		}
	}
	t.Logf("%d of %d personal facts come first in the other project", first, len(personalFacts))
	if first < 18 {
		t.Error("too few")
	}
	if got := there.recall("Who comes on " + monday.AddDate(0, 0, 3).Format("2 January") + "?"); len(got) == 0 ||
		!strings.Contains(got[0], "plumber") {
		t.Errorf("the day: %q", got)
	}
	var leaks []string
	pages := []string{}
	for host, event := range map[string]string{"claude-code": "SessionStart", "codex": "SessionStart", "gemini": "SessionStart"} {
		given, err := json.Marshal(object{"session_id": "s-" + host, "cwd": garden, "hook_event_name": event, "source": "startup"})
		if err != nil {
			t.Fatal(err)
		}
		page := in(garden, string(given), "hook", "--host", host, event)
		if !strings.Contains(page, "Henrike") && !strings.Contains(page, "penicillin") && !strings.Contains(page, "short answers") {
			t.Errorf("%s knows nobody:\n%s", host, page)
		}
		if !strings.Contains(page, "Buy milk") {
			t.Errorf("%s does not know what the person has to do:\n%s", host, page)
		}
		pages = append(pages, page)
	}
	for _, fact := range workFacts {
		pages = append(pages, strings.Join(there.recall(fact[1]), "\n"))
	}
	for _, page := range pages {
		for _, fact := range workFacts {
			if strings.Contains(page, fact[0]) {
				leaks = append(leaks, fact[0])
			}
		}
		if strings.Contains(page, "Tag the release") {
			leaks = append(leaks, "the to-do")
		}
	}
	if len(leaks) > 0 {
		t.Errorf("of the other project: %q", leaks)
	}
	for _, fact := range workFacts {
		if got := here.recall(fact[1]); len(got) == 0 || got[0] != fact[0] {
			t.Errorf("%s: %q", fact[1], got[:min(1, len(got))])
		}
	}
}
