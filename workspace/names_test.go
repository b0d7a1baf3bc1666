package workspace_test

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcp-memory/internal/testfiles"
	"mcp-memory/workspace"
)

func TestSessionNames(t *testing.T) {
	for session, want := range map[string][2]string{
		"0195-AB_c.d": {"0195-AB_c.d", "0195-%41%42_c.d"}, "One": {"One", "%4Fne"}, "one": {"one", "%6F%6E%65"}, "17": {"17", "17"},
		".": {"%2E", "%2E"}, "..": {"%2E.", "%2E."},
		"../../etc": {"%2E.%2F..%2Fetc", "%2E.%2F..%2F%65%74%63"}, `C:\x`: {"C%3A%5Cx", "%43%3A%5Cx"},
		"con": {"%63on", "%63on"}, "con.x": {"%63on.x", "%63on.x"}, "COM1": {"%43%4F%4D1", "%43%4F%4D1"}, "lpt9.": {"%6Cpt9.", "%6Cpt9."},
		"cone": {"cone", "%63%6F%6E%65"}, "é": {"%C3%A9", "%C3%A9"}, "A b%": {"A%20b%25", "%41%20b%25"},
	} {
		plain, other := workspace.SessionNames(session)
		if plain != "sessions/"+want[0]+".jsonl" || other != "sessions/"+want[1]+".jsonl" {
			t.Errorf("%q: %s and %s", session, plain, other)
		}
	}
	long, _ := workspace.SessionNames(strings.Repeat("ü", 127) + "a")
	if other, _ := workspace.SessionNames(strings.Repeat("ü", 127) + "b"); long == other {
		t.Error("long names are the same")
	}
	others, plains, folded := map[string]string{}, map[string]string{}, map[string][]string{}
	rapid.Check(t, func(t *rapid.T) {
		session := rapid.OneOf(rapid.StringN(1, 256, 256), rapid.StringMatching(`[a-cA-C.% /\\-]{1,12}`),
			rapid.StringMatching(`(?i)(con|aux|one|a)(\.x)?`)).Draw(t, "session")
		plain, other := workspace.SessionNames(session)
		mine := func(name string, of ...string) {
			if i := slices.IndexFunc(of, func(s string) bool { return s != "" && s != session }); i >= 0 {
				t.Fatalf("%q and %q are both %s", of[i], session, name)
			}
		}
		// The other name is nobody else's whatever the case, neither as such nor as a
		// plain one; a plain one is nobody else's where case counts.
		mine(other, append(folded[strings.ToLower(other)], others[strings.ToLower(other)])...)
		mine(plain, others[strings.ToLower(plain)], plains[plain])
		others[strings.ToLower(other)], plains[plain] = session, session
		folded[strings.ToLower(plain)] = append(folded[strings.ToLower(plain)], session)
		for _, name := range []string{plain, other} {
			name = strings.TrimPrefix(name, "sessions/")
			if len(name) > 200 || !filepath.IsLocal(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:*?"<>| `) {
				t.Fatalf("%q: %s", session, name)
			}
			if back, err := url.PathUnescape(strings.TrimSuffix(name, ".jsonl")); !strings.Contains(name, "%-") &&
				(back != session || err != nil) {
				t.Fatalf("%q came back as %q, %v", session, back, err)
			}
		}
	})
}

// TestSessionFileByWhatIsThere: also where the file system does not tell case.
func TestSessionFileByWhatIsThere(t *testing.T) {
	testfiles.OnDisk(t)
	for name, c := range map[string]struct {
		ignoresCase bool
		there       []string
		session     string
		want        string
	}{
		"nothing there":                        {true, nil, "Ada", "Ada"},
		"its own":                              {true, []string{"Ada"}, "Ada", "Ada"},
		"its own, case counts":                 {false, []string{"Ada"}, "Ada", "Ada"},
		"an earlier version's":                 {true, []string{"%41da"}, "Ada", "%41da"},
		"an earlier version's of another":      {true, []string{"%41da"}, "ada", "ada"},
		"another's":                            {true, []string{"ada"}, "Ada", "%41da"},
		"another's, case counts":               {false, []string{"ada"}, "Ada", "%41da"},
		"lower case, its own":                  {true, []string{"ada", "%41da"}, "ada", "ada"},
		"lower case, another's":                {true, []string{"Ada"}, "ada", "%61%64%61"},
		"lower case, another's, case counts":   {false, []string{"Ada"}, "ada", "%61%64%61"},
		"a third":                              {true, []string{"Ada", "%61%64%61"}, "aDA", "a%44%41"},
		"both, as somebody made them":          {false, []string{"Ada", "ada"}, "Ada", "Ada"},
		"the opposite is there, case counts":   {false, []string{"aDA", "Ada"}, "Ada", "Ada"},
		"only the opposite, case counts":       {false, []string{"aDA"}, "Ada", "%41da"},
		"only the opposite, case is ignored":   {true, []string{"aDA"}, "Ada", "%41da"},
		"something else":                       {true, []string{"Adam", "Bea"}, "Ada", "Ada"},
		"no letters":                           {true, []string{"17"}, "17", "17"},
		"a device":                             {true, []string{"%63on"}, "con", "%63on"},
		"a device of an earlier version's kin": {true, []string{"%63on"}, "CON", "%43%4F%4E"},
	} {
		full := func(s string) string { return "sessions/" + s + ".jsonl" }
		var there []string
		for _, one := range c.there {
			there = append(there, full(one))
		}
		found := func(s string) bool {
			return slices.ContainsFunc(there, func(o string) bool { return o == s || c.ignoresCase && strings.EqualFold(o, s) })
		}
		plain, other := workspace.SessionNames(c.session)
		got, err := workspace.ChooseSession(plain, other, found, func() ([]string, error) { return there, nil })
		if err != nil || got != full(c.want) {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
}

// TestSessionFiles: sessions whose names differ by case have files whose names differ by
// more, those that an earlier version made go on, and what is erased is one's own.
func TestSessionFiles(t *testing.T) {
	d := testfiles.Open(t.TempDir(), "ann")
	put(t, d, "sessions/%4Fld.jsonl", "")
	files := func() (list []string) {
		entries, err := testfiles.ReadDir(filepath.Join(testfiles.Path(d), "sessions"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list = append(list, strings.TrimSuffix(e.Name(), ".jsonl"))
		}
		return list
	}
	for range 2 { // the second time all are there
		for _, session := range []string{"Standup", "standup", "STANDUP", "Old", "old"} {
			must(t, d.AppendSession(t.Context(), session, turns(1)))
		}
		want := []string{"%4Fld", "%53%54%41%4E%44%55%50", "%73%74%61%6E%64%75%70", "Standup", "old"}
		if got := files(); !slices.Equal(got, want) {
			t.Fatalf("the files are %q, want %q", got, want)
		}
	}
	for _, name := range files() {
		if got := read(t, testfiles.Path(d), "sessions", name+".jsonl"); strings.Count(got, "\n") != 1 {
			t.Errorf("%s has %q", name, got)
		}
	}
	must(t, d.EraseSession(t.Context(), "standup"))
	must(t, d.EraseSession(t.Context(), "OLD"))
	if got, want := files(), []string{"%4Fld", "%53%54%41%4E%44%55%50", "Standup", "old"}; !slices.Equal(got, want) {
		t.Errorf("then the files are %q, want %q", got, want)
	}
}
