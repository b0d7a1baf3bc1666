package web

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"mcp-memory/access"
	"mcp-memory/memory"
	"mcp-memory/upkeep"
	"mcp-memory/web/html"
)

// Overseer reports the state of the server and the size of each bank, but nothing of a bank's
// content. [upkeep.Overview] implements it.
type Overseer interface {
	// List is documented at [upkeep.Overview.List].
	List(ctx context.Context, after string) (state upkeep.State, banks []upkeep.Bank, more bool, err error)
}

// banks shows an operator the state of the server and of every bank.
func (s *Site) banks(v *visit) (answer, error) {
	if s.o.Banks == nil {
		return nil, memory.Errorf(memory.CodeNotFound, "this server tells nothing of its banks")
	}
	state, banks, more, err := s.o.Banks.List(v.context(), v.field("after"))
	if err != nil {
		return nil, err
	}
	var next html.Node
	if more {
		next = html.P(html.A(html.Href(query("/banks", "after", banks[len(banks)-1].Agent)), "More banks"))
	}
	return page{title: "Banks", body: html.List{v.server(state), v.bankTable(banks), next, v.problems(state.Health, false),
		v.lastBackup(state.BackupDir, state.Backup)}}, nil
}

// server shows the state of the server as a whole.
func (v *visit) server(s upkeep.State) html.Node {
	rows := html.List{
		html.Dt("Program"), html.Dd(s.Program), html.Dt("Serves since"),
		html.Dd(v.when(s.Since)), html.Dt("Banks"), html.Dd(strconv.Itoa(s.Banks)),
	}
	if s.SchemaVersion > 0 {
		rows = append(rows, html.Dt("Database"),
			html.Dd(fmt.Sprintf("%s with all banks, schema %d", memory.DatabaseSize(s.DatabaseBytes), s.SchemaVersion)),
			html.Dt("Found by meaning"), html.Dd("by "+s.Embedder))
	}
	return html.Section(html.H2("Server"), html.Dl(rows))
}

// bankTable has a row for each bank.
func (v *visit) bankTable(banks []upkeep.Bank) html.Node {
	if len(banks) == 0 {
		return html.P("There are no banks here.")
	}
	var head, rows html.List
	for _, title := range []string{"Bank", "Memories", "Set aside", "Replaced", "Messages", "Sessions", "Queue", "Last asked",
		"Last changed"} {
		head = append(head, html.Th(html.Attr("scope", "col"), title))
	}
	for _, b := range banks {
		row := html.List{html.Th(html.Attr("scope", "row"), html.El("bdi", memory.Shorten(b.Agent, 60)))}
		for _, n := range []int{b.Memories, b.Archived, b.Replaced, b.Messages, b.Sessions} {
			row = append(row, html.Td(html.Class("number"), n))
		}
		rows = append(rows, html.Tr(append(row, html.Td(queueOf(b)), html.Td(v.lastTime(b.Asked)), html.Td(v.lastTime(b.Changed)))))
	}
	return html.Section(html.H2("Banks"),
		html.Div(html.Class("scroll"), html.Attr("tabindex", "0"), html.Attr("role", "region"), html.AriaLabel("Banks"),
			html.Table(html.El("caption", html.Class("visually-hidden"), "How each bank does"), html.Thead(html.Tr(head)),
				html.Tbody(rows))))
}

// queueOf describes the background work that is left to do in a bank, "empty" for none.
func queueOf(b upkeep.Bank) string {
	if b.Queued+b.Unencoded == 0 && !b.ErasePending {
		return "empty"
	}
	text := ""
	add := func(n int, what string) {
		if n > 0 {
			text += ", " + strconv.Itoa(n) + " " + what
		}
	}
	add(b.Queued, "wait to be found by meaning")
	add(b.Failed, "of them failed so far")
	add(b.Unencoded, "wait for the encoder")
	if b.ErasePending {
		text += ", erased remains are being cleared"
	}
	return text[len(", "):]
}

func (v *visit) lastTime(t time.Time) html.Node {
	if t.IsZero() {
		return html.Text("never")
	}
	return v.when(t)
}

// home shows the start page. An operator has no bank of their own and is sent to the list of banks.
func (s *Site) home(v *visit) (answer, error) {
	if access.IsOperator(v.context()) {
		return elsewhere(Root + "/banks"), nil
	}
	return s.today(v)
}
