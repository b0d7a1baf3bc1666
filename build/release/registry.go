package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"mcp-memory/internal/product"
)

// registrySchema is the schema of server.json, against which test/packages validates it.
const registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// writeServerJSON writes server.json, the entry for the registry of MCP servers: the bundles with
// their hashes, the npm package and the container image.
func writeServerJSON(top string, made []platform) error {
	stdio := object{"type": "stdio"}
	serve := []object{{"type": "positional", "value": "serve"}}
	where := []object{{
		"name":        "MCP_MEMORY_DATA_DIR",
		"description": "Directory of the memory; default: the platform's data directory", "format": "filepath",
	}}
	var packages []object
	for _, p := range made {
		text, err := os.ReadFile(filepath.Join(top, dist, "bundles", mcpbName(p)))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		packages = append(packages, object{
			"registryType": "mcpb", "identifier": product.Releases + "/download/v" + product.Version + "/" + mcpbName(p),
			"version": product.Version, "fileSha256": hex.EncodeToString(sum[:]), "transport": stdio,
		})
	}
	packages = append(packages,
		object{
			"registryType": "npm", "identifier": product.Name, "version": product.Version, "transport": stdio,
			"packageArguments": serve, "environmentVariables": where,
		},
		object{
			"registryType": "oci", "identifier": product.Image + ":" + product.Version, "transport": stdio, "packageArguments": serve,
			"runtimeArguments": []object{
				{"type": "named", "name": "-i", "description": "MCP comes over stdin"},
				{"type": "named", "name": "-v", "value": product.Name + ":/data", "description": "Where the memory is kept"},
			},
		})
	text, err := jsonText(object{
		"$schema": registrySchema, "name": product.RegistryName, "title": product.Title, "description": product.Description,
		"version": product.Version, "websiteUrl": product.Home,
		"repository": object{"url": product.Home, "source": "github"},
		"packages":   packages,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(top, dist, "server.json"), text, 0o644)
}
