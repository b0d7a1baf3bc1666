//go:build postgres

package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"mcp-memory/db/postgres"
	"mcp-memory/memory"
	"mcp-memory/test/backend"
)

// tablesOf returns the tables of a database of this program.
func tablesOf(t *testing.T, conn *pgx.Conn) []string {
	t.Helper()
	found, err := conn.Query(t.Context(), `SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// connectAs connects to a URL as its user, or as the superuser, whom no fence hides.
func connectAs(t *testing.T, at string, superuser bool) *pgx.Conn {
	t.Helper()
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	if superuser {
		u.User = url.User("postgres")
	}
	conn, err := pgx.Connect(t.Context(), u.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// distributed are the tables that Distribution spreads by agent.
func distributed(tables []string) (names []string) {
	spread := regexp.MustCompile(`create_distributed_table\('"(\w+)"', 'agent'`)
	for _, statement := range postgres.Distribution(tables) {
		if m := spread.FindStringSubmatch(statement); m != nil {
			names = append(names, m[1])
		}
	}
	return names
}

// TestDistribution: every table has its place in a Citus cluster, in statements that were
// read by somebody, and every constraint has the agent first, without which Citus refuses it.
func TestDistribution(t *testing.T) {
	_, at := open(t)
	conn := connectAs(t, at, false)
	tables := tablesOf(t, conn)
	got := strings.Join(postgres.Distribution(tables), ";\n") + ";\n"
	want, err := os.ReadFile("testdata/citus.sql")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("testdata/citus.sql is not what is sent; read this, and keep it:\n%s", got)
	}
	found, err := conn.Query(t.Context(), `SELECT c.relname::text, i.relname::text,
			(SELECT attname::text FROM pg_attribute a WHERE a.attrelid = x.indrelid AND a.attnum = x.indkey[0]), x.indisunique
		FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
		WHERE c.relnamespace = current_schema::regnamespace AND c.relkind = 'r'`)
	if err != nil {
		t.Fatal(err)
	}
	unique, names := 0, distributed(tables)
	var table, index string
	var first *string
	var isUnique bool
	if _, err := pgx.ForEachRow(found, []any{&table, &index, &first, &isUnique}, func() error {
		if isUnique && slices.Contains(names, table) {
			if unique++; first == nil || *first != "agent" {
				t.Errorf("%s of %s does not begin with the agent", index, table)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var keyless []string
	if err := conn.QueryRow(t.Context(),
		`SELECT coalesce(array_agg(c.relname::text), '{}') FROM pg_class c WHERE c.relnamespace = current_schema::regnamespace
		AND c.relkind = 'r' AND NOT EXISTS (SELECT 1 FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary)`).Scan(&keyless); err != nil {
		t.Fatal(err)
	}
	if len(keyless) > 0 {
		t.Errorf("%v have no primary key: a cluster does not move them", keyless)
	}
	if unique < len(names) || len(names) < 30 {
		t.Errorf("%d constraints of %d tables", unique, len(names))
	}
}

// TestCitusIsAsked: without the extension, "on" is refused and "auto" is as "off".
func TestCitusIsAsked(t *testing.T) {
	for choice, code := range map[postgres.Citus]memory.Code{postgres.CitusOn: memory.CodeUnavailable, postgres.CitusAuto: "",
		postgres.CitusOff: ""} {
		s, err := postgres.Open(t.Context(), backend.Database(t.TempDir(), "banks"),
			postgres.Options{Embedder: fingerprint, Clock: now, Citus: choice})
		if memory.CodeOf(err) != code || code != "" && !strings.Contains(err.Error(), "citus") {
			t.Errorf("%s: %v", choice, err)
		}
		if err == nil {
			s.Close()
		}
	}
}

// statements collects what is sent to the server.
type statements struct {
	mu         sync.Mutex
	sent       map[string]bool    // true where the transaction had not said that it changes several nodes in turn
	sequential map[*pgx.Conn]bool // the transaction under way has said so
}

func collect() *statements {
	return &statements{sent: map[string]bool{}, sequential: map[*pgx.Conn]bool{}}
}

func (s *statements) note(conn *pgx.Conn, sql string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case strings.EqualFold(sql, "begin"):
		s.sequential[conn] = false
	case strings.Contains(sql, "citus.multi_shard_modify_mode"):
		s.sequential[conn] = true
	}
	s.sent[sql] = s.sent[sql] || !s.sequential[conn]
}

func (s *statements) TraceQueryStart(ctx context.Context, conn *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	s.note(conn, d.SQL)
	return ctx
}
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (s *statements) TraceBatchQuery(_ context.Context, conn *pgx.Conn, d pgx.TraceBatchQueryData) {
	s.note(conn, d.SQL)
}
func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// operators are statements that are of no agent, by how they begin, and why.
var operators = map[string]string{
	`SELECT agent FROM banks`:                 "the list of agents, for the operator and for who works through all banks",
	`SELECT agent, bank`:                      "as above",
	`SELECT d.agent, q.corpus`:                "the worker that embeds looks for work of any agent",
	`SELECT agent, kind, subject`:             "what a server that died has left undone, of any agent",
	`SELECT s.agent, s.session`:               "conversations of any agent in which nothing more is said",
	`SELECT count(*) FROM vector_queue`:       "how much it has to do, for /metrics",
	`INSERT INTO vector_queue (agent, set_id`: "once for each new embedder",
	`DELETE FROM vectors WHERE set_id =`:      "of embedders that nobody uses any more",
	`DELETE FROM vector_queue WHERE set_id =`: "as above",
}

// genericPlans has a statement planned for any parameters.
const genericPlans = `SET plan_cache_mode = force_generic_plan`

// everyStatementNamesItsAgent reads the plans of all statements that a suite has made the
// store send, at least so many: each table that is spread is read by agent, so that one node answers.
// None is of those that Citus refuses (see refused).
func everyStatementNamesItsAgent(t *testing.T, sent *statements, least int) {
	_, at := open(t)
	conn := connectAs(t, at, true)
	names := distributed(tablesOf(t, conn))
	if _, err := conn.Exec(t.Context(), genericPlans); err != nil {
		t.Fatal(err)
	}
	known, planned, excused := volatilities(t, conn), 0, map[string]bool{}
	for sql, atOnce := range sent.sent {
		if !regexp.MustCompile(`(?i)^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b`).MatchString(sql) || strings.Contains(sql, ";") {
			continue
		}
		unfenced, tree := unfenced(t, conn, sql, names)
		planned++
		for _, why := range known.refused(tree, unfenced) {
			t.Errorf("Citus refuses what %s:\n%s", why, sql)
		}
		if atOnce && len(unfenced) > 0 && !strings.HasPrefix(strings.TrimSpace(sql), "SELECT") {
			t.Errorf("its transaction has not set citus.multi_shard_modify_mode:\n%s", sql)
		}
		if len(unfenced) == 0 {
			continue
		}
		operator := ""
		for begin := range operators {
			if strings.HasPrefix(strings.TrimSpace(sql), begin) {
				operator = begin
			}
		}
		if operator == "" {
			t.Errorf("%v are read without an agent by\n%s", unfenced, sql)
		}
		excused[operator] = true
	}
	report(t, "%d statements, %d of them the operator's", planned, len(excused))
	if planned < least {
		t.Errorf("only %d statements, at least %d", planned, least)
	}
	if left, _ := unfenced(t, conn, `SELECT count(*) FROM records WHERE kind = $1`, names); !slices.Equal(left, []string{"records"}) {
		t.Errorf("a statement without an agent: %v", left)
	}
}

// unfenced returns the tables that a statement reads without a condition on the agent, and the
// statement as PostgreSQL understands it.
func unfenced(t *testing.T, conn *pgx.Conn, sql string, spread []string) (tables []string, tree *parsed) {
	t.Helper()
	ctx := t.Context()
	simple := pgx.QueryExecModeSimpleProtocol
	if _, err := conn.Exec(ctx, `PREPARE asked AS `+sql, simple); err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	defer conn.Exec(ctx, `DEALLOCATE asked`, simple)
	var types []string
	if err := conn.QueryRow(ctx, `SELECT parameter_types::text[] FROM pg_prepared_statements WHERE name = 'asked'`, simple).
		Scan(&types); err != nil {
		t.Fatal(err)
	}
	execute := `EXPLAIN (FORMAT JSON, VERBOSE) EXECUTE asked`
	if len(types) > 0 {
		execute += `(` + strings.TrimSuffix(strings.Repeat("NULL, ", len(types)), ", ") + `)`
	}
	var text string
	if err := conn.QueryRow(ctx, execute, simple).Scan(&text); err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	var plans []map[string]any
	if err := json.Unmarshal([]byte(text), &plans); err != nil {
		t.Fatal(err)
	}
	for _, p := range plans {
		walk(p["Plan"].(map[string]any), "", func(table, condition string) {
			if slices.Contains(spread, table) && !byAgent.MatchString(condition) {
				tables = append(tables, table)
			}
		})
	}
	return tables, understand(t, conn, sql, types)
}

// byAgent is a condition that names an agent: a parameter, or that of another table that does.
var byAgent = regexp.MustCompile(`\bagent = (\$\d+|\(?[a-z_0-9"]+\.agent\b|'[^']+'::text)|\$\d+ = [a-z_0-9".]*agent\b`)

// walk calls fn for every table that a plan reads, with the conditions by which.
func walk(plan map[string]any, joined string, fn func(table, condition string)) {
	condition := joined
	for _, kind := range []string{"Index Cond", "Filter", "Recheck Cond", "Join Filter", "Hash Cond", "Merge Cond", "One-Time Filter"} {
		if text, ok := plan[kind].(string); ok {
			condition += " " + text
		}
	}
	table, _ := plan["Relation Name"].(string)
	if node := fmt.Sprint(plan["Node Type"]); table != "" && node != "ModifyTable" {
		fn(table, condition)
	}
	passes := ""
	switch plan["Node Type"] {
	case "Nested Loop", "Hash Join", "Merge Join", "Hash":
		passes = condition
	}
	below, _ := plan["Plans"].([]any)
	for _, p := range below {
		walk(p.(map[string]any), passes, fn)
	}
}
