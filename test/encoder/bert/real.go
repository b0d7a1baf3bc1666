package main

import (
	"fmt"

	"mcp-memory/embed/hub"
	"mcp-memory/embed/modelfile"
)

// real are the models of the list that packages carry.
var real = []string{"all-MiniLM-L6-v2", "bge-small-en-v1.5", "e5-small-v2"}

// listed is the model of the list with its checksums, if the folder has the files that
// are pinned. Weights that come out of a file of ONNX have the same values in another
// file: such a model is a user's own, used as its folder says.
func listed(name, dir string) hub.Model {
	m, ok := hub.Find(hub.Models(), name)
	own := hub.Model{Manifest: modelfile.Manifest{Name: name}}
	if !ok || (modelfile.Manifest{Files: m.Files}).CheckSizes(dir) != nil {
		return own
	}
	return m
}

// checkUse compares how a folder says that its model is used with the list.
func checkUse(name string, have modelfile.Encoder) error {
	m, ok := hub.Find(hub.Models(), name)
	if !ok {
		return nil
	}
	if want := *m.Encoder; have != want {
		return fmt.Errorf("it is used as %+v, by the list as %+v", have, want)
	}
	return nil
}
