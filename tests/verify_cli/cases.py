"""Right and wrong edits of small projects, for tests/verify_cli/run.py. What is right is not written here: the
compilers say it (run.py --judge)."""

SHAPES_H = """#ifndef SHAPES_H
#define SHAPES_H
#include "point.h"
#define SHAPE_MAX 16
struct shape {
  int kind;
  struct point at;
};
int shape_area(const struct shape *shape);
static inline int shape_kind(const struct shape *shape) { return shape->kind; }
#endif
"""

PROJECTS = {
    "c": {
        "point.h": "#pragma once\nstruct point {\n  int x;\n  int y;\n};\n",
        "shapes.h": SHAPES_H,
        "shapes.c": '#include "shapes.h"\n\nint shape_area(const struct shape *shape) {\n'
                    "  int x = shape->at.x;\n  int y = shape->at.y;\n  return x * y;\n}\n",
        "main.c": '#include <stdio.h>\n#include "shapes.h"\n\nint main(void) {\n  struct shape all[SHAPE_MAX] = {0};\n'
                  '  printf("%d\\n", shape_area(&all[0]) + shape_kind(&all[0]));\n  return 0;\n}\n',
        "old.c": "int old(void) {\n  return missing_name;\n}\n\nint other(void) { return 1; }\n",
    },
    "cpp": {
        "base.h": "#pragma once\n#include <string>\nclass Base {\n public:\n  virtual ~Base() = default;\n"
                  "  virtual int size() const = 0;\n  std::string name() const { return name_; }\n\n"
                  " private:\n  std::string name_;\n};\n",
        "box.h": '#pragma once\n#include "base.h"\ntemplate <class T>\nclass Box : public Base {\n public:\n'
                 "  int size() const override { return 1; }\n  T get() const { return value_; }\n\n"
                 " private:\n  T value_{};\n};\n",
        "box.cc": '#include "box.h"\n\nint total(const Base& a, const Base& b) {\n  return a.size() + b.size();\n}\n',
        "use.cc": '#include "box.h"\n#include <vector>\n\nint total(const Base& a, const Base& b);\n\nint use() {\n'
                  "  Box<int> box;\n  std::vector<int> all;\n  all.push_back(box.get());\n  return total(box, box);\n}\n",
        "free.cc": "#include <string>\n\nstatic std::string join(const std::string& a, const std::string& b) {\n"
                   "  return a + b;\n}\n\nint length() {\n  return static_cast<int>(join(\"a\", \"b\").size());\n}\n",
        "point.h": "#pragma once\nstruct Point {\n  int x;\n  int y;\n};\n",
        "area.h": '#pragma once\n#include "point.h"\ninline int area(const Point& p) { return p.x * p.y; }\n'
                  "template <class T>\nint twice(const T& t) {\n  return t.x * 2;\n}\n",
        "draw.cc": '/* all of it */ #include "area.h"\n\nint draw() {\n  Point p{1, 2};\n  return area(p) + twice(p);\n}\n',
        "make.cc": "#include <memory>\n\nstruct Item {\n  explicit Item(int n) : n(n) {}\n  int n;\n};\n\n"
                   "int made() {\n  return std::make_unique<Item>(1)->n;\n}\n",
    },
    "ts": {
        "tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true, "module": "commonjs", "target": "es2020"}}\n',
        "src/types.ts": "export interface User {\n  id: number;\n  name: string;\n}\n\nexport type Key = 'id' | 'name';\n",
        "src/store.ts": "import { User, Key } from './types';\n\nexport class Store {\n  private users: User[] = [];\n"
                        "  add(user: User): void {\n    this.users.push(user);\n  }\n"
                        "  find(id: number) {\n    return this.users.find(u => u.id === id);\n  }\n"
                        "  values(key: Key) {\n    return this.users.map(u => u[key]);\n  }\n}\n",
        "src/index.ts": "export * from './store';\nexport * from './types';\n",
        "src/app.ts": "import { Store } from './index';\n\nconst store = new Store();\nstore.add({ id: 1, name: 'a' });\n"
                      "const found = store.find(1);\nexport const name: string = found ? found.name : '';\n",
        "src/globals.ts": "function helper(): number {\n  return 1;\n}\n",
        "src/uses.ts": "const helped: number = helper();\n",
        "src/alone.ts": "export function twice(n: number): number {\n  return n * 2;\n}\n\nfunction hidden(): string {\n"
                        "  return 'x';\n}\nexport const shown = hidden();\n",
    },
    "py": {
        "pyrightconfig.json": '{"typeCheckingMode": "basic"}\n',
        "shop/__init__.py": "from .models import Item, Cart\n\n__all__ = ['Item', 'Cart']\n",
        "shop/models.py": "from dataclasses import dataclass, field\n\n\n@dataclass\nclass Item:\n    name: str\n"
                          "    price: int\n\n\n@dataclass\nclass Cart:\n    items: list[Item] = field(default_factory=list)\n\n"
                          "    def total(self) -> int:\n        return sum(item.price for item in self.items)\n\n"
                          "    def first(self):\n        return self.items[0]\n",
        "shop/report.py": "from shop import Cart\n\n\ndef line(cart: Cart) -> str:\n    return f'{cart.first().name}: {cart.total()}'\n",
        "main.py": "from shop import Cart, Item\nfrom shop.report import line\n\ncart = Cart()\ncart.items.append(Item('a', 1))\n"
                   "print(line(cart))\nbroken: int = 'old error'\n",
        "tool.py": "import sys\n\n\ndef main(argv: list[str]) -> int:\n    count = len(argv)\n    return count\n\n\n"
                   "if __name__ == '__main__':\n    sys.exit(main(sys.argv))\n",
    },
    "go": {
        "go.mod": "module example.org/shop\n\ngo 1.20\n",
        "store/store.go": "package store\n\ntype Item struct {\n\tName  string\n\tPrice int\n}\n\n"
                          "func Total(items []Item) int {\n\tsum := 0\n\tfor _, item := range items {\n\t\tsum += item.Price\n\t}\n"
                          "\treturn sum\n}\n",
        "store/more.go": "package store\n\nfunc First(items []Item) Item {\n\treturn items[0]\n}\n",
        "cmd/one/one.go": 'package main\n\nimport ("fmt"; x `example.org/shop/store`)\n\nfunc main() {\n'
                          "\tfmt.Println(x.First(nil))\n}\n",
        "main.go": 'package main\n\nimport (\n\t"fmt"\n\n\t"example.org/shop/store"\n)\n\nfunc main() {\n'
                   '\titems := []store.Item{{Name: "a", Price: 1}}\n\tfmt.Println(store.Total(items), store.First(items).Name)\n}\n',
    },
    "rs": {
        "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
        "src/store.rs": "pub struct Item {\n    pub name: String,\n    pub price: u32,\n}\n\n"
                        "pub fn total(items: &[Item]) -> u32 {\n    let mut sum = 0;\n    for item in items {\n"
                        "        sum += item.price;\n    }\n    sum\n}\n",
        "src/more.rs": "use crate::store::Item;\n\npub fn first(items: Vec<Item>) -> Option<Item> {\n    items.into_iter().next()\n}\n",
        "src/main.rs": "mod more;\nmod store;\n\nuse store::{total, Item};\n\nfn main() {\n"
                       "    let items = vec![Item { name: String::from(\"a\"), price: 1 }];\n"
                       "    println!(\"{}\", total(&items));\n    println!(\"{}\", more::first(items).unwrap().name);\n}\n",
    },
    "sh": {
        "run.sh": '#!/bin/bash\nset -eu\nname=${1:-world}\nif [ "$name" = world ]; then\n  echo "hello $name"\nfi\n'
                  'for file in *.txt; do\n  echo "$file"\ndone\n',
        "lib.sh": '#!/bin/sh\ngreet() {\n  printf "%s\\n" "$1"\n}\n',
    },
}

