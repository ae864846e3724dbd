"""Compares the function around every line with what a language's own tool says. Used by the scripts here.

expected: {path: [(start, end, is_function), …]}: the functions and classes, lines from 1, inclusive. What counts
are the lines of functions, without those of classes in them, and without lines that two functions share.
"""
import json
import subprocess
import sys


def innermost(functions):
    """line -> (start, end) of the smallest function that holds it."""
    lines, shared = {}, set()
    for start, end, is_function in sorted(set(functions), key=lambda f: (f[0], -f[1])):
        for line in range(start, end + 1):
            if line in lines and not (lines[line][0] <= start and end <= lines[line][1]):
                shared.add(line)
            lines[line] = (start, end, is_function)
    return {line: f[:2] for line, f in lines.items() if f[2] and line not in shared}


def compare(program, expected, show=15):
    paths = list(expected)
    done = subprocess.run([program], input="\n".join(paths) + "\n", capture_output=True, text=True, check=True)
    right = wrong = functions = right_functions = 0
    examples = []
    for out in map(json.loads, done.stdout.splitlines()):
        if "error" in out:
            print(out["path"], out["error"])
            out.update(symbols=[], lines=[-1] * 10**6)
        bad = {}
        lines = innermost(expected[out["path"]])
        for line, function in lines.items():
            at = out["lines"][line - 1]
            got = tuple(out["symbols"][at][2:4]) if at >= 0 else None
            if got == function:
                right += 1
            else:
                wrong += 1
                bad.setdefault(function, (line, got))
        found = set(lines.values())
        functions += len(found)
        right_functions += len(found) - len(bad)
        examples += [(out["path"], f, *b) for f, b in bad.items()]
    for path, function, line, got in examples[:: max(1, len(examples) // show)][:show]:
        print(f"  {path}:{line}: expected {function}, got {got}")
    print(f"{len(paths)} files, {functions} functions, {right_functions} right in every line"
          f" ({100 * right_functions / max(1, functions):.2f} %); {right + wrong} lines,"
          f" {100 * right / max(1, right + wrong):.2f} % right")
    return 0 if right >= 0.99 * (right + wrong) else 1


if __name__ == "__main__":  # compare.py PROGRAM < {"path": [[start, end], …], …}
    sys.exit(compare(sys.argv[1], {p: [tuple(f) for f in fs] for p, fs in json.load(sys.stdin).items()}))
