package slots

import "testing"

// TestPosts: who holds a post has a job, and perhaps an employer.
func TestPosts(t *testing.T) {
	for text, want := range map[string][2]string{ // job and work
		"I'm head nurse at the Equine Hospital.":         {"head nurse", "Equine Hospital"},
		"From March I'll be head nurse at Skovby.":       {"head nurse", "Skovby"},
		"I'm the new head of sales at Kone.":             {"head of sales", "Kone"},
		"I'm the tech lead of the payments team.":        {"tech lead of the payments team", ""},
		"Ines is the tech lead of the payments team.":    {"", ""},
		"The head nurse at the Equine Hospital is Lone.": {"", ""},
	} {
		var got [2]string
		for _, s := range Read(text, Options{}) {
			switch {
			case s.Subject == User && s.Attribute == "job":
				got[0] = s.Value
			case s.Subject == User && s.Attribute == "work":
				got[1] = s.Value
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
