package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	// maxStarts is how many brackets of an answer are tried as the beginning of its JSON. Each try
	// may read all that follows.
	maxStarts = 100
	// maxProblemRunes is the greatest length of the description of what is wrong, in characters.
	maxProblemRunes = 160
)

var errNoJSON = errors.New("there is no JSON object in it")

// find returns the first JSON value in an answer that read accepts, wherever it begins, whether
// there are code fences and prose around it or not. What a model thought aloud, up to "</think>",
// is searched only if there is nothing usable after it. The error says what is wrong with the
// answer, in at most maxProblemRunes characters.
func find[T any](answer string, read func(json.RawMessage) (T, error)) (T, error) {
	const thought = "</think>"
	if i := strings.LastIndex(answer, thought); i >= 0 {
		if value, err := findIn(answer[i+len(thought):], read); err == nil {
			return value, nil
		}
	}
	value, err := findIn(answer, read)
	if err != nil {
		return value, errors.New(oneLine(err.Error(), maxProblemRunes))
	}
	return value, nil
}

func findIn[T any](text string, read func(json.RawMessage) (T, error)) (none T, err error) {
	problem := errNoJSON
	for tried := 0; tried < maxStarts; tried++ {
		start := strings.IndexAny(text, "{[")
		if start < 0 {
			break
		}
		text = text[start:]
		decoder := json.NewDecoder(strings.NewReader(text))
		var raw json.RawMessage
		switch err := decoder.Decode(&raw); {
		case errors.Is(err, io.ErrUnexpectedEOF):
			// All that follows is inside of the unfinished value, even if it looks complete.
			return none, errors.New("the JSON ends in the middle")
		case err != nil:
			text = text[1:]
			continue
		}
		value, err := read(raw)
		if err == nil {
			return value, nil
		}
		if problem == errNoJSON {
			problem = err
		}
		text = text[decoder.InputOffset():]
	}
	return none, problem
}

// field returns a member of a JSON object, nil if it is missing or null.
func field(object map[string]json.RawMessage, name string) json.RawMessage {
	if raw := object[name]; string(raw) != "null" {
		return raw
	}
	return nil
}

// readSummary reads {"summary":"…"}.
func readSummary(raw json.RawMessage) (string, error) {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || field(object, "summary") == nil {
		return "", errors.New(`an object with the text "summary" is expected`)
	}
	var summary string
	if json.Unmarshal(object["summary"], &summary) != nil {
		return "", errors.New(`"summary" is not a text`)
	}
	if summary = strings.TrimSpace(clean(summary)); summary == "" {
		return "", fmt.Errorf(`"summary" is empty`)
	}
	return summary, nil
}
