package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mcp-memory/internal/golden"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// step is one call of a transcript. In arguments <id-1> is the first id that
// any answer had, and so on.
type step struct {
	at   string // what the clock shows; empty is as before
	tool string
	args string
}

var (
	anyID    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	knownID  = regexp.MustCompile(`<id-[0-9]+>`)
	anyScore = regexp.MustCompile(`("(?:score|salience)": |score )([0-9.e-]+)`)
	ranking  = regexp.MustCompile(`(?s)("categories": \[).*?\n  (\])|("tier": ")[a-z]+(")`)
)

// transcript makes the calls and returns them with their answers. Ids, which
// are partly random, become <id-n>; scores, which belong to the tests of
// ranking as tiers and the order of categories do, become …; they have to lie
// between 0 and 1.
func (r *rig) transcript(steps []step) []byte {
	r.t.Helper()
	var b bytes.Buffer
	names, ids := map[string]string{}, map[string]string{}
	plain := func(s string) string {
		s = anyID.ReplaceAllStringFunc(s, func(id string) string {
			if names[id] == "" {
				names[id] = fmt.Sprintf("<id-%d>", len(names)+1)
				ids[names[id]] = id
			}
			return names[id]
		})
		return anyScore.ReplaceAllStringFunc(s, func(score string) string {
			parts := anyScore.FindStringSubmatch(score)
			if x, err := strconv.ParseFloat(parts[2], 64); err != nil || x < 0 || x > 1 {
				r.t.Errorf("%s is not from 0 to 1", score)
			}
			return parts[1] + "…"
		})
	}
	for _, s := range steps {
		if s.at != "" {
			r.clock.set(r.t, s.at)
		}
		fmt.Fprintf(&b, "-- %s %s %s\n", r.clock.time().Format(time.RFC3339), s.tool, s.args)
		args := knownID.ReplaceAllStringFunc(s.args, func(name string) string {
			if ids[name] == "" {
				r.t.Fatalf("%s: there is no %s yet", s.args, name)
			}
			return ids[name]
		})
		result := r.call(s.tool, args)
		if text := textOf(result); !strings.HasPrefix(text, "{") { // else it is what follows
			b.WriteString(plain(text) + "\n")
		}
		if !result.IsError {
			var pretty bytes.Buffer
			if err := json.Indent(&pretty, r.structured(result), "", "  "); err != nil {
				r.t.Fatal(err)
			}
			b.WriteString(plain(ranking.ReplaceAllString(pretty.String(), "$1$3…$2$4")) + "\n")
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func TestTranscripts(t *testing.T) {
	for name, steps := range map[string][]step{
		"life_of_a_memory": {
			{"2026-03-01T09:00", "memory_save",
				`{"content":"My cat's name is Whiskerino.","tags":["pet"],"importance":0.8,"metadata":{"page":7}}`},
			{"2026-03-01T09:01", "memory_save", `{"content":"my cat's name  is whiskerino"}`},
			{"2026-03-01T09:02", "memory_save", `{"content":"The deploy script lives in ops/deploy.sh.","project":"acme/shop"}`},
			{"2026-03-02T10:00", "memory_recall", `{"query":"What is my cat called?","limit":1}`},
			{"", "memory_search", `{"query":"cat","limit":"1"}`},
			{"2026-03-10T10:00", "memory_update", `{"id":"<id-1>","content":"My cat's name is Whiskerino the Second."}`},
			{"", "memory_get", `{"ids":["<id-1>","<id-3>","nothing"]}`},
			{"", "memory_recall", `{"query":"What is my cat called?","limit":1}`},
			{"2026-03-11T10:00", "memory_forget", `{"ids":["<id-3>"],"reason":"asked to"}`},
			{"", "memory_recall", `{"query":"Whiskerino"}`},
			{"", "memory_forget", `{"undo":"<id-4>"}`},
			{"", "memory_forget", `{"undo":"<id-4>"}`},
			{"2026-03-12T10:00", "memory_recall", `{"query":"What is my cat called?","as_of":"2026-03-05","limit":1}`},
			{"", "memory_recall", `{"query":"What is my cat called?","known_at":"2026-02-01"}`},
		},
		"files": {
			{"2026-03-01T09:00", "memory_save", `{"content":"Vermeulen's phone number is 0612.","importance":0.9}`},
			{"", "memory_search", `{"query":"Who services the boiler?","in":["workspace"]}`},
			{"", "memory_search", `{"query":"phone number of Vermeulen","limit":2}`},
			{"", "memory_search", `{"query":"dinner","since":"2026-02-14","until":"2026-02-15"}`},
			{"", "memory_search", `{"query":"dinner","in":"files"}`},
			{"", "memory_search", `{"query":"the boiler","in":["workspace"],"kinds":["fact"]}`},
		},
		"thinking": {
			{"2026-03-01T09:00", "context_append",
				`{"session_id":"s","messages":[{"role":"user","content":"Where do we put the mooring?"},{"role":"assistant","content":"By the pier.","thinking":"The old quay silts up every winter, so not there."}]}`},
			{"", "memory_search", `{"query":"Does the old quay silt up?"}`},
			{"", "memory_search", `{"query":"Does the old quay silt up?","in":"thinking"}`},
			{"", "memory_search", `{"query":"old quay","in":["thinking"],"session":"other"}`},
		},
		"corrections": {
			{"2026-03-01T09:00", "memory_save", `{"content":"Ann lives in Oslo.","external_id":"home","occurred_at":"2020-05-01"}`},
			{"", "memory_save", `{"content":"Ann lives in Bergen.","external_id":"home","occurred_at":"2025-06-01","idempotency_key":"k"}`},
			{"", "memory_save", `{"content":"Ann lives in Bergen.","external_id":"home","occurred_at":"2025-06-01","idempotency_key":"k"}`},
			{"", "memory_save", `{"content":"Ann lives in Turku.","supersedes":"<id-1>"}`},
			{"", "memory_update", `{"id":"<id-1>","content":"Ann lives in Turku."}`},
			{"", "memory_update", `{"id":"<id-2>","importance":1,"pinned":true,"tags":"home","valid_until":"2027-01-01"}`},
			{"", "memory_update", `{"id":"<id-2>","content":"Ann lives in Bergen."}`},
			{"", "memory_recall", `{"query":"Where does Ann live?","as_of":"2024-01-01","limit":1}`},
			{"", "memory_recall", `{"query":"Where does Ann live?","limit":1}`},
			{"", "memory_recall", `{"query":"Where does Ann live?","as_of":"2028-01-01"}`},
			{"", "memory_get", `{"ids":"<id-1>"}`},
		},
		"long_term": {
			{"2026-03-01T09:00", "add_to_longterm_memory",
				`{"content":"Ben kept his promise to review the plan.","participants":["Ben"],"outcome":"The plan was approved.","emotional_valence":0.7,"tags":["promise"]}`},
			{"", "add_to_longterm_memory", `{"content":"Ben kept his promise to review the plan."}`},
			{"", "memory_recall", `{"query":"Did Ben keep his promise?","kinds":["longterm"],"limit":1}`},
			{"", "memory_get", `{"ids":["<id-1>"]}`},
		},
		"projects": {
			{"2026-03-01T09:00", "memory_save", `{"content":"The release branch is called stable.","project":"acme/shop"}`},
			{"", "memory_save", `{"content":"The release branch is called stable.","project":"acme/blog"}`},
			{"", "memory_recall", `{"query":"release branch"}`},
			{"", "memory_recall", `{"query":"release branch","project":"acme/blog"}`},
			{"", "memory_recall", `{"query":"release branch","project":"*"}`},
			{"", "memory_save", `{"content":"Everything is everywhere.","project":"*"}`},
			{"", "memory_recall", `{"query":"release branch","project":"acme/wiki"}`},
			{"", "memory_search", `{"query":"release branch","project":"acme/wiki"}`},
			{"", "memory_recall", `{"query":"submarine","project":"acme/wiki"}`},
		},
		"forgetting": {
			{"2026-03-01T09:00", "memory_save", `{"content":"The old wiki runs on port 8080."}`},
			{"", "memory_save", `{"content":"The new wiki runs on port 9090."}`},
			{"", "memory_save", `{"content":"The garden needs water in July.","project":"home"}`},
			{"", "memory_forget", `{"query":"old wiki","dry_run":true}`},
			{"", "memory_forget", `{"query":"old wiki"}`},
			{"", "memory_forget", `{"ids":["<id-1>","nothing","<id-2>","<id-2>"]}`},
			{"", "memory_recall", `{"query":"port of the wiki","include_archived":true,"limit":2}`},
			{"", "memory_forget", `{"ids":["<id-1>"],"permanent":true,"confirm":true}`},
			{"", "memory_get", `{"ids":["<id-1>"]}`},
			{"", "memory_forget", `{"project":"home"}`},
			{"", "memory_forget", `{"query":"submarine"}`},
			{"2026-03-02T09:00", "memory_save", `{"content":"I live in Groningen."}`},
			{"2026-03-03T09:00", "memory_save", `{"content":"I have moved to Maastricht."}`},
			{"", "memory_forget", `{"ids":["<id-8>"],"dry_run":true}`},
			{"", "memory_forget", `{"ids":["<id-8>"]}`},
			{"", "memory_recall", `{"query":"Where do I live?","limit":1}`},
			{"", "memory_forget", `{"undo":"<id-9>"}`},
			{"", "memory_recall", `{"query":"Where do I live?","limit":1}`},
			{"", "memory_forget", `{"ids":["<id-8>"],"permanent":true,"confirm":true}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newFullRig(t)
			if name == "files" {
				r.file("house.md", "# House\n\n## Heating\nThe boiler is serviced every October by Vermeulen.\n")
				r.file("memory/2026-02-14.md", "# 2026-02-14\n\nWe had dinner at the Portuguese restaurant.\n")
			}
			golden.Compare(t, "testdata/transcripts/"+name+".txt", r.transcript(steps))
		})
	}
}
