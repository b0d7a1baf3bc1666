//go:build unix

package process

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mark is in everything that the owner of TestLeak keeps, and nowhere else.
const mark = "zyzzyva"

// keys are what a stranger could have heard of another agent's bank. In a call
// "{name}" stands for one of them.
type keys map[string]string

// secrets are the keys by which the owner's things are reached.
var secrets = []string{
	"record", "soul", "old", "procedure", "session", "todo", "event", "start", "link", "shared", "undo", "care", "batch",
	"key", "external", "party", "subject", "object", "tag", "category", "date", "project", "learning", "turn",
}

// strangers are the calls of every tool that could reach what is another's.
// A tool that is not here fails the test.
var strangers = map[string][]string{
	"memory_save": {
		`{"content":"The harbour office opens at seven."}`,
		`{"content":"The harbour office opens at eight.","external_id":"{external}"}`,
		`{"content":"The harbour office opens at nine.","idempotency_key":"{key}"}`,
		`{"content":"The harbour office opens at ten.","supersedes":"{record}"}`,
		`{"content":"The harbour office opens at noon.","project":"{project}"}`,
	},
	"memory_recall": {
		`{"query":"harbour office","min_score":0,"limit":100,"explain":true}`,
		`{"query":"harbour","min_score":0,"limit":100,"include_archived":true,"known_at":"2100-01-01"}`,
		`{"query":"harbour","min_score":0,"project":"*","kinds":["fact","longterm","soul","triple","episode","procedure","relationship","diary","summary","learning","turn"]}`,
		`{"query":"harbour","min_score":0,"project":"{project}"}`, `{"query":"harbour","min_score":0,"tags":["{tag}"]}`,
		`{"query":"harbour","min_score":0,"category":"{category}"}`, `{"query":"harbour","min_score":0,"link_id":"{shared}"}`,
		`{"query":"harbour","min_score":0,"as_of":"2026-01-15"}`, `{"query":"{record}","min_score":0}`,
	},
	"memory_search": {
		`{"query":"harbour","in":["memories","conversations","workspace"],"limit":100,"explain":true}`,
		`{"query":"harbour","session":"{session}","in":["conversations"]}`, `{"query":"harbour","speaker":"{party}"}`,
		`{"query":"harbour","project":"{project}"}`, `{"query":"{external}","in":["memories","conversations","workspace"]}`,
	},
	"memory_how": {`{"what":"harbour"}`, `{"what":"harbour","project":"*"}`, `{"what":"{record}","project":"{project}"}`},
	"memory_fix": {`{"error":"harbour: not found"}`, `{"error":"harbour: not found","project":"*"}`},
	"memory_get": {`{"ids":["{record}","{soul}","{old}","{procedure}","{todo}","{event}","{link}","{learning}","{turn}"]}`,
		`{"ids":["{external}"]}`},
	"memory_update": {
		`{"id":"{record}","content":"The harbour is closed."}`, `{"id":"{soul}","importance":0}`,
		`{"id":"{old}","pinned":true}`, `{"id":"{external}","tags":[]}`,
	},
	"memory_forget": {
		`{"ids":["{record}"]}`, `{"ids":["{soul}"]}`,
		`{"ids":["{record}"],"permanent":true,"confirm":true}`, `{"link_id":"{shared}"}`, `{"link_id":"{link}"}`,
		`{"undo":"{undo}"}`, `{"undo":"{care}"}`, `{"project":"{project}","dry_run":true}`,
		`{"query":"{external}","permanent":true,"confirm":true}`,
	},
	"add_to_longterm_memory": {
		`{"content":"The harbour was quiet.","external_id":"{external}"}`, `{"content":"The harbour was loud.","idempotency_key":"{key}"}`,
	},
	"self_care": {
		`{}`, `{"dry_run":true}`, `{"mode":"agent","focus":"harbour"}`, `{"undo":"{care}"}`, `{"undo":"{undo}"}`,
		`{"batch_id":"{batch}","summary":"Nothing happened."}`, `{"batch_id":"{care}","summary":"Nothing happened."}`,
	},
	"neural_link": {
		`{"action":"pending"}`, `{"action":"status","link_id":"{link}"}`,
		`{"action":"share","link_id":"{link}"}`, `{"action":"decline","link_id":"{link}"}`,
		`{"action":"revoke","link_id":"{link}"}`, `{"action":"status","link_id":"{shared}"}`, `{"action":"share","link_id":"{shared}"}`,
		`{"action":"revoke","link_id":"{shared}"}`, `{"action":"request","agent":"{party}"}`,
	},
	"neural_link_request_memory": {`{"agent":"{party}","message":"x"}`},
	"neural_link_share_memory":   {`{"link_id":"{link}"}`, `{"link_id":"{shared}"}`},
	"context_append": {
		`{"session_id":"{session}"}`,
		`{"session_id":"{session}","messages":[{"role":"user","content":"I prefer the harbour.","external_id":"{external}"}],"context_window":4000}`,
	},
	"context_status": {`{"session_id":"{session}"}`},
	"context_assemble": {`{"session_id":"{session}","query":"harbour"}`,
		`{"session_id":"{session}","query":"harbour","project":"{project}"}`},
	"context_compact": {
		`{"session_id":"{session}","mode":"flush"}`, `{"session_id":"{session}","summary":"The harbour.","keep_last":1}`,
	},
	"soul_add":             {`{"content":"I believe in the harbour."}`},
	"soul_list":            {`{}`},
	"soul_remove":          {`{"id":"{soul}","reason":"x"}`, `{"id":"{record}","reason":"x"}`},
	"save_episode":         {`{"event":"The harbour burned.","participants":["{party}"]}`},
	"save_semantic":        {`{"subject":"{subject}","predicate":"lives_in","object":"Rome"}`},
	"query_semantic":       {`{}`, `{"subject":"{subject}"}`, `{"object":"{object}"}`, `{"subject":"{subject}","as_of":"2026-01-15"}`},
	"save_procedure":       {`{"name":"{procedure}","steps":[{"action":"Sail out of the harbour"}]}`},
	"record_procedure_run": {`{"name":"{procedure}x","success":true}`, `{"name":"harbour","success":true,"notes":"x"}`},
	"find_procedure":       {`{"query":"harbour","min_success_rate":0,"limit":100}`, `{"query":"{procedure}","min_success_rate":0}`},
	"relationship_update":  {`{"agent":"{party}","trust_level":0.1}`},
	"relationship_get":     {`{}`, `{"agent":"{party}","history":true}`, `{"type":"ally","history":true}`},
	"learning_record":      {`{"kind":"error","content":"The harbour refuses boats without a light."}`},
	"learning_list":        {`{"limit":100}`, `{"kind":"correction"}`},
	"diary_write":          {`{"date":"{date}","content":"The harbour slept."}`},
	"diary_read":           {`{"limit":100}`, `{"date":"{date}"}`, `{"query":"harbour"}`, `{"since":"2000-01-01","until":"2100-01-01"}`},
	"add_todo":             {`{"title":"Paint the harbour"}`},
	"complete_todo":        {`{"id":"{todo}"}`},
	"list_todo":            {`{"status":"all","limit":100}`},
	"add_to_calendar":      {`{"title":"Harbour feast","starts_at":"2026-12-24"}`},
	"check_calendar":       {`{"from":"2026-01-01","to":"2027-12-31"}`, `{"from":"2026-01-01","to":"2027-12-31","query":"harbour"}`},
	"remove_from_calendar": {`{"id":"{event}"}`, `{"id":"{event}","occurrence":"{start}"}`},
}

