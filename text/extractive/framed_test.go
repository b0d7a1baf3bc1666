package extractive

import (
	"slices"
	"testing"
)

// TestFramed: a value takes the place of the one that was said of the same, and of
// nothing else.
func TestFramed(t *testing.T) {
	for name, c := range map[string]struct {
		talk string
		want []string
	}{
		"of one label": {"u State is in bucket puffin-tf, region us-west-2, lock table tf-lock.\na OK.\nu hold on, region eu-west-1.",
			[]string{"State is in bucket puffin-tf, region eu-west-1, lock table tf-lock."}},
		"of another": {"u The cluster has 12 nodes in Turku.\na OK.\nu update: the budget is 400 euros in Turku.",
			[]string{"The cluster has 12 nodes in Turku.", "The budget is 400 euros in Turku."}},
		"of neither": {"u The shop is open from 9:00 to 17:00.\na OK.\nu Correction: it was 13:00.",
			[]string{"The shop is open from 9:00 to 17:00. Correction: it was 13:00."}},
		"in all facts": {"u The NAS of my parents is 10.0.0.40.\na OK.\nu I mount 10.0.0.40 on badger.\na OK.\nu now it's 10.0.0.15 instead of 10.0.0.40", []string{"The NAS of the user's parents is 10.0.0.15. The user mounts 10.0.0.15 on badger."}},
		"guess of a value": {"u I need tests for Heron.\na I'd guess you use Terraform 1.5?\nu 1.9",
			[]string{"The user needs tests for Heron.", "The user uses Terraform 1.9."}},
		"guess of a habit": {"u I joined Veritel.\na I think standup is usually at 9:30?\nu 10:15, the team is spread from Lisbon to Tbilisi", []string{"The user joined Veritel. Standup: 10:15, the team is spread from Lisbon to Tbilisi."}},
		"value of a doctor": {"u I take metformin.\na I would guess your target HbA1c is 7.\nu Dr. Oyelaran says 6.5",
			[]string{"The user takes metformin.", "The user's target HbA1c is 6.5. Dr. Oyelaran says 6.5."}},
		"of no weekday": {"u The session is on Fridays.\na OK.\nu no more Fridays, it's Mondays from now on",
			[]string{"The session is on Mondays."}},
		"another mind": {"u I'll take the train at 9:15 to Graz.\na OK.\nu nah changed my mind, taking the bus",
			[]string{"The user changed their mind, taking the bus."}},
		"many of another": {"u Gala at the Kurhaus with 180 guests.\na OK.\nu update: we need 20 tables.",
			[]string{"Gala at the Kurhaus with 180 guests.", "The user and others need 20 tables."}},
		"hang on": {"u I arrive on the 14th of June. Hang on, no, the 13th, the ferry changed it",
			[]string{"The user arrives on the 13th of June."}},
		"thought and true":  {"u My doctor says I have asthma. I didn't know.", []string{"The user's doctor says the user has asthma."}},
		"meant day to come": {"u Deploy is on Friday.\na OK.\nu sorry, I meant Thursday.", []string{"Deploy is on Thursday."}},
		"after a dream": {"u Suppose we switched to Kubernetes.\na Roughly double.\nu We stay on plain VMs at Hetzner.",
			[]string{"The user and others stay on plain VMs at Hetzner."}},
		"then":               {"u OK, then we go with Postgres.", []string{"The user and others go with Postgres."}},
		"thought by many":    {"u People think I'm from Spain, but I'm from Malta.", []string{"The user is from Malta."}},
		"logged":             {"u ERROR 2026-03-01 db01: could not connect to primary\n[2026-03-01 10:00:00] lag 340s\nat main.run(app.java:12)\nThe primary db01 is in Graz.", []string{"The primary db01 is in Graz."}},
		"quoted singly":      {"u Someone on the forum writes: 'I run Proxmox on three NUCs and it's 90 watts.' Is that a lot?\na No.\nu My sister's dog ate the boys' shoes.", []string{"The user's sister's dog ate the boys' shoes."}},
		"joke of the day":    {"u Joke of the day: I told my wife she should embrace her mistakes. She hugged me.", nil},
		"plan with a letter": {"u Plan B is catering from home.", []string{"Plan B is catering from home."}},
		"wanted value":       {"u The threshold is 80 percent.\na OK.\nu 95 please.", []string{"The threshold is 95 percent."}},
		"looked up":          {"u I think my car is a 2016 model. 2018 actually.", []string{"The user thinks their car is a 2018 model."}},
		"of an example":      {"u For the example in the docs use user 'Max Muster, born 1.1.1990'.", nil},
		"claimed wrongly":    {"u The readme claims Node 16, but we're on Node 22.", []string{"The user and others are on Node 22."}},
		"kidding":            {"u We deploy on Fridays... just kidding, never on Fridays.", []string{"Never on Fridays."}},
		"elsewhere": {"u The cluster in Turku has 12 nodes.\na OK.\nu the cluster in Oslo now has 8 nodes",
			[]string{"The cluster in Turku has 12 nodes.", "The cluster in Oslo now has 8 nodes."}},
		"guess of a place": {"u Back up badger.\na I suppose the password is in an environment file?\nu it's in pass, entry backup/badger",
			[]string{"The password: it's in pass, entry backup/badger."}},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%s\n\tgot %q\n\twant %q", name, got, c.want)
		}
	}
}

