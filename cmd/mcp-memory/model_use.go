package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcp-memory/embed"
	"mcp-memory/embed/hub"
	"mcp-memory/embed/modelfile"
	"mcp-memory/internal/endpoint"
	"mcp-memory/memory"
)

// localServer is a program that serves models on this machine through an API like OpenAI's.
type localServer struct {
	prefix string // of the argument of `model use`, before the colon
	name   string
	url    string // its default address
}

var localServers = []localServer{
	{"ollama", "Ollama", "http://127.0.0.1:11434/v1"},
	{"lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"},
	{"llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1"},
	{"vllm", "vLLM", "http://127.0.0.1:8000/v1"},
}

// probeTime is the timeout of one probe. The server may have to load the model first.
const probeTime = time.Minute

func (p *Program) modelUseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "use NAME", Short: "Choose the model: a fetched one, builtin, or ollama:NAME", Args: usageArgs(cobra.ExactArgs(1)),
		Long: "Writes the choice into config.yaml in the data directory; other lines and comments stay. It counts from the next start\n" +
			"of the server, which then makes all vectors anew in the background; search by words works meanwhile.\n\n" +
			"  NAME                                   a model that `model pull` put there\n" +
			"  builtin                                what is in the program: the table of words, and the sentence encoder where it is quick\n" +
			"  table, encoder                         the table alone; both, also where it is slow\n" +
			"  ollama:NAME                            a model of the Ollama on this machine, which is asked for its dimensions\n" +
			"  lmstudio:NAME, llamacpp:NAME, vllm:NAME  the same for LM Studio, llama.cpp and vLLM\n\n" +
			"Vectors of the model before are kept, so going back costs nothing.",
	}
	url := cmd.Flags().String("url", "", "address of the server if it is not the usual one, such as http://192.168.1.5:11434/v1")
	addJSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.useModel(cmd, args[0], *url) }
	return cmd
}

func (p *Program) useModel(cmd *cobra.Command, name, url string) error {
	changes, err := p.modelSettings(cmd.Context(), name, url)
	if err != nil {
		return err
	}
	// These settings fit the earlier model of the endpoint, and would be wrong for another one.
	if changes["embed.model"] == "" || changes["embed.model"] != p.settings.get("embed.model") {
		for _, key := range []string{"embed.query_prefix", "embed.document_prefix", "embed.truncate", "embed.request_dimensions"} {
			changes[key] = ""
		}
	}
	if err := makeDataDir(p.settings.get("data_dir")); err != nil {
		return err
	}
	if err := changeConfig(p.settings.get("data_dir"), changes); err != nil {
		return err
	}
	chosen, text := map[string]string{}, "config.yaml now has: "
	var set []string
	for _, key := range []string{"embed.local", "embed.url", "embed.model", "embed.dimensions"} {
		if changes[key] != "" {
			chosen[key] = changes[key]
			set = append(set, key+": "+changes[key])
		}
	}
	if text += strings.Join(set, ", ") + "."; len(set) == 0 {
		text = "config.yaml names no model now: the built-in table is used."
	}
	text += "\nIt counts from the next start of the server, which makes the vectors anew in the background; search by words works meanwhile."
	over := p.overriding()
	if len(over) > 0 {
		text += "\nBut " + strings.Join(over, ", ") + " is set, and goes before config.yaml."
	}
	return p.print(cmd, map[string]any{"in_use": name, "settings": chosen, "overridden_by": append([]string{}, over...)}, text)
}

// overriding returns the origins of settings of the embedder that override config.yaml.
func (p *Program) overriding() (from []string) {
	for _, key := range []string{"embed.local", "embed.url", "embed.model", "embed.dimensions"} {
		if origin := p.settings.origins[key]; origin != "default" && origin != "config.yaml" {
			from = append(from, origin)
		}
	}
	return from
}

