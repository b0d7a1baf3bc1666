package slots

import "testing"

// TestClasses: what people and teams say of their things is known by its class,
// whatever words the later sentence has.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		older, newer string
		want         Relation
	}{
		{"My shirt size is M.", "My shirt size is L now.", Certain},
		{"My ring size is 54.", "My ring size is 56.", Certain},
		{"We live at 14 Larkbeare Terrace.", "Our new address is 3 Coombe Cottages.", Certain},
		{"We live at 14 Larkbeare Terrace.", "We moved into a farmhouse near Topsham.", Certain},
		{"I live in Graz.", "My new address is 3 Coombe Cottages.", None}, // which may be in Graz
		{"We live at 14 Larkbeare Terrace.", "My new email address is ann@example.org.", None},
		{"We live at 14 Larkbeare Terrace.", "Our new office address is 3 Quay Street.", None},
		{"My dermatologist is Dr. Amadi.", "My new dermatologist is Dr. Lind.", Certain},
		{"Our paediatrician is Dr. Vos.", "Our paediatrician is now Dr. Haas.", Certain},
		{"My dermatologist is Dr. Amadi.", "My neurologist is Dr. Lind.", None},
		{"My parking spot is 14.", "My parking spot is 22 now.", Certain},
		{"My notice period is 3 months.", "My notice period is 6 months.", Certain},
		{"Our iteration length is 2 weeks.", "Our sprint length is 3 weeks now.", Certain},
		{"The contact person for Fjord is Ida.", "The contact person for Fjord is now Bo.", Certain},
		{"The contact person for Fjord is Ida.", "The contact person for Nordlys is Bo.", None},
		{"The response time of the search API is 200 ms.", "The response time of the search API is 150 ms.", Certain},
		{"We keep secrets in Vault.", "Our secret store is now Infisical.", Certain},
		{"Our container registry is Harbor.", "Our image registry is GHCR.", Certain},
		{"We use Docker.", "We switched to Podman.", Certain},
		{"We use Docker.", "We use Podman.", Beside},
		{"We use Terraform.", "We went over to Pulumi.", Certain},
		{"We use Terraform.", "We use Ansible.", None},
		{"Ines uses a Canon.", "Ines switched to a Nikon.", Certain},
		{"The code freeze is on 3 May.", "The code freeze is now on 10 May.", Certain},
		{"Our CDN is Fastly.", "We moved the CDN to Akamai.", Certain},
		{"My printer is a Brother.", "I have a new printer, an Epson.", Certain},
	} {
		if got := Between(Read(c.older, Options{}), Read(c.newer, Options{})); got != c.want {
			t.Errorf("%s / %s: %v, want %v", c.older, c.newer, got, c.want)
		}
	}
}
