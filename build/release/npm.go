package main

import (
	_ "embed"
	"errors"
	"os"
	"path/filepath"

	"mcp-memory/internal/product"
)

// launcher is the script in the main npm package that starts the program.
//
//go:embed npm/mcp-memory.js
var launcher []byte

// npmName returns the name of the npm package with a platform's program.
func npmName(p platform) string {
	return product.NPMScope + "/" + p.nodeOS + "-" + p.nodeArch
}

// npmManifest returns a package.json with the fields of all packages and those in more.
func npmManifest(more object) object {
	m := object{
		"version": product.Version, "description": product.Description, "license": product.Licence,
		"homepage": product.Home, "repository": object{"type": "git", "url": "git+" + product.Home + ".git"},
	}
	for key, value := range more {
		m[key] = value
	}
	return m
}

// npmPlatform makes the package with a platform's program. npm installs it on that platform only.
func npmPlatform(top, binary string, p platform) error {
	stage := filepath.Join(top, dist, "stage", p.os+"-"+p.arch, "npm")
	return npmPack(top, stage, npmManifest(object{
		"name": npmName(p), "os": []string{p.nodeOS}, "cpu": []string{p.nodeArch}, "preferUnplugged": true, "files": []string{"bin"},
	}), func() error {
		return errors.Join(
			copyFile(binary, filepath.Join(stage, "bin", p.program()), 0o755),
			os.WriteFile(filepath.Join(stage, "README.md"),
				[]byte("The program of ["+product.Name+"]("+product.Home+") for "+p.String()+". Install `"+product.Name+
					"` instead.\n"), 0o644),
		)
	})
}

// npmMain makes the package that people install: a script, and the packages of all platforms as
// optional dependencies, of which npm installs the one that fits.
func npmMain(top string) error {
	programs := object{}
	for _, p := range platforms {
		programs[npmName(p)] = product.Version
	}
	stage := filepath.Join(top, dist, "stage", "npm")
	return npmPack(top, stage, npmManifest(object{
		"name": product.Name, "bin": object{product.Name: "bin/mcp-memory.js"}, "files": []string{"bin"},
		"engines": object{"node": ">=18"}, "keywords": []string{"mcp", "memory", "agent"},
		"optionalDependencies": programs,
		// the registry of MCP servers requires the name that the package has there
		"mcpName": product.RegistryName,
	}), func() error {
		return errors.Join(
			os.MkdirAll(filepath.Join(stage, "bin"), 0o755),
			os.WriteFile(filepath.Join(stage, "bin", "mcp-memory.js"), launcher, 0o755),
			os.WriteFile(filepath.Join(stage, "README.md"), []byte("# "+product.Name+"\n\n"+product.Description+".\n\n"+
				"```sh\nnpm install -g "+product.Name+"\n"+product.Name+" demo\n```\n\nSee <"+product.Home+">.\n"), 0o644),
		)
	})
}

// npmPack writes a package into the directory stage, where fill adds its files, and packs it with
// npm.
func npmPack(top, stage string, manifest object, fill func() error) error {
	text, err := jsonText(manifest)
	if err != nil {
		return err
	}
	out := filepath.Join(top, dist, "npm")
	err = errors.Join(os.RemoveAll(stage), os.MkdirAll(stage, 0o755), os.MkdirAll(out, 0o755))
	if err != nil {
		return err
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(stage, "package.json"), text, 0o644),
		copyFile(filepath.Join(top, "LICENSE"), filepath.Join(stage, "LICENSE"), 0o644), fill())
	if err != nil {
		return err
	}
	return inFolder(stage, os.Environ(), "npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", out)
}
