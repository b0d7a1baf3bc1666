package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcp-memory/cognition"
	"mcp-memory/internal/golden"
	"mcp-memory/memory"
)

// mind is a rig with the tools of the cognition stack beside those of the bank.
type mind struct {
	*rig
	dir   string
	agent string // whose calls these are
}

func newMind(t testing.TB) *mind {
	t.Helper()
	m := &mind{rig: openRig(t), agent: "ann"}
	m.dir = m.bank.Dir
	m.using.Cognition = cognition.New(m.bank.CognitionOptions())
	m.use(func(context.Context, *string) (memory.Scope, error) {
		return memory.Scope{Agent: m.agent, Session: "one"}, nil
	})
	return m
}

func TestCognitionTranscripts(t *testing.T) {
	for name, steps := range map[string][]step{
		"soul": {
			{"2026-03-01T09:00", "soul_add", `{"content":"Conflict is the engine of progress."}`},
			{"2026-03-01T09:01", "soul_add", `{"content":"I fear being forgotten.","kind":"fear"}`},
			{"", "soul_add", `{"content":"i fear being forgotten"}`},
			{"", "soul_list", `{}`},
			{"", "memory_forget", `{"ids":["<id-1>"]}`},
			{"", "memory_forget", `{"query":"conflict progress"}`},
			{"", "soul_remove", `{"id":"<id-1>","reason":" "}`},
			{"2026-03-02T09:00", "soul_remove", `{"id":"<id-1>","reason":"Peace works better."}`},
			{"", "soul_remove", `{"id":"<id-1>","reason":"Peace works better."}`},
			{"", "soul_list", `{}`},
			{"", "memory_get", `{"ids":["<id-1>"]}`},
		},
		"episode": {
			{"2026-03-01T09:00", "save_episode",
				`{"event":"The launch was moved","context":"The migration failed.","participants":["Carla"],"outcome":"New date is 12 May","emotional_valence":-0.4,"importance":0.9,"tags":["launch"],"occurred_at":"2026-02-20"}`},
			{"", "save_episode",
				`{"event":"The launch was moved","context":"The migration failed.","participants":"Carla","outcome":"New date is 12 May","occurred_at":"2026-02-20"}`},
			{"", "memory_recall", `{"query":"Why did the migration fail?","kinds":["episode"],"limit":1}`},
		},
		"semantic": {
			{"2026-03-01T09:00", "save_semantic",
				`{"subject":"Ann","predicate":"lives_in","object":"Oslo","category":"identity","confidence":0.9,"source":"Ann herself","valid_from":"2020-01-01"}`},
			{"2026-03-05T09:00", "save_semantic", `{"subject":"ann","predicate":"lives in","object":"Bergen","confidence":0.4}`},
			{"", "save_semantic", `{"subject":"Ann","predicate":"lives-in","object":"bergen"}`},
			{"", "save_semantic", `{"subject":"Ann","predicate":"speaks","object":"Norwegian"}`},
			{"", "save_semantic", `{"subject":"Ann","predicate":"speaks","object":"English"}`},
			{"", "query_semantic", `{"subject":"ANN"}`},
			{"", "query_semantic", `{"predicate":"lives in","as_of":"2021-01-01"}`},
			{"", "query_semantic", `{"object":"Paris"}`},
		},
		"procedure": {
			{"2026-03-01T09:00", "save_procedure",
				`{"name":"deploy_api","description":"Deploy the API","steps":[{"action":"Run tests","expected_outcome":"All pass"},{"action":"Push the image","error_handling":"Log in again"}],"prerequisites":"Registry login","success_criteria":["Health check is green"]}`},
			{"", "find_procedure", `{"query":"deploy the API"}`},
			{"2026-03-02T09:00", "record_procedure_run", `{"name":"deploy_api","success":true}`},
			{"", "record_procedure_run", `{"name":"deploy_api","success":"false","notes":"The registry was down."}`},
			{"", "find_procedure", `{"query":"deploy the API"}`},
			{"", "find_procedure", `{"query":"deploy the API","min_success_rate":0.5}`},
			{"", "save_procedure", `{"name":"Deploy_API","steps":[{"action":"Press the button"}]}`},
			{"", "record_procedure_run", `{"name":"deploy the api","success":true}`},
		},
		"relationship": {
			{"2026-03-01T09:00", "relationship_update", `{"agent":"boris"}`},
			{"2026-03-02T09:00", "relationship_update",
				`{"agent":"boris","name":"Boris","type":"ally","trust_level":0.8,"emotional_tone":"warm","rationale":"He kept his promise.","notes":"Likes chess.","tags":["chess"]}`},
			{"2026-03-03T09:00", "relationship_update", `{"agent":"boris"}`},
			{"", "relationship_update", `{"agent":"boris","trust_level":0.8,"interaction":false}`},
			{"2026-03-04T09:00", "relationship_update", `{"agent":"boris","trust_level":"0.2","interaction":false}`},
			{"", "relationship_get", `{"type":"ally"}`},
			{"", "relationship_get", `{"agent":"boris","history":true}`},
			{"", "relationship_get", `{"agent":"nobody"}`},
		},
		"learning": {
			{"2026-03-01T09:00", "learning_record",
				`{"kind":"error","content":"git push needs the token.","context":"releasing","tool":"git"}`},
			{"2026-03-02T09:00", "learning_record", `{"kind":"correction","content":"Ann spells her name without e."}`},
			{"", "learning_record", `{"kind":"correction","content":"Ann spells her name without e."}`},
			{"", "learning_list", `{}`},
			{"", "learning_list", `{"kind":"error","limit":1}`},
			{"", "learning_list", `{"tool":"Bash: git push"}`},
			{"", "learning_list", `{"tool":"Bash: npm ci"}`},
		},
		"diary": {
			{"2026-03-01T09:00", "diary_write", `{"content":"Met Boris.","mood":"calm","location":"Oslo","data":{"steps":7}}`},
			{"2026-03-01T19:00", "diary_write", `{"content":"Slept badly."}`},
			{"", "diary_write", `{"content":"Slept badly."}`},
			{"2026-03-02T19:00", "diary_write", `{"content":"Rain all day."}`},
			{"", "diary_read", `{}`},
			{"", "diary_read", `{"date":"2026-03-01"}`},
			{"", "diary_read", `{"query":"boris","since":"2026-02-01","until":"2026-03-01"}`},
			{"", "diary_write", `{"content":"Nothing of note.","date":"2026-03-01","append":false}`},
			{"", "diary_read", `{"query":"boris"}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			golden.Compare(t, "testdata/transcripts/"+name+".txt", newMind(t).transcript(steps))
		})
	}
}

const (
	rateHint = " (a number from 0 to 1)"
	dateHint = " (YYYY-MM-DD such as 2026-03-01)"
)

var cognitionRefusals = map[string]refusal{
	"soul without content": {"soul_add", `{}`, "invalid_argument: content is missing (a string)"},
	"blank soul": {"soul_add", `{"content":" "}`,
		"invalid_argument: content is empty (say what to remember, in a sentence that stands on its own)"},
	"soul of 33 KiB": {"soul_add", `{"content":` + quoted(33<<10) + `}`,
		"too_large: content is 33792 bytes, at most 32768 are allowed" + tooLong},
	"kind of soul": {"soul_add", `{"content":"a","kind":"believe"}`,
		`invalid_argument: kind is "believe" (one of belief, value, fear, conviction; did you mean belief?)`},
	"remove without reason": {"soul_remove", `{"id":"a"}`, "invalid_argument: reason is missing (a string)"},
	"remove for no reason":  {"soul_remove", `{"id":"a","reason":""}`, "invalid_argument: reason is empty (a text that is not blank)"},
	"remove nothing": {"soul_remove", `{"id":"` + nowhere + `","reason":"a"}`,
		`not_found: there is no memory "` + nowhere + `"` + fromIDs},
	"list with an argument": {"soul_list", `{"limit":5}`, `invalid_argument: unknown argument "limit" (there are no arguments)`},
	"no event":              {"save_episode", `{"context":"a"}`, "invalid_argument: event is missing (a string)"},
	"blank event":           {"save_episode", `{"event":"\t"}`, "invalid_argument: event is empty (a text that is not blank)"},
	"valence": {"save_episode", `{"event":"a","emotional_valence":2}`,
		"invalid_argument: emotional_valence is 2 (a number from -1 to 1)"},
	"importance": {"save_episode", `{"event":"a","importance":1.5}`, "invalid_argument: importance is 1.5" + rateHint},
	"no object":  {"save_semantic", `{"subject":"a","predicate":"b"}`, "invalid_argument: object is missing (a string)"},
	"blank predicate": {"save_semantic", `{"subject":"a","predicate":"_","object":"c"}`,
		"invalid_argument: predicate is empty (a text that is not blank)"},
	"confidence": {"save_semantic", `{"subject":"a","predicate":"b","object":"c","confidence":-1}`,
		"invalid_argument: confidence is -1" + rateHint},
	"valid backwards": {"save_semantic",
		`{"subject":"a","predicate":"b","object":"c","valid_from":"2026-02-01","valid_until":"2026-01-01"}`,
		"invalid_argument: valid_until is not after valid_from (valid_from is inclusive, valid_until exclusive)"},
	"long subject": {"save_semantic", `{"subject":` + quoted(257) + `,"predicate":"b","object":"c"}`,
		"too_large: subject is 257 bytes, at most 256 are allowed" + tooLong},
	"limit of a query": {"query_semantic", `{"limit":0}`, "invalid_argument: limit is 0 (an integer from 1 to 100)"},
	"no steps":         {"save_procedure", `{"name":"a"}`, "invalid_argument: steps is missing (a list, each element an object)"},
	"empty steps": {"save_procedure", `{"name":"a","steps":[]}`,
		`invalid_argument: steps is empty (such as [{"action": "Run the tests"}])`},
	"step without action": {"save_procedure", `{"name":"a","steps":[{"expected_outcome":"b"}]}`,
		"invalid_argument: steps[0].action is missing (a string)"},
	"step with another key": {"save_procedure", `{"name":"a","steps":[{"action":"b","expected":"c"}]}`,
		`invalid_argument: unknown argument "steps[0].expected" (the arguments are action, expected_outcome, error_handling)`},
	"run without success": {"record_procedure_run", `{"name":"a"}`, "invalid_argument: success is missing (a boolean)"},
	"run of nothing": {"record_procedure_run", `{"name":"a","success":true}`,
		`not_found: there is no procedure "a" (find_procedure shows what there is)`},
	"rate": {"find_procedure", `{"query":"a","min_success_rate":70}`,
		"invalid_argument: min_success_rate is 70" + rateHint},
	"find nothing":           {"find_procedure", `{"query":" "}`, "invalid_argument: query is empty (ask a question or give some words)"},
	"relationship to nobody": {"relationship_update", `{"agent":" "}`, "invalid_argument: agent is empty (a text that is not blank)"},
	"trust of 1.5": {"relationship_update", `{"agent":"boris","trust_level":1.5}`,
		"invalid_argument: trust_level is 1.5" + rateHint},
	"trust below 0": {"relationship_update", `{"agent":"boris","trust_level":"-0.1"}`,
		"invalid_argument: trust_level is -0.1" + rateHint},
	"kind of learning": {"learning_record", `{"kind":"mistake","content":"a"}`,
		`invalid_argument: kind is "mistake" (one of error, correction)`},
	"learning of nothing": {"learning_record", `{"kind":"error","content":" "}`,
		"invalid_argument: content is empty (say what to remember, in a sentence that stands on its own)"},
	"diary for 2026-13-01": {"diary_write", `{"content":"a","date":"2026-13-01"}`,
		`invalid_argument: date "2026-13-01" is not a date` + dateHint},
	"diary for today":   {"diary_write", `{"content":"a","date":"today"}`, `invalid_argument: date "today" is not a date` + dateHint},
	"blank diary":       {"diary_write", `{"content":" "}`, "invalid_argument: content is empty (a text that is not blank)"},
	"diary with a list": {"diary_write", `{"content":"a","data":[1]}`, "invalid_argument: data is a list (an object)"},
	"diary of 33 KiB": {"diary_write", `{"content":` + quoted(33<<10) + `}`,
		"too_large: the entry of 2026-03-01 would be 33792 bytes, at most 32768 are allowed (write less, or set append to false to replace it)"},
	"diary read of no day": {"diary_read", `{"date":"2026-02-30"}`, `invalid_argument: date "2026-02-30" is not a date` + dateHint},
	"diary read backwards": {"diary_read", `{"since":"2026-02-02","until":"2026-02-01"}`,
		"invalid_argument: until is before since (both dates are included)"},
	"diary of a day and more": {"diary_read", `{"date":"2026-02-02","until":"2026-02-01"}`,
		"invalid_argument: date goes with neither since nor until (give one day or a range)"},
}

func TestCognitionRefusesBadInput(t *testing.T) {
	m := newMind(t)
	for name, test := range cognitionRefusals {
		t.Run(name, func(t *testing.T) {
			result := callTool(t, t.Context(), m.client, test.tool, json.RawMessage(test.args))
			if !result.IsError || textOf(result) != test.want {
				t.Errorf("%s %.200s:\n got %s\nwant %s", test.tool, test.args, textOf(result), test.want)
			}
		})
	}
	if n := m.counted(); n != 0 {
		t.Errorf("%d records after nothing but refusals", n)
	}
}

// What one agent keeps, no tool shows to another, nor lets it change.
func TestCognitionKeepsAgentsApart(t *testing.T) {
	m := newMind(t)
	var soul addSoulOutput
	m.must("soul_add", `{"content":"Zanzibar is my secret belief."}`, &soul)
	for tool, args := range map[string]string{
		"save_episode":        `{"event":"Went to Zanzibar."}`,
		"save_semantic":       `{"subject":"Zanzibar","predicate":"is","object":"warm"}`,
		"save_procedure":      `{"name":"Zanzibar","steps":[{"action":"Go to Zanzibar"}]}`,
		"relationship_update": `{"agent":"zanzibar","notes":"Zanzibar"}`,
		"learning_record":     `{"kind":"error","content":"Never miss Zanzibar."}`,
		"diary_write":         `{"content":"Dreamt of Zanzibar."}`,
	} {
		m.must(tool, args, &struct{}{})
	}
	reads := map[string]string{
		"soul_list": `{}`, "query_semantic": `{"subject":"Zanzibar"}`, "find_procedure": `{"query":"Zanzibar","min_success_rate":0}`,
		"relationship_get": `{"history":true}`, "learning_list": `{}`,
		"diary_read": `{"query":"Zanzibar"}`, "memory_recall": `{"query":"Zanzibar"}`,
	}
	for tool, args := range reads {
		if result := m.call(tool, args); !strings.Contains(string(m.structured(result)), "anzibar") {
			t.Errorf("%s does not show ann's own: %s", tool, textOf(result))
		}
	}
	before := m.counted()
	m.agent = "bob"
	for tool, args := range reads {
		result := m.call(tool, args)
		if text := string(m.structured(result)) + textOf(result); result.IsError || strings.Contains(text, "anzibar") {
			t.Errorf("%s shows bob: %s", tool, text)
		}
	}
	for tool, args := range map[string]string{
		"soul_remove":          fmt.Sprintf(`{"id":%q,"reason":"mine now"}`, soul.ID),
		"record_procedure_run": `{"name":"Zanzibar","success":true}`,
	} {
		if result := m.call(tool, args); !strings.HasPrefix(textOf(result), "not_found: ") {
			t.Errorf("%s: %s", tool, textOf(result))
		}
	}
	m.must("save_semantic", `{"subject":"Zanzibar","predicate":"is","object":"cold"}`, &struct{}{})
	m.must("diary_write", `{"content":"Bob's own day."}`, &struct{}{})
	if n := m.counted(); n != before {
		t.Errorf("ann has %d records after bob's calls, %d before", n, before)
	}
}

func TestCognitionMirrorsToTheWorkspace(t *testing.T) {
	m := newMind(t)
	m.must("soul_add", `{"content":"Honesty first.","kind":"value"}`, &struct{}{})
	m.must("learning_record", `{"kind":"correction","content":"Say Kraków, not Cracow."}`, &struct{}{})
	for name, text := range map[string]string{"SOUL.md": "Honesty first.", "learnings/corrections.md": "Say Kraków"} {
		data, err := os.ReadFile(filepath.Join(m.dir, "workspaces", "ann", filepath.FromSlash(name)))
		if err != nil || !strings.Contains(string(data), text) {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
	}
}

// Every group of the family selects its own tools.
func TestCognitionGroups(t *testing.T) {
	list := toolsOf(memoryFleet(t))
	for group, want := range map[string][]string{
		"soul": {"soul_add", "soul_list", "soul_remove"}, "episode": {"save_episode"}, "semantic": {"save_semantic", "query_semantic"},
		"procedure":    {"save_procedure", "record_procedure_run", "find_procedure"},
		"relationship": {"relationship_update", "relationship_get"},
		"diary":        {"diary_write", "diary_read"}, "learning": {"learning_list"},
	} {
		selected, err := Select(list, group)
		var got []string
		for _, s := range selected {
			got = append(got, s.Name)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s selects %q, %v", group, got, err)
		}
	}
}
