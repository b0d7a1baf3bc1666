package tools

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// shape describes how a Go type looks in JSON, with the limits of its tags. Both the schema and the
// decoder are made from it, so that they cannot disagree.
type shape struct {
	json   string // object, array, string, integer, number or boolean
	isTime bool
	clock  func() time.Time // the time in the user's zone, to which times in words are relative; nil if only figures are understood
	day    bool             // a string that is a date, which may also be given in words
	free   bool             // an object with any keys
	elem   *shape           // of an array
	fields []field          // of an object that is not free, in the order of the struct

	enum     []string
	min, max *float64
	maxLen   int // bytes, 0 is no limit
	maxItems int
}

// field is one key of an object.
type field struct {
	*shape
	name     string
	desc     string
	index    []int // for reflect's FieldByIndex
	required bool
	absent   json.RawMessage // the default as JSON, nil for none
	listed   string          // the tag listed: "", listedNo or listedBrief
}

const maxDepth = 8 // a type nested deeper contains itself

var (
	timeType = reflect.TypeFor[time.Time]()
	rawType  = reflect.TypeFor[json.RawMessage]()
)

// shapeOf returns the shape of a struct. With output it is for results, where every field is
// required that is never omitted.
func shapeOf(t reflect.Type, enums map[reflect.Type][]string, output bool) (*shape, error) {
	if t.Kind() != reflect.Struct || t == timeType {
		return nil, fmt.Errorf("%s is not a struct of arguments", t)
	}
	return shaper{enums, output}.of(t, "", 0)
}

type shaper struct {
	enums  map[reflect.Type][]string
	output bool
}

func (s shaper) of(t reflect.Type, tag reflect.StructTag, depth int) (*shape, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%s is nested too deeply", t)
	}
	sh := &shape{}
	switch {
	case t == timeType:
		return &shape{json: "string", isTime: true}, nil
	case t == rawType, t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		return &shape{json: "object", free: true}, nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem(), tag, depth+1)
	case reflect.String:
		sh.json, sh.enum = "string", s.enumOf(t, tag)
	case reflect.Bool:
		sh.json = "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64:
		sh.json = "integer"
	case reflect.Float64:
		sh.json = "number"
	case reflect.Slice:
		elem, err := s.of(t.Elem(), tag, depth+1)
		if err != nil {
			return nil, err
		}
		sh.json, sh.elem = "array", elem
	case reflect.Struct:
		fields, err := s.fields(t, nil, depth)
		if err != nil {
			return nil, err
		}
		sh.json, sh.fields = "object", fields
	default:
		return nil, fmt.Errorf("%s has no portable schema", t)
	}
	return sh, sh.limit(tag)
}

func (s shaper) enumOf(t reflect.Type, tag reflect.StructTag) []string {
	values := s.enums[t]
	own := tag.Get("enum")
	more, add := strings.CutPrefix(own, "+")
	switch {
	case own == "":
		return values
	case add:
		return append(values[:len(values):len(values)], strings.Split(more, ",")...)
	}
	return strings.Split(own, ",")
}

// limit reads the numeric tags that apply to the shape's type.
func (sh *shape) limit(tag reflect.StructTag) error {
	var err error
	number := func(key string) *float64 {
		text, ok := tag.Lookup(key)
		if !ok || err != nil {
			return nil
		}
		var x float64
		if x, err = strconv.ParseFloat(text, 64); err != nil {
			err = fmt.Errorf("tag %s:%q is not a number", key, text)
		}
		return &x
	}
	switch sh.json {
	case "integer", "number":
		sh.min, sh.max = number("min"), number("max")
	case "string":
		sh.day = tag.Get("form") == "day"
		if n := number("maxlen"); n != nil {
			sh.maxLen = int(*n)
		}
	case "array":
		if n := number("maxitems"); n != nil {
			sh.maxItems = int(*n)
		}
	}
	return err
}

func (s shaper) fields(t reflect.Type, path []int, depth int) ([]field, error) {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(path[:len(path):len(path)], i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			inner, err := s.fields(f.Type, index, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, inner...)
			continue
		case name == "-":
			continue
		case name == "" || !f.IsExported():
			return nil, fmt.Errorf("%s.%s has no json name", t, f.Name)
		}
		one, err := s.field(f, name, depth)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if one.index = index; s.output {
			one.required = !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero")
		}
		out = append(out, one)
	}
	return out, nil
}

func (s shaper) field(f reflect.StructField, name string, depth int) (field, error) {
	sh, err := s.of(f.Type, f.Tag, depth+1)
	if err != nil {
		return field{}, err
	}
	absent, err := sh.defaultOf(f.Tag.Get("default"), f.Type)
	return field{
		shape: sh, name: name, desc: f.Tag.Get("desc"), absent: absent,
		required: f.Tag.Get("required") == "true", listed: f.Tag.Get("listed"),
	}, err
}
