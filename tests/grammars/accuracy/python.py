"""python.py PROGRAM [FOLDER]: every function and class of the Python standard library, by `ast`."""
import ast
import pathlib
import sys
import sysconfig
import warnings

from compare import compare

warnings.simplefilter("ignore")
root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else sysconfig.get_path("stdlib"))
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
sys.exit(compare(sys.argv[1], expected))
