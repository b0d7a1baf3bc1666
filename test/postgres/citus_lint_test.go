//go:build postgres

package postgres

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// parsed is a statement as PostgreSQL has understood it: a node with its fields, a list without
// a name, or a leaf.
type parsed struct {
	name   string
	fields map[string]*parsed
	list   []*parsed
	leaf   string
}

// treeTokens are the parts of PostgreSQL's notation of nodes: {NAME :field value …}, lists in
// parentheses, and leaves in which a backslash takes the meaning from what follows.
var treeTokens = regexp.MustCompile(`[{}()]|(?:\\.|[^\s{}()\\])+`)

func parseTree(tokens []string) (n *parsed, rest []string) {
	first, rest := tokens[0], tokens[1:]
	switch first {
	case "{":
		n = &parsed{name: rest[0], fields: map[string]*parsed{}}
		rest = rest[1:]
		field := ""
		for rest[0] != "}" {
			if rest[0] != ":" && strings.HasPrefix(rest[0], ":") {
				field, rest = rest[0][1:], rest[1:]
				continue
			}
			var value *parsed
			value, rest = parseTree(rest)
			n.fields[field] = value
		}
		return n, rest[1:]
	case "(":
		n = &parsed{}
		for rest[0] != ")" {
			var value *parsed
			value, rest = parseTree(rest)
			n.list = append(n.list, value)
		}
		return n, rest[1:]
	}
	return &parsed{leaf: first}, rest
}

// each calls fn for a node and all below it.
func (n *parsed) each(fn func(*parsed)) {
	if n == nil {
		return
	}
	fn(n)
	for _, below := range n.fields {
		below.each(fn)
	}
	for _, below := range n.list {
		below.each(fn)
	}
}

func (n *parsed) has(name string) (found bool) {
	n.each(func(below *parsed) { found = found || below.name == name })
	return found
}

// volatility is "i", "s" or "v" of a function by its number.
type volatility map[string]string

func volatilities(t *testing.T, conn *pgx.Conn) volatility {
	t.Helper()
	known := volatility{}
	found, err := conn.Query(t.Context(), `SELECT oid::text, provolatile::text FROM pg_proc`)
	if err != nil {
		t.Fatal(err)
	}
	var number, how string
	if _, err := pgx.ForEachRow(found, []any{&number, &how}, func() error { known[number] = how; return nil }); err != nil {
		t.Fatal(err)
	}
	return known
}

// worst is the volatility of all that is called in some parts of a statement.
func (v volatility) worst(parts ...*parsed) string {
	worst := "i" // which comes before "s" and "v"
	for _, part := range parts {
		part.each(func(n *parsed) { worst = max(worst, v.of(n)) })
	}
	return worst
}

// of is the volatility of a node itself.
func (v volatility) of(n *parsed) string {
	switch n.name {
	case "SQLVALUEFUNCTION": // CURRENT_TIMESTAMP and the like
		return "s"
	case "NEXTVALUEEXPR":
		return "v"
	}
	for _, field := range []string{"funcid", "opfuncid"} {
		if f := n.fields[field]; f != nil && f.leaf != "0" {
			return v[f.leaf]
		}
	}
	return "i"
}

// ofColumns reports whether a function that is not immutable is given a column.
func (v volatility) ofColumns(parts ...*parsed) (found bool) {
	for _, part := range parts {
		part.each(func(n *parsed) { found = found || v.of(n) != "i" && n.fields["args"].has("VAR") })
	}
	return found
}

// refused are the reasons for which Citus does not run a statement that PostgreSQL runs; spread
// are the tables that it reads without an agent, and so on several nodes.
func (v volatility) refused(statement *parsed, spread []string) (why []string) {
	statement.each(func(q *parsed) {
		if q.name != "QUERY" {
			return
		}
		f := q.fields
		locks := f["rowMarks"] != nil && f["rowMarks"].list != nil
		command := f["commandType"].leaf
		switch command {
		case "1":
			if locks && len(spread) > 0 {
				why = append(why, "locks rows on several nodes")
			}
			return
		case "2", "4":
			if v.worst(f["targetList"], f["jointree"]) == "v" {
				why = append(why, "calls a volatile function in UPDATE, or WHERE of what changes rows")
			}
			if command == "2" && v.ofColumns(f["targetList"], f["jointree"]) {
				why = append(why, "gives a column to a function in UPDATE that is not immutable")
			}
		case "3":
			if v.worst(f["onConflict"]) != "i" {
				why = append(why, "calls a function in ON CONFLICT that is not immutable")
			}
		}
		if v.worst(f["returningList"]) == "v" {
			why = append(why, "calls a volatile function in RETURNING")
		}
		from := 0 // tables that are read beside the one that is changed
		f["rtable"].each(func(n *parsed) {
			if kind := n.fields["rtekind"]; n.name == "RANGETBLENTRY" && kind != nil && kind.leaf == "0" {
				from++
			}
		})
		if len(spread) > 0 && (q.has("SUBLINK") || q.has("COMMONTABLEEXPR") || from > 2 || command != "3" && from > 1) {
			why = append(why, "changes rows on several nodes by a subquery")
		}
	})
	return why
}

