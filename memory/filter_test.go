package memory

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// A field that a search is not told of would be applied only to what the
// search of everything has found.
func TestEveryConditionIsNarrow(t *testing.T) {
	wide := []string{"Agent", "Projects", "Now", "IncludeArchived", "IncludeSuperseded"}
	for i := range reflect.TypeFor[Filter]().NumField() {
		var f Filter
		field := reflect.ValueOf(&f).Elem().Field(i)
		switch field.Interface().(type) {
		case string:
			field.SetString("x")
		case bool:
			field.SetBool(true)
		case time.Time:
			field.Set(reflect.ValueOf(time.Unix(1, 0)))
		default:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		}
		name := reflect.TypeFor[Filter]().Field(i).Name
		if want := !slices.Contains(wide, name); f.Narrow() != want {
			t.Errorf("with %s the filter is narrow: %v", name, f.Narrow())
		}
	}
}
