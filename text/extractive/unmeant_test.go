package extractive

import (
	"context"
	"slices"
	"strings"
	"testing"

	"mcp-memory/memory"
)

// extracted is what is found in lines as talk reads them.
func extracted(t *testing.T, lines string) []memory.Extracted {
	t.Helper()
	facts, err := New(Options{}).Extract(context.Background(), memory.ExtractRequest{Turns: talk(lines)})
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

// factsOf returns what the facts of [extracted] say.
func factsOf(t *testing.T, lines string) (got []string) {
	t.Helper()
	for _, f := range extracted(t, lines) {
		got = append(got, f.Content)
	}
	return got
}

// TestUnmeant: what nobody means to last, each beside what looks like it and is
// meant.
func TestUnmeant(t *testing.T) {
	for name, c := range map[string]struct {
		talk string
		want []string
	}{
		"moods": {"u I'm so tired today.\nu I feel awful.\nu We're in a bad mood, the rain won't stop.\nu My neck hurts today.\nu I'm at the airport right now.\nu Bin heute total müde.", nil},
		"more": {"u I've been tired since the surgery in May.\nu I'm tired of Jenkins.",
			[]string{"The user has been tired since the surgery in May.", "The user is tired of Jenkins."}},
		"busy":      {"u I'm busy on Thursdays, that's my choir.", []string{"The user is busy on Thursdays, that's the user's choir."}},
		"role play": {"u Let's play: you are a dragon and I'm Sir Borin.\na Roar.\nu I own the castle of Grimhold.\nu I have a wife named Elsa.\nu ok, end of game.\nu I work at a school in Leeds.", []string{"The user works at a school in Leeds."}},
		"pretence":  {"u Pretend I'm a pirate. I have a parrot called Olga.\na Arr!\nu I buried my gold in Tortuga.\nu ok back to work. I need a parser for TOML.", []string{"The user needs a parser for TOML."}},
		"one role": {"u You are an expert reviewer and I am a junior developer at Siemens.\nu I live in Erlangen.",
			[]string{"The user lives in Erlangen."}},
		"joke": {"u My cat is secretly the mayor of Bonn. She signs the permits.\nu I live in Bonn with two cats.",
			[]string{"The user lives in Bonn with two cats."}},
		"both halves": {"u We should paint the server room pink, haha. The pink would calm the routers.\nu jk",
			nil},
		"joke over": {"u Imagine we ran payroll on a toaster. Seriously though, payroll runs on host pay-2.",
			[]string{"Payroll runs on host pay-2."}},
		"scorn": {"u Oh great, the build is red again. I just love Mondays.\nu Yeah, because our tests are sooo stable.\nu I'm sure the customers will send us flowers.", nil},
		"no scorn": {"u I just love early mornings.\nu Great, we have a new designer, Selma.",
			[]string{"The user just loves early mornings.", "The user and others have a new designer, Selma."}},
		"guesses":  {"u must be the DNS, I bet it's the resolver\nu my guess is that Anna deletes the files\nu Hopefully we get the grant for 30,000 euros.\nu Worst case we sell the Volvo.\nu Anna says the server is in Riga, but that's not true.\nu I hope the roof holds until May.", nil},
		"opinions": {"u Daan thinks e-bikes will die out.\nu Some designers charge double for rush jobs.\nu Mein Chef meint, wir sollten Roboter kaufen.", nil},
		"no joke": {"a Nice!\nu Wholesale prices go up 6% in May. No joke.",
			[]string{"Wholesale prices go up 6% in May. No joke."}},
		"behind a guess": {"u My guess is that Cortina follows.\nu Since January we close on Tuesdays.",
			[]string{"Since January the user and others close on Tuesdays."}},
		"accent":  {"u Her fiancé is called Erik.\nu My fiancé is called Erik.", []string{"The user's fiancé is called Erik."}},
		"hopes":   {"u I hope to become a pilot.", []string{"The user hopes to become a pilot."}},
		"samples": {"u I need test users. Use a customer named Ann Poe, living in 4 High Street.\nu Example: my dog is called Rex and he is 3.\nu In the test the user has 99 cats.", nil},
		"no samples": {"u Our test data is in testdata/users.yaml.\nu Sample size is 40 patients.",
			[]string{"The user's test data is in testdata/users.yaml.", "Sample size is 40 patients."}},
		"undecided":      {"u We might do Crete in September.\nu It depends on Anna.\nu I'm torn between Svelte and Vue for the shop.\nu The colour of the shop is still up in the air.", nil},
		"others' plans":  {"u Lena is thinking of moving to Porto.\nu My brother is considering a Tesla.\nu Shall we drop the lunch on Fridays then.", nil},
		"heard":          {"u I heard the office moves to Bremen.\nu Someone told me the bakery on Mill Road closes.\nu The brochure says the camera has 50 megapixels.\nu I heard back from the bank, the loan is approved.", []string{"The user heard back from the bank, the loan is approved."}},
		"on a condition": {"u We'll go to Crete if mum is well.\nu As long as the budget holds, we hire two people.\nu We will page you if the disk is full.", []string{"The user and others will page the assistant if the disk is full."}},
		"told a lot":     {"u I've told you that a million times.\nu Once upon a time we had a server in the basement.\nu Write a poem in which I am a pirate with a wooden leg.", nil},
		"a rule": {"u Never deploy on Fridays unless Anna says so.",
			[]string{"The user wants the assistant to never deploy on Fridays unless Anna says so."}},
		"made up": {"u My heroine Isaura lives on a lighthouse in Brittany.\nu \"I killed him because of the fog\", that's her first line.\nu I live in Bonn.", []string{"The user lives in Bonn."}},
		"proposed": {"u We write down the rules of the team.\na Reviews within one day?\nu Within two working days.",
			[]string{"The user and others write down the rules of the team. Reviews: Within two working days."}},
		"joke denied": {"u My dog runs the finance team. He bills by the bone.\na Ha.\nu jk", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
		})
	}
}
