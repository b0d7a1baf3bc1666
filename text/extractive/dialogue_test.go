package extractive

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"mcp-memory/memory"
)

// talk makes turns of lines that begin with "u " for the user and "a " for the
// assistant, a minute apart; other lines go on with the one before.
func talk(lines string) []memory.Turn {
	var turns []memory.Turn
	at := time.Date(2026, 5, 9, 10, 0, 0, 0, time.UTC) // a Saturday
	for line := range strings.Lines(lines) {
		line = strings.TrimRight(line, "\n")
		role, text := memory.RoleUser, strings.TrimPrefix(line, "u ")
		if rest, ok := strings.CutPrefix(line, "a "); ok {
			role, text = memory.RoleAssistant, rest
		} else if text == line {
			turns[len(turns)-1].Content += "\n" + line
			continue
		}
		at = at.Add(time.Minute)
		turns = append(turns, memory.Turn{Session: "s", Index: len(turns), Role: role, Content: text, SaidAt: at})
	}
	return turns
}

func TestTalk(t *testing.T) {
	for name, c := range map[string]struct {
		talk string
		want []string
	}{
		"name": {"u Hi, I'm Clara. I live in Lyon.", []string{"The user is Clara. The user lives in Lyon."}},
		"name here": {"u hey, moritz here. i run a small bakery in Tannau",
			[]string{"The user is Moritz. The user runs a small bakery in Tannau."}},
		"question": {"u We've signed for the house.\na Which one did you take?\nu The brick one in Wetherden.",
			[]string{"The user and others have signed for the house. Which one did the user take? The brick one in Wetherden."}},
		"yes":    {"a Do you use Postgres in production?\nu yes", []string{"Does the user use Postgres in production? Yes."}},
		"no but": {"a Do you work in Oslo?\nu No, in Bergen.", []string{"Does the user work in Oslo? No, in Bergen."}},
		"number": {"a How old is Bob?\nu 12. He plays chess.", []string{"How old is Bob? 12. He plays chess."}},
		"alternatives": {"a Foundation: slab or paving stones?\nu Slab. Hmm, no, wait. Paving stones.",
			[]string{"Foundation: Paving stones."}},
		"list": {"u My servers are:\n- web1 in Frankfurt\n- db1 in Dublin",
			[]string{"The user's servers are: web1 in Frankfurt; db1 in Dublin."}},
		"quorum": {"u We're losing our quorum whenever node 3 restarts.",
			[]string{"The user and others are losing their quorum whenever node 3 restarts."}},
		"fixed": {"u deploy failed on build-3 again\na What was it?\nu the log dir was full. fixed it by rotating the logs.",
			[]string{"Deploy failed on build-3 again.", "The log dir was full. The user fixed it by rotating the logs."}},
		"reminder": {"u Please remind me in the evenings, never before eight.",
			[]string{"The user wants to be reminded in the evenings, never before eight."}},
		"ttl":        {"u The TTL of the cache is 30 minutes. No, 45.", []string{"The TTL of the cache is 45 minutes."}},
		"correction": {"u api gateway timeout is 15s. correction: 20s", []string{"Api gateway timeout is 20s."}},
		"day": {"u The party is on the 20th of June at my mother's. No, wait, the 27th.",
			[]string{"The party is on the 27th of June at the user's mother's."}},
		"weekday": {"u the till prints the plan every sunday at 18:00\na OK.\nu no sorry, saturdays, on sunday nobody is there",
			[]string{"The till prints the plan every saturday at 18:00."}},
		"other name": {"u I want to learn Portuguese. Actually, make that Galician.", []string{"The user wants to learn Galician."}},
		"other question": {"u My manager is Ulla.\na Is she in Bergen?\nu No, Oslo.",
			[]string{"The user's manager is Ulla. Is she in Bergen? No, Oslo."}},
		"other unit": {"u The log dir had 40 GB.\na Move it?\nu no, we keep logs on disk for audit, 90 days",
			[]string{"The log dir had 40 GB.", "The user and others keep logs on disk for audit, 90 days."}},
		"guess denied":   {"a I suppose you use WhatsApp for swaps.\nu no, Signal.", []string{"The user uses Signal for swaps."}},
		"change of mind": {"u Rufus stays at his school, he takes the bus.\na OK.\nu Rufus has changed his mind: he goes to school in Wetherden.", []string{"Rufus has changed his mind: he goes to school in Wetherden."}},
		"scrap that": {"u Let's go with Redis for the queue. Scrap that, let's use NATS.",
			[]string{"The user and others will use NATS."}},
		"echo": {"u Piet doesn't eat any cheese.\na Noted: no cheese for Piet at the picnic.\nu No, that's wrong.",
			[]string{"Piet doesn't eat any cheese."}},
		"proposal taken": {"u We retry with a fixed delay of 2 seconds.\na You could move to exponential backoff with jitter.\nu yes, let's do that.",
			[]string{"The user and others retry with a fixed delay of 2 seconds.", "Agreed: move to exponential backoff with jitter."}},
		"proposals taken": {"a You could move to exponential backoff. Maybe cap it at five attempts?\nu Good idea.",
			[]string{"Agreed: move to exponential backoff; cap it at five attempts."}},
		"proposal leans": {"u Frau Lindqvist wants the plan soon.\na I suggest we send it tomorrow.\nu good, we do that",
			[]string{"Frau Lindqvist wants the plan soon. Agreed: send it on 10 May 2026."}},
		"proposal not":  {"a You could move to exponential backoff with jitter.\nu ok\na Shall I make a list of libraries?\nu yes please", nil},
		"choice not":    {"a You could take the train or rent a big car.\nu sounds good", nil},
		"value and why": {"u My weight is 94 kilos. sorry, 91, I looked at the wrong line", []string{"The user's weight is 91 kilos."}},
		"make it": {"u We want a 90 cm washbasin with a drawer. Actually make it 80, the door won't open otherwise.",
			[]string{"The user and others want a 80 cm washbasin with a drawer."}},
		"said twice": {"u remind me at 21:30\na Reminder at 21:30 for the three exercises.\nu make that 20:30, at 21:30 I'm asleep",
			[]string{"The user wants to be reminded at 20:30. Reminder at 20:30 for the three exercises."}},
		"but": {"u we were going to take tiles, but the plumber recommended panels for the wall\nu They would, but the hood in room 214 is broken.",
			[]string{"The plumber recommended panels for the wall.", "The hood in room 214 is broken."}},
		"against": {"u we thought about renting a car but decided against it because of the wine",
			[]string{"The user and others thought about renting a car but decided against it because of the wine."}},
		"turned out": {"u turned out the test container had no index on merchant_id\nu fixed by adding one on merchant_id",
			[]string{"The test container had no index on merchant_id. It was fixed by adding one on merchant_id."}},
		"no longer": {"u I no longer take ramipril because of the cough.",
			[]string{"The user no longer takes ramipril because of the cough."}},
		"others' words": {"u A friend told me \"you have to see Sintra, it's the best place on earth\". Is it?\nu I read somewhere that cinnamon cures diabetes.\n" +
			"u We should throw everything into Kafka lol\nu \"This soap saved my marriage. I mean it.\" a customer wrote", nil},
		"own words": {"u I call it \"the house on the green hill\".", []string{"The user calls it \"the house on the green hill\"."}},
		"guess mended": {"a The migration could be number 0042.\nu no, it's 0044, 0042 and 0043 are taken",
			[]string{"The migration is number 0044."}},
		"polite order": {"u Could you always give me prices in euros, not dollars?",
			[]string{"The user wants the assistant to always give the user prices in euros, not dollars."}},
		"lasting order": {"u write product texts in du-form and without exclamation marks please\nu please write a text without exclamation marks about soap", []string{"The user wants the assistant to write product texts in du-form and without exclamation marks."}},
		"hours":         {"u Visiting hours 14 to 19 at the Elisabethinen.", []string{"Visiting hours 14 to 19 at the Elisabethinen."}},
		"opinion":       {"u My mother thinks allergies are a fashion.", nil},
		"welcome":       {"u it says \"Welcome\" on the login page and \"Welcome back, please sign in\" on the next", nil},
		"complaint":     {"u You forgot the tests in the second module.", []string{"The assistant forgot the tests in the second module."}},
		"wrong about": {"u We use Jenkins for the builds.\na OK.\nu I was wrong about Jenkins, we moved to Buildkite in March.",
			[]string{"The user and others moved to Buildkite in March."}},
		"what I said": {"u My sister Ann has two kids.\na Two kids.\nu Forget what I said about Ann, that was my cousin.", nil},
		"is better":   {"u Let's meet at 5. Hmm, 6 is better.", []string{"The user and others will meet at 6."}},
		"day to come": {"u The meeting is on Monday. Wait, Tuesday.", []string{"The meeting is on Tuesday."}},
		"cancelled":   {"u We fly to Rome in May. Nope, cancelled.", nil},
		"not really":  {"u The dog is called Rex. Not really, he is called Bruno.", []string{"The dog is called Bruno."}},
		"claim denied": {"a You work at Siemens, right?\nu No, Bosch.\na So the deadline is 3 May?\nu 4 May.",
			[]string{"The user works at Bosch.", "The deadline is 4 May."}},
		"actually": {"a The meeting is at 10.\nu Actually 11.", []string{"The meeting is at 11."}},
		"at a time": {"u tunde deployed the cache at 9:40, lag is zero",
			[]string{"Tunde deployed the cache at 9:40 on 9 May 2026, lag is zero."}},
		"just now": {"u Signed the contract for the flat, mailed just now.",
			[]string{"The user signed the contract for the flat, mailed on 9 May 2026."}},
		"next one": {"a Is an audit due?\nu The next one is in October with Ms. Ruiz.",
			[]string{"Is an audit due? The next one is in October with Ms. Ruiz."}},
		"of it": {"u The clinic told me three weeks of rehab in Graz. Starts on 22 June.",
			[]string{"The clinic told the user three weeks of rehab in Graz. Starts on 22 June."}},
		"left": {"u My back hurts since Monday. Lower back, left side, worse in the morning.",
			[]string{"The user's back hurts since 4 May 2026. Lower back, left side, worse in the morning."}},
		"unreal": {"u I wish I had a garden with chickens in it.\nu In my dreams I own a vineyard in Tuscany.\nu Yeah right, and I'm the queen of England.\nu Sure, and pigs can fly over Berlin.\n" +
			"u Pretend you are a pirate and my ship is called Bertha.\nu In the novel I'm writing, the hero lives in Vienna.\nu Pretty sure it's the DNS again.", nil},
		"until": {"u I work half days until the end of June.", []string{"The user works half days until the end of June."}},
		"habit": {"u I learn Rust on Tuesday and Thursday evenings.", []string{"The user learns Rust on Tuesday and Thursday evenings."}},
		"nothing": {"u Maybe I should open a kayak rental.\na Why not.\nu If I win the lottery I'll buy a boat\nu I'd marry this debugger, jk\nu I guess it's the network\n" +
			"u We could do it on a boat... no, forget it\nu that's all, thx", nil},
		"one who is told": {"u can you write me a poem?\nu Please write a poem about autumn in three stanzas.", nil},
		"assistant's guess": {"u My back hurts since Monday.\na It could be a slipped disc.\nu ok",
			[]string{"The user's back hurts since 4 May 2026."}},
		"German correction": {"u Wir haben 80 Gäste zur Hochzeit mit Anna eingeladen.\na 80 Gäste.\nu Nein, nicht 80, sondern 60 Gäste.",
			[]string{"The user: Wir haben 60 Gäste zur Hochzeit mit Anna eingeladen."}},
		"another tongue": {"u Bor w Krakowie od zeszłego tygodnia z Anną.",
			[]string{"The user: Bor w Krakowie od zeszłego tygodnia z Anną."}},
		"offer":       {"a Would you like a weekly summary?\nu Yes, on Sundays.\na Would you like me to send reminders?\nu no thanks, my calendar does that", []string{"The user wants a weekly summary: on Sundays.", "The user doesn't want the assistant to send reminders: the user's calendar does that."}},
		"offer taken": {"a Would you like a weekly summary?\nu Yes please.", nil},
		"thread": {"u The sauna in the old mill smells of resin and birch. Gulls nest under every single beam.",
			[]string{"The sauna in the old mill smells of resin and birch. Gulls nest under every single beam."}},
		"threads apart": {"u The staging cluster of the shop runs on six old nodes. The production database is Postgres.",
			[]string{"The staging cluster of the shop runs on six old nodes.", "The production database is Postgres."}},
		"it is":    {"a I'd put the cache into Redis.\nu ok, Redis it is", []string{"Agreed: put the cache into Redis."}},
		"in grams": {"u and write in grams please", []string{"The user wants the assistant to write in grams."}},
		"in R":     {"u please keep the examples in R", []string{"The user wants the assistant to keep the examples in R."}},
		"once":     {"u Write it in French please.", nil},
		"of Mrs.":  {"u My knee's killing me today, so let's stop here. Oh, and Mrs. Delacroix moved, she's at Rue des Brasseurs 14 now, not 41.", []string{"Mrs. Delacroix moved, she's at Rue des Brasseurs 14 now, not 41."}},
		"refuted":  {"u My coach said I had flat feet, a doctor later said that's rubbish.", nil},
		"day before": {"u The plan comes out on the Monday before. Used to be weekly but nobody could plan their life.",
			[]string{"The plan comes out on the Monday before. It used to be weekly but nobody could plan their life."}},
		"let me":     {"u Let me check the calendar. The meeting is on 3 June 2026.", []string{"The meeting is on 3 June 2026."}},
		"no to ours": {"a Shall I note that we use Postgres 16?\nu no, 15", []string{"The user and others use Postgres 15."}},
		"nein":       {"a Soll ich mir merken, dass du am 3. Mai Geburtstag hast?\nu nein", nil},
		"dismissed": {"u We use Kafka for events. We have no key for that, forget it.\na Fine.\nu The old runner sits in Riga, never mind.\nu When a test is flaky, delete it.",
			[]string{"The user and others use Kafka for events.", "When a test is flaky, delete it."}},
		"keep short": {"u Keep answers under five sentences, please.",
			[]string{"The user wants the assistant to keep answers under five sentences."}},
	} {
		t.Run(name, func(t *testing.T) {
			facts, err := New(Options{}).Extract(context.Background(), memory.ExtractRequest{Turns: talk(c.talk)})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range facts {
				got = append(got, f.Content)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
		})
	}
}

// FuzzTalk takes every line as a turn, in turns of the user and the assistant.
func FuzzTalk(f *testing.F) {
	f.Add("We signed.\nWhich one?\nThe brick one, no wait, the 27th at 10:15.\nNoted: 27.\nNo, 28. Scrap that.")
	f.Add("call it on Tuesday\nTuesday it is.\nsorry, wednesdays\nIs it 5 or 6?\nno\nremind me\nplease remind us")
	f.Add("x\nWhich one?\nThe bricks: 2o it, the 27th at 10:15.\nNoted\nNo, 2")
	f.Add("\u0745.signed \ufdce\xc1aWh o\nNo, Ürsula is here.\nÄrger now?\nÄrger")
	f.Add("correction: 5\n\n5.\n12. \nI am Ada, here.\nno, Bob\nforget about the\nIch wäre gern in Wien. Scherz!")
	f.Add("Hi\nYup, Zod or Valibot? Which one?\nboth\nTwo ways: (a) keep it, (b) go async. What do you think?\nb\nOK?\nno, TOML")
	f.Add("ch \xff\xff\xff\xff\nThm bricks:02o.it, the 27th at T1:15 \nNote\x00\x00\x03\xe8:@")
	f.Add("Hi\nHi,\n@\nWrite a poem for my dog Bruno, he's 13.\nShe @\nfind my cat, who\nThat's wrong, x 8\nTypo, I meant 4\nIt's over, so forget about Ida please")
	f.Add("Hey The,\nOk.\nHi The!\nNoted\nno, hey The.")
	f.Add("So 1000\n!\nNo 000\nCan I push?\nalways\nShould I use npm?\nno, pnpm\nok\nthat's wrong\nSounds good, but")
	f.Fuzz(func(t *testing.T, text string) {
		var turns []memory.Turn
		for line := range strings.Lines(text) {
			role := memory.RoleUser
			if len(turns)%2 == 1 {
				role = memory.RoleAssistant
			}
			turns = append(turns,
				memory.Turn{Index: len(turns), Role: role, Content: line, SaidAt: time.Date(2026, 5, 9, 10, len(turns), 0, 0, time.UTC)})
		}
		turns = append(turns, memory.Turn{Index: len(turns), Role: memory.RoleUser, Content: text})
		facts, err := New(Options{}).Extract(context.Background(), memory.ExtractRequest{Turns: turns})
		if err != nil {
			t.Fatal(err)
		}
		for _, fact := range facts {
			if !utf8.ValidString(fact.Content) || strings.TrimSpace(fact.Content) == "" || fact.Importance < 0 || fact.Importance > 1 {
				t.Fatalf("%+v", fact)
			}
		}
	})
}

// What the assistant answers to a question is no part of the fact that stands before it; what
// says that fact again, and more of it, is.
func TestAnswerBesideAFact(t *testing.T) {
	for said, want := range map[string][]string{
		"u Our staging host is called oslo-7. What does the session cache use?\na The session cache uses Valkey.": {"The user's staging host is called oslo-7."},
		"u Our staging host is called oslo-7.\na Noted: the staging host oslo-7 is in Norway.":                    {"The user's staging host is called oslo-7. The staging host oslo-7 is in Norway."},
	} {
		facts, err := New(Options{}).Extract(t.Context(), memory.ExtractRequest{Turns: talk(said)})
		var got []string
		for _, f := range facts {
			got = append(got, f.Content)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s\n%q, %v; want %q", said, got, err, want)
		}
	}
}
