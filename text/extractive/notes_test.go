package extractive

import (
	"slices"
	"testing"
)

// TestConfirmed: what an assistant asks whether to keep is kept if the user says
// so, dropped if not, and with the value that the user says instead.
func TestConfirmed(t *testing.T) {
	for _, c := range []struct {
		talk string
		want []string
	}{
		{"a Shall I note that we use Postgres 16?\nu yes", []string{"The user and others use Postgres 16."}},
		{"a Shall I note that we use Postgres 16?\nu no", nil},
		{"a Should I also remember that backups go to Hetzner?\nu no, they go to Backblaze", []string{"Backups go to Backblaze."}},
		{"a Do you want me to remember that the API runs on port 8081?\nu exactly", []string{"The API runs on port 8081."}},
		{"a Shall I note that you're allergic to nuts and that your sister is Ida?\nu yes please",
			[]string{"The user is allergic to nuts and the user's sister is Ida."}},
		{"a You work at Siemens, right?\nu exactly", []string{"The user works at Siemens."}},
		{"a You work at Siemens, right?\nu nope", nil},
		{"a You probably deploy with Ansible?\nu that's right", []string{"The user deploys with Ansible."}},
		{"a Shall I remember the port?\nu yes", nil},
		{"a Shall I write the tests?\nu yes", nil},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%s\n\tgot %q\n\twant %q", c.talk, got, c.want)
		}
	}
}
