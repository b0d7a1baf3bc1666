// Package manifests reads the files of deploy/ that start several servers as the programs
// do that they are for: unknown fields and wrong types are errors.
package manifests

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCompose(t *testing.T) {
	project, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  "../../deploy",
		Environment: types.Mapping{"POSTGRES_PASSWORD": "secret"},
		ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: read(t, "../../deploy/compose.yaml")}},
	}, func(o *loader.Options) { o.SetProjectName("memory", true) })
	if err != nil {
		t.Fatal(err)
	}
	servers := 0
	for name, service := range project.Services {
		if strings.HasPrefix(name, "memory-") {
			servers++
			if service.Hostname == "" || service.Environment["MCP_MEMORY_DATABASE"] == nil {
				t.Errorf("%s: hostname %q, environment %v", name, service.Hostname, service.Environment)
			}
		}
		if service.HealthCheck == nil && !strings.HasPrefix(name, "memory-") { // the image of the program has one
			t.Errorf("%s has no health check", name)
		}
		for wanted := range service.DependsOn {
			if _, ok := project.Services[wanted]; !ok {
				t.Errorf("%s needs %s, which is not there", name, wanted)
			}
		}
	}
	if servers != 2 || len(project.Services) != 4 {
		t.Errorf("%d servers of %d services", servers, len(project.Services))
	}
	// The proxy's configuration names the servers that there are.
	proxy := string(read(t, "../../deploy/nginx.conf"))
	for name := range project.Services {
		if strings.HasPrefix(name, "memory-") && !strings.Contains(proxy, "server "+name+":8765") {
			t.Errorf("nginx.conf does not know %s", name)
		}
	}
}

func TestKubernetes(t *testing.T) {
	found := map[string]any{}
	for _, document := range bytes.Split(read(t, "../../deploy/kubernetes.yaml"), []byte("\n---\n")) {
		var kind struct{ Kind, APIVersion string }
		if err := yaml.Unmarshal(document, &kind); err != nil {
			t.Fatal(err)
		}
		object, known := map[string]any{
			"apps/v1 StatefulSet": &apps.StatefulSet{}, "v1 Service": &core.Service{},
			"v1 Secret": &core.Secret{}, "networking.k8s.io/v1 Ingress": &networking.Ingress{},
			"policy/v1 PodDisruptionBudget": &policy.PodDisruptionBudget{},
		}[kind.APIVersion+" "+kind.Kind]
		if !known {
			t.Errorf("%+v", kind)
			continue
		}
		if err := yaml.UnmarshalStrict(document, object); err != nil {
			t.Errorf("%s: %v", kind.Kind, err)
		}
		found[kind.Kind] = object
	}
	set, _ := found["StatefulSet"].(*apps.StatefulSet)
	service, _ := found["Service"].(*core.Service)
	ingress, _ := found["Ingress"].(*networking.Ingress)
	budget, _ := found["PodDisruptionBudget"].(*policy.PodDisruptionBudget)
	if set == nil || service == nil || ingress == nil || budget == nil || len(found) != 5 {
		t.Fatalf("there are %v", found)
	}
	labels := set.Spec.Template.Labels
	for name, selector := range map[string]map[string]string{"set": set.Spec.Selector.MatchLabels, "service": service.Spec.Selector,
		"budget": budget.Spec.Selector.MatchLabels} {
		for key, value := range selector {
			if labels[key] != value {
				t.Errorf("%s selects %s=%s, pods have %v", name, key, value, labels)
			}
		}
	}
	container := set.Spec.Template.Spec.Containers[0]
	if *set.Spec.Replicas < 2 || container.ReadinessProbe == nil || container.LivenessProbe == nil {
		t.Errorf("%d replicas, probes %v, %v", *set.Spec.Replicas, container.ReadinessProbe, container.LivenessProbe)
	}
	if port := service.Spec.Ports[0]; port.TargetPort.StrVal != container.Ports[0].Name {
		t.Errorf("the service asks port %v, the container has %v", port.TargetPort, container.Ports[0])
	}
	backend := ingress.Spec.Rules[0].HTTP.Paths[0].Backend.Service
	if backend.Name != service.Name || backend.Port.Name != service.Spec.Ports[0].Name {
		t.Errorf("the ingress asks %+v", backend)
	}
	secret := found["Secret"].(*core.Secret)
	for _, e := range container.Env {
		if e.ValueFrom != nil && e.ValueFrom.SecretKeyRef != nil {
			if _, ok := secret.StringData[e.ValueFrom.SecretKeyRef.Key]; !ok || e.ValueFrom.SecretKeyRef.Name != secret.Name {
				t.Errorf("%s is of %+v, which is not there", e.Name, e.ValueFrom.SecretKeyRef)
			}
		}
	}
}
