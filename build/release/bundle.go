package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"mcp-memory/hosts"
	"mcp-memory/internal/product"
)

// bundle makes the packages with the program of one platform: the .mcpb bundle and the npm package.
func bundle(top, binary string, p platform) error {
	if _, err := os.Stat(binary); err != nil {
		return err
	}
	return errors.Join(mcpb(top, binary, p), npmPlatform(top, binary, p))
}

// mcpbName returns the file name of a platform's bundle. The registry of MCP servers requires "mcp"
// in the address, which is in the name.
func mcpbName(p platform) string {
	return fmt.Sprintf("%s_%s_%s_%s.mcpb", product.Name, product.Version, p.os, p.arch)
}

// mcpbManifest returns the manifest of a platform's bundle. A setting that a user leaves empty is
// passed on empty, or as its unexpanded placeholder; the program treats both as not set.
func mcpbManifest(p platform) object {
	program := "server/" + p.program()
	return object{
		"manifest_version": "0.3", "name": product.Name, "display_name": product.Title, "version": product.Version,
		"description": product.Description,
		"long_description": "Saves what the assistant learns and finds it again, days and restarts later, by a plain question. " +
			"Everything stays on this computer, in one SQLite file; no key and no other service is needed.",
		"author": object{"name": product.Authors}, "license": product.Licence, "homepage": product.Home,
		"repository": object{"type": "git", "url": product.Home + ".git"},
		"keywords":   []string{"memory", "recall"},
		"server": object{
			"type": "binary", "entry_point": program,
			"mcp_config": object{
				"command": "${__dirname}/" + program, "args": []string{"serve"},
				"env": object{
					"MCP_MEMORY_DATA_DIR": "${user_config.data_dir}",
					"MCP_MEMORY_AGENT":    "${user_config.agent}", "MCP_MEMORY_TOOLS": "${user_config.tools}",
				},
			},
		},
		"compatibility": object{"platforms": []string{p.nodeOS}},
		"user_config": object{
			"data_dir": object{
				"type": "directory", "title": "Data directory", "required": false,
				"description": "Where the memory is kept. Empty is the same place as for mcp-memory on the command line, so that several applications share one memory.",
			},
			"agent": object{
				"type": "string", "title": "Agent", "required": false, "default": "default",
				"description": "Whose memory is used. Applications with the same name share it.",
			},
			"tools": object{
				"type": "string", "title": "Tools", "required": false, "default": hosts.ToolsWithoutHooks,
				"description": "Tool groups to offer, with commas, such as core,todo,calendar; or all.",
			},
		},
		"tools_generated": true,
	}
}

// mcpb makes a platform's bundle with the official tool of the format.
func mcpb(top, binary string, p platform) error {
	script, err := mcpbTool(top)
	if err != nil {
		return err
	}
	stage := filepath.Join(top, dist, "stage", p.os+"-"+p.arch, "mcpb")
	text, err := jsonText(mcpbManifest(p))
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(stage), os.MkdirAll(stage, 0o755)); err != nil {
		return err
	}
	err = errors.Join(
		os.WriteFile(filepath.Join(stage, "manifest.json"), text, 0o644),
		copyFile(binary, filepath.Join(stage, "server", p.program()), 0o755),
		copyFile(filepath.Join(top, "LICENSE"), filepath.Join(stage, "LICENSE"), 0o644),
	)
	if err != nil {
		return err
	}
	packed := filepath.Join(top, dist, "stage", mcpbName(p))
	if err := inFolder(stage, os.Environ(), "node", script, "pack", stage, packed); err != nil {
		return err
	}
	out := filepath.Join(top, dist, "bundles", mcpbName(p))
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return settle(packed, out)
}

// settle copies a zip file and sets the times of all its files to SOURCE_DATE_EPOCH, the time of
// the commit, so that the same tree gives the same bundle.
func settle(from, to string) (err error) {
	made := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		made = time.Unix(seconds, 0).UTC()
	}
	in, err := zip.OpenReader(from)
	if err != nil {
		return err
	}
	defer in.Close()
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := zip.NewWriter(file)
	for _, f := range in.File {
		header := zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: made}
		header.SetMode(f.Mode())
		w, err := out.CreateHeader(&header)
		if err != nil {
			return err
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		if _, err = io.Copy(w, r); err != nil {
			return err
		}
		if err := r.Close(); err != nil {
			return err
		}
	}
	return out.Close()
}
