package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-memory/memory"
	"mcp-memory/remember"
)

// there reports whether ann's memory still exists.
func (l *library) there(id string) bool {
	l.t.Helper()
	found, _, err := l.remember.Get(l.t.Context(), memory.Scope{Agent: "ann"}, []string{id})
	if err != nil {
		l.t.Fatal(err)
	}
	return len(found) == 1 && found[0].ArchivedAt.IsZero()
}

func erase(id string) string {
	return `"name":"memory_forget","arguments":{"ids":["` + id + `"],"permanent":true}`
}

// In the older era the server asks while the call waits.
func TestAskOlder(t *testing.T) {
	for action, want := range map[string]string{
		`"result":{"action":"accept","content":{}}`: "Erased 1 memory for good", `"result":{"action":"decline"}`: "forbidden: ", `"result":{"action":"cancel"}`: "forbidden: ",
		`"error":{"code":-32601,"message":"no"}`: "forbidden: ",
	} {
		l := newLibrary(t)
		id, other := l.save("ann", "The harbour closes at nine."), l.save("ann", "The ferry leaves at ten.")
		c := dial(t, l.Server)
		c.send(initialize("2025-11-25"))
		c.next()
		c.send(requestOf("older", "tools/call", erase(id)))
		var asked struct {
			ID     json.RawMessage
			Method string
			Params struct{ Message string }
		}
		if err := json.Unmarshal([]byte(c.next()), &asked); err != nil || asked.Method != "elicitation/create" || asked.Params.Message != "Erase 1 memory for good? This cannot be undone.\n- The harbour closes at nine." {
			t.Fatalf("%+v, %v", asked, err)
		}
		if !l.there(id) {
			t.Error("it is erased before the user has answered")
		}
		c.send(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,` + action + `}`)
		if got := c.next(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", action, got)
		}
		if erased := strings.Contains(action, "accept"); l.there(id) == erased || !l.there(other) {
			t.Errorf("%s: there is %v", action, l.there(id))
		}
	}
}

func TestAskNobody(t *testing.T) {
	l := newLibrary(t)
	id := l.save("ann", "The harbour closes at nine.")
	for era := range eras {
		for _, capabilities := range []string{`{}`, `{"elicitation":{"url":{}}}`} {
			c := dial(t, l.Server)
			line := requestOf(era, "tools/call", erase(id))
			if era == "older" {
				c.send(strings.Replace(initialize("2025-11-25"), `{"elicitation":{}}`, capabilities, 1))
				c.next()
			} else {
				line = strings.Replace(line, `{"elicitation":{}}`, capabilities, 1)
			}
			c.send(line)
			if got := c.next(); !strings.Contains(got, "invalid_argument: permanent erases for good and needs confirm") || !l.there(id) {
				t.Errorf("%s: %s", era, got)
			}
		}
	}
}

// asked is what an answer in the newer era says.
type asked struct {
	Result struct {
		ResultType   string
		RequestState string
		Requests     map[string]struct {
			Method string
			Params struct{ Message string }
		} `json:"inputRequests"`
		IsError bool
		Content []struct{ Text string }
	}
}

// call calls a tool in the newer era, with an answer if there is one.
func (s *live) call(params, state, action string) (a asked) {
	s.t.Helper()
	if action != "" {
		data, _ := json.Marshal(state)
		params += `,"requestState":` + string(data) + `,"inputResponses":{"confirm":{"action":"` + action + `"}}`
	}
	s.send(requestOf("newer", "tools/call", params))
	got := s.next()
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		s.t.Fatal(err, got)
	}
	return a
}

func (a asked) text() string {
	if len(a.Result.Content) == 0 {
		return ""
	}
	return a.Result.Content[0].Text
}

func TestAskNewer(t *testing.T) {
	for action, want := range map[string]string{"accept": "Erased 1 memory for good", "decline": "forbidden: ", "cancel": "forbidden: ", "else": "forbidden: "} {
		l := newLibrary(t)
		id, other := l.save("ann", "The harbour closes at nine."), l.save("ann", "The ferry leaves at ten.")
		c := dial(t, l.Server)
		a := c.call(erase(id), "", "")
		if a.Result.ResultType != "input_required" || a.Result.Requests["confirm"].Method != "elicitation/create" || !strings.Contains(a.Result.Requests["confirm"].Params.Message, "The harbour closes at nine.") || !l.there(id) {
			t.Fatalf("%+v", a)
		}
		if got := c.call(erase(id), a.Result.RequestState, action); !strings.Contains(got.text(), want) || got.Result.IsError == (action == "accept") {
			t.Errorf("%s: %+v", action, got)
		}
		if l.there(id) == (action == "accept") || !l.there(other) {
			t.Errorf("%s: there is %v", action, l.there(id))
		}
	}
}

// An answer counts once, for the question that was asked, and not for long.
func TestAnswersForged(t *testing.T) {
	l := newLibrary(t)
	id, other := l.save("ann", "The harbour closes at nine."), l.save("ann", "The ferry leaves at ten.")
	c := dial(t, l.Server)
	state := c.call(erase(id), "", "").Result.RequestState
	flipped := "A"
	if strings.HasPrefix(state, "A") {
		flipped = "B"
	}
	byQuery := `"name":"memory_forget","arguments":{"query":"harbour","permanent":true}`
	asking := c.call(byQuery, "", "").Result.RequestState
	l.save("ann", "The harbour has a crane.")
	for name, try := range map[string][2]string{
		"none": {erase(id), ""}, "not ours": {erase(id), "e30"}, "changed": {erase(id), flipped + state[1:]}, "cut": {erase(id), state[:len(state)-4]}, "longer": {erase(id), state + "AAAA"},
		"of another call": {erase(other), state}, "of other words": {byQuery, state}, "about more than was asked": {byQuery, asking},
		"wide": {erase(id), strings.Repeat("A", 1<<20)},
	} {
		if got := c.call(try[0], try[1], "accept"); !strings.HasPrefix(got.text(), "invalid_argument: ") || !got.Result.IsError {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if !l.there(id) || !l.there(other) {
		t.Fatal("erased by a forged answer")
	}
	// As many as were asked about, the first of them the same, but not all.
	var boats []string
	for i := range 7 {
		boats = append(boats, l.save("ann", fmt.Sprintf("Boat %d is red.", i)))
	}
	red := `"name":"memory_forget","arguments":{"query":"boat red","permanent":true}`
	asking = c.call(red, "", "").Result.RequestState
	if _, err := l.remember.Forget(t.Context(), memory.Scope{Agent: "ann"}, remember.ForgetRequest{IDs: boats[6:], Permanent: true, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	boats[6] = l.save("ann", "Boat 8 is red.")
	if got := c.call(red, asking, "accept"); !strings.HasPrefix(got.text(), "invalid_argument: ") || !l.there(boats[6]) {
		t.Errorf("others than were asked about: %+v", got)
	}
	// Of another server, such as before a restart.
	if got := dial(t, newLibrary(t).Server).call(erase(id), state, "accept"); !got.Result.IsError {
		t.Errorf("%+v", got)
	}
	c.send(requestOf("newer", "tools/call", erase(id)+`,"requestState":"`+state+`","inputResponses":{"other":{"action":"accept"}}`))
	if got := c.next(); !strings.Contains(got, "invalid_argument: ") {
		t.Error(got)
	}
	// Without an answer it was taken all the same: one state, one try.
	if got := c.call(erase(id), state, "accept"); !strings.HasPrefix(got.text(), "invalid_argument: ") || !l.there(id) {
		t.Errorf("a second time: %+v", got)
	}
}

// A user who does not answer keeps nobody waiting for ever.
func TestAskTimeout(t *testing.T) {
	s := newSession(newOutput(discard{}, nil))
	s.patience = time.Millisecond
	result, err := s.RequestElicitation(t.Context(), elicitation("sure?"))
	if err != nil || result.Action != "cancel" {
		t.Errorf("%+v, %v", result, err)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func elicitation(message string) mcp.ElicitationRequest {
	return mcp.ElicitationRequest{Params: mcp.ElicitationParams{Message: message}}
}
