"""python.py [FOLDER] | compare.py PROGRAM: every function and class of the Python standard library, by `ast`."""
import ast
import json
import pathlib
import sys
import sysconfig
import warnings

warnings.simplefilter("ignore")
root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else sysconfig.get_path("stdlib"))
expected = {}
for path in sorted(root.rglob("*.py")):
    if "site-packages" in path.parts:
        continue
    try:
        text = path.read_bytes()
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        continue
    if b"\f" in text or b"\r" in text.replace(b"\r\n", b""):  # Python's lines are not an editor's there
        continue
    expected[str(path)] = [
        (min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.end_lineno,
         not isinstance(node, ast.ClassDef))
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]
json.dump(expected, sys.stdout)