// owner fills a bank with what has the mark, and returns its keys.
func owner(t *testing.T, dir string) (*agent, keys) {
	t.Helper()
	cleo := &agent{dir: dir, name: "cleo", used: map[string]bool{}}
	cleo.wake(t)
	cleo.id("memory_save", object{"content": "The harbour " + mark + " of Cleo."})
	a := &agent{dir: dir, name: "ada", used: map[string]bool{}}
	a.wake(t)
	say := func(what string) string { return "The harbour " + mark + " " + what + "." }
	k := keys{
		"key": "key-" + mark, "external": "external-" + mark,
		"party": "party-" + mark, "subject": "subject-" + mark, "object": "object-" + mark,
		"tag": "tag-" + mark, "category": "category-" + mark, "project": "project-" + mark,
		"session": "session-" + mark, "procedure": "procedure-" + mark,
		"date": "2026-11-20", "start": "2026-12-01T09:00:00Z",
	}
	k["record"] = a.id("memory_save",
		object{"content": say("office opens at seven"), "external_id": k["external"], "idempotency_key": k["key"],
			"tags": []string{k["tag"]}, "category": k["category"]})
	a.id("memory_save", object{"content": say("is in a project"), "project": k["project"], "external_id": k["external"] + "2"})
	gone := a.id("memory_save", object{"content": say("was painted red")})
	k["old"] = a.id("memory_save", object{"content": say("was painted blue"), "valid_from": "2026-01-01"})
	a.do("memory_update", object{"id": k["old"], "content": say("was painted green")}, &struct{}{})
	var forgotten struct {
		UndoID string `json:"undo_id"`
	}
	a.do("memory_forget", object{"ids": []string{gone}}, &forgotten)
	k["undo"] = forgotten.UndoID
	k["soul"] = a.id("soul_add", object{"content": say("is what I believe in")})
	a.id("save_semantic", object{"subject": k["subject"], "predicate": "lives_in", "object": k["object"], "valid_from": "2026-01-01"})
	a.id("save_procedure", object{"name": k["procedure"], "description": say("procedure"), "steps": []object{{"action": say("is left")}}})
	a.do("record_procedure_run", object{"name": k["procedure"], "success": true, "notes": say("run")}, &struct{}{})
	a.do("relationship_update", object{"agent": k["party"], "type": "ally", "notes": say("friend")}, &struct{}{})
	a.id("save_episode", object{"event": say("episode"), "outcome": say("outcome"), "participants": []string{k["party"]}})
	k["learning"] = a.id("learning_record", object{"kind": "correction", "content": say("correction"), "context": say("context")})
	a.id("diary_write", object{"date": k["date"], "content": say("slept"), "mood": mark})
	k["todo"] = a.id("add_todo", object{"title": say("to-do")})
	k["event"] = a.id("add_to_calendar", object{"title": say("event"), "starts_at": k["start"], "recurrence": "FREQ=DAILY;COUNT=3"})
	messages := chat(24)
	for i := range messages {
		messages[i]["content"] = fmt.Sprint(messages[i]["content"], " ", mark)
	}
	messages[0]["external_id"] = k["external"]
	a.do("context_append", object{"session_id": k["session"], "messages": messages, "context_window": 1000, "reserve_tokens": 200},
		&struct{}{})
	var turns struct{ Results []struct{ ID, Type string } }
	a.do("memory_search", object{"query": "crate painted green", "in": []string{"conversations"}}, &turns)
	if len(turns.Results) == 0 {
		t.Fatal("the owner does not find its own conversation")
	}
	k["turn"] = turns.Results[0].ID
	var care struct {
		UndoID  string `json:"undo_id"`
		BatchID string `json:"batch_id"`
	}
	for _, mode := range []string{"extractive", "agent"} {
		for i := range 31 {
			a.id("add_to_longterm_memory", object{"content": say(fmt.Sprintf("%s memory %d about tide %d", mode, i, 7*i))})
		}
		a.do("self_care", object{"phase": "memories", "mode": mode}, &care)
		if mode == "extractive" {
			k["care"] = care.UndoID
		}
	}
	k["batch"] = care.BatchID
	var link struct {
		LinkID string `json:"link_id"`
	}
	a.do("neural_link", object{"action": "request", "agent": "cleo", "message": say("message")}, &link)
	k["shared"] = link.LinkID
	cleo.do("neural_link", object{"action": "share", "link_id": link.LinkID, "note": say("note")}, &struct{}{})
	a.do("neural_link", object{"action": "request", "agent": "cleo", "message": say("message")}, &link)
	k["link"] = link.LinkID
	cleo.sleep()
	for _, name := range secrets {
		if k[name] == "" {
			t.Fatalf("the owner has no %s", name)
		}
	}
	return a, k
}

