package extractive

import (
	"slices"
	"testing"
)

// What others wrote and a user pasted says nothing of the user.
func TestPasted(t *testing.T) {
	for _, c := range []struct {
		talk string
		want []string
	}{
		{"u what did she mean?\n[10:02] Elena: I'm moving to Porto in March\n[10:03] Me: wow\n[10:04] Elena: never eat at Rui's lol", nil},
		{"u [29.11.26, 18:04] Mum: I sold the house in Celle\n[29.11.26, 18:05] Me: no way!\nwhat should I answer?", nil},
		{"u 10:02 AM Ben: we moved the release to Friday\nhow do I react?", nil},
		{"u here are the meeting notes, make action items:\nAnna: I'll take the migration\nBen: I can't, I'm in Rome next week\nAnna: we agreed on blue-green deploys", nil},
		{"u Anna: I'll take the migration\nBen: I can't, I'm in Rome next week", nil},
		{"u Mum: I sold the house in Celle", nil},
		{"u draft a reply\n\nHi Wencke,\n\nI'm the new contact at Bosch. My number is 0711 445566. We need the API docs by Friday.\n\nKind regards\nMartin Scholl", nil},
		{"u What do I answer?\nDear all,\nI'm leaving the company in May. We always met on Tuesdays.\nBest\nOla", nil},
		{"u Martin wrote me: I'm on vacation until Jan 5, my deputy is Eva. what does that mean for our deadline?", nil},
		{"u I found this in the vendor's readme:\n\n## Usage\nWe require Java 17. Always call close().\n\nDo we do that?", nil},
		{"u here's the readme of the lib, does it support streaming?\n\n# fastpipe\n\nfastpipe is a tiny pipeline library. We recommend Node 20. Never call `flush()` twice.", nil},
		{"u their docs say:\nYou must call init() first. We only support UTF-8. Never pass null.\nis our usage fine?", nil},
		{"u explain\n// NOTE: we never retry on 5xx because the upstream bills us per call\nfunc send() {}", nil},
		{"u I get this:\n\nTraceback (most recent call last):\n  File \"/app/main.py\", line 42, in <module>\nConnectionError: The server at db01.internal does not accept connections. Your license expired on 2026-10-01.\n\nwhat's going on?", nil},
		{"u npm ERR! code ERESOLVE\nnpm ERR! The project requires Node 14. You must upgrade to React 19.\nhow to solve?", nil},
		{"u error: You must provide a value for API_KEY. The server only accepts TLS 1.3.", nil},
		{"u The linter says:\nYou must use tabs. We never allow spaces.", nil},
		{"u Ticket from the customer:\nWe can't log in since Monday, our tenant is acme-7.\n\nPlease find the bug.", nil},

		{"u this is what the client sent:\n\nWe need SSO before March and our budget is 20k.\n\nWhat do you think?", nil},
		{"u Slack thread:\nkim: i broke prod again\nleo: we always test on staging, remember?\nkim: my bad", nil},
		{"u Anna: I am the PM. Ben: I am QA.", nil},
		{"u From the docs: always pass a context. Never ignore errors.", nil},
		{"u Frontend: React 18\nBackend: Go, we deploy it with Helm", []string{"Frontend: React 18. Backend: Go, the user and others deploy it with Helm."}},
		{"u Frontend: we use React\nBackend: we use Go", []string{"Frontend: the user and others use React. Backend: the user and others use Go."}},
		{"u Motivation: I want a faster build.\nConstraints: we can't leave GitHub.",
			[]string{"Motivation: the user wants a faster build. Constraints: the user and others can't leave GitHub."}},
		{"u The page should say\nHello world\nWe deploy on Fridays.", []string{"The user and others deploy on Fridays."}},
		{"u We wrote our own scheduler: it lives in cmd/sched.", []string{"The user and others wrote their own scheduler: it lives in cmd/sched."}},
		{"u We got new hosts: fern and moss.", []string{"The user and others got new hosts: fern and moss."}},
		{"u I get an error:\nThe server only accepts TLS 1.3.", nil},
		{"u Ingestion: we use Kafka.\nServing: we use Triton.\nLabels: from Mechanical Turk.",
			[]string{"Ingestion: the user and others use Kafka. Serving: the user and others use Triton.", "Labels: from Mechanical Turk."}},
		{"u Deadline: we ship on 12 May 2027.", []string{"Deadline: the user and others ship on 12 May 2027."}},
		{"u Hi Claude,\nI'm Jana and I work at Siemens.", []string{"The user is Jana and works at Siemens."}},
		{"u Our readme says that we support Go 1.22.", []string{"The user's readme says that the user and others support Go 1.22."}},
		{"u My setup: I use Vim on a ThinkPad.", []string{"The user's setup: the user uses Vim on a ThinkPad."}},
	} {
		if got := factsOf(t, c.talk); !slices.Equal(got, c.want) {
			t.Errorf("%q\n\tgot  %q\n\twant %q", c.talk, got, c.want)
		}
	}
}
