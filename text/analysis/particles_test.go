package analysis

import "testing"

func TestWithoutParticles(t *testing.T) {
	for text, want := range map[string]string{
		"東京の桜":                          "東京 桜",
		"桜が咲く公園は？":                      "桜 咲く公園 ？",
		"トーストと紅茶":                       "トースト 紅茶",
		"Goの版":                          "Go 版",
		"7時に":                           "7時 ",
		"ここでは":                          "ここでは", // no word of another script before it
		"東京には":                          "東京には", // two of them: could be anything
		"のんびり":                          "のんびり",
		"食べもの":                          "食べもの",
		"谁对花生过敏？":                       "谁对花生过敏？",
		"Which city does Anna live in?": "Which city does Anna live in?",
		"":                              "",
	} {
		if got := WithoutParticles(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
