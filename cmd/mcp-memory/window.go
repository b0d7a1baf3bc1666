package main

import (
	"mcp-memory/contextwindow"
	"mcp-memory/internal/plainfile"
	"mcp-memory/memory"
)

// windowSettings reads the settings of context windows.
func (p *Program) windowSettings() (contextwindow.Settings, error) {
	made := contextwindow.DefaultSettings()
	made.Compaction = contextwindow.Trigger(p.settings.get("compaction"))
	for key, target := range map[string]*float64{"context.flush": &made.Flush, "context.compact": &made.Compact} {
		var err error
		if *target, err = p.settings.percent(key); err != nil {
			return made, err
		}
	}
	for key, target := range map[string]*int{
		"memory_window": &made.MemoryWindow, "memory_budget": &made.Memory.Total,
		"memory_budget.episodic": &made.Memory.Episodic, "memory_budget.semantic": &made.Memory.Semantic,
		"memory_budget.procedural": &made.Memory.Procedural, "memory_budget.relationship": &made.Memory.Relationship,
	} {
		var err error
		if *target, err = p.settings.count(key); err != nil {
			return made, err
		}
	}
	var err error
	if made.Idle, err = p.settings.durationOrNone("context.idle"); err != nil {
		return made, err
	}
	return made, made.Check()
}

func (p *Program) windowRules() (*contextwindow.Rules, error) {
	rules, path := contextwindow.DefaultRules(), p.settings.get("context.rules")
	if path == "" {
		return rules, nil
	}
	document, err := plainfile.Read(path, maxOwn)
	if err != nil {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "context.rules cannot be read: %v", err).WithHint("a JSON file, or nothing")
	}
	return rules.With(document)
}
