package extractive

import (
	"testing"
	"time"
)

func TestAbsolute(t *testing.T) {
	said := time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC) // a Monday
	for text, want := range map[string]string{
		"I went there yesterday.":                      "I went there on 7 May 2023.",
		"Yesterday, I went there.":                     "On 7 May 2023, I went there.",
		"We met last week.":                            "We met in the week of 1 May 2023.",
		"We met on Friday.":                            "We met on 5 May 2023.",
		"I'm on holiday from Friday.":                  "I'm on holiday from Friday.",
		"My parents arrive on Tuesday evening.":        "My parents arrive on Tuesday evening.",
		"They arrived on Tuesday evening.":             "They arrived on the evening of 2 May 2023.",
		"I will pay it by Friday.":                     "I will pay it by 12 May 2023.",
		"We leave next month.":                         "We leave in June 2023.",
		"I started three years ago.":                   "I started in 2020.",
		"I started two weeks ago.":                     "I started around 24 April 2023.",
		"I have lived here since last summer.":         "I have lived here since summer 2022.",
		"We meet this weekend.":                        "We meet on the weekend of 13 May 2023.",
		"I saw it last night.":                         "I saw it on the night of 7 May 2023.",
		"I saw it the other day.":                      "I saw it shortly before 8 May 2023.",
		"I saw it a few days ago.":                     "I saw it a few days before 8 May 2023.",
		"It was signed on March 15, 2022.":             "It was signed on March 15, 2022.",
		"The review is on May 20.":                     "The review is on May 20.",
		"After Anna's May 20 workshop I left.":         "After Anna's May 20 workshop I left.",
		"I liked yesterday's soup.":                    "I liked 7 May 2023's soup.",
		"It is over in a couple of hours.":             "It is over in a couple of hours.",
		"At Christmas we ski.":                         "At Christmas we ski.",
		"In summer I swim a lot.":                      "In summer I swim a lot.",
		"It ran for 4 years.":                          "It ran for 4 years.",
		"Today was a good day for the whole class.":    "8 May 2023 was a good day for the whole class.",
		"My back hurts since the 12th.":                "My back hurts since 12 April 2023.",
		"She wants it by the 15th.":                    "She wants it by 15 May 2023.",
		"He lives until the 15th floor.":               "He lives until the 15th floor.",
		"It starts on 4 May, since the 1st is free.":   "It starts on 4 May, since the 1st is free.", // a few days ago or next year
		"They run an image from March.":                "They run an image from March.",
		"The Friday deploy rule was Marisol's idea.":   "The Friday deploy rule was Marisol's idea.",
		"Our cat is called Friday.":                    "Our cat is called Friday.",
		"The new job starts in January!":               "The new job starts in January!",
		"She asked finance, Ann decides in June.":      "She asked finance, Ann decides in June.",
		"Ann has him in July.":                         "Ann has him in July.",
		"The deploy is on Thursday, Ben has to agree.": "The deploy is on Thursday, Ben has to agree.",
		"We move on Saturday the 6th of June.":         "We move on Saturday the 6th of June.",
		"We leave on Sunday 14 May.":                   "We leave on Sunday 14 May.",
		"My wife's birthday is on March 3rd.":          "My wife's birthday is on March 3rd.",
		"I promised to review it before Wednesday.":    "I promised to review it before 10 May 2023.",
		"Nothing here.":                                "Nothing here.",
	} {
		if got := absolute(text, said).text; got != want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
	if got := absolute("I went there yesterday.", time.Time{}).text; got != "I went there yesterday." {
		t.Errorf("without a time: %q", got)
	}
}

func TestThirdPerson(t *testing.T) {
	for verb, want := range map[string]string{
		"am": "is", "have": "has", "do": "does", "don't": "doesn't", "were": "was", "go": "goes", "watch": "watches", "study": "studies",
		"play": "plays", "need": "needs", "bring": "brings", "went": "went",
		"painted": "painted", "will": "will", "can't": "can't", "and": "and",
		"miss": "misses", "fix": "fixes",
	} {
		if got, _ := thirdPerson(newWord(verb)); got != want {
			t.Errorf("%s: got %s, want %s", verb, got, want)
		}
	}
}

func TestPhrases(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"i love|hate", "so i hate it", true},
		{"i love|hate", "i really hate it", false},
		{"i ~ hate", "i really do hate it", true},
		{"i ~ hate", "i a b c d hate it", false},
		{"^ no it's", "no it's five", true},
		{"^ no it's", "oh no it's five", false},
		{"i am # years", "i am 34 years old", true},
		{"i am # years", "i am many years old", false},
		{"i *past it", "i painted it", true},
		{"i *past it", "i went it", true},
		{"i find ~ *ing", "i find it relaxing", true},
		{"please? always", "always", true},
		{"a b?", "a", true},
	} {
		if got := compileAll(c.pattern).in(cut(c.text)); got != c.want {
			t.Errorf("%q in %q: %v", c.pattern, c.text, got)
		}
		if got := compileAll(c.pattern).in(cut(c.text)); got != c.want {
			t.Errorf("%q in %q as one of many: %v", c.pattern, c.text, got)
		}
	}
}

// TestPartOfATime: a day of the week that is a part of another expression is no date.
func TestPartOfATime(t *testing.T) {
	for _, text := range []string{"The plumber comes on Monday week.", "The exam is a week on Thursday."} {
		if got := absolute(text, time.Date(2026, 11, 17, 9, 0, 0, 0, time.UTC)).text; got != text {
			t.Errorf("%q", got)
		}
	}
}

// TestTheWeekdayOfToday: a weekday alone that is that of the day may be a week off, and stays as it was said.
func TestTheWeekdayOfToday(t *testing.T) {
	monday := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	for said, want := range map[string]string{
		"The user has an interview on Monday.":      "The user has an interview on Monday.",
		"The user met Ann on Monday.":               "The user met Ann on Monday.",
		"The user has an interview next Monday.":    "The user has an interview on 7 December 2026.",
		"The user has an interview on Tuesday.":     "The user has an interview on 1 December 2026.",
		"The user has got an interview on Tuesday.": "The user has got an interview on 1 December 2026.",
	} {
		if got := absolute(said, monday).text; got != want {
			t.Errorf("%q became %q, want %q", said, got, want)
		}
	}
}
