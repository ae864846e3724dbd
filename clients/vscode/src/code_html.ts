// Code with colours, as HTML: comments, texts, numbers and the words that most languages have. Pure. It knows no
// language well; what it does not know is left as it is.
import { escaped } from "./html.ts";

const kMaxColoured = 50_000; // characters; longer code is shown as it is
const kWords = new Set(
  (
    "abstract and as assert async await begin bool boolean break byte case catch char class const " +
    "constexpr continue def default defer delete do done double elif else elsif end enum esac except " +
    "export extends extern false fi final finally float fn for from func function global go goto if impl " +
    "implements import in include inline instanceof int interface internal is lambda let local long loop " +
    "match mod module mut namespace native new nil none None not null nullptr of operator or override " +
    "package pass private protected pub public raise readonly ref require return self short signed sizeof " +
    "static struct super switch then this throw throws trait true True False try type typedef typename " +
    "typeof undefined union unless unsafe unsigned until use using var virtual void volatile when where " +
    "while with yield"
  ).split(" "),
);
const kHash = // languages whose comments begin with #
  /^(py|python|sh|bash|zsh|shell(script)?|rb|ruby|ya?ml|toml|perl|pl|r|make(file)?|dockerfile|cmake|nix|elixir)$/i;
const kDash = /^(sql|lua|haskell|hs|ada|elm)$/i;

type Kind = "comment" | "string" | "number" | "keyword" | "";

// All of the code, in pieces of one colour each.
export function piecesOf(code: string, language: string): { text: string; kind: Kind }[] {
  if (!language || code.length > kMaxColoured) return [{ text: code, kind: "" }];
  const comment = kHash.test(language)
    ? "#[^\\n]*"
    : kDash.test(language)
      ? "--[^\\n]*"
      : "//[^\\n]*|/\\*[^]*?(?:\\*/|$)";
  const quoted = "\"(?:[^\"\\\\\\n]|\\\\.)*\"?|'(?:[^'\\\\\\n]|\\\\.)*'?|`(?:[^`\\\\]|\\\\.)*`?";
  const pattern = new RegExp(`(${comment})|(${quoted})|\\b(\\d[\\w.]*)|([A-Za-z_]\\w*)`, "g");
  const pieces: { text: string; kind: Kind }[] = [];
  let from = 0;
  for (const found of code.matchAll(pattern)) {
    const [all, isComment, isText, isNumber, word] = found;
    const kind = isComment
      ? "comment"
      : isText
        ? "string"
        : isNumber
          ? "number"
          : kWords.has(word)
            ? "keyword"
            : "";
    if (!kind) continue;
    if (found.index > from) pieces.push({ text: code.slice(from, found.index), kind: "" });
    pieces.push({ text: all, kind });
    from = found.index + all.length;
  }
  if (from < code.length) pieces.push({ text: code.slice(from), kind: "" });
  return pieces;
}

export function coloured(code: string, language: string): string {
  const html = ({ text, kind }: { text: string; kind: Kind }) =>
    kind ? `<span class="${kind}">${escaped(text)}</span>` : escaped(text);
  return piecesOf(code, language).map(html).join("");
}
