package when_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/eval/jsonl"
	"mcp-memory/memory"
	"mcp-memory/text/when"
)

// tuesday is when the sentences of these tests are said.
var tuesday = time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)

// show writes times as "relation from..to text".
func show(list []when.Mention) string {
	var all []string
	for _, m := range list {
		from, to := m.From.Format("01-02"), m.To.Add(-time.Second).Format("01-02")
		if m.From.Year() != 2026 {
			from = m.From.Format(time.DateOnly)
		}
		if m.To.Add(-time.Second).Year() != m.From.Year() {
			to = m.To.Add(-time.Second).Format(time.DateOnly)
		}
		if from == to || m.To.Sub(m.From) <= 25*time.Hour {
			to = ""
		} else {
			to = ".." + to
		}
		all = append(all, string(m.Relation)+" "+from+to)
	}
	return strings.Join(all, ", ")
}

func TestMentions(t *testing.T) {
	for text, want := range map[string]string{
		"The plumber comes on Friday.":                    "in 11-20",
		"The plumber came on Friday.":                     "in 11-13",
		"Dinner with Ann on Friday.":                      "in 11-20",
		"She's been off since Monday.":                    "since 11-16",
		"The lease runs until the end of March.":          "until 2027-03-31",
		"We moved in March.":                              "in 03-01..03-31",
		"School starts in March.":                         "in 2027-03-01..03-31",
		"Slides go to Bea by Friday noon.":                "by 11-20",
		"Monday week is the exam.":                        "in 11-30",
		"The exam is a week on Thursday.":                 "in 11-26",
		"Saw him on the 3rd, he was fine.":                "in 11-03",
		"The op is on the 3rd.":                           "in 12-03",
		"We're away from the 3rd to the 7th.":             "in 12-03..12-07",
		"Been vegetarian since 2021.":                     "since 2021-01-01..12-31",
		"From 1 February on I work in Pune.":              "from 2027-02-01",
		"Renew it before the 15th or it's gone.":          "before 12-15",
		"The second Saturday in September is the wedding": "in 2027-09-11",
		"Board moved the launch to Q3.":                   "in 2027-07-01..09-30",
		"Over the weekend I fixed the gate.":              "in 11-14..11-15",
		"Over the weekend I'll fix the gate.":             "in 11-21..11-22",
		"We're home for Easter.":                          "in 2027-03-28..03-29",
		"The cookout is on Memorial Day.":                 "in 2027-05-31",
		"Labor Day was wet.":                              "in 09-07",
		"Am Tag der Arbeit haben wir gegrillt.":           "in 05-01",
		"Zu Nikolaus kommt die Oma.":                      "in 12-06",
		"The rent is due on the 31st.":                    "by 12-31",
		"Archive it until Q4 9999.":                       "",
		"Two Fridays ago the cooler died.":                "in 11-06",
		"Übermorgen kommt der Klempner.":                  "in 11-19",
		"Vor drei Wochen war ich in Graz.":                "in 10-27",
		"Bis Freitag muss das fertig sein.":               "until 11-20",
		"Avant-hier on a fêté son anniversaire.":          "in 11-15",
		"Nous partons le 14 juillet.":                     "in 2027-07-14",
		"La semana pasada estuve en Lima.":                "in 11-09..11-15",
		"El lunes que viene empieza Rocío.":               "in 11-23",
		"Dopodomani il tecnico monta la caldaia.":         "in 11-19",
		"Overmorgen komt de glaszetter.":                  "in 11-19",
		"Anteontem a minha cave ficou inundada.":          "in 11-15",
		"明天上午我去公证处拿文件。":                                   "in 11-18",
		// Until when something lasts is to come, also where it was set in the past.
		"Mara wears a cast until Friday.":                        "until 11-20",
		"The trial was extended until March.":                    "until 2027-03-01..03-31",
		"We extended the contract until June.":                   "until 2027-06-01..06-30",
		"Jo has borrowed the drill until Saturday.":              "until 11-21",
		"The road is closed until Thursday.":                     "until 11-19",
		"They lent us the van until Monday.":                     "until 11-23",
		"I rented the flat until August.":                        "until 2027-08-01..08-31",
		"The ban was lifted until Sunday.":                       "until 11-22",
		"The user has got an appointment on Monday.":             "in 11-23",
		"She got sick leave until Friday.":                       "until 11-20",
		"The deadline has been pushed until the end of January.": "until 2027-01-31",
		"The pool stayed shut until Monday.":                     "until 11-16",
		"I worked there until August.":                           "until 08-01..08-31",
		"We lived in Graz until May.":                            "until 05-01..05-31",
		"The office was empty until Wednesday.":                  "until 11-11",
		"We waited until Friday.":                                "until 11-13",
		"The set is on loan until Saturday.":                     "until 11-21",
		"A left turn is forbidden until Friday.":                 "until 11-20",
		"The saw comes on Friday.":                               "in 11-20",
		"The meeting on Friday needs a room.":                    "in 11-20",
		"My cut of the deal comes on Friday.":                    "in 11-20",
		// Habits, names, and what only looks like a time.
		"Physio is every second Tuesday.":                 "",
		"Bins go out Tuesdays and Fridays.":               "",
		"The drill is on the last Friday of every month.": "",
		"The Friday deploy rule was Ann's idea.":          "",
		"Our cat is called Friday.":                       "",
		"Wednesday is the series that she watches.":       "",
		"April from accounting drinks tea.":               "",
		"So we march on with the old schema.":             "",
		"I may come along.":                               "",
		"Release 24.10 is the long-term one.":             "",
		"Pinned at 2024.10.1 because of a bug.":           "",
		"Support is 24/7.":                                "",
		"The lift goes to the 4th floor.":                 "",
		"It takes three weeks.":                           "",
		"The calf is 40 days old.":                        "",
		"One of these days I'll clear the attic.":         "",
		"Guten Morgen, ich bin müde.":                     "",
		"Mia zia Domenica fa la sarta.":                   "",
		"":                                                "",
	} {
		if got := show(when.Mentions(text, tuesday)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAsked: a question about a day without a year means the nearest that fits its tense.
func TestAsked(t *testing.T) {
	for text, want := range map[string]string{
		"What is due on 27 November?":        "by 11-27",
		"Was steht diese Woche an?":          "in 11-16..11-22",
		"Was steht heute an?":                "in 11-17",
		"Was steht nächste Woche an?":        "in 11-23..11-29",
		"Qu'est-ce que j'ai cette semaine ?": "in 11-16..11-22",
		"Que dois-je faire ce mois-ci ?":     "in 11-01..11-30",
		"¿Qué tengo esta semana?":            "in 11-16..11-22",
		"¿Qué hago este fin de semana?":      "in 11-21..11-22",
		"¿Qué hice el fin de semana pasado?": "in 11-14..11-15",
		"Cosa ho questa settimana?":          "in 11-16..11-22",
		"O que tenho esta semana?":           "in 11-16..11-22",
		"Was Hans in an accident?":           "",
		"Was it an order in an office?":      "",
		"What did I do on 15 November":       "in 11-15",
		"What happened on 20 November":       "in 2025-11-20",
		"What was on 12 September?":          "in 09-12",
		"what's on next week?":               "in 11-23..11-29",
		"What did I do yesterday?":           "in 11-16",
		"What is due on Friday?":             "by 11-20",
		"Who came on Friday?":                "in 11-13",
		"What is going on in March?":         "in 2027-03-01..03-31, in 03-01..03-31",
	} {
		if got := show(when.Asked(text, tuesday)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestPlaces: a time stands in the text where it says it does, whatever the language.
func TestPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"The plumber comes on Friday.":                   "Friday",
		"Übermorgen kommt der Klempner.":                 "Übermorgen",
		"Wir sehen uns nächsten Dienstag um neun.":       "nächsten Dienstag",
		"Je pars à Nantes il y a trois semaines environ": "il y a trois semaines",
	} {
		list := when.Mentions(text, tuesday)
		if len(list) != 1 || list[0].Text != want || text[list[0].Start:list[0].End] != want {
			t.Errorf("%q: %+v", text, list)
		}
	}
}

// TestZone: days are those of whoever said it.
func TestZone(t *testing.T) {
	late := time.Date(2026, 7, 2, 22, 48, 0, 0, time.FixedZone("", -7*3600)) // the 3rd in UTC
	r := memory.Record{Content: "Signed the lease today!!", OccurredAt: late}
	if got := when.OfRecord(r, time.UTC); len(got) != 1 || got[0].From.Format(time.DateOnly) != "2026-07-02" {
		t.Errorf("with its offset: %+v", got)
	}
	r.OccurredAt = late.UTC()
	if got := when.OfRecord(r, time.FixedZone("", -7*3600)); len(got) != 1 || got[0].From.Format(time.DateOnly) != "2026-07-02" {
		t.Errorf("in the user's zone: %+v", got)
	}
	r.OccurredAt = time.Date(2026, 7, 2, 0, 0, 0, 0, time.UTC) // a day, wherever that is
	if got := when.OfRecord(r, time.FixedZone("", -7*3600)); len(got) != 1 || got[0].From.Format(time.DateOnly) != "2026-07-02" {
		t.Errorf("a day without an hour: %+v", got)
	}
}

// TestSets: of the sentences of the dev sets nearly all are read as they are meant, and what
// means no time gets none.
func TestSets(t *testing.T) {
	for _, name := range []string{"dates", "dates_b", "dates_c"} {
		meant, right, none, invented := 0, 0, 0, 0
		type days struct{ From, To string }
		err := jsonl.Each("../../eval/sets/judgement/dates/"+name+".jsonl", func(s struct {
			Content string
			Said    time.Time `json:"said_at"`
			Means   *days
			Also    []days
		}) error {
			got := when.Mentions(s.Content, s.Said)
			if s.Means == nil {
				none++
				if len(got) > 0 {
					invented++
				}
				return nil
			}
			meant++
			if slices.ContainsFunc(got, func(m when.Mention) bool {
				return slices.Contains(append(s.Also, *s.Means),
					days{m.From.Format(time.DateOnly), m.To.Add(-time.Second).Format(time.DateOnly)})
			}) {
				right++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if 100*right < 94*meant || 100*invented > 3*none {
			t.Errorf("%s: %d of %d right, %d of %d invented", name, right, meant, invented, none)
		}
	}
}

func FuzzMentions(f *testing.F) {
	file, err := os.ReadFile("../../eval/sets/judgement/dates/dates.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		f.Add(line)
	}
	f.Add("the 3rd to the 7th, übermorgen \xff bis Freitag")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range when.Mentions(text, tuesday) {
			if !m.From.Before(m.To) || m.Start < 0 || m.End > len(text) || m.Start >= m.End || m.Text != text[m.Start:m.End] {
				t.Errorf("%+v", m)
			}
		}
		when.Asked(text, tuesday)
	})
}
