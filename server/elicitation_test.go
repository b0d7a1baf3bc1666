package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/server/servertest"
)

// there reports whether ann's memory still exists.
func there(t *testing.T, l *servertest.Bank, id string) bool {
	t.Helper()
	found, _, err := l.Remember.Get(t.Context(), memory.Scope{Agent: "ann"}, []string{id})
	if err != nil {
		t.Fatal(err)
	}
	return len(found) == 1 && found[0].ArchivedAt.IsZero()
}

func erase(id string) string {
	return `"name":"memory_forget","arguments":{"ids":["` + id + `"],"permanent":true}`
}

// In the older era the server asks while the call waits.
func TestAskOlder(t *testing.T) {
	for action, want := range map[string]string{
		`"result":{"action":"accept","content":{}}`: "Erased 1 memory for good",
		`"result":{"action":"decline"}`:             "forbidden: ", `"result":{"action":"cancel"}`: "forbidden: ",
		`"error":{"code":-32601,"message":"no"}`: "forbidden: ",
	} {
		l := servertest.NewBank(t)
		id, other := l.Save("ann", "The harbour closes at nine."), l.Save("ann", "The ferry leaves at ten.")
		c := servertest.Dial(t, l.Server)
		c.Send(servertest.Initialize("2025-11-25"))
		c.Next()
		c.Send(servertest.Request("older", "tools/call", erase(id)))
		var asked struct {
			ID     json.RawMessage
			Method string
			Params struct{ Message string }
		}
		if err := json.Unmarshal([]byte(c.Next()), &asked); err != nil || asked.Method != "elicitation/create" ||
			asked.Params.Message != "Erase 1 memory for good? This cannot be undone.\n- The harbour closes at nine." {
			t.Fatalf("%+v, %v", asked, err)
		}
		if !there(t, l, id) {
			t.Error("it is erased before the user has answered")
		}
		c.Send(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,` + action + `}`)
		if got := c.Next(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", action, got)
		}
		if erased := strings.Contains(action, "accept"); there(t, l, id) == erased || !there(t, l, other) {
			t.Errorf("%s: there is %v", action, there(t, l, id))
		}
	}
}

func TestAskNobody(t *testing.T) {
	l := servertest.NewBank(t)
	id := l.Save("ann", "The harbour closes at nine.")
	for era := range servertest.Eras {
		for _, capabilities := range []string{`{}`, `{"elicitation":{"url":{}}}`} {
			c := servertest.Dial(t, l.Server)
			line := servertest.Request(era, "tools/call", erase(id))
			if era == "older" {
				c.Send(strings.Replace(servertest.Initialize("2025-11-25"), `{"elicitation":{}}`, capabilities, 1))
				c.Next()
			} else {
				line = strings.Replace(line, `{"elicitation":{}}`, capabilities, 1)
			}
			c.Send(line)
			if got := c.Next(); !strings.Contains(got, "invalid_argument: permanent erases for good and needs confirm") ||
				!there(t, l, id) {
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
func call(t *testing.T, c *servertest.Client, params, state, action string) (a asked) {
	t.Helper()
	if action != "" {
		data, _ := json.Marshal(state)
		params += `,"requestState":` + string(data) + `,"inputResponses":{"confirm":{"action":"` + action + `"}}`
	}
	c.Send(servertest.Request("newer", "tools/call", params))
	got := c.Next()
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		t.Fatal(err, got)
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
	for action, want := range map[string]string{"accept": "Erased 1 memory for good", "decline": "forbidden: ", "cancel": "forbidden: ",
		"else": "forbidden: "} {
		l := servertest.NewBank(t)
		id, other := l.Save("ann", "The harbour closes at nine."), l.Save("ann", "The ferry leaves at ten.")
		c := servertest.Dial(t, l.Server)
		a := call(t, c, erase(id), "", "")
		if a.Result.ResultType != "input_required" || a.Result.Requests["confirm"].Method != "elicitation/create" ||
			!strings.Contains(a.Result.Requests["confirm"].Params.Message, "The harbour closes at nine.") || !there(t, l, id) {
			t.Fatalf("%+v", a)
		}
		if got := call(t, c, erase(id), a.Result.RequestState, action); !strings.Contains(got.text(), want) ||
			got.Result.IsError == (action == "accept") {
			t.Errorf("%s: %+v", action, got)
		}
		if there(t, l, id) == (action == "accept") || !there(t, l, other) {
			t.Errorf("%s: there is %v", action, there(t, l, id))
		}
	}
}

// An answer counts once, for the question that was asked, and not for long.
func TestAnswersForged(t *testing.T) {
	l := servertest.NewBank(t)
	id, other := l.Save("ann", "The harbour closes at nine."), l.Save("ann", "The ferry leaves at ten.")
	c := servertest.Dial(t, l.Server)
	state := call(t, c, erase(id), "", "").Result.RequestState
	flipped := "A"
	if strings.HasPrefix(state, "A") {
		flipped = "B"
	}
	byQuery := `"name":"memory_forget","arguments":{"query":"harbour","permanent":true}`
	asking := call(t, c, byQuery, "", "").Result.RequestState
	l.Save("ann", "The harbour has a crane.")
	for name, try := range map[string][2]string{
		"none": {erase(id), ""}, "not ours": {erase(id), "e30"}, "changed": {erase(id), flipped + state[1:]},
		"cut": {erase(id), state[:len(state)-4]}, "longer": {erase(id), state + "AAAA"},
		"of another call": {erase(other), state}, "of other words": {byQuery, state}, "about more than was asked": {byQuery, asking},
		"wide": {erase(id), strings.Repeat("A", 1<<20)},
	} {
		if got := call(t, c, try[0], try[1], "accept"); !strings.HasPrefix(got.text(), "invalid_argument: ") || !got.Result.IsError {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if !there(t, l, id) || !there(t, l, other) {
		t.Fatal("erased by a forged answer")
	}
	// As many as were asked about, the first of them the same, but not all.
	var boats []string
	for i := range 7 {
		boats = append(boats, l.Save("ann", fmt.Sprintf("Boat %d is red.", i)))
	}
	red := `"name":"memory_forget","arguments":{"query":"boat red","permanent":true}`
	asking = call(t, c, red, "", "").Result.RequestState
	if _, err := l.Remember.Forget(t.Context(), memory.Scope{Agent: "ann"},
		remember.ForgetRequest{IDs: boats[6:], Permanent: true, Confirm: true}); err != nil {
		t.Fatal(err)
	}
	boats[6] = l.Save("ann", "Boat 8 is red.")
	if got := call(t, c, red, asking, "accept"); !strings.HasPrefix(got.text(), "invalid_argument: ") || !there(t, l, boats[6]) {
		t.Errorf("others than were asked about: %+v", got)
	}
	// Of another server, such as before a restart.
	if got := call(t, servertest.Dial(t, servertest.NewBank(t).Server), erase(id), state, "accept"); !got.Result.IsError {
		t.Errorf("%+v", got)
	}
	c.Send(servertest.Request("newer", "tools/call",
		erase(id)+`,"requestState":"`+state+`","inputResponses":{"other":{"action":"accept"}}`))
	if got := c.Next(); !strings.Contains(got, "invalid_argument: ") {
		t.Error(got)
	}
	// Without an answer it was taken all the same: one state, one try.
	if got := call(t, c, erase(id), state, "accept"); !strings.HasPrefix(got.text(), "invalid_argument: ") || !there(t, l, id) {
		t.Errorf("a second time: %+v", got)
	}
}

// Only a host that is there, and shows forms, is asked.
func TestHostComesAndGoes(t *testing.T) {
	l := servertest.NewBank(t)
	c := servertest.Dial(t, l.Server)
	if l.CanAskUser() || l.CanSample() {
		t.Error("it would ask before the handshake")
	}
	c.Send(servertest.Initialize("2025-11-25"))
	c.Next()
	c.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	c.Next()
	if !l.CanAskUser() || l.CanSample() {
		t.Errorf("after the handshake: forms %v, a model %v", l.CanAskUser(), l.CanSample())
	}
	c.HangUp()
	if err := c.Wait(); err != nil || l.CanAskUser() {
		t.Errorf("it would ask who has hung up (%v)", err)
	}
}
