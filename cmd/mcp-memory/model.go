package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"mcp-memory/embed"
	"mcp-memory/embed/hub"
	"mcp-memory/embed/modelfile"
	"mcp-memory/memory"
)

// modelsDir returns the directory of the fetched models.
func (p *Program) modelsDir() string { return filepath.Join(p.settings.get("data_dir"), "models") }

// knownModels returns the models that can be fetched by name.
func (p *Program) knownModels() []hub.Model {
	if p.Models != nil {
		return p.Models
	}
	return hub.Models()
}

// localModel returns the embedder for a value of the setting embed.local.
func (p *Program) localModel(name string) (memory.Embedder, error) {
	if isBuiltin(name) {
		return embed.NewBuiltin(), nil
	}
	if err := hub.CheckName(name); err != nil {
		return nil, p.settings.wrong("embed.local", "the name of a model that `mcp-memory model list` shows")
	}
	m, err := hub.Open(filepath.Join(p.modelsDir(), name))
	if err != nil {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "the embedding model %s cannot be used: %s (embed.local, %s)", name,
			plainly(err), p.settings.origins["embed.local"]).
			WithHint("`mcp-memory model pull %s` fetches it, `mcp-memory model use builtin` does without", name)
	}
	return m, nil
}

// plainly returns the message of an error without code and hint, for use in another error.
func plainly(err error) string {
	var e *memory.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

func (p *Program) modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "model", Short: "Embedding models: what relates texts of like meaning",
		Long: "The built-in table of word meanings needs nothing and knows almost only English. A static model of the Model2Vec\n" +
			"kind knows more words and, the multilingual one, more languages, in microseconds. A sentence encoder of the family\n" +
			"of BERT reads whole sentences, in milliseconds: a save is answered before its vector is there. Both run in this\n" +
			"program, without a network. Models lie in DATA_DIR/models. Nothing is ever fetched but by `model pull`.\n\n" +
			"The models of the list are pinned: files of one commit, with sizes and SHA-256 checksums that are part of this\n" +
			"program. They were collected from other projects that pin the same files and agree on them. A model of your\n" +
			"own (`pull NAME --from DIR`) is taken as it is; its checksums are noted in its model.json.",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(p.modelListCommand(), p.modelPullCommand(), p.modelUseCommand(), p.modelRemoveCommand())
	return cmd
}

// shownModel is a model as `model list` shows it.
type shownModel struct {
	Name       string `json:"name"`
	State      string `json:"state"` // "in use", "here" or "not fetched"
	Bytes      int64  `json:"bytes,omitempty"`
	Dimensions int    `json:"dimensions,omitempty"`
	Languages  string `json:"languages,omitempty"`
	Licence    string `json:"licence,omitempty"`
	About      string `json:"about,omitempty"`
	Repository string `json:"repository,omitempty"`
	Revision   string `json:"revision,omitempty"`
}

func (p *Program) modelListCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "Show the models that there are, and which is in use", Args: usageArgs(cobra.NoArgs)}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		models, err := p.shownModels()
		if err != nil {
			return err
		}
		return p.print(cmd, map[string]any{"items": models, "total": len(models), "in_use": p.modelInUse()}, modelsText(models))
	}
	return cmd
}

// modelInUse returns the name of the embedder that the settings choose.
func (p *Program) modelInUse() string {
	switch s := p.settings; {
	case s.get("embed.url") != "":
		return s.get("embed.model") + " at " + s.get("embed.url")
	case s.get("embed.local") != "":
		return s.get("embed.local")
	}
	return builtinName
}

func (p *Program) shownModels() ([]shownModel, error) {
	installed, err := hub.Installed(p.modelsDir())
	if err != nil {
		return nil, err
	}
	used := p.modelInUse()
	state := func(name string, here bool) string {
		switch {
		case strings.EqualFold(name, used):
			return "in use"
		case here:
			return "here"
		}
		return "not fetched"
	}
	own := builtinName
	if isBuiltin(used) {
		own = used
	}
	list := []shownModel{{
		Name: builtinName, State: state(own, true), Dimensions: embed.NewBuiltin().Fingerprint().Dimensions,
		Languages: "English, 13 more by glosses", Licence: "MIT",
		About: "the table, and all-MiniLM-L6-v2 in the program; 70/94 and 61/82, 5 ms",
	}}
	for _, m := range p.knownModels() {
		here := slices.ContainsFunc(installed, func(i modelfile.Manifest) bool { return i.Name == m.Name })
		list = append(list, shownModel{m.Name, state(m.Name, here), m.Size(), m.Dimensions, m.Languages, m.Licence, m.About, m.Repository,
			m.Revision})
	}
	for _, m := range installed {
		if _, known := hub.Find(p.knownModels(), m.Name); !known {
			list = append(list, shownModel{Name: m.Name, State: state(m.Name, true), Bytes: m.Size(), Dimensions: m.Dimensions,
				About: "your own"})
		}
	}
	if p.settings.get("embed.url") != "" {
		list = append(list, shownModel{Name: used, State: "in use", About: "an endpoint"})
	}
	return list, nil
}

