//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// templates make facts about everything but the cat of whoever asks.
var templates = []string{
	"%[1]s works as a %[3]s in %[2]s.",
	"%[1]s moved to %[2]s in %[4]d.",
	"The office in %[2]s has %[4]d desks and belongs to %[1]s.",
	"%[1]s prefers tea without milk since the trip to %[2]s.",
	"Server %[4]d in %[2]s runs the billing service; %[1]s maintains it.",
	"%[1]s's dog is a %[5]s and is afraid of thunder.",
	"We decided to give %[1]s the %[3]s role in %[2]s.",
	"The name of the %[3]s's project in %[2]s is Operation %[5]s.",
	"%[1]s paid %[4]d euros for the train to %[2]s.",
	"%[1]s wants to learn the language that is spoken in %[2]s.",
}

var (
	people = strings.Fields("Olga Bruno Chen Dalia Emeka Freya Gustav Hana Ivo Jasmin Karim Lena Mateo Nadia Oscar Priya Quentin Rosa Sven Tariq")
	places = strings.Fields("Bergen Porto Utrecht Tallinn Lyon Graz Ghent Malmö Turin Bilbao Cork Gdansk Brno Split Varna")
	jobs   = strings.Fields("nurse plumber translator architect baker pilot teacher gardener")
	breeds = strings.Fields("beagle poodle terrier spaniel collie")
)

// facts returns n facts, all different.
func facts(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(templates[i%len(templates)],
			people[i/len(templates)%len(people)], places[i%len(places)], jobs[i%len(jobs)], 1000+i, breeds[i%len(breeds)])
		if !strings.Contains(list[i], fmt.Sprint(1000+i)) {
			list[i] += fmt.Sprintf(" (note %d)", 1000+i)
		}
	}
	return list
}

// factLines returns facts as a file of JSONL, with ids if they are asked for.
func factLines(t testing.TB, contents []string, ids bool) string {
	t.Helper()
	var b strings.Builder
	for i, content := range contents {
		line := map[string]any{"content": content}
		if ids {
			line["id"] = fmt.Sprintf("fact-%d", i)
		}
		data, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(data, '\n'))
	}
	return b.String()
}

func factFile(t testing.TB, contents []string, ids bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "facts.jsonl")
	if err := os.WriteFile(path, []byte(factLines(t, contents, ids)), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
