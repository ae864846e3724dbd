// node typescript.mjs TYPESCRIPT_PACKAGE FILE… | python3 compare.py PROGRAM: the functions and classes by
// TypeScript's own parser. Functions are those that have a name, or that a variable, property or
// assignment gives one.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';

const ts = createRequire(import.meta.url)(resolve(process.argv[2]));
const K = ts.SyntaxKind;
const isAnonymous = (n) => n && (n.kind === K.ArrowFunction || n.kind === K.FunctionExpression);
const result = {};
for (const path of process.argv.slice(3)) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, isFunction) => {
    const line = (offset) => source.getLineAndCharacterOfPosition(offset).line + 1;
    found.push([line(node.getStart(source)), line(node.end), isFunction]);
  };
  const visit = (node) => {
    switch (node.kind) {
      case K.FunctionDeclaration: case K.MethodDeclaration: case K.Constructor: case K.GetAccessor:
      case K.SetAccessor: case K.MethodSignature:
        add(node, true);
        break;
      case K.ClassDeclaration: case K.InterfaceDeclaration: case K.EnumDeclaration:
        add(node, false);
        break;
      case K.ClassExpression:
        if (node.name) add(node, false);
        else if (node.parent.kind === K.VariableDeclaration) add(node.parent, false);
        break;
      case K.VariableDeclaration:
        if (isAnonymous(node.initializer)) {
          const list = node.parent;
          add(list.declarations?.length === 1 && list.parent.kind === K.VariableStatement ? list.parent : node, true);
        }
        break;
      case K.PropertyDeclaration: case K.PropertyAssignment:
        if (isAnonymous(node.initializer)) add(node, true);
        break;
      case K.BinaryExpression:
        if (node.operatorToken.kind === K.EqualsToken && isAnonymous(node.right) &&
            (node.left.kind === K.Identifier || node.left.kind === K.PropertyAccessExpression ||
             node.left.kind === K.ElementAccessExpression))
          add(node.parent.kind === K.ExpressionStatement ? node.parent : node, true);
        break;
      case K.FunctionExpression:
        if (node.name && !['VariableDeclaration', 'PropertyDeclaration', 'PropertyAssignment', 'BinaryExpression']
                              .includes(K[node.parent.kind]))
          add(node, true);
        break;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  result[resolve(path)] = found;
}
console.log(JSON.stringify(result));
