package tokenizer

import "encoding/json"

// postEntry is a "post_processor" in tokenizer.json, with the fields that each type uses.
type postEntry struct {
	Type       string            `json:"type"`
	Processors []json.RawMessage `json:"processors"` // Sequence

	Single  []templatePart           `json:"single"` // TemplateProcessing
	Special map[string]templateToken `json:"special_tokens"`

	First *[2]any `json:"cls"` // BertProcessing, RobertaProcessing
	Last  *[2]any `json:"sep"`
}

// templatePart is a special token or the text; one of the two is set.
type templatePart struct {
	Special *struct {
		ID string `json:"id"`
	} `json:"SpecialToken"`
	Sequence *struct{} `json:"Sequence"`
}

type templateToken struct {
	IDs []int32 `json:"ids"`
}

// surroundings returns the pieces that a post-processor puts before and after a text; null puts
// none. size is that of the vocabulary.
func surroundings(text json.RawMessage, size, depth int) (before, after []int32, err error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil, nil
	}
	var e postEntry
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, nil, broken("its post-processor has another form: %v", err)
	}
	switch e.Type {
	case "TemplateProcessing":
		before, after, err = e.template()
	case "BertProcessing", "RobertaProcessing":
		before, after, err = e.pair()
	case "Sequence":
		if depth >= maxNesting {
			return nil, nil, broken("its post-processors are nested too deep")
		}
		for _, one := range e.Processors {
			b, a, err := surroundings(one, size, depth+1)
			if err != nil {
				return nil, nil, err
			}
			before, after = append(b, before...), append(after, a...)
		}
	case "ByteLevel": // changes only the offsets of pieces in the text
	default:
		return nil, nil, broken("the post-processor %q is not known", e.Type)
	}
	for _, id := range append(append([]int32{}, before...), after...) {
		if err == nil && (id < 0 || int(id) >= size) {
			err = broken("its post-processor adds the piece %d of %d", id, size)
		}
	}
	return before, after, err
}

func (e postEntry) template() (before, after []int32, err error) {
	seen := false
	for _, part := range e.Single {
		switch {
		case part.Special != nil:
			token, ok := e.Special[part.Special.ID]
			if !ok {
				return nil, nil, broken("its post-processor does not say what %q is", part.Special.ID)
			}
			if seen {
				after = append(after, token.IDs...)
			} else {
				before = append(before, token.IDs...)
			}
		case part.Sequence != nil && !seen:
			seen = true
		default:
			return nil, nil, broken("its post-processor has another form")
		}
	}
	if !seen {
		return nil, nil, broken("its post-processor leaves the text out")
	}
	return before, after, nil
}

// pair reads entries such as ["[CLS]", 101].
func (e postEntry) pair() (before, after []int32, err error) {
	if e.First == nil || e.Last == nil {
		return nil, nil, broken("its post-processor has another form")
	}
	first, ok1 := e.First[1].(float64)
	last, ok2 := e.Last[1].(float64)
	if !ok1 || !ok2 || first < 0 || first > 1<<30 || last < 0 || last > 1<<30 {
		return nil, nil, broken("its post-processor has another form")
	}
	return []int32{int32(first)}, []int32{int32(last)}, nil
}
