package cognition_test

import (
	"strings"
	"testing"

	"mcp-memory/cognition"
	"mcp-memory/memory"
	"mcp-memory/remember"
)

func deploy() cognition.ProcedureRequest {
	return cognition.ProcedureRequest{
		Name: "deploy_api_service", Description: "Deploy a new API service to production",
		Steps: []memory.ProcedureStep{
			{Action: "Run tests", ExpectedOutcome: "All tests pass", ErrorHandling: "Stop and fix them"},
			{Action: "Build the image"},
		},
		Prerequisites: []string{"Registry login"}, SuccessCriteria: []string{"Health check is green"},
	}
}

func (m *mind) procedure(r cognition.ProcedureRequest) cognition.Saved {
	m.t.Helper()
	saved, err := m.SaveProcedure(m.t.Context(), anna, r)
	if err != nil {
		m.t.Fatal(err)
	}
	return saved
}

func (m *mind) run(name string, success bool) memory.ProcedureDetails {
	m.t.Helper()
	r, err := m.RunProcedure(m.t.Context(), anna, name, success, "as planned")
	if err != nil {
		m.t.Fatal(err)
	}
	return *r.Procedure
}

func (m *mind) find(query string, rate float64, limit int) []string {
	m.t.Helper()
	found, err := m.FindProcedures(m.t.Context(), anna, query, rate, limit)
	if err != nil || found.Total < len(found.Records) {
		m.t.Fatal(found, err)
	}
	names := []string{}
	for _, r := range found.Records {
		names = append(names, r.Procedure.Name)
	}
	return names
}

func TestProcedureVersionsCarryTheirCounts(t *testing.T) {
	m := newMind(t)
	first := m.procedure(deploy())
	want(t, first.Content, "deploy_api_service: Deploy a new API service to production.\nNeeds: Registry login.\n"+
		"1. Run tests. Expected: All tests pass. On error: Stop and fix them.\n2. Build the image.\nDone when: Health check is green.")
	again := m.procedure(deploy())
	want(t, []any{again.ID, again.Action}, []any{first.ID, remember.Duplicate})
	m.run("deploy_api_service", true)
	m.later()
	d := m.run(" Deploy_API_Service ", false)
	if d.Executed != 2 || d.Succeeded != 1 || d.SuccessRate() != 0.5 || !d.LastExecuted.Equal(m.now) {
		t.Errorf("counts %+v", d)
	}
	next := deploy()
	next.Steps = append(next.Steps, memory.ProcedureStep{Action: "Push to the registry"})
	second := m.procedure(next)
	if p := second.Procedure; second.Action != remember.Superseded || second.ID == first.ID || p.Executed != 2 || p.Succeeded != 1 ||
		p.LastExecuted.IsZero() || len(p.Steps) != 3 {
		t.Errorf("second %+v %+v", second, p)
	}
	m.run("deploy_api_service", true)
	chain := m.history(second.ID)
	if len(chain) != 2 || len(chain[0].Procedure.Steps) != 2 || chain[0].Procedure.Executed != 2 || chain[1].Procedure.Executed != 3 {
		t.Errorf("history %+v", chain)
	}
	runs, err := m.store.ProcedureRuns(t.Context(), "anna", first.ID, 0)
	if err != nil || len(runs) != 2 || runs[0].Success || runs[1].Notes != "as planned" {
		t.Errorf("runs %+v, %v", runs, err)
	}
}

func TestUnknownProcedureNamesTheNearest(t *testing.T) {
	m := newMind(t)
	_, err := m.RunProcedure(t.Context(), anna, "x", true, "")
	wantError(t, err, memory.CodeNotFound, "find_procedure")
	m.procedure(deploy())
	other := deploy()
	other.Name = "water the plants"
	m.procedure(other)
	_, err = m.RunProcedure(t.Context(), anna, "deploy API", true, "")
	wantError(t, err, memory.CodeNotFound, "did you mean deploy_api_service?")
	_, err = m.RunProcedure(t.Context(), anna, "zzz", true, "")
	wantError(t, err, memory.CodeNotFound, "find_procedure")
	_, err = m.RunProcedure(t.Context(), boris, "deploy_api_service", true, "")
	wantError(t, err, memory.CodeNotFound, "find_procedure")
	_, err = m.RunProcedure(t.Context(), anna, " ", true, "")
	wantError(t, err, memory.CodeInvalidArgument, "name")
	_, err = m.RunProcedure(t.Context(), anna, "deploy_api_service", true, "a\x00")
	wantError(t, err, memory.CodeInvalidArgument, "notes")
}

