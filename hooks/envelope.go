package hooks

import (
	"bytes"
	"encoding/json"
	"slices"
)

// shape is the JSON form in which a host reads a text that is shown.
type shape int

// The shapes.
const (
	claudeShape shape = iota // hookSpecificOutput.additionalContext
	cursorShape              // additional_context
	plainShape               // additionalContext
	stepsShape               // injectSteps
	clineShape               // contextModification
)

// Envelope returns what the hook of a call prints to stdout so that the host
// shows the text to its model. It returns nil if text is empty, the host is
// unknown, or the host shows nothing for the event.
func Envelope(c Call, text string) []byte {
	h, known := hostNamed(c.Host)
	if text == "" || !known || !slices.Contains(h.shows, c.Event) {
		return nil
	}
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false) // people read it in logs
	if out.Encode(h.shape.of(c, text)) != nil {
		return nil // cannot happen: texts always are JSON
	}
	return b.Bytes()
}

func (s shape) of(c Call, text string) any {
	type object = map[string]any
	switch s {
	case cursorShape:
		if c.Event == Prompt {
			return object{"continue": true, "additional_context": text}
		}
		return object{"additional_context": text}
	case plainShape:
		return object{"additionalContext": text}
	case stepsShape:
		return object{"injectSteps": []object{{"ephemeralMessage": text}}}
	case clineShape:
		return object{"cancel": false, "contextModification": text, "errorMessage": ""}
	}
	return object{"hookSpecificOutput": object{"hookEventName": c.Name, "additionalContext": text}}
}