// TestQuotedPersons: what somebody in a quotation says of themselves is not about the user.
func TestQuotedPersons(t *testing.T) {
	for talk, want := range map[string][]string{
		"u My player is Ilona. \"I was born in Orsk and I fear the Duke.\"":                                              {"The user's player is Ilona."},
		"u My colleague Bo drafted one: \"We are proud to say that I moved to Copenhagen.\" I work with Bo since March.": {"The user works with Bo since March."},
		"u \"Hello, I bought your blender in May.\nMy order number is 55120. I live in Graz.\"\n\nMy policy is 30 days.": {"The user's policy is 30 days."},
		"u I told Ann \"I move to Graz in May\" and she was glad.":                                                       {"The user told Ann \"I move to Graz in May\" and she was glad."},
		"u My dog is called \"The Duke of Orsk\".":                                                                       {"The user's dog is called \"The Duke of Orsk\"."},
	} {
		if got := factsOf(t, talk); !slices.Equal(got, want) {
			t.Errorf("%s\n\tgot %q\n\twant %q", talk, got, want)
		}
	}
}

// TestSaidOfHabits: a time that comes back gets no date, and a request may tell why.
func TestSaidOfHabits(t *testing.T) {
	for talk, want := range map[string][]string{
		"u I meet Tom on the first Thursday of the month.":                                                                          {"The user meets Tom on the first Thursday of the month."},
		"u I inherited a batch in COBOL, it runs every night at 01:30 on the mainframe.":                                            {"The user inherited a batch in COBOL, it runs every night at 01:30 on the mainframe."},
		"u The rollout in Ghent is on Saturday the 23rd.":                                                                           {"The rollout in Ghent is on Saturday the 23rd."},
		"u We play in Graz. Next match 16 January against Ulm.":                                                                     {"The user and others play in Graz. Next match 16 January against Ulm."},
		"u Training run 14 diverged at step 8000 in Ghent.":                                                                         {"Training run 14 diverged at step 8000 in Ghent."},
		"u Run names: always lowercase with dashes.":                                                                                {"Run names: always lowercase with dashes."},
		"u Retrying mails annoys people.":                                                                                           {"Retrying mails annoys people."},
		"u I need a view.\na I named it sales_report.\nu call it mv_sales, all our views begin with mv_":                            {"The user needs a view.", "All the user's views begin with mv_."},
		"u Do not roll out on Fridays.":                                                                                             {"The user wants the assistant not to roll out on Fridays."},
		"u Can you draft a reply to this?\n\n\"Hi, I'm Lena. I live in Munich.\"\n\nI only work remote and I'm happy at Fjordline.": {"The user only works remote and is happy at Fjordline."},
	} {
		if got := factsOf(t, talk); !slices.Equal(got, want) {
			t.Errorf("%s\n\tgot %q\n\twant %q", talk, got, want)
		}
	}
}