// understand returns a statement as PostgreSQL does: as the body of a function, which it keeps parsed.
func understand(t *testing.T, conn *pgx.Conn, sql string, types []string) *parsed {
	t.Helper()
	simple := pgx.QueryExecModeSimpleProtocol
	signature := `pg_temp.understood(` + strings.Join(types, ", ") + `)`
	if _, err := conn.Exec(t.Context(), `CREATE FUNCTION `+signature+` RETURNS void LANGUAGE sql BEGIN ATOMIC `+sql+`; END`,
		simple); err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	var text string
	if err := conn.QueryRow(t.Context(), `SELECT prosqlbody::text FROM pg_proc WHERE oid = $1::regprocedure`, signature).
		Scan(&text); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), `DROP FUNCTION `+signature, simple); err != nil {
		t.Fatal(err)
	}
	tree, _ := parseTree(treeTokens.FindAllString(text, -1))
	return tree
}

// TestLintOfStatements: what a real cluster has refused is refused, and what took its place is not.
func TestLintOfStatements(t *testing.T) {
	_, at := open(t)
	conn := connectAs(t, at, true)
	known, names := volatilities(t, conn), distributed(tablesOf(t, conn))
	if _, err := conn.Exec(t.Context(), genericPlans); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sql  string
		want string // a part of the reason, "" for none
	}{
		{`UPDATE workspaces SET version = greatest(version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) WHERE agent = $1`, "volatile function in UPDATE"},
		{`UPDATE workspaces SET version = greatest(version + 1, (extract(epoch FROM now()) * 1000000)::bigint) WHERE agent = $1`, ""},
		{`DELETE FROM workspaces WHERE agent = $1 AND version < random()`, "volatile function in UPDATE, or WHERE"},
		{`WITH w AS (UPDATE workspaces SET version = random() WHERE agent = $1 RETURNING version) SELECT version FROM w`,
			"volatile function in UPDATE"},
		{`INSERT INTO workspace_locks AS l (agent, lock, holder, held_until) VALUES ($1, $2, $3, $4)
			ON CONFLICT (agent, lock) DO UPDATE SET holder = excluded.holder WHERE l.held_until < (extract(epoch FROM now()) * 1000000)::bigint`, "ON CONFLICT"},
		{`INSERT INTO workspace_locks AS l (agent, lock, holder, held_until) VALUES ($1, $2, $3, (extract(epoch FROM now()) * 1000000)::bigint + $4)
			ON CONFLICT (agent, lock) DO UPDATE SET holder = excluded.holder WHERE l.held_until < excluded.held_until - $4`, ""},
		{`INSERT INTO shared_state AS b (agent, key, value, until) VALUES ($1, $2, '', $3)
			ON CONFLICT (agent, key) DO UPDATE SET until = greatest(b.until, (extract(epoch FROM now()) * 1000000)::bigint) + $3`,
			"ON CONFLICT"},
		{`SELECT 1 FROM banks ORDER BY agent FOR UPDATE`, "locks rows"},
		{`SELECT 1 FROM banks WHERE agent = $1 FOR UPDATE`, ""},
		{`DELETE FROM vectors WHERE set_id IN (SELECT id FROM vector_sets WHERE used_at < $1)`, "by a subquery"},
		{`DELETE FROM vectors WHERE set_id = ANY ($1)`, ""},
		{`DELETE FROM vectors v USING records r WHERE r.seq = v.seq`, "by a subquery"},
		{`INSERT INTO vector_queue (agent, set_id, corpus, seq) SELECT agent, $1, $2, seq FROM records ON CONFLICT DO NOTHING`, ""},
	} {
		read, tree := unfenced(t, conn, c.sql, names)
		why := known.refused(tree, read)
		if c.want == "" && why != nil ||
			c.want != "" && !slices.ContainsFunc(why, func(w string) bool { return strings.Contains(w, c.want) }) {
			t.Errorf("%q is refused for %q, want %q", c.sql, why, c.want)
		}
	}
	if got := strconv.Itoa(len(known)); len(known) < 1000 || known["2649"] != "v" {
		t.Errorf("%s functions, clock_timestamp is %q", got, known["2649"])
	}
}