// ghosts are keys like those, of things that do not exist.
func ghosts(k keys) keys {
	g := keys{}
	for i, name := range secrets {
		g[name] = fmt.Sprintf("01a1ffff-0000-7000-8000-%012d", i)
		if !uuid.MatchString(k[name]) {
			g[name] = strings.ReplaceAll(k[name], mark, "quokkas")
		}
	}
	g["start"], g["date"] = "2026-12-02T09:00:00Z", "2026-11-19"
	return g
}

var uuid = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// with puts the keys into a call, or into a URI.
func (k keys) with(call string) string {
	for name, value := range k {
		call = strings.ReplaceAll(call, "{"+name+"}", value)
	}
	return call
}

// without takes them out of an answer, which may repeat what was sent.
func (k keys) without(answer string) string {
	names := slices.SortedFunc(maps.Keys(k), func(a, b string) int { return len(k[b]) - len(k[a]) })
	for _, name := range names {
		answer = strings.ReplaceAll(answer, k[name], "{"+name+"}")
	}
	return answer
}

// stranger asks for what is the owner's.
type stranger struct {
	t     *testing.T
	ask   func(method, params string) string // makes a request and returns its answer as it came
	owned map[string]bool                    // every id that the owner has
}

// belongings are the ids in what an agent has and in the keys to it, which have
// to be many: of an empty bank nothing could leak.
func belongings(t *testing.T, everything string, known keys) map[string]bool {
	t.Helper()
	owned := map[string]bool{}
	for _, id := range uuid.FindAllString(everything, -1) {
		owned[id] = true
	}
	for _, id := range known {
		if uuid.MatchString(id) {
			owned[id] = true
		}
	}
	if len(owned) < 80 || strings.Count(everything, mark) < 80 {
		t.Fatalf("the owner has %d ids and %d marks", len(owned), strings.Count(everything, mark))
	}
	return owned
}

