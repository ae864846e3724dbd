// The page of the view "Conversation": a feed of asks, and the field below it. What it shows comes as messages from conversation_view.ts
// and composer.ts; what a model wrote comes escaped. Nothing is decided here.
const host = acquireVsCodeApi();
const at = (id) => document.getElementById(id);
const asks = at("asks"), feed = at("feed"), text = at("text"), list = at("list"), effort = at("effort");

const time = (ms) => { const s = Math.max(0, Math.round(ms / 1000)); return s < 60 ? s + " s" : Math.floor(s / 60) + " min " + s % 60 + " s"; };
const tick = () => {
  for (const span of asks.querySelectorAll(".time")) {
    span.textContent = time(Date.now() - span.dataset.begun);
    const quiet = Date.now() - span.dataset.heard, hang = span.closest("article").querySelector(".hang");
    if (hang) hang.hidden = quiet < 20000;
    if (hang && !hang.hidden) hang.textContent = "Nothing heard for " + time(quiet) + ". You can wait, or cancel.";
  }
};
const renew = (old, made) => {
  const olds = [...old.childNodes], news = [...made.childNodes];
  news.forEach((each, index) => {
    const before = olds[index];
    if (!before) return old.append(each);
    if (before.isEqualNode(each)) return;
    const isSame = before.nodeType === 1 && each.nodeType === 1 && before.cloneNode().isEqualNode(each.cloneNode());
    if (isSame) renew(before, each);
    else if (before.nodeType === 3 && each.nodeType === 3 && each.data.startsWith(before.data)) before.appendData(each.data.slice(before.data.length));
    else before.replaceWith(each);
  });
  olds.slice(news.length).forEach((each) => each.remove());
};
// What is said at once is all read: each is a line of its own.
const speak = (words) => {
  const box = at("spoken");
  if (!words) return;
  box.append(Object.assign(document.createElement("p"), { textContent: words }));
  while (box.childElementCount > 5) box.firstElementChild.remove();
};
// Also when the view gets smaller: another one comes up below it with a proposal.
let staysAtEnd = true;
const toEnd = () => feed.scrollTo(0, feed.scrollHeight);
feed.addEventListener("scroll", () => { staysAtEnd = feed.clientHeight + feed.scrollTop >= feed.scrollHeight - 40; });
addEventListener("resize", () => { if (staysAtEnd) toEnd(); });

function showAsk({ id, html, spoken }) {
  let block = at("ask-" + id);
  const isNew = !block;
  if (isNew) {
    block = document.createElement("article");
    block.id = "ask-" + id;
    block.dataset.ask = id;
    block.tabIndex = -1;
    asks.append(block);
    at("none").hidden = true;
  }
  const focused = block.contains(document.activeElement) ? document.activeElement.dataset.action : undefined;
  const open = new Map([...block.querySelectorAll("details")].map((each) => [each.dataset.key, each.open]));
  // What is selected stays so: of a text that grows, what has been drawn is not drawn again.
  const drawn = document.createElement("div");
  drawn.innerHTML = html;
  for (const each of drawn.querySelectorAll("details")) each.open = open.get(each.dataset.key) ?? false;
  renew(block, drawn);
  if (focused) block.querySelector('[data-action="' + focused + '"]')?.focus();
  speak(spoken);
  tick();
  if (isNew || staysAtEnd) toEnd();
}

