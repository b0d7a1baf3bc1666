package extractive

import "testing"

// A correction leaves what is right now, and nothing that says only that something is.
func TestCorrectedInTalk(t *testing.T) {
	checkTalks(t, []talkCase{
		{"u our staging box is called otter\na Got it.\nu sorry I meant badger, otter was decommissioned in spring",
			[]string{"The user's staging box is called badger."}},
		{"u We have 12 servers.\na OK.\nu 14 actually\na Noted: 14.\nu no, 15, Kim just added one", []string{"The user and others have 15 servers."}},
		{"u The standup is at 9:30.\na OK.\nu 9:45 actually\na Updated: 9:45.\nu 10. they moved it again.", []string{"The standup is at 10."}},
		{"u Standup is at 9:30.\na OK.\nu sorry, 9:45\na Updated: 9:45.", []string{"Standup is at 9:45."}},
		{"u We decided to use MongoDB.\na OK.\nu we decided against MongoDB, it's Postgres now",
			[]string{"The user and others decided against MongoDB, it's Postgres now."}},
		{"u Hanna leads the mobile team.\na OK.\nu Hanna quit. The new lead is Yusuf.",
			[]string{"Hanna leads the mobile team.", "Hanna quit. The new lead is Yusuf."}},
		{"u Lena is on vacation in June.\na OK.\nu no sorry, not Lena, Lara", []string{"Lara is on vacation in June."}},
		{"u Unser Release ist am 12. Dezember.\na OK.\nu quatsch, am 15.", []string{"The user: Unser Release ist am 15. Dezember."}},
		{"u The API listens on 8080 and the admin UI on 9090.\na OK.\nu wait I swapped those two", nil},
		{"u The API key is rotated in May. The TLS certificate is renewed in June.\na OK.\nu wait I swapped those two", nil},
		{"u Anna is the designer. Berta is the tester.\na OK.\nu I got those two the wrong way round", nil},
		{"u The build server is called falcon.\na OK.\nu I meant hawk, falcon is gone", []string{"The build server is called hawk."}},
		{"u Our test cluster is called moss.\na OK.\nu moss is gone, it's fern now", []string{"The user's test cluster is called fern."}},
		{"u The rent is 900 euros.\na OK.\nu 950. they raised it again.", []string{"The rent is 950 euros."}},
		// What puts nothing right.
		{"u The port is 8080.\na OK.\nu 9090, the admin port, is closed.", []string{"The port is 8080.", "9090, the admin port, is closed."}},
		{"u We ship on Mondays.\na OK.\nu Mondays are bad, it's raining now", []string{"The user and others ship on Mondays."}},
		{"u The box has 64 GB.\na OK.\nu 2", []string{"The box has 64 GB."}},
		{"u Max and Ida are my kids.\na OK.\nu no, not Max", []string{"Max and Ida are the user's kids. Not Max."}},
	})
}
