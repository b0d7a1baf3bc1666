package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// hintsForBoth wants the hints of errors that name tools to name commands as well, for a
// person who has no tools.
func hintsForBoth(t *testing.T, all []source) {
	names := toolNames(all)
	if len(names) < 30 {
		t.Fatalf("only the tools %v were found", names)
	}
	tool := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
	for _, s := range all {
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || s.test {
				return !s.test
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "WithHint" {
				return true
			}
			if hint, ok := call.Args[0].(*ast.BasicLit); ok && tool.MatchString(hint.Value) {
				t.Errorf("%s: the hint %s names a tool: use WithAdvice, with the command beside it", s.at(hint.Pos()), hint.Value)
			}
			return true
		})
	}
}

// toolNames are the names in the specs of tools.
func toolNames(all []source) []string {
	var names []string
	for _, s := range all {
		if s.dir() != "tools" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			spec, ok := n.(*ast.CompositeLit)
			if !ok || !isNamed(spec.Type, "Spec") {
				return true
			}
			for _, element := range spec.Elts {
				field, ok := element.(*ast.KeyValueExpr)
				if !ok || !isNamed(field.Key, "Name") {
					continue
				}
				if name, ok := field.Value.(*ast.BasicLit); ok && name.Kind == token.STRING {
					names = append(names, strings.Trim(name.Value, `"`))
				}
			}
			return true
		})
	}
	return names
}

func isNamed(e ast.Expr, name string) bool {
	i, ok := e.(*ast.Ident)
	return ok && i.Name == name
}
