package archtest

import (
	"go/ast"
	"go/token"
	"testing"
)

// documented wants a comment on every exported name: functions, types, methods
// of exported types and of exported interfaces, constants and variables. One
// comment may do for a group of constants or variables. What a struct's field
// means is the type's comment's business.
func documented(t *testing.T, s source) {
	missing := func(p token.Pos, name string) {
		t.Errorf("%s: %s has no comment: tell its meaning, unit, range and errors", s.at(p), name)
	}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if name, exported := functionName(d); exported && d.Doc.Text() == "" {
				missing(d.Pos(), name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					documentedType(spec, d.Doc, missing)
				case *ast.ValueSpec:
					documentedValue(spec, d.Doc, missing)
				}
			}
		}
	}
}

// functionName returns the function's name with its receiver's, and whether
// other packages can see it.
func functionName(f *ast.FuncDecl) (name string, exported bool) {
	if f.Recv == nil {
		return f.Name.Name, f.Name.IsExported()
	}
	receiver := f.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.Name + "." + f.Name.Name, r.IsExported() && f.Name.IsExported()
		default:
			return f.Name.Name, false
		}
	}
}

func documentedType(spec *ast.TypeSpec, group *ast.CommentGroup, missing func(token.Pos, string)) {
	if !spec.Name.IsExported() {
		return
	}
	if spec.Doc.Text() == "" && group.Text() == "" {
		missing(spec.Pos(), spec.Name.Name)
	}
	methods, ok := spec.Type.(*ast.InterfaceType)
	if !ok {
		return
	}
	for _, m := range methods.Methods.List {
		for _, name := range m.Names {
			if name.IsExported() && m.Doc.Text() == "" && m.Comment.Text() == "" {
				missing(m.Pos(), spec.Name.Name+"."+name.Name)
			}
		}
	}
}

func documentedValue(spec *ast.ValueSpec, group *ast.CommentGroup, missing func(token.Pos, string)) {
	for _, name := range spec.Names {
		if name.IsExported() && spec.Doc.Text() == "" && spec.Comment.Text() == "" && group.Text() == "" {
			missing(name.Pos(), name.Name)
		}
	}
}