# project, name, files that an editor has open, edits: (path, old, new); old None: the file is new; new None: removed;
# ("move", path, to).
CASES = [
    ("c", "body right", [], [("shapes.c", "return x * y;", "return y * x;")]),
    ("c", "unknown name", [], [("shapes.c", "return x * y;", "return x * z;")]),
    ("c", "syntax", [], [("shapes.c", "int y = shape->at.y;", "int y = shape->at.y")]),
    ("c", "wrong type", [], [("main.c", "struct shape all[SHAPE_MAX] = {0};", 'struct shape all[SHAPE_MAX] = "x";')]),
    ("c", "warning only", [], [("shapes.c", "return x * y;", "int unused;\n  return x * y;")]),
    ("c", "field renamed in header alone", [], [("point.h", "int y;", "int z;")]),
    ("c", "field renamed everywhere", [], [("point.h", "int y;", "int z;"), ("shapes.c", "shape->at.y", "shape->at.z")]),
    ("c", "field renamed, user open", ["shapes.c"], [("point.h", "int y;", "int z;")]),
    ("c", "field added", [], [("point.h", "int y;", "int y;\n  int z;")]),
    ("c", "macro removed", [], [("shapes.h", "#define SHAPE_MAX 16\n", "")]),
    ("c", "parameter added in header alone", [], [("shapes.h", "int shape_area(const struct shape *shape);",
                                                   "int shape_area(const struct shape *shape, int unit);")]),
    ("c", "error in the header itself", [], [("shapes.h", "return shape->kind;", "return shape->sort;")]),
    ("c", "comment in header", [], [("shapes.h", "#define SHAPE_MAX 16", "/* at most */\n#define SHAPE_MAX 16")]),
    ("c", "new header and user", [], [("unit.h", None, "#pragma once\n#define UNIT 3\n"),
                                      ("shapes.c", '#include "shapes.h"\n', '#include "shapes.h"\n#include "unit.h"\n'),
                                      ("shapes.c", "return x * y;", "return x * y * UNIT;")]),
    ("c", "include of what is not there", [], [("shapes.c", '#include "shapes.h"\n', '#include "shapes.h"\n#include "unit.h"\n')]),
    ("c", "header removed", [], [("point.h", None, None)]),
    ("c", "old error stays", [], [("old.c", "return 1;", "return 2;")]),
    ("c", "old error moves", [], [("old.c", "int old(void) {", "\n\nint old(void) {\n  // it is\n")]),
    ("c", "old error fixed", [], [("old.c", "return missing_name;", "return 3;")]),
    ("c", "new error beside the old one", [], [("old.c", "return 1;", "return missing_too;")]),
    ("cpp", "body right", [], [("free.cc", "return a + b;", "return b + a;")]),
    ("cpp", "no such member", [], [("free.cc", ".size());", ".count_of());")]),
    ("cpp", "pure method added", [], [("base.h", "virtual int size() const = 0;",
                                       "virtual int size() const = 0;\n  virtual int depth() const = 0;")]),
    ("cpp", "method with default added", [], [("base.h", "virtual int size() const = 0;",
                                               "virtual int size() const = 0;\n  virtual int depth() const { return 0; }")]),
    ("cpp", "template member renamed", [], [("box.h", "T get() const", "T take() const")]),
    ("cpp", "template member renamed, open", ["use.cc"], [("box.h", "T get() const", "T take() const")]),
    ("cpp", "template member renamed in both", [], [("box.h", "T get() const", "T take() const"),
                                                    ("use.cc", "box.get()", "box.take()")]),
    ("cpp", "include removed that a user needs", [], [("base.h", "#include <string>\n", "")]),
    ("cpp", "const lost", [], [("base.h", "virtual int size() const = 0;", "virtual int size() = 0;")]),
    ("cpp", "signature in one unit", [], [("box.cc", "int total(const Base& a, const Base& b) {\n  return a.size()",
                                           "int total(const Base& a, const Base& b) {\n  return a.length()")]),
    ("cpp", "body of a function in another header", [], [("point.h", "int y;", "int z;")]),
    ("cpp", "body of a template in another header", [], [("point.h", "int x;", "int w;"), ("area.h", "p.x * p.y", "p.w * p.y")]),
    ("cpp", "constructor called by a template", [], [("make.cc", "make_unique<Item>(1)", "make_unique<Item>(1, 2)")]),
    ("cpp", "constructor called by a template, right", [], [("make.cc", "make_unique<Item>(1)", "make_unique<Item>(2)")]),
    ("cpp", "all that uses a header follows it", [], [("point.h", "int y;", "int z;"), ("area.h", "p.x * p.y", "p.x * p.z")]),
    ("ts", "global of a script", [], [("src/globals.ts", "helper(): number {\n  return 1;", "helper(): string {\n  return '1';")]),
    ("ts", "body right", [], [("src/alone.ts", "return n * 2;", "return n + n;")]),
    ("ts", "wrong return type", [], [("src/alone.ts", "return n * 2;", "return String(n);")]),
    ("ts", "unknown name", [], [("src/alone.ts", "return 'x';", "return x;")]),
    ("ts", "syntax", [], [("src/alone.ts", "return n * 2;\n}", "return n * 2;\n")]),
    ("ts", "field renamed alone", [], [("src/types.ts", "name: string;", "title: string;")]),
    ("ts", "field made optional", [], [("src/types.ts", "name: string;", "name?: string;")]),
    ("ts", "inferred return changes", [], [("src/store.ts", "return this.users.find(u => u.id === id);",
                                            "return this.users.findIndex(u => u.id === id);")]),
    ("ts", "inferred return, user open", ["src/app.ts"], [("src/store.ts", "return this.users.find(u => u.id === id);",
                                                           "return this.users.findIndex(u => u.id === id);")]),
    ("ts", "export removed behind a barrel", [], [("src/index.ts", "export * from './store';\n", "")]),
    ("ts", "new module and user", [], [("src/unit.ts", None, "export const unit = 3;\n"),
                                       ("src/alone.ts", "export function twice", "import { unit } from './unit';\nexport function twice"),
                                       ("src/alone.ts", "return n * 2;", "return n * unit;")]),
    ("ts", "import of what is not there", [], [("src/alone.ts", "export function twice", "import { unit } from './unit';\nexport function twice")]),
    ("ts", "module removed", [], [("src/types.ts", None, None)]),
    ("ts", "unused module removed", [], [("src/alone.ts", None, None)]),
    ("ts", "field added", [], [("src/types.ts", "name: string;", "name: string;\n  email?: string;")]),
    ("py", "body right", [], [("tool.py", "return count", "return count + 1")]),
    ("py", "wrong type", [], [("tool.py", "return count", "return str(count)")]),
    ("py", "unknown name", [], [("tool.py", "count = len(argv)", "count = len(args)")]),
    ("py", "syntax", [], [("tool.py", "def main(argv: list[str]) -> int:", "def main(argv: list[str]) -> int")]),
    ("py", "field renamed alone", [], [("shop/models.py", "    name: str\n", "    title: str\n")]),
    ("py", "field renamed everywhere", [], [("shop/models.py", "    name: str\n", "    title: str\n"),
                                            ("shop/report.py", ".first().name", ".first().title")]),
    ("py", "inferred return changes", ["shop/report.py"], [("shop/models.py", "return self.items[0]", "return self.items")]),
    ("py", "export removed", [], [("shop/__init__.py", "from .models import Item, Cart\n\n__all__ = ['Item', 'Cart']\n",
                                   "from .models import Cart\n\n__all__ = ['Cart']\n")]),
    ("py", "new module and user", [], [("shop/tax.py", None, "RATE = 2\n"),
                                       ("tool.py", "import sys\n", "import sys\n\nfrom shop.tax import RATE\n"),
                                       ("tool.py", "return count", "return count * RATE")]),
    ("py", "import of what is not there", [], [("tool.py", "import sys\n", "import sys\n\nfrom shop.tax import RATE\n")]),
    ("py", "module removed", [], [("shop/report.py", None, None)]),
    ("py", "unused module removed", [], [("tool.py", None, None)]),
    ("py", "old error stays", [], [("main.py", "print(line(cart))", "print(line(cart), 1)")]),
    ("py", "parameter added", [], [("shop/report.py", "def line(cart: Cart)", "def line(cart: Cart, width: int)")]),
    ("py", "parameter with default added", [], [("shop/report.py", "def line(cart: Cart)", "def line(cart: Cart, width: int = 3)")]),
    ("go", "body right", [], [("store/store.go", "sum += item.Price", "sum = sum + item.Price")]),
    ("go", "unknown name", [], [("store/store.go", "sum += item.Price", "sum += item.Cost")]),
    ("go", "unused variable", [], [("store/store.go", "sum := 0", "sum := 0\n\tunused := 1")]),
    ("go", "field renamed alone", [], [("store/store.go", "Name  string", "Title string")]),
    ("go", "field renamed everywhere", [], [("store/store.go", "Name  string", "Title string"),
                                            ("main.go", 'Name: "a"', 'Title: "a"'),
                                            ("main.go", "store.First(items).Name", "store.First(items).Title")]),
    ("go", "parameter added, user closed", [], [("store/more.go", "func First(items []Item) Item {", "func First(items []Item, n int) Item {")]),
    ("go", "same package", [], [("store/store.go", "type Item struct {", "type Thing struct {"),
                                ("store/store.go", "func Total(items []Item) int {", "func Total(items []Thing) int {")]),
    ("go", "new file and user", [], [("store/tax.go", None, "package store\n\nconst Rate = 2\n"),
                                     ("store/store.go", "return sum\n", "return sum * Rate\n")]),
    ("go", "file removed", [], [("store/more.go", None, None)]),
    ("go", "unused import", [], [("store/more.go", "package store\n", 'package store\n\nimport "fmt"\n')]),
    ("rs", "body right", [], [("src/store.rs", "sum += item.price;", "sum = sum + item.price;")]),
    ("rs", "unknown field", [], [("src/store.rs", "sum += item.price;", "sum += item.cost;")]),
    ("rs", "wrong type", [], [("src/store.rs", "let mut sum = 0;", 'let mut sum = "";')]),
    ("rs", "moved value", [], [("src/main.rs", 'println!("{}", total(&items));',
                                'more::first(items);\n    println!("{}", total(&items));')]),
    ("rs", "warning only", [], [("src/store.rs", "let mut sum = 0;", "let unused = 1;\n    let mut sum = 0;")]),
    ("rs", "field renamed alone", [], [("src/store.rs", "pub name: String", "pub title: String")]),
    ("rs", "field renamed everywhere", [], [("src/store.rs", "pub name: String", "pub title: String"),
                                            ("src/main.rs", "name: String::from", "title: String::from"),
                                            ("src/main.rs", "unwrap().name", "unwrap().title")]),
    ("rs", "parameter added, user closed", [], [("src/more.rs", "items: Vec<Item>", "items: Vec<Item>, n: usize")]),
    ("rs", "new module and user", [], [("src/tax.rs", None, "pub const RATE: u32 = 2;\n"),
                                       ("src/main.rs", "mod store;\n", "mod store;\nmod tax;\n"),
                                       ("src/main.rs", "total(&items));", "total(&items) * tax::RATE);")]),
    ("rs", "module removed", [], [("src/more.rs", None, None)]),
    ("sh", "right", [], [("run.sh", 'echo "hello $name"', 'echo "hallo $name"')]),
    ("sh", "if without fi", [], [("run.sh", '  echo "hello $name"\nfi\n', '  echo "hello $name"\n')]),
    ("sh", "quote not closed", [], [("lib.sh", '"$1"', '"$1')]),
    ("sh", "warning only", [], [("run.sh", 'echo "hello $name"', "echo hello $name")]),
    ("sh", "new file", [], [("more.sh", None, "#!/bin/sh\necho more\n")]),
]
