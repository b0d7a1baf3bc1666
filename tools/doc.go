// Package tools is the table of MCP tools and the one path by which they are
// called.
//
// A tool is a row: a [Spec] (name, title, description, group, effect, reach),
// an input struct, an output struct and a function that calls a use case,
// joined by [Define] in the table of [Services.Tools]:
//
//	func (s Services) get(ctx context.Context, scope memory.Scope, in getInput) (*getOutput, string, error)
//
// Everything else follows from the row. The structs give the JSON schemas and the decoder. The
// effect gives the annotations and decides whether a cancelled request stops the call. Effect and
// reach decide which tokens may use the tool. The group gives the profiles of --tools and the
// sections of docs/reference.md. There is no second list of tools.
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
//	maxitems:"100"    elements of a list; without this tag the limit is 100 too
//	form:"day"        a string that is a date, YYYY-MM-DD or in words such as "today"
//	listed:"no"       not shown in tools/list; "brief" shows it without its values
//
// A pointer is for an argument where absent differs from zero. A [time.Time] is a string in JSON,
// read by [ParseTime]. json.RawMessage and maps are JSON objects with any keys.
//
// A call goes through these steps: decode, apply defaults, validate, find out whose bank it is
// about, call with a deadline, log, translate the error, render. A tool's function sees only valid,
// typed input and a scope. It returns its output struct or an error of package memory. The project
// of the scope is the one that the input's method project returns, or the caller's own if there is
// no such method or it returns nil.
package tools
