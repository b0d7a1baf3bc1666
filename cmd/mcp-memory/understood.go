package main

import (
	"path/filepath"
	"slices"

	"mcp-memory/memory"
	"mcp-memory/server/web"
	"mcp-memory/upkeep"
)

// settingsCheck is what a doctor calls its look at the settings.
const settingsCheck = "settings"

// checkSettings says which settings cannot be understood, also those that only a
// server reads: a host tells nobody why a server did not start. unsettled is why
// they could not be read at all, or nil.
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

// misunderstood returns an error for each setting, or group of them, that is wrong.
// Of embedding models the check of the embedder tells.
func (p *Program) misunderstood() (wrong []error) {
	s := p.settings
	note := func(err error) {
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	_, err := p.ownScope()
	note(err)
	_, err = new(app).tools(s.get("tools"))
	note(err)
	_, err = s.oneOf("database.citus", "auto", "on", "off")
	note(err)
	for _, key := range []string{"salience.half_life", "link.window", "embed.timeout", "llm.timeout", "web.idle"} {
		_, err = s.duration(key)
		note(err)
	}
	for _, key := range []string{"audit.keep", "told.keep"} {
		_, err = s.durationOrNone(key)
		note(err)
	}
	for _, key := range []string{"llm.max_input", "backup.keep"} {
		_, err = s.int(key)
		note(err)
	}
	_, err = p.startBudget()
	note(err)
	_, err = s.zone("time.zone")
	note(err)
	_, err = s.categories()
	note(err)
	_, err = p.supersede()
	note(err)
	_, err = p.workspaceStore()
	note(err)
	_, err = p.included()
	note(err)
	_, err = p.windowSettings()
	note(err)
	_, err = p.windowRules()
	note(err)
	_, err = p.newSummarizers(new(app))
	note(err)
	_, _, err = p.issuer()
	note(err)
	note(p.limits(new(web.Options)))
	return wrong
}
