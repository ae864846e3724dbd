// The page of the view "Conversation". All colours are the theme's. The policy lets nothing be fetched: what a
// model wrote can only be read. The style and the script are the files of media/ with its name.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { kStyle } from "./html.ts";

const efforts = ["auto", "none", "low", "medium", "high", "max"];

// `media`: the folder of that name.
export function page(nonce: string, media: string): string {
  const text = (name: string) => readFileSync(join(media, name), "utf8");
  const options = efforts.map(
    (each) => `<option value="${each === "auto" ? "" : each}">${each === "auto" ? "effort" : each}</option>`,
  );
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>Conversation</title>
<style nonce="${nonce}">
${kStyle}${text("conversation.css")}</style></head>
<body>
<div id="top" role="toolbar" aria-label="Session">
<button id="switch" class="plain" aria-haspopup="dialog"
 title="New session">New session <span aria-hidden="true">▾</span></button>
<button id="new" class="plain" title="Begin another session">+ New</button>
</div>
<div id="feed" tabindex="-1">
<section id="earlier" aria-label="Earlier in this session" hidden></section>
<div id="none">
<h3>Three first steps</h3>
<div class="buttons">
<button data-does="model">1. Choose a model…</button>
<button data-does="here">2. Ask for a change at the cursor (<span id="key"></span>)</button>
<button data-does="check">3. See what checks the edits (Check Setup)</button>
</div>
<h3>No model? Any chat will do</h3>
<div class="buttons">
<button data-does="copyPrompt">1. Copy a prompt for the chat…</button>
<button data-does="applyAnswer">2. Apply the answer that you copied</button>
</div>
<p class="dim">Or ask in the field below. Nothing changes in your files until you accept it.</p>
</div>
<main id="asks" aria-label="Requests and answers, newest last"></main><div id="questions"></div>
</div>
<form id="composer" aria-label="Ask">
<ul id="list" role="listbox" aria-label="Completions" hidden></ul>
<div id="chips"></div>
<textarea id="text" rows="1" role="combobox" aria-label="Request" aria-autocomplete="list"
 aria-controls="list" aria-expanded="false"
 placeholder="Ask. @file, /command"></textarea>
<div class="bar">
<button type="button" id="attach" class="plain" aria-label="Attach files or images"
 title="Attach files or images; they can also be pasted or dropped here">+</button>
<button type="button" id="model" class="plain" aria-haspopup="dialog"
 title="Choose the model">Choose a model <span aria-hidden="true">▾</span></button>
<select id="effort" aria-label="How long the model may think">${options.join("")}</select>
<button id="send" title="Enter sends, Shift+Enter begins another line">Ask</button>
</div>
</form>
<div id="spoken" role="status" aria-live="polite"></div>
<script nonce="${nonce}">
${text("conversation.js")}</script></body></html>`;
}