// --- The field ---
let requests = [], recalled = -1, files = [], place = "", withPlace = true, asked = 0;
const fit = () => { text.style.height = "auto"; text.style.height = text.scrollHeight + 2 + "px"; if (staysAtEnd) toEnd(); };
const keep = () => host.setState({ text: text.value, effort: effort.value });
const setText = (words) => {
  text.value = words;
  text.setSelectionRange(words.length, words.length);
  fit();
  keep();
};
const closeList = () => {
  list.hidden = true;
  list.replaceChildren();
  text.removeAttribute("aria-activedescendant");
  text.setAttribute("aria-expanded", "false");
};
const marked = () => list.querySelector('[aria-selected="true"]');
const mark = (row) => {
  marked()?.setAttribute("aria-selected", "false");
  row.setAttribute("aria-selected", "true");
  row.scrollIntoView({ block: "nearest" });
  text.setAttribute("aria-activedescendant", row.id);
};
const take = (row) => {
  const { begin, end, insert } = row.dataset;
  text.setRangeText(insert, Number(begin), Number(end), "end");
  closeList();
  fit();
  keep();
  text.focus();
};
// The word before the cursor, if it can become something.
const word = () => /(^|\s)([@/]\S*)$/.exec(text.value.slice(0, text.selectionStart))?.[2];
const look = () => {
  const its = word();
  if (its === undefined || (its[0] === "/" && text.selectionStart !== its.length)) return closeList();
  host.postMessage({ complete: text.value.slice(0, text.selectionStart), number: ++asked });
};
function showList({ number, start, end, items }) {
  if (number !== asked || document.activeElement !== text || word() === undefined) return;
  const typed = text.value.slice(start, end);
  // A word that is complete is no question any more: <Enter> sends.
  if (items.length === 0 || items.some(({ insertText }) => insertText.trim() === typed)) return closeList();
  list.replaceChildren(...items.map(({ label, insertText, detail }, index) => {
    const row = document.createElement("li");
    Object.assign(row, { id: "row-" + index, role: "option", textContent: label });
    Object.assign(row.dataset, { begin: start, end, insert: insertText });
    row.setAttribute("aria-selected", "false");
    if (detail) row.append(Object.assign(document.createElement("span"), { className: "dim", textContent: detail }));
    return row;
  }));
  list.hidden = false;
  text.setAttribute("aria-expanded", "true");
  mark(list.firstElementChild);
}
function showChips() {
  const chips = files.map(({ name }, index) => {
    const chip = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: name + " ✕" });
    chip.setAttribute("aria-label", "Attached: " + name + ". Take away");
    chip.dataset.detach = index;
    return chip;
  });
  if (place) {
    const chip = Object.assign(document.createElement("button"), { type: "button", className: "chip", textContent: place, id: "place" });
    chip.title = withPlace ? "The model is shown this place. Press to leave it out." : "This place is left out. Press to show it to the model.";
    chip.setAttribute("aria-pressed", String(withPlace));
    chips.unshift(chip);
  }
  at("chips").replaceChildren(...chips);
}
function send() {
  if (!text.value.trim()) return;
  host.postMessage({ send: text.value.trim(), effort: effort.value, withPlace });
  setText("");
  recalled = -1;
  closeList();
}
const recall = (by) => {
  const next = Math.min(recalled + by, requests.length - 1);
  if (next === recalled) return;
  recalled = next;
  setText(next < 0 ? "" : requests[next]);
};
text.addEventListener("input", () => { recalled = -1; fit(); keep(); look(); });
text.addEventListener("blur", () => setTimeout(() => { if (document.activeElement !== text) closeList(); }, 200));
text.addEventListener("keydown", (event) => {
  const { key, shiftKey, ctrlKey, altKey, metaKey, isComposing } = event;
  if (isComposing || ctrlKey || altKey || metaKey) return;
  const row = list.hidden ? undefined : marked();
  const done = (act) => { event.preventDefault(); event.stopPropagation(); act(); };
  if (row && key === "Escape") return done(closeList);
  if (row && (key === "ArrowDown" || key === "ArrowUp"))
    return done(() => mark((key === "ArrowDown" ? row.nextElementSibling ?? list.firstElementChild : row.previousElementSibling ?? list.lastElementChild)));
  if (row && !shiftKey && (key === "Enter" || key === "Tab")) return done(() => take(row));
  if (key === "Enter" && !shiftKey) return done(send);
  if (key === "ArrowUp" && (!text.value || recalled >= 0) && requests.length > 0) return done(() => recall(1));
  if (key === "ArrowDown" && recalled >= 0) return done(() => recall(-1));
});
const bytesOf = (file) => new Promise((resolve) => {
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
  reader.readAsDataURL(file);
});
const hand = async (given) => {
  for (const file of given) host.postMessage({ pasted: { name: file.name, data: await bytesOf(file) } });
};
text.addEventListener("paste", (event) => {
  const given = [...event.clipboardData.files];
  if (given.length === 0) return;
  event.preventDefault();
  void hand(given);
});
const composer = at("composer");
composer.addEventListener("dragover", (event) => { event.preventDefault(); composer.classList.add("over"); });
composer.addEventListener("dragleave", () => composer.classList.remove("over"));
composer.addEventListener("drop", (event) => {
  event.preventDefault();
  composer.classList.remove("over");
  const uris = event.dataTransfer.getData("text/uri-list") || event.dataTransfer.getData("application/vnd.code.uri-list");
  if (uris) host.postMessage({ dropped: uris.split(/\r?\n/).filter((each) => each && !each.startsWith("#")) });
  else void hand([...event.dataTransfer.files]);
});
list.addEventListener("mousedown", (event) => {
  event.preventDefault();
  const row = event.target.closest("li");
  if (row) take(row);
});
composer.addEventListener("submit", (event) => { event.preventDefault(); send(); });
at("chips").addEventListener("click", ({ target }) => {
  if (target.dataset.detach !== undefined) host.postMessage({ detach: Number(target.dataset.detach) });
  if (target.id !== "place") return;
  withPlace = !withPlace;
  showChips();
  at("place").focus();
});
effort.addEventListener("change", keep);
for (const [id, does] of [["switch", "switch"], ["new", "new"], ["attach", "attach"], ["model", "model"]])
  at(id).addEventListener("click", () => host.postMessage({ does }));
