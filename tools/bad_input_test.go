package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// quoted returns a JSON string of n bytes.
func quoted(n int) string { return `"` + strings.Repeat("x", n) + `"` }

// refusal is a call and the whole text of its error.
type refusal struct{ tool, args, want string }

const (
	tooLong  = " (split it, or keep the long form in a file and save what it says)"
	nowhere  = "01900000-0000-7000-8000-000000000000"
	fromIDs  = " (memory_recall and memory_search return ids)"
	unitHint = " (a number from 0 to 1)"
)

var refusals = map[string]refusal{
	"no content":      {"memory_save", `{}`, "invalid_argument: content is missing (a string)"},
	"content is null": {"memory_save", `{"content":null}`, "invalid_argument: content is missing (a string)"},
	"content is empty": {"memory_save", `{"content":""}`,
		"invalid_argument: content is empty (say what to remember, in a sentence that stands on its own)"},
	"content is blank": {"memory_save", `{"content":" \n\t\u00a0\u3000"}`,
		"invalid_argument: content is empty (say what to remember, in a sentence that stands on its own)"},
	"content is a number": {"memory_save", `{"content":5}`, "invalid_argument: content is the number 5 (a string)"},
	"content is a list":   {"memory_save", `{"content":["a"]}`, "invalid_argument: content is a list (a string)"},
	"content of 33 KiB": {"memory_save", `{"content":` + quoted(33<<10) + `}`,
		"too_large: content is 33792 bytes, at most 32768 are allowed" + tooLong},
	"content with NUL": {"memory_save", `{"content":"a\u0000b"}`, "invalid_argument: content contains a NUL character (remove it)"},
	"half a surrogate pair": {"memory_save", `{"content":"\ud83d"}`,
		`invalid_argument: content has half of a surrogate pair (\uD800 to \uDFFF) (escape the whole pair, or write the character itself)`},
	"arguments are a list": {"memory_save", `["a"]`, "invalid_argument: the list of arguments is a list (an object)"},
	"unknown argument": {"memory_save", `{"content":"a","importanse":1}`,
		`invalid_argument: unknown argument "importanse" (did you mean importance?)`},
	"naming style": {"memory_save", `{"content":"a","occurredAt":"2026-01-01"}`,
		`invalid_argument: unknown argument "occurredAt" (did you mean occurred_at?)`},
	"argument of another tool": {"memory_get", `{"ids":["a"],"query":"a"}`,
		`invalid_argument: unknown argument "query" (the arguments are ids)`},
	"agent": {"memory_recall", `{"query":"a","agent":"bob"}`,
		`invalid_argument: unknown argument "agent" (the arguments are query, category, categories, kinds, tags, project, since, until, as_of, now, link_id, known_at, limit, max_tokens, min_score, explain, include_archived)`},
	"importance 2": {"memory_save", `{"content":"a","importance":2}`, "invalid_argument: importance is 2" + unitHint},
	"importance below 0": {"add_to_longterm_memory", `{"content":"a","importance":"-0.5"}`,
		"invalid_argument: importance is -0.5" + unitHint},
	"importance in words": {"memory_update", `{"id":"a","importance":"high"}`,
		`invalid_argument: importance is the string "high"` + unitHint},
	"valence": {"add_to_longterm_memory", `{"content":"a","emotional_valence":-1.1}`,
		"invalid_argument: emotional_valence is -1.1 (a number from -1 to 1)"},
	"no such day": {"memory_save", `{"content":"a","occurred_at":"2026-02-30"}`,
		`invalid_argument: occurred_at is "2026-02-30", which is not a time (` + timeForms + `)`},
	"no time at all": {"memory_recall", `{"query":"a","as_of":"yesterday"}`,
		`invalid_argument: as_of is "yesterday", which is not a time (` + timeForms + `)`},
	"time is a number": {"memory_search", `{"query":"a","since":1772323200}`,
		`invalid_argument: since is the number 1772323200 (` + timeForms + `)`},
	"valid backwards": {"memory_save", `{"content":"a","valid_from":"2026-02-01","valid_until":"2026-01-01"}`,
		"invalid_argument: valid_until is not after valid_from (valid_from is inclusive, valid_until exclusive)"},
	"since after until": {"memory_recall", `{"query":"a","since":"2026-02-01","until":"2026-02-01"}`,
		"invalid_argument: until is not after since (since is inclusive, until exclusive)"},
	"since after until, too": {"memory_search", `{"query":"a","since":"2026-02-01","until":"2026-01-01"}`,
		"invalid_argument: until is not after since (since is inclusive, until exclusive)"},
	"source": {"memory_save", `{"content":"a","source":"usr"}`,
		`invalid_argument: source is "usr" (one of user, agent, tool, import, link; did you mean user?)`},
	"category": {"memory_save", `{"content":"a","category":"a/b"}`,
		`invalid_argument: category "a/b" is not a name (letters, digits, - and _, up to 64)`},
	"category asked for": {"memory_recall", `{"query":"a","categories":["a b","!"]}`,
		`invalid_argument: category "!" is not a name (letters, digits, - and _, up to 64)`},
	"kinds": {"memory_recall", `{"query":"a","kinds":["facts"]}`,
		`invalid_argument: kinds[0] is "facts" (one of fact, longterm, soul, triple, episode, procedure, relationship, diary, summary, learning, turn; did you mean fact?)`},
	"corpus": {"memory_search", `{"query":"a","in":"memory"}`,
		`invalid_argument: in[0] is "memory" (one of memories, conversations, workspace, thinking)`},
	"an empty tag": {"memory_save", `{"content":"a","tags":["x"," "]}`,
		"invalid_argument: tags has an empty tag (leave it out)"},
	"a tag that is a number": {"memory_save", `{"content":"a","tags":[1]}`, "invalid_argument: tags[0] is the number 1 (a string)"},
	"too many tags": {"memory_save", `{"content":"a","tags":[` + numbered(65) + `]}`,
		"too_large: tags has 65 elements, at most 64 are allowed (keep the ones to filter by)"},
	"a long tag": {"memory_save", `{"content":"a","tags":[` + quoted(129) + `]}`,
		"too_large: tags is 129 bytes, at most 128 are allowed" + tooLong},
	"a long project": {"memory_save", `{"content":"a","project":` + quoted(257) + `}`,
		"too_large: project is 257 bytes, at most 256 are allowed" + tooLong},
	"a long external id": {"memory_save", `{"content":"a","external_id":` + quoted(257) + `}`,
		"too_large: external_id is 257 bytes, at most 256 are allowed" + tooLong},
	"a long idempotency key": {"memory_save", `{"content":"a","idempotency_key":` + quoted(257) + `}`,
		"too_large: idempotency_key is 257 bytes, at most 256 are allowed" + tooLong},
	"metadata is a list": {"memory_save", `{"content":"a","metadata":[1]}`, "invalid_argument: metadata is a list (an object)"},
	"metadata is a string": {"memory_save", `{"content":"a","metadata":"page 7"}`,
		`invalid_argument: metadata is the string "page 7" (an object)`},
	"metadata of 5 KiB": {"memory_save", `{"content":"a","metadata":{"a":` + quoted(5<<10) + `}}`,
		"too_large: metadata is 5128 bytes, at most 4096 are allowed (keep what programs need; what is to be found belongs in content)"},
	"pinned": {"memory_save", `{"content":"a","pinned":"yes"}`,
		`invalid_argument: pinned is the string "yes" (a boolean)`},
	"supersedes nothing": {"memory_save", `{"content":"a","supersedes":"` + nowhere + `"}`,
		`not_found: there is no memory "` + nowhere + `"` + fromIDs},
	"too many participants": {"add_to_longterm_memory", `{"content":"a","participants":[` + numbered(65) + `]}`,
		"too_large: participants has 65 elements, at most 64 are allowed (name the ones that matter)"},
	"no query":       {"memory_recall", `{}`, "invalid_argument: query is missing (a string)"},
	"query is empty": {"memory_recall", `{"query":""}`, "invalid_argument: query is empty (ask a question or give some words)"},
	"query is blank": {"memory_recall", `{"query":" \u3000\n"}`,
		"invalid_argument: query is empty (ask a question or give some words)"},
	"query of 33 KiB": {"memory_recall", `{"query":` + quoted(33<<10) + `}`,
		"too_large: query is 33792 bytes, at most 32768 are allowed" + tooLong},
	"query of 100 kB": {"memory_search", `{"query":` + quoted(100_000) + `}`,
		"too_large: query is 100000 bytes, at most 32768 are allowed" + tooLong},
	"query with NUL": {"memory_search", `{"query":"a\u0000"}`, "invalid_argument: query contains a NUL character (remove it)"},
	"limit 0":        {"memory_recall", `{"query":"a","limit":0}`, "invalid_argument: limit is 0 (an integer from 1 to 100)"},
	"limit 101":      {"memory_search", `{"query":"a","limit":101}`, "invalid_argument: limit is 101 (an integer from 1 to 100)"},
	"limit 2.5":      {"memory_search", `{"query":"a","limit":2.5}`, "invalid_argument: limit is 2.5 (an integer from 1 to 100)"},
	"max_tokens 0": {"memory_recall", `{"query":"a","max_tokens":0}`,
		"invalid_argument: max_tokens is 0 (an integer of at least 1)"},
	"no ids":         {"memory_get", `{}`, "invalid_argument: ids is missing (a list, each element a string)"},
	"ids of nothing": {"memory_get", `{"ids":[]}`, "invalid_argument: ids has 0 entries (1 to 100 ids)"},
	"too many ids": {"memory_get", `{"ids":[` + numbered(101) + `]}`,
		"too_large: ids has 101 elements, at most 100 are allowed (call again for the rest)"},
	"update of nothing": {"memory_update", `{"id":"` + nowhere + `","pinned":true}`,
		`not_found: there is no memory "` + nowhere + `"` + fromIDs},
	"update without id": {"memory_update", `{"content":"a"}`, "invalid_argument: id is missing (a string)"},
	"forget nothing": {"memory_forget", `{}`,
		"invalid_argument: nothing to forget is named (give ids, query, link_id, session, project or undo)"},
	"forget no ids": {"memory_forget", `{"ids":[]}`,
		"invalid_argument: nothing to forget is named (give ids, query, link_id, session, project or undo)"},
	"forget all projects": {"memory_forget", `{"project":"*","permanent":true,"confirm":true}`,
		"invalid_argument: project is \"*\", which names none (name one project; a whole bank goes with mcp-memory agent erase)"},
	"list of files": {"memory_search", `{"query":"","in":["workspace"]}`,
		"invalid_argument: query is empty, and workspace has no newest to list (ask a question or give some words; memories and conversations are listed without)"},
	"list of thinking": {"memory_search", `{"query":" ","in":["workspace","thinking"]}`,
		"invalid_argument: query is empty, and workspace has no newest to list (ask a question or give some words; memories and conversations are listed without)"},
	"forget by empty strings": {"memory_forget",
		`{"ids":[],"query":"","link_id":"","project":"","reason":"","permanent":true,"confirm":true}`,
		"invalid_argument: project is empty, which names nothing (name the project; global memories are forgotten by ids or query)"},
	"forget what is not there": {"memory_forget", `{"ids":["a","` + nowhere + `"]}`, "not_found: none of the ids is there" + fromIDs},
	"forget two ways": {"memory_forget", `{"ids":["a"],"query":"b"}`,
		"invalid_argument: ids, query, link_id, session and undo exclude each other (give one of them)"},
	"forget by punctuation": {"memory_forget", `{"query":"?!"}`,
		`invalid_argument: query "?!" has no word to go by (name what to forget)`},
	"permanent": {"memory_forget", `{"ids":["a"],"permanent":true}`,
		"invalid_argument: permanent erases for good and needs confirm (set confirm to true, or leave permanent out)"},
	"permanent, confirm false": {"memory_forget", `{"project":"*","permanent":"true","confirm":"false"}`,
		"invalid_argument: permanent erases for good and needs confirm (set confirm to true, or leave permanent out)"},
	"undo of nothing": {"memory_forget", `{"undo":"` + nowhere + `"}`,
		`not_found: there is nothing to undo under "` + nowhere +
			`" (the answers of memory_save, memory_forget and self_care have undo ids)`},
	"undo, dry": {"memory_forget", `{"undo":"a","dry_run":true}`,
		"invalid_argument: undo goes with neither dry_run nor permanent (leave them out)"},
}