func modelsText(models []shownModel) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, m := range models {
		size, dimensions := "", ""
		if m.Bytes > 0 {
			size = megabytes(m.Bytes)
		}
		if m.Dimensions > 0 {
			dimensions = fmt.Sprintf("%d dimensions", m.Dimensions)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", m.Name, m.State, size, dimensions, m.Languages, m.About)
	}
	t.Flush()
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n\n" + modelsLegend
}

const modelsLegend = `Pairs of numbers: how many of 100 reworded questions have their memory first, and in the first five,
of 300 (eval/sets/paraphrase_facts), of everyday and of technical ones; alone is without words.
Times: a question of 15 words, on one core.`

func megabytes(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%d kB", (n+999)/1000)
	}
	return fmt.Sprintf("%d MB", (n+500_000)/1_000_000)
}

func (p *Program) modelPullCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "pull NAME", Short: "Fetch a model and check it; an interrupted one goes on where it was", Args: usageArgs(cobra.ExactArgs(1)),
		Long: "Fetches a model of `model list` from the public hub into DATA_DIR/models/NAME. Every file has to have the SHA-256 that\n" +
			"is pinned for it in this program, else nothing is kept. If the connection breaks, the same command goes on from there.\n" +
			"HTTPS_PROXY is honoured.\n\n" +
			"--from DIR takes config.json, tokenizer.json and model.safetensors from a directory instead, without a network. With\n" +
			"a name that is not in the list that is a model of your own, of which no checksum is known beforehand: those of its\n" +
			"files are noted in model.json beside them, and `model use` compares with that, a start only the sizes. It can be\n" +
			"static (Model2Vec) or an encoder (bert, xlm-roberta); how an encoder is used is read from modules.json,\n" +
			"1_Pooling/config.json, sentence_bert_config.json and config_sentence_transformers.json where they are there, else it\n" +
			"is the mean of 512 pieces, with the prefixes that are known for a model of this name. Its weights are kept at 8\n" +
			"bits beside it (model.8bit).",
	}
	from := cmd.Flags().String("from", "", "take the files from this directory, without a network")
	address := cmd.Flags().String("hub", hub.DefaultURL, "address of the hub or of a mirror of it")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.pullModel(cmd, args[0], *from, *address) }
	return cmd
}

func (p *Program) pullModel(cmd *cobra.Command, name, from, address string) error {
	model, known := hub.Find(p.knownModels(), name)
	if !known && from == "" {
		return memory.Errorf(memory.CodeNotFound, "no model %s is known", name).
			WithHint("`mcp-memory model list` shows the names; --from DIR takes a model of your own")
	}
	if !known {
		model.Name = name
	}
	if err := hub.CheckName(model.Name); err != nil {
		return err
	}
	if err := makeDataDir(p.settings.get("data_dir")); err != nil {
		return err
	}
	fetched := true
	var err error
	if from != "" {
		err = hub.Copy(p.modelsDir(), model, from)
	} else {
		bar := p.progressBar(model.Size(), "fetching "+model.Name)
		fetched, err = hub.Fetch(cmd.Context(), p.modelsDir(), model, hub.Options{
			URL: address, Progress: func(done, _ int64) { bar.Set64(done) },
		})
		bar.Exit()
	}
	if err != nil {
		return err
	}
	m, err := modelfile.ReadManifest(filepath.Join(p.modelsDir(), model.Name))
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s is here (%s, %d dimensions). Use it with: mcp-memory model use %s", m.Name, megabytes(m.Size()),
		m.Dimensions, m.Name)
	if !fetched {
		text = m.Name + " is here already, and its files are right."
	}
	result := struct {
		Fetched bool `json:"fetched"`
		modelfile.Manifest
	}{fetched, m}
	return p.print(cmd, result, text)
}

func (p *Program) modelRemoveCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "remove NAME", Short: "Delete a fetched model that is not in use", Args: usageArgs(cobra.ExactArgs(1))}
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		name := p.installedName(args[0])
		if strings.EqualFold(name, p.settings.get("embed.local")) {
			return memory.Errorf(memory.CodeConflict, "%s is in use", name).
				WithHint("`mcp-memory model use builtin` goes back to the built-in table")
		}
		if err := hub.Remove(p.modelsDir(), name); err != nil {
			return err
		}
		return p.print(cmd, map[string]string{"removed": name}, "Removed "+name+".")
	}
	return cmd
}

// installedName returns a model's name as it is spelt in the directory or in the list of known
// models.
func (p *Program) installedName(name string) string {
	installed, _ := hub.Installed(p.modelsDir())
	for _, m := range installed {
		if strings.EqualFold(m.Name, name) {
			return m.Name
		}
	}
	if m, known := hub.Find(p.knownModels(), name); known {
		return m.Name
	}
	return name
}
