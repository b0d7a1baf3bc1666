package hosts

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestScanTOML(t *testing.T) {
	src := "a = 1 # [no]\n\"b c\".d = \"x # y\"\n[t.'u v']\ne = [\n 1, # ]\n \"]\",\n]\nf = \"\"\"\n[no]\n\\\"\"\"\"\"\n[[g]]\nh = { i = '#', j = [{}] }\r\nk = 2026-01-01T00:00:00Z\n"
	keys, err := scanTOML([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range keys {
		got = append(got, strings.Join(k.path, "/")+"="+src[max(k.value, k.start):k.end])
	}
	want := []string{"a=1", `b c/d="x # y"`, "t/u v=[t.'u v']", "t/u v/e=[\n 1, # ]\n \"]\",\n]", "t/u v/f=\"\"\"\n[no]\n\\\"\"\"\"\"",
		"g=[[g]]", "g/h={ i = '#', j = [{}] }", "g/k=2026-01-01T00:00:00Z"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, broken := range []string{"a", "a =", "= 1", "[a", "a = 'x", "a = [1", "a = 1 ]", "[a] b", "a..b = 1", "a = \"x\ny\""} {
		if keys, err := scanTOML([]byte(broken)); err == nil {
			t.Errorf("%q is read as %v", broken, keys)
		}
	}
}

// FuzzTOML puts our block into whatever is TOML, and takes it out.
func FuzzTOML(f *testing.F) {
	for _, seed := range append(fixtures[tomlFile], "[mcp_servers.memory]\ncommand = 'mcp-memory'",
		"x=\"\"\"\n# >>> mcp-memory >>>\n\"\"\"") {
		f.Add(seed)
	}
	entry := codexEntry(Server{Command: `/a "b"/mcp-memory`, Args: []string{"serve"}})
	f.Fuzz(func(t *testing.T, src string) {
		out, err := setTOML([]byte(src), "memory", entry, false)
		if err != nil {
			return
		}
		found, err := findTOML(out, "memory")
		if err != nil || found == nil || found.command != `/a "b"/mcp-memory` {
			t.Fatalf("%q becomes %q: %+v, %v", src, out, found, err)
		}
		again, err := setTOML(out, "memory", entry, false)
		if err != nil || !bytes.Equal(again, out) {
			t.Fatalf("%q becomes %q, then %q: %v", src, out, again, err)
		}
		back, err := removeTOML(out, "memory", "")
		if had, _ := findTOML([]byte(src), "memory"); had == nil && (err != nil || !sameLines(back, []byte(src))) {
			t.Fatalf("%q comes back as %q: %v", src, back, err)
		}
	})
}

// FuzzYAML puts our entry into whatever is YAML, and takes it out.
func FuzzYAML(f *testing.F) {
	for _, seed := range append(fixtures[yamlFile], "extensions:\n# c\n  a: {b: c}\n  # d\n", "a: |\n  extensions:\n", "? x\n: y\n",
		"extensions: &a\n  x: 1\nb: *a\n", "extensions: &a\n! x:", "extensions: {} # none yet\nx: 1\n", "extensions: # none yet\nx: 1\n") {
		f.Add(seed)
	}
	entry := gooseEntry(Server{Name: "mcp-memory", Command: `/a "b"/mcp-memory`, Args: []string{"serve"}})
	f.Fuzz(func(t *testing.T, src string) {
		before, err := decodeYAML([]byte(src))
		if err != nil {
			return
		}
		out, err := setYAML([]byte(src), "extensions", "mcp-memory", entry, false)
		if err != nil {
			return
		}
		after, err := decodeYAML(out)
		if err != nil || !covers(after["extensions"].(map[string]any)["mcp-memory"].(map[string]any), entry) {
			t.Fatalf("%q becomes %q: %v", src, out, err)
		}
		under, _ := before["extensions"].(map[string]any)
		if _, had := under["mcp-memory"]; had {
			return
		}
		_, keep := before["extensions"]
		back, err := removeYAML(out, "extensions", "mcp-memory", "", keep)
		if err != nil || !sameYAML(back, []byte(src)) {
			t.Fatalf("%q becomes %q, then %q: %v", src, out, back, err)
		}
	})
}

// TestDiff wants what is shown to be a patch that makes the change.
func TestDiff(t *testing.T) {
	patch, err := exec.LookPath("patch")
	for name, texts := range map[string][2]string{
		"new": {"", "a\nb\n"}, "gone": {"a\n", ""}, "middle": {"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\ny\n6\n7\n8\n9\n"},
		"two": {strings.Repeat("s\n", 30), strings.Repeat("s\n", 5) + "a\n" + strings.Repeat("s\n", 20) + "b\n" + strings.Repeat("s\n", 5)},
		"end": {"a\nb", "a\nb\nc"}, "long": {strings.Repeat("a\n", maxDiff+1), strings.Repeat("b\n", maxDiff+1)},
	} {
		shown := diff("/x/f", []byte(texts[0]), []byte(texts[1]))
		if got := patched(t, texts[0], shown); got != texts[1] {
			t.Errorf("%s: %q becomes %q, want %q, by\n%.300s", name, texts[0], got, texts[1], shown)
		}
		if err != nil || name == "new" || name == "gone" {
			continue
		}
		path := filepath.Join(t.TempDir(), "f")
		write(t, path, texts[0])
		cmd := exec.Command(patch, "-s", path)
		cmd.Stdin = strings.NewReader(shown)
		out, err := cmd.CombinedOutput()
		if got, _ := os.ReadFile(path); err != nil || string(got) != texts[1] {
			t.Errorf("%s: patch says %s, %v: %q", name, out, err, got)
		}
	}
}

// patched does what a diff says, line by line.
func patched(t *testing.T, before, shown string) string {
	old, at := strings.SplitAfter(before, "\n"), 0
	var out strings.Builder
	for _, line := range strings.Split(shown, "\n")[2:] {
		switch {
		case strings.HasPrefix(line, "@@ -"):
			var start, count, x, y int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &start, &count, &x, &y); err != nil {
				t.Fatal(err)
			}
			if count == 0 {
				start++
			}
			for ; at < start-1; at++ {
				out.WriteString(old[at])
			}
		case strings.HasPrefix(line, `\`):
			cut := strings.TrimSuffix(out.String(), "\n")
			out.Reset()
			out.WriteString(cut)
		case strings.HasPrefix(line, "+"):
			if s := out.String(); s != "" && !strings.HasSuffix(s, "\n") {
				out.WriteString("\n")
			}
			out.WriteString(line[1:] + "\n")
		case strings.HasPrefix(line, "-"):
			at++
		case strings.HasPrefix(line, " "):
			out.WriteString(line[1:] + "\n")
			at++
		}
	}
	for ; at < len(old); at++ {
		out.WriteString(old[at])
	}
	return out.String()
}
