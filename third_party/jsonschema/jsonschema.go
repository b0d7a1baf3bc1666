// Package jsonschema has the names of github.com/santhosh-tekuri/jsonschema/v6
// by which the MCP library validates the arguments of tools where a server
// asks it to. This program does not ask: package tools decodes and checks them.
//
// The module itself compiles the metaschemas of five drafts whenever a program
// that links it starts, which is a quarter of this program's start.
package jsonschema

import (
	"encoding/json"
	"errors"
	"io"
)

// ErrLeftOut is what validating returns: there is no validator in this program.
var ErrLeftOut = errors.New("the validator of JSON schemas is left out of this program")

// Schema accepts nothing.
type Schema struct{}

// Validate returns [ErrLeftOut].
func (*Schema) Validate(any) error { return ErrLeftOut }

// Compiler compiles nothing.
type Compiler struct{}

// NewCompiler returns a compiler that compiles nothing.
func NewCompiler() *Compiler { return new(Compiler) }

// AddResource returns [ErrLeftOut].
func (*Compiler) AddResource(string, any) error { return ErrLeftOut }

// Compile returns [ErrLeftOut].
func (*Compiler) Compile(string) (*Schema, error) { return nil, ErrLeftOut }

// ValidationError is never returned.
type ValidationError struct {
	InstanceLocation []string
	ErrorKind        any
	Causes           []*ValidationError
}

// Error says that there is no validator.
func (*ValidationError) Error() string { return ErrLeftOut.Error() }

// UnmarshalJSON reads one JSON value, its numbers as [json.Number].
func UnmarshalJSON(r io.Reader) (any, error) {
	decoder := json.NewDecoder(r)
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return value, nil
}
