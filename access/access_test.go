package access_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcp-memory/access"
	"mcp-memory/db/sqlite"
	"mcp-memory/embed"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// office is a service and a guard over a new database.
type office struct {
	*access.Service
	t     *testing.T
	now   time.Time
	store memory.Store
	guard *access.Guard
	ids   *memory.IDs
}

func newOffice(t *testing.T, verifier access.Verifier) *office {
	t.Helper()
	o := &office{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return o.now }
	store, err := backend.Open(t.Context(), filepath.Join(t.TempDir(), "bank.db"),
		sqlite.Options{Embedder: embed.NewBuiltin().Fingerprint(), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	o.store, o.ids = store, memory.NewIDs(clock)
	o.Service, o.guard = access.New(store, verifier, clock, o.ids), access.NewGuard(store, clock)
	return o
}

func (o *office) create(r access.Request) (memory.Token, string) {
	o.t.Helper()
	token, secret, err := o.Create(o.t.Context(), r)
	if err != nil {
		o.t.Fatal(err)
	}
	return token, secret
}

func (o *office) required() bool {
	o.t.Helper()
	required, err := o.Required(o.t.Context())
	if err != nil {
		o.t.Fatal(err)
	}
	return required
}

func TestToken(t *testing.T) {
	o := newOffice(t, nil)
	if o.required() {
		t.Error("a token is required before there is one")
	}
	token, secret := o.create(access.Request{Agent: "ann", Projects: []string{" shop"}, ReadOnly: true})
	if !o.required() || !strings.HasPrefix(secret, access.Prefix) || len(secret) != len(access.Prefix)+43 {
		t.Errorf("required %v, secret %q", o.required(), secret)
	}
	who, err := o.Identify(t.Context(), secret)
	if err != nil || who.Agent != "ann" || who.Token != token.ID || !slices.Equal(who.Projects, []string{"shop"}) || !who.ReadOnly {
		t.Errorf("%+v, %v", who, err)
	}
	if _, other := o.create(access.Request{Agent: "ann"}); other == secret {
		t.Error("two tokens have the same secret")
	}
	for _, wrong := range []string{"", "mcpm_", secret + "x", secret[:len(secret)-1], strings.ToUpper(secret), "eyJhbGciOiJub25lIn0.e30."} {
		if _, err := o.Identify(t.Context(), wrong); memory.CodeOf(err) != memory.CodeForbidden {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	kept, err := json.Marshal(token)
	if err != nil || strings.Contains(string(kept), secret) {
		t.Error("the secret is kept")
	}
}

func TestTokenEnds(t *testing.T) {
	o := newOffice(t, nil)
	_, expiring := o.create(access.Request{Agent: "ann", ExpiresAt: o.now.Add(time.Hour)})
	revoked, secret := o.create(access.Request{Agent: "ann"})
	valid := func(secret string) bool {
		_, err := o.Identify(t.Context(), secret)
		return err == nil
	}
	o.now = o.now.Add(time.Hour - time.Nanosecond)
	if !valid(expiring) || !valid(secret) {
		t.Error("a token ended too early")
	}
	o.now = o.now.Add(time.Nanosecond)
	if valid(expiring) {
		t.Error("an expired token is valid")
	}
	if _, err := o.Revoke(t.Context(), revoked.ID); err != nil || valid(secret) {
		t.Errorf("a revoked token is valid, %v", err)
	}
	if _, err := o.Revoke(t.Context(), "x"); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("revoke what is not there: %v", err)
	}
	if !o.required() {
		t.Error("ending the last token opens the server")
	}
}

func TestBadTokens(t *testing.T) {
	o := newOffice(t, nil)
	for name, r := range map[string]access.Request{
		"agent":         {Agent: "../x"},
		"no agent":      {},
		"past":          {Agent: "ann", ExpiresAt: o.now},
		"all projects":  {Agent: "ann", Projects: []string{"*"}},
		"empty project": {Agent: "ann", Projects: []string{" "}},
		"opens none":    {Agent: "ann", Projects: []string{"a"}, Operator: true},
		"control":       {Agent: "ann", Projects: []string{"a\x00b"}},
	} {
		if _, _, err := o.Create(t.Context(), r); memory.CodeOf(err) != memory.CodeInvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	if o.required() {
		t.Error("a token that was refused is there")
	}
}

func TestScope(t *testing.T) {
	name := func(s string) *string { return &s }
	free, one := access.Identity{Agent: "ann"}, access.Identity{Agent: "ann", Projects: []string{"a"}}
	two := access.Identity{Agent: "ann", Projects: []string{"a", "b"}}
	for i, test := range []struct {
		who     access.Identity
		project *string
		want    string
		code    memory.Code
	}{
		{free, nil, "", ""}, {free, name("x"), "x", ""}, {free, name("*"), "*", ""},
		{one, nil, "a", ""}, {one, name("a"), "a", ""},
		{one, name("b"), "", memory.CodeForbidden}, {one, name("*"), "", memory.CodeForbidden},
		{one, name(""), "", memory.CodeForbidden},
		{two, nil, "", memory.CodeInvalidArgument}, {two, name("b"), "b", ""},
	} {
		scope, err := test.who.Scope(test.project)
		if scope.Agent != "ann" || scope.Project != test.want || memory.CodeOf(err) != test.code {
			t.Errorf("%d: %+v, %v", i, scope, err)
		}
	}
	for _, project := range []*string{nil, name(""), name("x"), name(memory.AllProjects)} {
		scope, err := access.Identity{Agent: "ann", Operator: true}.Scope(project)
		if memory.CodeOf(err) != memory.CodeForbidden || scope != (memory.Scope{}) {
			t.Errorf("an operator: %+v, %v", scope, err)
		}
	}
}

func TestRefusal(t *testing.T) {
	free, reader := access.Identity{Agent: "ann"}, access.Identity{Agent: "ann", ReadOnly: true}
	shop, both := access.Identity{Agent: "ann", Projects: []string{"shop"}},
		access.Identity{Agent: "ann", Projects: []string{"shop"}, ReadOnly: true}
	operator := access.Identity{Agent: "ann", Operator: true}
	for i, test := range []struct {
		who    access.Identity
		writes bool
		reach  access.Reach
		want   string
	}{
		{free, true, access.WholeBank, ""}, {free, false, access.WholeBank, ""},
		{reader, false, access.WholeBank, ""}, {reader, true, access.WholeBank, "may only read"},
		{reader, true, access.Projects, "may only read"},
		{shop, false, access.WholeBank, "and soul_list is about the whole bank"}, {shop, true, access.WholeBank, "about the whole bank"},
		{shop, true, access.Projects, ""}, {shop, false, access.Projects, ""},
		{both, false, access.Projects, ""}, {both, true, access.Projects, "may only read"},
		{both, false, access.WholeBank, "about the whole bank"},
		{shop, false, access.Reach(7), "about the whole bank"},
		{free, false, access.AllBanks, "is for operators"}, {shop, false, access.AllBanks, "is for operators"},
		{free, true, access.NoBank, ""}, {both, true, access.NoBank, ""},
		{operator, false, access.AllBanks, ""}, {operator, true, access.AllBanks, "is an operator's"}, {operator, true, access.NoBank, ""},
		{operator, false, access.WholeBank, "is an operator's"},
		{operator, false, access.Projects, "is an operator's"}, {operator, false, access.Reach(7), "is an operator's"},
	} {
		err := access.Refusal(access.With(t.Context(), test.who), "soul_list", test.writes, test.reach)
		if (err == nil) != (test.want == "") ||
			err != nil && (err.Code != memory.CodeForbidden || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if err := access.Refusal(t.Context(), "soul_list", true, access.WholeBank); err != nil {
		t.Errorf("the process's own agent: %v", err)
	}
}

func (o *office) record(agent, project, content string) memory.Record {
	return memory.Record{
		ID: o.ids.New(), Agent: agent, Project: project, Kind: memory.KindFact, Category: memory.CategoryOther, Content: content,
		Importance: memory.DefaultImportance, Source: memory.SourceUser, Confirmations: 1, CreatedAt: o.now,
	}
}

// log returns the bank's audit log as "actor action subject details".
func (o *office) log(agent string) (lines []string) {
	o.t.Helper()
	entries, err := o.store.AuditLog(o.t.Context(), agent, 100)
	if err != nil {
		o.t.Fatal(err)
	}
	for _, e := range entries {
		lines = append(lines, strings.Join([]string{e.Actor, e.Action, e.Subject, string(e.Details)}, " "))
	}
	return lines
}

func TestAuditInTheSameTransaction(t *testing.T) {
	o := newOffice(t, nil)
	one, two := o.record("ann", "", "Content one."), o.record("ann", "", "Content two.")
	ctx := access.With(t.Context(), access.Identity{Agent: "ann", Token: "t1"})
	call := o.guard.Begin(ctx, "memory_save", "r1")
	write := func(ctx context.Context, fail error, records ...memory.Record) {
		err := o.guard.Write(ctx, "ann", func(tx memory.Tx) error {
			for _, r := range records {
				if err := tx.InsertRecord(r, nil); err != nil {
					return err
				}
			}
			return fail
		})
		if err != fail {
			t.Fatal(err)
		}
	}
	write(call, nil, one, two)
	if err := o.guard.End(call, ""); err != nil {
		t.Fatal(err)
	}
	want := `ann memory_save ` + one.ID + ` {"token":"t1","request":"r1","ids":["` + one.ID + `","` + two.ID + `"]}`
	if got := o.log("ann"); !slices.Equal(got, []string{want}) {
		t.Errorf("got  %q\nwant %q", got, want)
	}

	failed := o.guard.Begin(ctx, "memory_save", "r2")
	write(failed, memory.Errorf(memory.CodeConflict, "x"), o.record("ann", "", "Content three."))
	if err := o.guard.End(failed, "conflict"); err != nil {
		t.Fatal(err)
	}
	if got, want := o.log("ann")[0], `ann memory_save  {"token":"t1","request":"r2","code":"conflict"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if strings.Contains(strings.Join(o.log("ann"), ""), "Content") {
		t.Error("the log has what a memory says")
	}

	write(ctx, nil, o.record("ann", "", "By a worker."))            // no call
	write(t.Context(), nil, o.record("ann", "", "By the program.")) // nobody
	if got := o.log("ann"); len(got) != 2 {
		t.Errorf("%d lines", len(got))
	}
}

func TestGuardKeepsToProjects(t *testing.T) {
	o := newOffice(t, nil)
	global, shop, other := o.record("ann", "", "Global."), o.record("ann", "shop", "Shop."), o.record("ann", "other", "Other.")
	other.ExternalID = "x1"
	err := o.store.Write(t.Context(), "ann", func(tx memory.Tx) error {
		for _, r := range []memory.Record{global, shop, other} {
			if err := tx.InsertRecord(r, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	uncalled := access.With(t.Context(),
		access.Identity{Agent: "ann", Token: "t", Projects: []string{"shop"}}) // what comes from no tool: a page
	ctx := o.guard.Begin(uncalled, "tool", "r")
	records, err := o.guard.Records(ctx, "ann", []string{global.ID, shop.ID, other.ID})
	if err != nil || len(records) != 1 || records[0].ID != shop.ID {
		t.Errorf("%+v, %v", records, err)
	}
	if history, err := o.guard.History(ctx, "ann", other.ID); len(history) != 0 || err != nil {
		t.Errorf("%+v, %v", history, err)
	}
	for name, test := range map[string]struct {
		fn   func(memory.Tx) error
		code memory.Code
	}{
		"read a global one":   {func(tx memory.Tx) error { _, err := tx.Record(global.ID); return err }, memory.CodeNotFound},
		"read another's":      {func(tx memory.Tx) error { _, err := tx.Record(other.ID); return err }, memory.CodeNotFound},
		"its name":            {func(tx memory.Tx) error { _, err := tx.RecordByExternalID("x1"); return err }, memory.CodeForbidden},
		"erase another's":     {func(tx memory.Tx) error { return tx.EraseRecord(other.ID) }, memory.CodeNotFound},
		"erase a global one":  {func(tx memory.Tx) error { return tx.EraseRecord(global.ID) }, memory.CodeNotFound},
		"change a global one": {func(tx memory.Tx) error { return tx.UpdateRecord(global) }, memory.CodeForbidden},
		"add to another": {func(tx memory.Tx) error { return tx.InsertRecord(o.record("ann", "other", "New."), nil) },
			memory.CodeForbidden},
		"add to its own":       {func(tx memory.Tx) error { return tx.InsertRecord(o.record("ann", "shop", "New."), nil) }, ""},
		"remove messages":      {func(tx memory.Tx) error { _, err := tx.RemoveTurns([]string{"t"}); return err }, memory.CodeForbidden},
		"erase a session":      {func(tx memory.Tx) error { _, err := tx.EraseSession("s"); return err }, memory.CodeForbidden},
		"erase everything":     {func(tx memory.Tx) error { return tx.EraseBank() }, memory.CodeForbidden},
		"erase one of its own": {func(tx memory.Tx) error { return tx.EraseRecord(shop.ID) }, ""},
	} {
		if test.code != "" {
			if err := o.guard.Write(uncalled, "ann", test.fn); memory.CodeOf(err) != test.code {
				t.Errorf("%s, outside of a call: %v", name, err)
			}
		}
		if err := o.guard.Write(ctx, "ann", test.fn); memory.CodeOf(err) != test.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// However a token for a project asks, what belongs to another one or to none is
// not there.
func TestGuardNarrowsEveryReading(t *testing.T) {
	o := newOffice(t, nil)
	wanted := o.record("ann", "shop", "Harbour of the shop.")
	records := []memory.Record{wanted, o.record("ann", "other", "Harbour of another.")}
	kinds := []memory.Kind{memory.KindFact, memory.KindSoul, memory.KindDiary, memory.KindRelationship, memory.KindTriple,
		memory.KindLearning}
	for _, k := range kinds {
		r := o.record("ann", "", "Harbour, my own "+string(k)+".")
		r.Kind = k
		records = append(records, r)
	}
	vector := make([]float32, embed.NewBuiltin().Fingerprint().Dimensions)
	vector[0] = 1
	err := o.store.Write(t.Context(), "ann", func(tx memory.Tx) error {
		for _, r := range records {
			if err := tx.InsertRecord(r, vector); err != nil {
				return err
			}
		}
		_, err := tx.InsertTurns([]memory.Turn{
			{ID: o.ids.New(), Agent: "ann", Session: "s", Project: "shop", Role: memory.RoleUser, Speaker: "user",
				Content: "Harbour of the shop.", SaidAt: o.now, CreatedAt: o.now},
			{ID: o.ids.New(), Agent: "ann", Session: "t", Role: memory.RoleUser, Speaker: "user", Content: "Harbour, said in general.",
				SaidAt: o.now, CreatedAt: o.now},
		}, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	g, all := o.guard, memory.Filter{Agent: "ann"}
	ctx := access.With(t.Context(), access.Identity{Agent: "ann", Projects: []string{"shop", "yard"}})
	operator := access.With(t.Context(), access.Identity{Agent: "ann", Operator: true})
	seqs := func(ctx context.Context, corpus memory.Corpus) []int64 {
		found, err := g.Select(ctx, corpus, all)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	every := seqs(t.Context(), memory.Memories)
	said := seqs(t.Context(), memory.Conversations)
	for name, count := range map[string]func(ctx context.Context, projects []string) (int, error){
		"select": func(ctx context.Context, p []string) (int, error) {
			n, err := g.Select(ctx, memory.Memories, memory.Filter{Agent: "ann", Projects: p})
			return len(n), err
		},
		"select turns": func(ctx context.Context, p []string) (int, error) {
			n, err := g.Select(ctx, memory.Conversations, memory.Filter{Agent: "ann", Projects: p})
			return len(n), err
		},
		"documents": func(ctx context.Context, p []string) (int, error) {
			n, err := g.Documents(ctx, memory.Memories, memory.Filter{Agent: "ann", Projects: p}, every)
			return len(n), err
		},
		"turns": func(ctx context.Context, p []string) (int, error) {
			n, err := g.Documents(ctx, memory.Conversations, memory.Filter{Agent: "ann", Projects: p}, said)
			return len(n), err
		},
		"words": func(ctx context.Context, p []string) (int, error) {
			n, err := g.MatchWords(ctx, memory.Memories, memory.Filter{Agent: "ann", Projects: p}, []string{"harbour"}, 100)
			return len(n), err
		},
		"rarest words": func(ctx context.Context, p []string) (int, error) {
			found, err := g.MatchRarest(ctx, memory.Filter{Agent: "ann", Projects: p}, []string{"harbour"},
				memory.Rarest{Words: 1, Postings: 100}, 100)
			return len(found), err
		},
		"substrings": func(ctx context.Context, p []string) (int, error) {
			n, err := g.MatchSubstrings(ctx, memory.Memories, memory.Filter{Agent: "ann", Projects: p}, []string{"arbour"}, 100)
			return len(n), err
		},
		"vectors": func(ctx context.Context, p []string) (int, error) {
			n, err := g.NearestVectors(ctx, memory.Memories, memory.Filter{Agent: "ann", Projects: p}, vector, 100)
			return len(n), err
		},
		"list": func(ctx context.Context, p []string) (int, error) {
			n, _, err := g.List(ctx, memory.CatalogFilter{Agent: "ann", Kind: memory.KindFact, Projects: p, Now: o.now})
			return len(n), err
		},
		"in a change": func(ctx context.Context, p []string) (n int, err error) {
			err = g.Write(g.Begin(ctx, "tool", "r"), "ann", func(tx memory.Tx) error {
				found, _, err := tx.List(memory.CatalogFilter{Agent: "ann", Kind: memory.KindFact, Projects: p, Now: o.now})
				n = len(found)
				return err
			})
			return n, err
		},
		"said": func(ctx context.Context, p []string) (n int, err error) {
			there, err := g.Said(ctx, "ann", append(p, "", "other", "shop"), []memory.Kind{memory.KindFact},
				[]string{"Harbour of the shop.", "Harbour of another.", "Harbour, my own fact."})
			for _, one := range there {
				if one {
					n++
				}
			}
			return n, err
		},
		"each record": func(ctx context.Context, _ []string) (n int, err error) {
			return n, g.EachRecord(ctx, "ann", func(memory.Record) error { n++; return nil })
		},
		"each turn": func(ctx context.Context, _ []string) (n int, err error) {
			return n, g.EachTurn(ctx, "ann", func(memory.Turn) error { n++; return nil })
		},
		"salient": func(ctx context.Context, p []string) (int, error) {
			n, err := g.Salient(ctx, memory.Scope{Agent: "ann", Project: "shop"}, o.now, 100)
			return len(n), err
		},
	} {
		if n, err := count(t.Context(), nil); n < 2 || err != nil {
			t.Errorf("%s: the agent itself reads %d, %v", name, n, err)
		}
		if n, err := count(ctx, nil); n != 1 || err != nil {
			t.Errorf("%s: a token for a project reads %d, %v", name, n, err)
		}
		for _, projects := range [][]string{nil, {"", "other", "shop"}} {
			if n, err := count(operator, projects); n != 0 || err != nil {
				t.Errorf("%s: an operator reads %d, %v", name, n, err)
			}
		}
		switch name {
		case "said", "each record", "each turn", "salient": // take no projects
		default:
			if n, err := count(ctx, []string{"", "other"}); n != 0 || err != nil {
				t.Errorf("%s: of other projects a token reads %d, %v", name, n, err)
			}
		}
	}
	own, err := g.Projects(t.Context(), "ann")
	if seen, err2 := g.Projects(ctx, "ann"); err != nil || err2 != nil || len(own) != 3 || len(seen) != 1 || seen[0].Name != "shop" {
		t.Errorf("projects %+v, and for a token %+v, %v, %v", own, seen, err, err2)
	}
	for _, project := range []string{"", "other", memory.AllProjects} {
		if n, err := g.Salient(ctx, memory.Scope{Agent: "ann", Project: project}, o.now, 100); len(n) != 0 || err != nil {
			t.Errorf("salient of %q: %d, %v", project, len(n), err)
		}
	}
}

// issuer knows one token.
type issuer struct{ expires time.Time }

func (i issuer) Verify(_ context.Context, token string) (access.Identity, time.Time, error) {
	if token != "theirs" {
		return access.Identity{}, time.Time{}, memory.Errorf(memory.CodeForbidden, "unknown")
	}
	return access.Identity{Agent: "bob", Token: "sub:bob"}, i.expires, nil
}

func TestOtherIssuer(t *testing.T) {
	o := newOffice(t, issuer{time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC)})
	if !o.required() {
		t.Error("with an issuer, no token is required")
	}
	_, secret := o.create(access.Request{Agent: "ann"})
	for token, want := range map[string]string{secret: "ann", "theirs": "bob", "other": ""} {
		if who, err := o.Identify(t.Context(), token); who.Agent != want || want == "" != (memory.CodeOf(err) == memory.CodeForbidden) {
			t.Errorf("%s: %+v, %v", want, who, err)
		}
	}
	o.now = o.now.Add(time.Hour)
	if _, err := o.Identify(t.Context(), "theirs"); memory.CodeOf(err) != memory.CodeForbidden {
		t.Errorf("at its expiry: %v", err)
	}
}

// noted is a note that is kept in memory.
type noted struct {
	there bool
	fails error
}

func (n *noted) Noted() bool { return n.there }

func (n *noted) Note() error {
	n.there = n.there || n.fails == nil
	return n.fails
}

// TestNoteOfTokens: what the database has lost, the note still says.
func TestNoteOfTokens(t *testing.T) {
	o, note := newOffice(t, nil), &noted{}
	o.KeepNote(note)
	if o.required() {
		t.Error("required before there is a token")
	}
	o.create(access.Request{Agent: "ann"})
	if !note.there {
		t.Error("a new token is not noted")
	}
	lost := newOffice(t, nil)
	lost.KeepNote(note)
	if !lost.required() {
		t.Error("open to everybody without the database that knows the tokens")
	}
	lost.KeepNote(nil)
	if lost.required() {
		t.Error("the note counts although it is not kept")
	}
	older := &noted{}
	o.KeepNote(older)
	if !o.required() || !older.there {
		t.Error("tokens of a program without notes are not noted")
	}
	failing := newOffice(t, nil)
	failing.KeepNote(&noted{fails: memory.Errorf(memory.CodeUnavailable, "read-only")})
	if _, _, err := failing.Create(t.Context(), access.Request{Agent: "ann"}); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("a token that cannot be noted: %v", err)
	}
}
