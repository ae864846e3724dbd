// go run functions.go < PATHS | compare.py PROGRAM: the functions and types by go/ast, as gopls sees them.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

func main() {
	result := map[string][][3]any{}
	for paths := bufio.NewScanner(os.Stdin); paths.Scan(); {
		path := paths.Text()
		places := token.NewFileSet()
		file, err := parser.ParseFile(places, path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		found := [][3]any{}
		add := func(node ast.Node, isFunction bool) {
			// Not Position: a "//line" comment moves that.
			begin, end := places.PositionFor(node.Pos(), false), places.PositionFor(node.End()-1, false)
			found = append(found, [3]any{begin.Line, end.Line, isFunction})
		}
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				add(d, true)
			case *ast.GenDecl:
				if d.Tok == token.TYPE && !d.Lparen.IsValid() {
					add(d, false)
				}
			}
		}
		result[path] = found
	}
	json.NewEncoder(os.Stdout).Encode(result)
}