// request makes a request over the pipes and returns the line of its answer.
func (h *host) request(method, params string) string {
	h.t.Helper()
	h.lastID++
	return h.says(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, h.lastID, method, params))
}

// checked fails if an answer has anything of the owner but what was sent.
func (s stranger) checked(what, answer string, sent keys) {
	s.t.Helper()
	rest := sent.without(answer)
	if strings.Contains(rest, mark) {
		s.t.Errorf("%s shows %s", what, rest)
	}
	for _, id := range uuid.FindAllString(rest, -1) {
		if s.owned[id] {
			s.t.Errorf("%s shows the id %s: %s", what, id, rest)
		}
	}
}

// Nothing of an agent reaches another one, by no tool and no resource, whatever
// it knows of the other's ids and names: for it they are as if they were not.
func TestLeak(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ada, known := owner(t, dir)
	boris := &agent{dir: dir, name: "boris", used: map[string]bool{}}
	boris.wake(t)
	defer boris.sleep()
	boris.save("Boris has a harbour of his own.")
	before := ada.everything(t)
	s := stranger{t, boris.request, belongings(t, before, known)}
	unreal := ghosts(known)
	s.tools(known, unreal)
	s.checked("the greeting", boris.greet(), known)
	s.pages(known, unreal)
	if after := ada.everything(t); after != before {
		t.Errorf("the stranger changed the owner's bank:\n%s", changedLines(before, after))
	}
	ada.sleep()
}