// modelSettings returns the settings for a choice of model. "" removes a setting.
func (p *Program) modelSettings(ctx context.Context, name, url string) (map[string]string, error) {
	changes := map[string]string{"embed.local": "", "embed.url": "", "embed.model": "", "embed.dimensions": ""}
	if prefix, model, ok := strings.Cut(name, ":"); ok {
		return changes, p.probe(ctx, changes, prefix, model, url)
	}
	if url != "" {
		return nil, memory.Errorf(memory.CodeInvalidArgument, "--url goes with a server, such as ollama:%s", name)
	}
	if isBuiltin(name) {
		if name = strings.ToLower(name); name != builtinName {
			changes["embed.local"] = name
		}
		return changes, nil
	}
	name, err := p.presentModel(name)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(p.modelsDir(), name)
	m, err := modelfile.ReadManifest(dir)
	if err == nil {
		err = m.Verify(dir)
	}
	if err != nil {
		return nil, err
	}
	measured, err := hub.Inspect(dir, m)
	if err != nil {
		return nil, err
	}
	if !reflect.DeepEqual(measured, m) { // an earlier version has measured less
		if err := measured.Write(dir); err != nil {
			return nil, memory.Errorf(memory.CodeUnavailable, "what was measured of %s cannot be written beside it", name).WithCause(err)
		}
	}
	changes["embed.local"] = name
	return changes, nil
}

// presentModel returns the name of a model as it is spelt where it was fetched to, or one that is
// built in; [memory.CodeNotFound] for one that is not there.
func (p *Program) presentModel(name string) (string, error) {
	if isBuiltin(name) {
		return name, nil
	}
	if err := hub.CheckName(name); err != nil {
		return "", err
	}
	here := []string{builtinName, tableName, encoderName}
	installed, _ := hub.Installed(p.modelsDir())
	for _, m := range installed {
		if strings.EqualFold(m.Name, name) {
			return m.Name, nil
		}
		here = append(here, m.Name)
	}
	name = p.installedName(name)
	return "", memory.Errorf(memory.CodeNotFound, "the model %s is not here; there are %s", name, strings.Join(here, ", ")).
		WithHint("fetch it with: mcp-memory model pull %s", name)
}

// probe asks a server on this machine for a vector of a model, and sets the settings that are
// needed to use it.
func (p *Program) probe(ctx context.Context, changes map[string]string, prefix, model, url string) error {
	var server localServer
	for _, s := range localServers {
		if strings.EqualFold(s.prefix, prefix) {
			server = s
		}
	}
	if server.url == "" || model == "" {
		return memory.Errorf(memory.CodeInvalidArgument, "%q is not a model of a server", prefix+":"+model).
			WithHint("ollama:NAME, lmstudio:NAME, llamacpp:NAME or vllm:NAME")
	}
	if url == "" {
		url = server.url
	}
	url = strings.TrimSuffix(url, "/")
	dimensions, err := embed.Probe(ctx, endpoint.Options{
		BaseURL: url, APIKey: p.settings.get("embed.key"), Model: model, Timeout: probeTime, MaxRetries: -1,
	})
	if err != nil {
		return probeError(ctx, err, server, model, url)
	}
	changes["embed.url"], changes["embed.model"], changes["embed.dimensions"] = url, model, strconv.Itoa(dimensions)
	return nil
}

// probeError adds to the error of a probe which other local server answers. It does not choose that
// one.
func probeError(ctx context.Context, err error, asked localServer, model, url string) error {
	failed := memory.Errorf(memory.CodeOf(err), "%s at %s gives no vectors of %s: %s", asked.name, url, model, plainly(err))
	for _, other := range localServers {
		if other.url != url && answers(ctx, other.url) {
			return failed.WithHint("%s", fmt.Sprintf("%s answers at %s: mcp-memory model use %s:NAME", other.name, other.url, other.prefix))
		}
	}
	if asked.prefix == "ollama" {
		return failed.WithHint("is it running, and is the model there (ollama pull %s)? --url is for another address", model)
	}
	return failed.WithHint("is it running, and is the model loaded? --url is for another address")
}

// answers reports whether a server lists its models within half a second.
func answers(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/models", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK && strings.Contains(answer.Header.Get("Content-Type"), "json")
}
