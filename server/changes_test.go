package server

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
)

// subscriber is a client of an era that hears of changes.
type subscriber struct {
	*live
	l   *library
	era string
}

func (l *library) subscriber(era string) *subscriber {
	s := &subscriber{dial(l.t, l.Server), l, era}
	if era == "older" {
		s.send(initialize("2025-11-25"), `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		s.next()
	}
	return s
}

// subscribe subscribes to resources, and in both eras to the list of them.
func (s *subscriber) subscribe(uris ...string) {
	s.t.Helper()
	if s.era == "newer" {
		data, _ := json.Marshal(uris)
		s.send(requestOf("newer", "subscriptions/listen", `"notifications":{"resourcesListChanged":true,"resourceSubscriptions":`+string(data)+`}`))
		if ack := s.next(); !strings.Contains(ack, "acknowledged") {
			s.t.Fatal(ack)
		}
		return
	}
	for _, uri := range uris {
		s.send(requestOf("older", "resources/subscribe", `"uri":"`+uri+`"`))
		s.next()
	}
}

// hears waits for notifications, which have to be the next ones, in any order.
func (s *subscriber) hears(whats ...string) {
	s.t.Helper()
	for len(whats) > 0 {
		got := s.next()
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

// idle waits until the subscriptions have been looked at.
func (l *library) idle() {
	l.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		l.changes.mu.Lock()
		running := l.changes.running
		l.changes.mu.Unlock()
		if !running {
			return
		}
		if time.Now().After(deadline) {
			l.t.Fatal("it looks for changes though nobody is subscribed")
		}
	}
}

func TestChanges(t *testing.T) {
	for era := range eras {
		t.Run(era, func(t *testing.T) {
			l := newLibrary(t)
			id := l.save("ann", "The harbour closes at nine.")
			s := l.subscriber(era)
			s.subscribe("memory://salient", "memory://record/"+id, "memory://workspace/SOUL.md", "memory://nothing")

			second := l.save("ann", "The ferry leaves at ten.") // another process
			s.hears("memory://salient")
			l.save("bob", "Bob saves for himself.")
			_, err := l.remember.Update(t.Context(), memory.Scope{Agent: "ann"}, remember.UpdateRequest{ID: second, Tags: &[]string{"ferry"}})
			if err != nil {
				t.Fatal(err) // of which no page that is watched says anything
			}
			l.file("ann", "SOUL.md", "I am ann.") // a person
			s.hears("memory://workspace/SOUL.md", "list_changed")
			l.file("ann", "SOUL.md", "I am Ann.")
			s.hears("memory://workspace/SOUL.md")
			if _, err := l.remember.Forget(t.Context(), memory.Scope{Agent: "ann"}, remember.ForgetRequest{IDs: []string{id}, Permanent: true, Confirm: true}); err != nil {
				t.Fatal(err)
			}
			s.hears("memory://record/"+id, "memory://salient")
			if err := os.Remove(filepath.Join(l.data, "workspaces", "ann", "SOUL.md")); err != nil {
				t.Fatal(err)
			}
			s.hears("memory://workspace/SOUL.md", "list_changed")
		})
	}
}

// Nobody looks for changes before the first subscription and after the last.
func TestChangesEnd(t *testing.T) {
	for era := range eras {
		for name, end := range map[string]func(*subscriber){
			"hang up": func(s *subscriber) { _ = s.in.Close() },
			"unsubscribe": func(s *subscriber) {
				if era == "older" {
					s.send(requestOf(era, "resources/unsubscribe", `"uri":"memory://nothing"`), requestOf(era, "resources/unsubscribe", `"uri":"memory://stats"`))
					s.next()
				} else {
					s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
				}
			},
		} {
			t.Run(era+" "+name, func(t *testing.T) {
				l := newLibrary(t)
				l.save("ann", "There is a day log.") // so that no later save makes a file
				s := l.subscriber(era)
				if l.changes.running {
					t.Error("it looks for changes though nobody is subscribed")
				}
				s.subscribe("memory://stats")
				l.save("ann", "The harbour closes at nine.")
				s.hears("memory://stats")
				end(s)
				l.idle()
				if len(l.changes.subs) > 0 {
					t.Errorf("%d are left", len(l.changes.subs))
				}
			})
		}
	}
}