// tools makes the calls of every tool that the server lists.
func (s stranger) tools(known, unreal keys) {
	s.t.Helper()
	var list struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(s.ask("tools/list", "{}")), &list); err != nil || len(list.Result.Tools) < len(strangers) {
		s.t.Fatalf("%d tools are listed, %v", len(list.Result.Tools), err)
	}
	for _, tool := range list.Result.Tools {
		calls := strangers[tool.Name]
		if len(calls) == 0 {
			s.t.Errorf("nobody tries %s", tool.Name)
		}
		for _, call := range calls {
			ghost, real := s.call(tool.Name, unreal.with(call)), s.call(tool.Name, known.with(call))
			what := tool.Name + " " + call
			s.checked(what, real.text()+string(real.StructuredContent), known)
			if real.IsError != ghost.IsError || real.IsError && known.without(real.text()) != unreal.without(ghost.text()) {
				s.t.Errorf("%s: %s\nof what does not exist: %s", what, real.text(), ghost.text())
			}
		}
	}
}

func (s stranger) call(tool, args string) result {
	s.t.Helper()
	var m message
	var r result
	answer := s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
	if json.Unmarshal([]byte(answer), &m) != nil || m.Error != nil || json.Unmarshal(m.Result, &r) != nil {
		s.t.Fatalf("%s: %s", tool, answer)
	}
	return r
}

func changedLines(before, after string) string {
	known := strings.Split(before, "\n")
	lines := slices.DeleteFunc(strings.Split(after, "\n"), func(line string) bool { return slices.Contains(known, line) })
	return strings.Join(lines, "\n")
}

// pages reads what is shown without a tool.
func (s stranger) pages(known, unreal keys) {
	s.t.Helper()
	number := regexp.MustCompile(`"id":\d+`)
	both := func(method, params string) {
		s.t.Helper()
		real, ghost := s.ask(method, known.with(params)), s.ask(method, unreal.with(params))
		s.checked(method+" "+params, real, known)
		failed := strings.Contains(real, `"error":`)
		if failed != strings.Contains(ghost, `"error":`) ||
			failed && number.ReplaceAllString(known.without(real), "") != number.ReplaceAllString(unreal.without(ghost), "") {
			s.t.Errorf("%s %s: %s\nof what does not exist: %s", method, params, real, ghost)
		}
	}
	for _, method := range []string{"resources/list", "resources/templates/list", "prompts/list"} {
		both(method, `{}`)
	}
	for _, path := range []string{
		"session-start", "soul", "salient", "stats", "record/{record}",
		"record/{soul}", "record/{old}", "record/{turn}", "record/{external}",
		"diary/{date}", "session/{session}", "blame/harbour.go", "blame/{external}",
		"workspace/MEMORY.md", "workspace/SOUL.md", "workspace/memory/HISTORY.md",
		"workspace/learnings/corrections.md", "workspace/sessions/{session}.jsonl",
		"workspace/../ada/MEMORY.md", "workspace/..%2Fada%2FMEMORY.md",
	} {
		both("resources/read", `{"uri":"memory://`+path+`"}`)
	}
	for _, prompt := range []string{`{"name":"recall","arguments":{"query":"harbour"}}`, `{"name":"reflect"}`, `{"name":"session-start"}`} {
		both("prompts/get", prompt)
	}
	for _, c := range [][3]string{{"record/{id}", "id", ""}, {"session/{id}", "id", "s"}, {"diary/{date}", "date", "2026"},
		{"workspace/{path}", "path", "s"}} {
		both("completion/complete",
			`{"ref":{"type":"ref/resource","uri":"memory://`+c[0]+`"},"argument":{"name":"`+c[1]+`","value":"`+c[2]+`"}}`)
	}
}

// everything is what an agent has, as it can be asked for.
func (a *agent) everything(t *testing.T) string {
	t.Helper()
	code, exported, log := cli(t, a.dir, "export", "-", "--agent", a.name)
	if code != 0 {
		t.Fatalf("export: %s", log)
	}
	_, all, _ := strings.Cut(exported, "\n") // the header tells the time
	for _, call := range [][2]string{
		{"list_todo", `{"status":"all","limit":100}`}, {"check_calendar", `{"from":"2026-01-01","to":"2027-12-31"}`},
		{"neural_link", `{"action":"pending"}`}, {"relationship_get", `{"history":true}`}, {"diary_read", `{"limit":100}`},
	} {
		all += string(a.call(call[0], json.RawMessage(call[1])).StructuredContent) + "\n"
	}
	return all
}