func TestWhatWorksComesFirst(t *testing.T) {
	m := newMind(t)
	for _, name := range []string{"deploy untried", "deploy often failed", "deploy proven"} {
		r := deploy()
		r.Name = name
		m.procedure(r)
	}
	for range 3 {
		m.run("deploy proven", true)
		m.run("deploy often failed", false)
	}
	m.run("deploy proven", false)
	want(t, m.find("How do I deploy the API?", 0.7, 10), []string{"deploy proven", "deploy untried"})
	want(t, m.find("How do I deploy the API?", 0.7, 1), []string{"deploy proven"})
	want(t, m.find("How do I deploy the API?", 0.8, 10), []string{"deploy untried"})
	if all := m.find("How do I deploy the API?", 0, 10); len(all) != 3 || all[2] != "deploy untried" {
		t.Errorf("found %q", all)
	}
	want(t, m.find("feed the goldfish", 0, 10), []string{})
	_, err := m.FindProcedures(t.Context(), anna, "deploy", 1.5, 10)
	wantError(t, err, memory.CodeInvalidArgument, "min_success_rate")
	_, err = m.FindProcedures(t.Context(), anna, " ", 0.7, 10)
	wantError(t, err, memory.CodeInvalidArgument, "query")
	if found, err := m.FindProcedures(t.Context(), boris, "deploy", 0, 10); err != nil || found.Total != 0 {
		t.Errorf("boris found %+v, %v", found, err)
	}
}

func TestProceduresThatAreNone(t *testing.T) {
	m := newMind(t)
	for name, c := range map[string]struct {
		change   func(*cognition.ProcedureRequest)
		code     memory.Code
		mentions string
	}{
		"name":       {func(r *cognition.ProcedureRequest) { r.Name = "\t" }, memory.CodeInvalidArgument, "name"},
		"long name":  {func(r *cognition.ProcedureRequest) { r.Name = strings.Repeat("x", 257) }, memory.CodeTooLarge, "name"},
		"no steps":   {func(r *cognition.ProcedureRequest) { r.Steps = nil }, memory.CodeInvalidArgument, "steps"},
		"blank step": {func(r *cognition.ProcedureRequest) { r.Steps[1].Action = " " }, memory.CodeInvalidArgument, "step 2"},
		"many steps": {func(r *cognition.ProcedureRequest) { r.Steps = make([]memory.ProcedureStep, 101) }, memory.CodeTooLarge, "steps"},
		"description": {func(r *cognition.ProcedureRequest) { r.Description = strings.Repeat("x", 33<<10) }, memory.CodeTooLarge,
			"description"},
	} {
		t.Run(name, func(t *testing.T) {
			r := deploy()
			c.change(&r)
			_, err := m.SaveProcedure(t.Context(), anna, r)
			wantError(t, err, c.code, c.mentions)
		})
	}
	if n := m.counted(); n != 0 {
		t.Errorf("%d records after nothing but refusals", n)
	}
}

// A procedure may be longer than what is searched of it; it comes back whole.
func TestLongProcedure(t *testing.T) {
	m := newMind(t)
	r := deploy()
	for range 50 {
		r.Steps = append(r.Steps, memory.ProcedureStep{Action: strings.Repeat("work hard ", 100)})
	}
	saved := m.procedure(r)
	if len(saved.Content) > memory.MaxContentBytes || !strings.HasSuffix(saved.Content, "\n…") ||
		len(m.history(saved.ID)[0].Procedure.Steps) != 52 {
		t.Errorf("content of %d bytes", len(saved.Content))
	}
}
