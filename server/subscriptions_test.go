package server_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/server/servertest"
)

// subscriber is a client of an era that hears of changes.
type subscriber struct {
	*servertest.Client
	t   *testing.T
	era string
}

func subscribing(t *testing.T, l *servertest.Bank, era string) *subscriber {
	s := &subscriber{servertest.Dial(t, l.Server), t, era}
	if era == "older" {
		s.Send(servertest.Initialize("2025-11-25"), `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		s.Next()
	}
	return s
}

// subscribe subscribes to resources, and in both servertest.Eras to the list of them.
func (s *subscriber) subscribe(uris ...string) {
	s.t.Helper()
	if s.era == "newer" {
		data, _ := json.Marshal(uris)
		s.Send(servertest.Request("newer", "subscriptions/listen",
			`"notifications":{"resourcesListChanged":true,"resourceSubscriptions":`+string(data)+`}`))
		if ack := s.Next(); !strings.Contains(ack, "acknowledged") {
			s.t.Fatal(ack)
		}
		return
	}
	for _, uri := range uris {
		s.Send(servertest.Request("older", "resources/subscribe", `"uri":"`+uri+`"`))
		s.Next()
	}
}

// hears waits for notifications, which have to be the next ones, in any order.
func (s *subscriber) hears(whats ...string) {
	s.t.Helper()
	for len(whats) > 0 {
		got := s.Next()
		i := slices.IndexFunc(whats, func(what string) bool { return strings.Contains(got, what) })
		if i < 0 || !strings.Contains(got, `"notifications/resources/`) {
			s.t.Fatalf("%s: heard %s, want %q", s.era, got, whats)
		}
		if tagged := strings.Contains(got, `"io.modelcontextprotocol/subscriptionId":1`); tagged != (s.era == "newer") {
			s.t.Errorf("%s: heard %s", s.era, got)
		}
		whats = slices.Delete(whats, i, i+1)
	}
}

// idle waits until nobody looks for changes any more.
func idle(t *testing.T, l *servertest.Bank) {
	t.Helper()
	for deadline := time.Now().Add(servertest.Patience); ; time.Sleep(time.Millisecond) {
		if _, running := l.Watching(); !running {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("it looks for changes though nobody is subscribed")
		}
	}
}

func TestChanges(t *testing.T) {
	for era := range servertest.Eras {
		t.Run(era, func(t *testing.T) {
			l := servertest.NewBank(t)
			id := l.Save("ann", "The harbour closes at nine.")
			s := subscribing(t, l, era)
			s.subscribe("memory://salient", "memory://record/"+id, "memory://workspace/SOUL.md", "memory://nothing")

			second := l.Save("ann", "The ferry leaves at ten.") // another process
			s.hears("memory://salient")
			l.Save("bob", "Bob saves for himself.")
			_, err := l.Remember.Update(t.Context(), memory.Scope{Agent: "ann"},
				remember.UpdateRequest{ID: second, Tags: &[]string{"ferry"}})
			if err != nil {
				t.Fatal(err) // of which no page that is watched says anything
			}
			l.File("ann", "SOUL.md", "I am ann.") // a person
			s.hears("memory://workspace/SOUL.md", "list_changed")
			l.File("ann", "SOUL.md", "I am Ann.")
			s.hears("memory://workspace/SOUL.md")
			if _, err := l.Remember.Forget(t.Context(), memory.Scope{Agent: "ann"},
				remember.ForgetRequest{IDs: []string{id}, Permanent: true, Confirm: true}); err != nil {
				t.Fatal(err)
			}
			s.hears("memory://record/"+id, "memory://salient")
			if err := os.Remove(filepath.Join(l.Data, "workspaces", "ann", "SOUL.md")); err != nil {
				t.Fatal(err)
			}
			s.hears("memory://workspace/SOUL.md", "list_changed")
		})
	}
}

// Nobody looks for changes before the first subscription and after the last.
func TestChangesEnd(t *testing.T) {
	for era := range servertest.Eras {
		for name, end := range map[string]func(*subscriber){
			"hang up": func(s *subscriber) { s.HangUp() },
			"unsubscribe": func(s *subscriber) {
				if era == "older" {
					s.Send(servertest.Request(era, "resources/unsubscribe", `"uri":"memory://nothing"`),
						servertest.Request(era, "resources/unsubscribe", `"uri":"memory://stats"`))
					s.Next()
				} else {
					s.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
				}
			},
		} {
			t.Run(era+" "+name, func(t *testing.T) {
				l := servertest.NewBank(t)
				l.Save("ann", "There is a day log.") // so that no later save makes a file
				s := subscribing(t, l, era)
				if _, running := l.Watching(); running {
					t.Error("it looks for changes though nobody is subscribed")
				}
				s.subscribe("memory://stats")
				l.Save("ann", "The harbour closes at nine.")
				s.hears("memory://stats")
				end(s)
				idle(t, l)
				if n, _ := l.Watching(); n > 0 {
					t.Errorf("%d are left", n)
				}
			})
		}
	}
}