// numbered returns n JSON strings.
func numbered(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"%d"`, i)
	}
	return strings.Join(list, ",")
}

func TestBadInputIsRefused(t *testing.T) {
	r := newRig(t)
	r.save("The harbour closes at nine.")
	for name, test := range refusals {
		t.Run(name, func(t *testing.T) {
			result := callTool(t, t.Context(), r.client, test.tool, json.RawMessage(test.args))
			if !result.IsError || textOf(result) != test.want {
				t.Errorf("%s %.200s:\n got %s\nwant %s", test.tool, test.args, textOf(result), test.want)
			}
		})
	}
	if n := r.counted(); n != 1 {
		t.Errorf("%d records after nothing but refusals", n)
	}
}

// The library would replace what is not UTF-8 on its way; our own server does
// not let it through either.
func TestInvalidUTF8IsRefused(t *testing.T) {
	r := newRig(t)
	for _, spec := range r.fleet.Specs() {
		_, _, err := r.fleet.Call(t.Context(), spec.Name, json.RawMessage("{\"content\":\"a\xffb\"}"))
		if want := "invalid_argument: the arguments are not valid UTF-8 (convert them to UTF-8 first)"; err == nil || err.Error() != want {
			t.Errorf("%s: %v", spec.Name, err)
		}
	}
}
