package recall

import (
	"testing"

	"mcp-memory/text/analysis"
)

func TestThemes(t *testing.T) {
	of := func(text string) map[int]float64 { return themesOf(analysis.Content(text)) }
	power, tibber, piano := of("Electricity: Vattenfall, 31 cents a kWh"), of("signed with Tibber"), of("piano lessons with Selin")
	if x := themeShared(power, tibber); x < 0.5 {
		t.Errorf("two suppliers of electricity share %.2f", x)
	}
	if x := themeShared(tibber, piano); x != 0 {
		t.Errorf("electricity and a piano share %.2f", x)
	}
	for stem, list := range themes() {
		for _, s := range list {
			if s.share <= 0 || s.share > 1 {
				t.Errorf("%s says %.2f of a theme", stem, s.share)
			}
		}
	}
}
