package main

import (
	"io"
	"path/filepath"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/remember"
	"mcp-memory/server/web"
	"mcp-memory/upkeep"
)

// settingsCheck is the name of the doctor's check of the settings.
const settingsCheck = "settings"

// checkSettings reports which settings are wrong, also those that only a server reads, because a
// host does not show why a server did not start. unsettled is the error of reading the settings, or
// nil.
func (p *Program) checkSettings(unsettled error) []memory.Finding {
	wrong := []error{unsettled}
	if unsettled == nil {
		wrong = p.misunderstood()
	}
	var findings []memory.Finding
	for _, err := range wrong {
		f := brokenBy(settingsCheck, err)
		if !slices.Contains(findings, f) {
			findings = append(findings, f)
		}
	}
	if len(findings) > 0 {
		return findings
	}
	return []memory.Finding{{
		Check: settingsCheck, Condition: memory.ConditionOK,
		Detail: "those of " + filepath.Join(p.settings.get("data_dir"), upkeep.Config) + " and the environment are understood",
	}}
}

// misunderstood returns an error for each wrong setting or group of settings. Those of the embedder
// have a check of their own.
func (p *Program) misunderstood() (wrong []error) {
	s := p.settings
	note := func(err error) {
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	note(failure(newLogger(io.Discard, s.get("log.level"), s.get("log.format"))))
	note(memory.CheckAgent(s.get("agent")))
	note(failure(s.oneOf("scope", string(remember.ScopeAuto), string(remember.ScopeProject), string(remember.ScopeGlobal))))
	note(failure(p.ownScope()))
	note(failure(new(app).tools(s.get("tools"))))
	note(failure(s.oneOf("database.citus", "auto", "on", "off")))
	for _, key := range []string{"salience.half_life", "link.window", "embed.timeout", "llm.timeout", "web.idle"} {
		note(failure(s.duration(key)))
	}
	for _, key := range []string{"audit.keep", "told.keep"} {
		note(failure(s.durationOrNone(key)))
	}
	for _, key := range []string{"llm.max_input", "backup.keep"} {
		note(failure(s.int(key)))
	}
	note(failure(p.startBudget()))
	note(failure(s.zone("time.zone")))
	note(failure(s.categories()))
	note(failure(p.supersede()))
	note(failure(p.workspaceStore()))
	note(failure(p.included()))
	note(failure(p.windowSettings()))
	note(failure(p.windowRules()))
	note(failure(p.newSummarizers(new(app))))
	_, _, err := p.issuer()
	note(err)
	note(p.limits(new(web.Options)))
	return wrong
}

// failure returns the error of a call, without its result.
func failure[T any](_ T, err error) error { return err }