at("none").addEventListener("click", ({ target }) => {
  const { does } = target.closest("button")?.dataset ?? {};
  if (does) host.postMessage({ does });
});

addEventListener("message", ({ data }) => {
  if (data.questions !== undefined) {
    at("questions").innerHTML = data.questions;
    speak(data.spoken);
    if (data.questions) toEnd();
    return;
  }
  if (data.session !== undefined) {
    at("switch").firstChild.data = data.session + " ";
    at("switch").title = data.session;
    if (data.earlier !== undefined) at("earlier").innerHTML = data.earlier;
    at("earlier").hidden = !at("earlier").innerHTML;
    if (data.clear) {
      asks.replaceChildren();
      staysAtEnd = true;
    }
    at("none").hidden = asks.childElementCount > 0 || !at("earlier").hidden;
    return;
  }
  if (data.composer) {
    const { model, requests: before, files: its, place: here } = data.composer;
    at("model").firstChild.data = model + " ";
    requests = before;
    files = its;
    place = here;
    return showChips();
  }
  if (data.completions) return showList(data.completions);
  if (data.focus) return text.focus();
  if (data.newest) return void (asks.lastElementChild ?? text).focus();
  if (data.id === undefined) return speak(data.spoken);
  showAsk(data);
});
feed.addEventListener("click", ({ target }) => {
  const { action, open, line } = target.dataset;
  if (action) host.postMessage({ action, ask: target.closest("article").dataset.ask });
  if (open) host.postMessage({ open, line: Number(line ?? 0) });
  if (target.dataset.copy !== undefined) {
    host.postMessage({ copy: target.parentElement.querySelector("code").textContent });
    target.textContent = "Copied";
  }
  if (target.dataset.choice) host.postMessage({ choice: target.dataset.choice, question: target.dataset.question });
});
// The key of the machine that the page is seen on, which need not be the one that the extension runs on.
at("key").textContent = /^Mac/.test(navigator.platform) ? "⌘⌥J" : "Ctrl+Alt+J";
const before = host.getState();
if (before?.text) setText(before.text);
if (before?.effort) effort.value = before.effort;
setInterval(tick, 1000);
// How wide the editors are, no extension is told.
const tellWidth = () => innerWidth && host.postMessage({ width: { window: outerWidth, page: innerWidth } });
addEventListener("resize", tellWidth);
tellWidth();
host.postMessage({ ready: true });
