package jsonl

import (
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

type line struct {
	ID string `json:"id"`
	At Time   `json:"ts"`
}

func TestAll(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if !strings.HasSuffix(name, ".gz") {
			_, err = f.WriteString(text)
		} else {
			packed := gzip.NewWriter(f)
			packed.Write([]byte(text))
			err = packed.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSuffix(path, ".gz")
	}
	const two = `{"id":"a","ts":"2023-05-08T13:56:00+02:00"}` + "\n\n" + `{"id":"b","ts":"2023-05-08"}`
	for _, name := range []string{"plain.jsonl", "packed.jsonl.gz"} {
		got, err := All[line](write(name, two))
		if err != nil || len(got) != 2 || got[0].ID != "a" || got[1].ID != "b" {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
		if at := got[0].At; !at.Equal(time.Date(2023, 5, 8, 11, 56, 0, 0, time.UTC)) || at.Location() != time.UTC {
			t.Errorf("%s: %v", name, at)
		}
	}
	if got, err := All[line](write("never.jsonl", `{"ts":""}`)); err != nil || !got[0].At.IsZero() {
		t.Errorf("%v, %v", got, err)
	}
	for name, text := range map[string]string{
		"half.jsonl": `{"id":"a"}` + "\n" + `{"id":`, "number.jsonl": `{}` + "\n" + `{"ts":5}`,
		"soon.jsonl": `{}` + "\n" + `{"ts":"soon"}`,
	} {
		if _, err := All[line](write(name, text)); err == nil || !strings.HasPrefix(err.Error(), name+", line 2: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := All[line](filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	bad := write("bad.gz", "")
	if err := os.WriteFile(bad+".gz", []byte("no gzip"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := All[line](bad); err == nil {
		t.Error("a broken archive is read")
	}
}
