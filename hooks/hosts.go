package hooks

import (
	"slices"
	"strings"
)

// Event is what a hook is about, independent of the host's name for it.
type Event string

// The events. Other stands for all events that are ignored.
const (
	SessionStart Event = "session-start"
	Prompt       Event = "prompt"
	ToolUse      Event = "tool-use"    // a tool is about to be used
	ToolDone     Event = "tool-done"   // a tool was used, successfully or not
	ToolFailed   Event = "tool-failed" // a tool was used and failed
	PreCompact   Event = "pre-compact"
	Stop         Event = "stop" // an answer is done
	SessionEnd   Event = "session-end"
	Other        Event = "other"
)

// Host is a program that calls hooks.
type Host struct {
	Name string
	// shape is the form in which it reads what is shown; the zero value is that
	// of Claude Code.
	shape shape
	// shows are the events for which it reads something to show.
	shows []Event
	// endless hosts do not tell when a session ends. So facts are extracted at
	// the end of each answer.
	endless bool
	// sends tells that it sends all messages of the session when an answer is
	// done.
	sends bool
	// quotes tells that it may put what the user says in quotation marks.
	quotes bool
	// tells reports whether a payload that does not name its host is from this
	// host.
	tells func(fields) bool
}

// hosts lists the hosts in the order in which [hostOf] tries them. The last one
// takes every payload in the format of Claude Code.
var hosts = []Host{
	{Name: "opencode", shape: plainShape, shows: usual, sends: true, quotes: true,
		tells: func(f fields) bool { return f.text("host") == "opencode" }},
	{Name: "cline", shape: clineShape, shows: usual, tells: func(f fields) bool { return f.has("hookName") && f.has("taskId") }},
	{Name: "cursor", shape: cursorShape, shows: usual,
		tells: func(f fields) bool { return f.has("conversation_id") || f.has("cursor_version") }},
	{Name: "vscode", shows: []Event{SessionStart, ToolUse}, endless: true, tells: func(f fields) bool {
		return f.has("hookEventName") && f.has("sessionId") && isPascal(f.text("hookEventName"))
	}},
	{Name: "antigravity", shape: stepsShape, shows: usual, endless: true, tells: func(f fields) bool {
		return f.event() == "PreInvocation" || f.has("transcriptPath") && f.has("invocationId")
	}},
	{Name: "copilot-cli", shape: plainShape, shows: usual, tells: func(f fields) bool {
		return !f.has("hook_event_name") && (f.has("timestamp") || f.has("sessionId")) && !isPascal(f.event())
	}},
	{Name: "goose", tells: func(f fields) bool {
		return f.has("event") && (f.has("working_dir") || f.has("session_id")) && !f.has("hook_event_name")
	}},
	{Name: "gemini", shows: usual, tells: func(f fields) bool {
		return slices.Contains([]string{"BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "PreCompress"}, f.event()) ||
			strings.Contains(f.path("transcript_path"), "/.gemini/")
	}},
	{Name: "codex", shows: usual, tells: func(f fields) bool {
		return f.has("turn_id") || strings.Contains(f.path("transcript_path"), "/rollout-")
	}},
	{Name: "droid", shows: usual, tells: func(f fields) bool { return strings.Contains(f.path("transcript_path"), "/.factory/") }},
	{Name: "devin", shows: usual, tells: func(f fields) bool { return f.has("hook_event_name") && !f.has("transcript_path") }},
	{Name: "claude-code", shows: []Event{SessionStart, Prompt, ToolUse}, tells: func(f fields) bool { return f.has("hook_event_name") }},
}

// usual are the events for which most hosts read something to show.
var usual = []Event{SessionStart, Prompt}

// Hosts returns the names of all hosts, sorted.
func Hosts() []string {
	var names []string
	for _, h := range hosts {
		names = append(names, h.Name)
	}
	slices.Sort(names)
	return names
}

// otherNames are further names of hosts, with the names in hosts.
var otherNames = map[string]string{
	"claude": "claude-code", "copilot": "copilot-cli", "gemini-cli": "gemini",
	"vs-code": "vscode", "code": "vscode", "windsurf": "devin", "agy": "antigravity",
}

// hostNamed finds a host by its name or another name. Case does not matter.
func hostNamed(name string) (Host, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if other, ok := otherNames[name]; ok {
		name = other
	}
	i := slices.IndexFunc(hosts, func(h Host) bool { return h.Name == name })
	if i < 0 {
		return Host{}, false
	}
	return hosts[i], true
}

// hostOf recognises a host by its payload; false if it is none of them.
func hostOf(f fields) (Host, bool) {
	for _, h := range hosts {
		if h.tells(f) {
			return h, true
		}
	}
	return Host{}, false
}

// events maps the hosts' names of events, in lower case without separators, to
// events.
var events = map[string]Event{
	"sessionstart": SessionStart, "taskstart": SessionStart, "taskresume": SessionStart,
	"userpromptsubmit": Prompt, "userpromptsubmitted": Prompt, "beforesubmitprompt": Prompt,
	"beforeagent": Prompt, "preinvocation": Prompt, "prompt": Prompt,
	"pretooluse": ToolUse, "beforetool": ToolUse,
	"posttooluse": ToolDone, "aftertool": ToolDone, "tooldone": ToolDone,
	"posttoolusefailure": ToolFailed, "toolfailed": ToolFailed,
	"precompact": PreCompact, "precompress": PreCompact,
	"stop": Stop, "afteragent": Stop, "agentstop": Stop, "afteragentresponse": Stop, "stopfailure": Stop,
	"sessionend": SessionEnd, "taskcomplete": SessionEnd, "taskcancel": SessionEnd,
}

// eventNamed returns the event with that name, in any host's spelling, or
// [Other].
func eventNamed(name string) Event {
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	if e, ok := events[plain]; ok {
		return e
	}
	return Other
}

func isPascal(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }
