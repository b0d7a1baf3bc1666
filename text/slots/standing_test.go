package slots

import "testing"

// spoken are statements of people about what is, was, comes or might be so, with
// the attribute that they are about; "" where none need be found.
var spoken = []struct {
	text      string
	attribute string
	want      Standing
}{
	// What is so.
	{"I live in Trieste.", "home", Holds},
	{"I've lived in Trieste since 2019.", "home", Holds},
	{"I have been working at Skovby since May.", "work", Holds},
	{"I moved to Trieste in April.", "home", Holds},
	{"I finally moved to Trieste.", "home", Holds},
	{"I nearly always drive my Skoda Octavia.", "", Holds},
	{"My salary is almost 4,000 euros.", "salary", Holds},
	{"I want short answers.", "", Holds},
	{"My manager is Will Stone.", "manager", Holds},
	{"May Lindqvist is my dentist.", "dentist", Holds},
	{"I work at Dream Foundry.", "work", Holds},
	{"I'm back to being vegetarian.", "", Holds},
	{"My phone is a Pixel 9 now.", "phone", Holds},
	{"The user works for Hollis & Brandt.", "work", Holds},

	{"I only want to fly with Skandar.", "airline", Holds},
	{"I'd like to be called Jo.", "name", Holds},

	// What was so.
	{"I used to live in Kraków.", "home", Was},
	{"I lived in Kraków until 2015.", "home", Was},
	{"I lived in Kraków for ten years.", "home", Was},
	{"I worked at Baltic Freight before the merger.", "work", Was},
	{"Back when I worked at Baltic Freight we had no coffee.", "work", Was},
	{"When I worked at Baltic Freight, I wore a tie.", "work", Was},
	{"When I lived in Kraków, I rode a tram every day.", "home", Was},
	{"Formerly I lived in Kraków.", "home", Was},
	{"I was formerly married to Tomasz.", "partner", Was},
	{"I was vegetarian as a student.", "diet", Was},
	{"My first phone was a Nokia 3310.", "phone", Was},
	{"My old car was a Lada Niva.", "car", Was},
	{"I once lived in Kraków.", "home", Was},
	{"In my twenties I lived in Kraków.", "home", Was},
	{"Years ago I lived in Kraków.", "home", Was},
	{"My previous employer was Baltic Freight.", "work", Was},
	{"Until last year I worked at Baltic Freight.", "work", Was},
	{"I no longer live in Kraków, but I lived there for years.", "", Holds},

	// What comes.
	{"Starting in June, I'll be working at Nordwind.", "work", Comes},
	{"In March I'll move to Bergen.", "home", Comes},
	{"I'll live in Bergen.", "home", Comes},
	{"I will be living in Bergen.", "home", Comes},
	{"I'm going to move to Bergen.", "home", Comes},
	{"I am moving to Bergen in May.", "home", Comes},
	{"I'm starting at Nordwind on 1 October.", "work", Comes},
	{"My new manager will be Ines Faro.", "manager", Comes},
	{"Ines Faro will be my manager.", "manager", Comes},
	{"Next year I'm moving to Bergen.", "home", Comes},
	{"I'm about to switch from Vim to Zed as my editor.", "editor", Comes},
	{"The team will switch to GitLab CI in autumn.", "", Comes},
	{"From next week on my phone will be a Fairphone 5.", "phone", Comes},
	{"I plan to move to Bergen.", "home", Comes},

	// What is not said to be so.
	{"I'd love to live in Kyoto.", "", Unreal},
	{"I would love to live in Kyoto.", "", Unreal},
	{"I'd like to live in Kyoto some day.", "", Unreal},
	{"I want to move to Kyoto.", "", Unreal},
	{"I'm thinking about moving to Kyoto.", "", Unreal},
	{"I'm thinking of switching to Zed.", "", Unreal},
	{"I might switch to Zed.", "", Unreal},
	{"I wish I lived in Kyoto.", "", Unreal},
	{"If I moved to Kyoto, I would learn Japanese.", "", Unreal},
	{"I'd move to Kyoto if I could.", "", Unreal},
	{"I dream of living in Kyoto.", "", Unreal},
	{"We are considering a move to Kyoto.", "", Unreal},
	{"I'm considering moving to Kyoto.", "", Unreal},
	{"I hope to work at Nintendo one day.", "", Unreal},
	{"I'm tempted to buy a Tesla.", "", Unreal},
	{"I could live in Kyoto.", "", Unreal},
	{"I can imagine living in Kyoto.", "", Unreal},
	{"Moving to Kyoto would be great.", "", Unreal},
	{"My dream car is a Porsche 911.", "", Unreal},
	{"Ideally I'd work at Nintendo.", "", Unreal},
	{"My boss told me: I live in Berlin.", "", Unreal},
	{"My boss told me he lives in Berlin.", "", Unreal},
	{"Ruben says he moved to Porto.", "", Unreal},
	{"Ruben said: \"I moved to Porto.\"", "", Unreal},
	{"Clara wrote that she now works at Airbus.", "", Unreal},
	{"According to Clara I live in Porto.", "", Unreal},
	{"She texted me: I'm vegan now.", "", Unreal},
	{"He replied, 'I work at Airbus.'", "", Unreal},
	{"I nearly moved to Porto.", "", Unreal},
	{"I almost quit Skovby.", "", Unreal},
	{"We very nearly moved to Porto.", "", Unreal},
	{"I was going to move to Porto.", "", Unreal},
	{"I was about to move to Porto.", "", Unreal},
	{"I was supposed to move to Porto.", "", Unreal},
	{"I had planned to move to Porto.", "", Unreal},
	{"I decided not to move to Porto.", "", Unreal},
	{"I decided against moving to Porto.", "", Unreal},
	{"I thought about moving to Porto.", "", Unreal},
	{"I considered moving to Porto.", "", Unreal},
	{"I came close to moving to Porto.", "", Unreal},
	{"I wanted to move to Porto.", "", Unreal},
}

func TestStanding(t *testing.T) {
	for _, c := range spoken {
		all := Read(c.text, Options{})
		found := c.attribute == ""
		for i := range all {
			s := &all[i]
			if s.Attribute == c.attribute || c.attribute == "" {
				found = true
				if got := s.Standing(); got != c.want {
					t.Errorf("%q: %s %q %v, want %v", c.text, s.Attribute, s.Value, got, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%q: no %s in %+v", c.text, c.attribute, all)
		}
	}
}
