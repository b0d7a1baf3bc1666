// Package tools is the table of MCP tools and the one path by which they are
// called.
//
// A tool is a row: a [Spec] (name, title, description, group, effect, reach),
// an input struct, an output struct and a function that calls a use case,
// joined by [Define] in the table of [Services.Tools]:
//
//	func (s Services) get(ctx context.Context, scope memory.Scope, in getInput) (*getOutput, string, error)
//
// Everything else follows from the row. The structs give the JSON schemas and
// the decoder; the effect gives the annotations and says whether a cancelled
// request may stop the call; effect and reach say which tokens may use it; the
// group gives the profiles of --tools and the sections of docs/reference.md. Nothing
// keeps a second list.
//
// Input fields are described by struct tags:
//
//	json:"name"       the argument's name; fields without one are refused
//	desc:"…"          what it is for, shown to the model; must not be empty
//	required:"true"   it has to be given (null counts as absent)
//	default:"10"      its value when absent, written as a caller may write it
//	min:"1" max:"9"   bounds of a number, inclusive
//	enum:"a,b"        the values allowed; "+c" adds to those of the field's type
//	maxlen:"32768"    bytes of a string, or of each string of a list
//	maxitems:"100"    elements of a list; without it a list has up to 100 as well
//
// A pointer is for an argument where absent differs from zero. A [time.Time]
// is a string to the caller, read by [ParseTime]. json.RawMessage and maps are
// free JSON objects.
//
// The path of a call is decode, apply defaults, validate, find out whose bank it
// is about, call with a deadline, log, translate the error, render. A tool's
// function sees only valid, typed input and a scope, and returns its output
// struct or an error of package memory. The scope is in the project that the
// input's method project returns, and without one in the caller's own.
package tools
