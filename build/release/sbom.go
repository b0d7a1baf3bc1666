package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"mcp-memory/internal/product"
)

// component is a module in an SBOM of CycloneDX.
type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

// hash is a hash of a component's content.
type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

// writeSBOM writes an SBOM in the format CycloneDX: the modules that Go linked into a binary, with
// their hashes from go.sum. Equal binaries have equal SBOMs.
func writeSBOM(binary, output string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	main := component{
		Type: "application", Ref: product.Name, Name: product.Name, Version: product.Version,
		PURL:   fmt.Sprintf("pkg:github/%s/%s@v%s", product.Owner, product.Name, product.Version),
		Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}},
	}
	components := []component{{
		Type: "library", Ref: "std", Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"),
		PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
	}}
	for _, module := range info.Deps {
		components = append(components, ofModule(module))
	}
	slices.SortFunc(components, func(a, b component) int { return strings.Compare(a.Ref, b.Ref) })
	refs := make([]string, len(components))
	for i, c := range components {
		refs[i] = c.Ref
	}
	result, err := jsonText(object{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": object{
			"component": main,
			"properties": []object{
				{"name": "go:platform", "value": settings["GOOS"] + "/" + settings["GOARCH"]},
				{"name": "go:revision", "value": settings["vcs.revision"]},
			},
		},
		"components":   components,
		"dependencies": []object{{"ref": main.Ref, "dependsOn": refs}},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(output, result, 0o644)
}

// ofModule returns the component of a linked module. One that is replaced by a patched copy in the
// tree has the original's version, but no hash.
func ofModule(m *debug.Module) component {
	c := component{
		Type: "library", Ref: m.Path + "@" + m.Version, Name: m.Path, Version: m.Version,
		PURL: "pkg:golang/" + m.Path + "@" + m.Version,
	}
	if sum, ok := strings.CutPrefix(m.Sum, "h1:"); ok && m.Replace == nil {
		if raw, err := base64.StdEncoding.DecodeString(sum); err == nil {
			c.Hashes = []hash{{"SHA-256", hex.EncodeToString(raw)}}
		}
	}
	return c
}
