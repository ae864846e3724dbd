"""Correct code in syntax that is new in its language, or that files have with an option, which a grammar, a server or an
interpreter of this machine may not know: whatever they say, it is never called an error. Used by
tests/verify_cli/run.py."""

# path, the text before, the text afterwards
NEW_SYNTAX = [
    # C23
    ("c23_enum.c", "int x;\n", "enum Color : unsigned char { RED, GREEN };\nenum Color first = RED;\n"),
    ("c23_null.c", "int *p;\n", "int *p = nullptr;\nbool is_set = true;\nstatic_assert(sizeof(int) >= 2);\n"),
    ("c23_constexpr.c", "int f(void) { return 1; }\n", "constexpr int kLimit = 1'000;\nint f(void) { return kLimit; }\n"),
    ("c23_attribute.c", "int f(void);\n", "[[nodiscard(\"it may fail\")]] int f(void);\n[[deprecated]] int g(void);\n"),
    ("c23_typeof.c", "int a;\n", "int a;\ntypeof(a) b = 2;\ntypeof_unqual(a) c = 0b1010;\n"),
    ("c23_auto.c", "int f(void) { int n = 1; return n; }\n", "int f(void) { auto n = 1; return n; }\n"),
    ("c23_label.c", "int n;\n", "int n;\nint g(int n) {\n  switch (n) {\n  case 1:\n  }\n  return n;\nend:\n}\n"),
    ("c23_bitint.c", "int a;\n", "unsigned _BitInt(12) a = 5uwb;\nint add(int, int) { return 1; }\nint e[2] = {};\n"),
    # C++20, C++23
    ("consteval.cpp", "int f(int n) { return n; }\n", "int f(int n) {\n  if consteval { return 0; } else { return n; }\n}\n"),
    ("this.cpp", "struct A { int n; };\n", "struct A {\n  int n;\n  auto&& get(this auto&& self) { return self.n; }\n};\n"),
    ("subscript.cpp", "struct M { int v[4]; };\n", "struct M {\n  int v[4];\n  int operator[](int x, int y) const { return v[x * 2 + y]; }\n  static int operator()(int n) { return n; }\n};\n"),
    ("lambda.cpp", "auto f = [] { return 1; };\n", "auto f = []<typename T>(T value) static -> T { return value; };\nauto g = [] mutable { return 1; };\n"),
    ("concept.cpp", "template <class T> T f(T n) { return n; }\n", "template <class T>\nconcept Small = sizeof(T) <= 4;\nSmall auto f(Small auto n) requires(sizeof(n) > 0) { return n; }\n"),
    ("module.cpp", "int a;\n", "export module shapes;\nexport int area(int side) { return side * side; }\n"),
    ("assume.cpp", "int f(int n) { return n; }\n", "int f(int n) {\n  [[assume(n > 0)]];\n  auto size = 3uz;\n  return auto(n) + int(size);\n}\n"),
    ("coroutine.cpp", "int f();\n", "template <class T>\nint f(T next) {\n  co_await next();\n  co_return 1;\n}\n"),
    # Rust 1.80 to 1.88
    ("extern.rs", "fn f() {}\n", "unsafe extern \"C\" {\n    pub safe fn sqrt(x: f64) -> f64;\n}\n"),
    ("capture.rs", "fn f() {}\n", "fn f<'a, T>(x: &'a T) -> impl Sized + use<'a, T> {\n    x\n}\n"),
    ("raw.rs", "fn f() {}\n", "fn f(x: &mut u8) -> *mut u8 {\n    &raw mut *x\n}\n"),
    ("closure.rs", "fn f() {}\n", "async fn call<F: AsyncFn(u8)>(f: F) {\n    let g = async |n: u8| f(n).await;\n    g(1).await;\n}\n"),
    ("chain.rs", "fn f() {}\n", "fn f(a: Option<u8>) -> u8 {\n    if let Some(n) = a && n > 1 { n } else { 0 }\n}\n"),
    ("cstring.rs", "fn f() {}\n", "fn f() {\n    let Some(name) = find() else { return };\n    let _ = (c\"text\", name);\n}\n"),
    ("attribute.rs", "fn f() {}\n", "#[unsafe(no_mangle)]\npub extern \"C\" fn f() {}\n"),
    # TypeScript 5
    ("const.ts", "export const a = 1;\n", "export function list<const T>(items: T[]): T[] {\n  return items;\n}\n"),
    ("accessor.ts", "export class A {}\n", "function logged(value: unknown, context: unknown) {}\nexport class A {\n  @logged accessor size = 1;\n}\n"),
    ("using.ts", "export const a = 1;\n", "export function f(open: () => Disposable) {\n  using file = open();\n  return file;\n}\n"),
    ("variance.ts", "export const a = 1;\n", "export interface Source<in out T> {\n  next(value: T): T;\n}\nexport const b = { n: 1 } satisfies { n: number };\n"),
    ("attributes.ts", "export const a = 1;\n", "import data from \"./data.json\" with { type: \"json\" };\nexport { data };\nexport type * from \"./types\";\n"),
    ("template.ts", "export const a = 1;\n", "export type Route = `/${string}/${number}`;\nexport type Last<T> = T extends [...unknown[], infer L extends string] ? L : never;\n"),
    # JavaScript
    ("logical.js", "let a = 1;\n", "let a = null;\na ??= 1;\na ||= 1_000n;\nclass B {\n  static #count = 0;\n  static { B.#count = 1; }\n  has(o) { return #count in o; }\n}\n"),
    ("regexp.js", "let a = 1;\n", "let a = /[\\p{L}--[a-z]]/v;\nlet b = a?.exec?.(\"x\")?.[0];\n"),
    ("using.js", "let a = 1;\n", "function f(open) {\n  using file = open();\n  return file.size;\n}\n"),
    # Java 17 to 25
    ("Shape.java", "class Shape {}\n", "sealed interface Shape permits Circle, Square {}\nrecord Circle(double radius) implements Shape {}\nrecord Square(double side) implements Shape {}\n"),
    ("Area.java", "class Area {}\n", "class Area {\n  double of(Shape shape) {\n    return switch (shape) {\n      case Circle(double radius) when radius > 0 -> radius;\n      case Square(var side) -> side;\n      default -> 0;\n    };\n  }\n}\n"),
    ("Main.java", "class Main {}\n", "import module java.base;\n\nvoid main() {\n  IO.println(\"one\");\n}\n"),
    ("Text.java", "class Text {}\n", "class Text {\n  Text(int size) {\n    if (size < 0) throw new IllegalArgumentException();\n    super();\n  }\n  void skip() {\n    try { int _ = 1; } catch (Exception _) { }\n  }\n  String block = \"\"\"\n      one \"two\"\n      \"\"\";\n}\n"),
    # C# 11 to 14
    ("Point.cs", "class Point { }\n", "class Point(int x, int y)\n{\n    public int Sum => x + y;\n    public required string Name { get; init; }\n}\n"),
    ("Lists.cs", "class Lists { }\n", "class Lists\n{\n    int[] all = [1, 2, .. more];\n    static int[] more = [3];\n    string raw = \"\"\"a \"quoted\" {word}\"\"\";\n}\n"),
    ("Field.cs", "class Field { }\n", "class Field\n{\n    public int Size { get; set => field = value < 0 ? 0 : value; }\n    void Set(Field? other) { other?.Size = 1; }\n}\n"),
    ("Extensions.cs", "static class Extensions { }\n", "static class Extensions\n{\n    extension(string text)\n    {\n        public bool IsShort => text.Length < 3;\n    }\n}\n"),
    ("Match.cs", "class Match { }\n", "class Match\n{\n    bool Is(int[] a) => a is [1, .., > 2];\n    void F(params ReadOnlySpan<int> all) { }\n}\n"),
    # Swift 5.9 to 6
    ("errors.swift", "let a = 1\n", "func load() throws(LoadError) -> Int {\n  let n = if ready { 1 } else { 2 }\n  return n\n}\n"),
    ("owned.swift", "let a = 1\n", "struct File: ~Copyable {\n  consuming func close() {}\n  borrowing func size() -> Int { 1 }\n}\n"),
    ("pack.swift", "let a = 1\n", "func all<each T>(_ items: repeat each T) -> (repeat each T) {\n  return (repeat each items)\n}\n"),
    ("macro.swift", "let a = 1\n", "@Observable final class Model {\n  nonisolated(unsafe) static var count = 0\n}\nlet p = #Predicate<Model> { _ in true }\n"),
    # Kotlin 1.9 to 2.2
    ("guard.kt", "val a = 1\n", "fun f(x: Any) = when (x) {\n    is String if x.isEmpty() -> 0\n    else -> 1\n}\n"),
    ("dollar.kt", "val a = 1\n", "val price = $$\"\"\"{\"cost\": \"$5\", \"name\": \"$${name}\"}\"\"\"\n"),
    ("context.kt", "val a = 1\n", "context(log: Logger)\nfun report(text: String) = log.info(text)\n"),
    ("until.kt", "val a = 1\n", "fun f() {\n    for (i in 0..<10) println(i)\n}\ndata object Empty\n"),
    # PHP 8.1 to 8.5
    ("enum.php", "<?php\n$a = 1;\n", "<?php\nenum Suit: string {\n    case Hearts = 'h';\n    const Wild = self::Hearts;\n}\n"),
    ("hooks.php", "<?php\n$a = 1;\n", "<?php\nclass User {\n    public string $name {\n        get => ucfirst($this->name);\n        set(string $value) { $this->name = trim($value); }\n    }\n    public private(set) int $age = 1;\n}\n"),
    ("pipe.php", "<?php\n$a = 1;\n", "<?php\n$a = ' x ' |> trim(...) |> strlen(...);\n$b = clone($c, ['x' => 1]);\n"),
    ("ctor.php", "<?php\n$a = 1;\n", "<?php\nfinal readonly class Point {\n    public function __construct(public int $x = 0, protected(set) int $y = 1) {}\n}\n#[\\NoDiscard] function f(): never { throw new \\Exception(); }\n"),
    # bash 5.2, 5.3
    ("funsub.sh", "#!/usr/bin/env bash\nx=1\n", "#!/usr/bin/env bash\nx=${ date +%s; }\ny=${| REPLY=2; }\necho \"$x\" \"$y\"\n"),
    ("case.sh", "#!/usr/bin/env bash\nx=1\n", "#!/usr/bin/env bash\ncase $1 in\n  a) x=1 ;;&\n  b) x=${1@Q} ;&\n  *) x=${ date; } ;;\nesac\ncoproc cat\n"),
    # Python 3.10 to 3.14
    ("match.py", "x = 1\n", "def f(point):\n    match point:\n        case {\"x\": int(x), **rest} if x > 0:\n            return x, rest\n        case [first, *_]:\n            return first\n"),
    ("types.py", "x = 1\n", "type Pair[T: (int, str) = int] = tuple[T, T]\n\n\ndef first[T](items: list[T]) -> T:\n    return items[0]\n"),
    ("groups.py", "x = 1\n", "def f():\n    try:\n        pass\n    except* ValueError:\n        pass\n    return f\"{'a' + f'{1:{2}}'}\"\n"),
    ("strings.py", "x = 1\n", "def f(names):\n    return f\"{\", \".join(names)} and {\n        len(names)  # counted\n    }\"\n"),
    ("except.py", "x = 1\n", "def f():\n    try:\n        pass\n    except ValueError, TypeError:\n        pass\n"),
    ("template.py", "x = 1\n", "def f(name):\n    return t\"{name} is {name!r:>{10}}\"\n"),
    # CSS
    ("nest.css", "a { color: red }\n", ".card {\n  color: red;\n  &:hover { color: blue }\n  @media (width >= 600px) { padding: 1rem }\n}\n"),
    ("layer.css", "a { color: red }\n", "@layer base, theme;\n@property --size { syntax: \"<length>\"; inherits: false; initial-value: 0px }\n@container card (inline-size > 20em) { p { color: oklch(60% 0.1 200 / 50%) } }\n"),
    ("scope.css", "a { color: red }\n", "@scope (.card) to (.content) { img { border: 1px solid } }\n@starting-style { dialog { opacity: 0 } }\na:has(> img):not(.x, .y) { inset: 0 }\n"),
    # others
    ("tsconfig.json", "{\n  \"a\": 1\n}\n", "{\n  // why\n  \"a\": 1,\n}\n"),
    (".vscode/settings.json", "{\n  \"a\": 1\n}\n", "{\n  /* of the editor */\n  \"a\": [1, 2,],\n}\n"),
    ("chart/templates/deploy.yaml", "name: b\n", "{{- if .Values.on }}\nmetadata:\n  name: {{ .Release.Name }}\n  labels: {{- toYaml .Values.labels | nindent 4 }}\n{{- end }}\n"),
    ("roles/web/tasks.yml", "- name: a\n", "- name: \"{{ service }}\"\n  when: on\n{% for port in ports %}\n- port: {{ port }}\n{% endfor %}\n"),
    ("range.go", "package a\n", "package a\n\nfunc f() int {\n\tn := 0\n\tfor i := range 10 {\n\t\tn += min(i, 2)\n\t}\n\treturn n\n}\n"),
    ("iter.go", "package a\n", "package a\n\ntype Set[T comparable] = map[T]struct{}\n\nfunc All[T any](items []T) func(func(int, T) bool) {\n\treturn func(yield func(int, T) bool) {\n\t\tfor i, item := range items {\n\t\t\tif !yield(i, item) {\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t}\n}\n"),
    ("five.lua", "a = 1\n", "global none\nglobal <const> b = 1\nlocal c <close> = nil\ngoto done\n::done::\n"),
    ("endless.rb", "a = 1\n", "def twice(n) = n * 2\nPoint = Data.define(:x, :y)\ncase { name: \"a\", size: 2 }\nin { name: String => name, size: 1.. }\n  puts name\nend\n[1].each { puts it }\ndef pass(*, **, &) = twice(*, **, &)\n"),
    ("result.zig", "const a = 1;\n", "const std = @import(\"std\");\npub fn f(x: u8) u8 {\n    sw: switch (x) {\n        0 => continue :sw 1,\n        else => return x,\n    }\n}\n"),
    # what options and aliases of a shell make right, and dialects that have their language's file names
    ("options.sh", "x=1\n", "shopt -s extglob\nls !(a|b)\ncase $1 in\n  @(one|two)*) x=2 ;;\nesac\n"),
    ("aliases.bash", "x=1\n", "shopt -s expand_aliases\nalias if_there='if test -e there; then'\nif_there\n  x=2\nfi\n"),
    (".zshrc", "x=1\n", "for file (~/.config/zsh/*.zsh(N)) source $file\nif [[ -n $x ]] { print -P %~ }\nalias -g L='| less'\n"),
    (".zprofile", "x=1\n", "path=(~/bin $path)\nforeach each ($path); print $each; end\n() { local one=1 }\n"),
    ("plugin.zsh", "x=1\n", "repeat 2 { print one }\nif (( x )) print two\n"),
    ("flow.js", "// @flow\nlet a = 1;\n", "// @flow\nimport type {A} from './a';\nimport typeof B from './b';\ntype C = {| +one: ?A, ... |};\nexport default (a: C): %checks => !!a;\n"),
]
