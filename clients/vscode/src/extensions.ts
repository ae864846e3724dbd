// bodkin's own methods and commands: all of them, in this one file. Mirrors lsp/protocol/extensions.h.

// What this client can do, in `experimental.bodkin` of its capabilities.
export const capabilities = {
  version: 1,
  proposals: true, // bodkin/proposal, bodkin/didChangeProposal, bodkin/didEndAsk
  diagnostics: true, // we send bodkin/didChangeDiagnostics
  pullDiagnostics: true, // bodkin/diagnostics
  input: true, // bodkin/input
  permit: true, // bodkin/permit
  models: true, // bodkin/models/list, bodkin/models/request
  secrets: true, // bodkin/secret
};

// Client to server.
export const didChangeDiagnostics = "bodkin/didChangeDiagnostics";
export const didChangeEncoding = "bodkin/didChangeEncoding"; // DidChangeEncoding
export const didChangeTrust = "bodkin/didChangeTrust"; // {trusted}
export const complete = "bodkin/complete"; // {text, offset?} -> Completions
export const listSessions = "bodkin/listSessions"; // {} -> {sessions: Session[]}
export const readSession = "bodkin/readSession"; // {sessionId} -> {title, text: Markdown}
export const renameSession = "bodkin/renameSession"; // {sessionId, name: its title} -> {}
export const deleteSession = "bodkin/deleteSession"; // {sessionId} -> {}; an error while it runs
export const nextEdits = "bodkin/nextEdits"; // {uri} -> NextEdits
export const proposalContent = "bodkin/proposalContent"; // {proposalId, uri} -> ProposalContent

// Server to client.
export const proposal = "bodkin/proposal";
export const didChangeProposal = "bodkin/didChangeProposal";
export const didEndAsk = "bodkin/didEndAsk";
export const status = "$/bodkin/status";
export const stream = "$/bodkin/stream"; // Streamed
export const writing = "$/bodkin/writing"; // Writing

// Server to client, with an answer.
export const input = "bodkin/input"; // {prompt, placeholder} -> {value}
export const permit = "bodkin/permit"; // Question -> {choice, reason?}
export const pullDiagnostics = "bodkin/diagnostics"; // {uri, documentVersion} -> PulledDiagnostics
export const listModels = "bodkin/models/list"; // {} -> {models}
export const requestModel = "bodkin/models/request"; // ModelRequest -> ModelAnswer
export const secret = "bodkin/secret"; // {name: a provider} -> {value: string | null}

export interface DidChangeEncoding {
  uri?: string; // none: of files that the editor loads
  encoding: string;
}

export interface Position {
  line: number;
  character: number;
}
export interface Range {
  start: Position;
  end: Position;
}
export interface DidChangeDiagnostics {
  uri: string;
  documentVersion: number | null; // of the text that the editor shows now; null: not open
  sequence: number;
  diagnostics: unknown[];
  complete: boolean;
}
export interface Session {
  id: string;
  title: string;
  used: number; // milliseconds since 1970
  asks: number;
  running?: boolean;
  answered?: boolean; // by a model, in any of its asks
  outcome?: string; // of its last ask: "done", "limit", "refused", "cancelled", "failed"; "": it runs, or did not end
}
export interface PulledDiagnostics {
  documentVersion: number;
  diagnostics: unknown[];
  servers: { name: string; state: "pulled" | "answered" | "failed" }[];
}
export interface Hunk {
  index: number; // over the whole proposal
  uri: string;
  range: Range; // in the document as it is now
  newText: string;
  kind?: "create";
}
// Of a WorkspaceEdit: what happens to a whole file; without a kind, to its text.
export interface FileOperation {
  kind?: "create" | "rename" | "delete";
  uri?: string;
  oldUri?: string;
  newUri?: string;
}
export interface Problem {
  path: string;
  line: number; // from 1, of the proposed text
  severity: "error" | "warning" | "info" | "hint";
  code: string;
  message: string;
  source: string;
  uri?: string; // of a file that the proposal changes
  hunk?: number; // it is in
}
export interface Verification {
  state: "clean" | "problems" | "not_checked" | "verified" | "failed" | "unknown"; // the last three: of older servers
  newProblems?: number;
  by?: string; // who looked; if it was not checked: at less than all ("the syntax")
  words?: string; // "✓ clangd: 2 fixed"
  problems?: Problem[]; // new errors and warnings
}
export interface Proposal {
  proposalId: string;
  askId?: string;
  title: string;
  edit?: { documentChanges?: FileOperation[] };
  hunks: Hunk[];
  notes?: string[]; // what to know before applying it
  verification?: Verification;
  part?: Verification; // ChangedProposal
  replaces?: string; // the proposal that this one refines
  restored?: boolean; // it is of an earlier run
  atOnce?: boolean; // it is applied without review: of an agent (bodkin mcp) if there is no askId
}
// What became of its changes: the numbers are of the whole proposal.
export interface ProposalContent {
  text: string;
  version: number | null;
  hunks: Hunk[]; // of the file, which wait
  hunkCount: number;
  pending: number;
  applied: number;
  discarded: number; // with those that were undone
  undone?: number; // not of older servers
  changed: Hunk[]; // of all files: out of date, the text has changed there
}
export interface ChangedProposal {
  proposalId: string;
  state: "ready" | "applying" | "applied" | "partly" | "stale" | "refused" | "unknown" | "discarded";
  message?: string;
  pending?: number; // how many changes wait
  verification?: Verification;
  part?: Verification; // of what is applied alone, while more of it waits
}
// Why something failed, for what is offered. reason: "no_model", "limit", "setting", "no_session", or the kind of what the model's server
// has refused: "authentication", "not_found", "quota", …; setting: that can mend it, with its prefix. Also the `data` of an error.
export interface Cause {
  reason?: string;
  setting?: string;
  feedback?: string; // of an edit that was refused: for the model
}
export interface EndedAsk {
  askId: string;
  end: "proposal" | "answer" | "failed" | "cancelled" | "limit" | "refused";
  message?: string;
  proposalId?: string;
  reason?: string; // Cause
  setting?: string;
  sessionId?: string;
  partial?: string; // what came in of a reply that was broken off
  usage?: { input: number; output: number }; // tokens of this ask
  overtaken?: boolean; // the user has changed the text of some edits meanwhile, which are left out
  plan?: boolean; // the message is a plan, which the session's next ask can carry out
}
export interface Streamed {
  askId: string;
  kind: "text" | "thought" | "tool" | "plan";
  text: string;
  step?: Step;
  note?: true; // what went wrong, and what is done about it
}
export interface Step {
  tool: string; // "": edits in the model's text
  ms: number;
  failed: boolean;
  files: { path: string; movedTo?: string; change: "edited" | "created" | "removed"; added: number; removed: number; diff: string }[];
  path?: string; // of the call: the file
  subject?: string; // … the command, or what was searched for
  why?: string; // the model's words
  reason?: string; // if it failed
  command?: { exitCode: number; output: string }; // output: its last lines
}
export interface NextEdits {
  version: number | null;
  what: string; // "Same change", "a → b", "Import a", "Next edit"
  edits: { range: Range; newText: string; message?: string }[]; // message: what there is to do; nothing is changed
  checked?: boolean; // of one that a model predicts: no checker found an error
}
export interface Writing {
  askId: string;
  path: string; // as the model spells it
  old: string; // the lines that are replaced
  new: string; // those that are complete, of very many the first
  lines: number; // how many are complete
}
export interface Completions {
  start: number; // insertText replaces the text from there
  items: { label: string; insertText: string; kind: "command" | "file" | "folder" | "symbol" | "keyword"; detail?: string }[];
}
export type Mode = "confirm" | "auto" | "human" | "plan";
export interface Status {
  state: "idle" | "thinking" | "editing" | "verifying" | "waiting"; // waiting: for the user
  message?: string;
  model?: string;
  host?: string; // where the code goes
  nextEdits?: string; // the model that predicts them, and where; "": none does
  nextEditsUsage?: { input: number; output: number }; // its tokens
  mode?: Mode;
  usage?: { input?: number; output?: number }; // tokens
}
export interface ModelChoice {
  provider: string;
  name: string;
  title: string;
  detail: string;
}
export interface Provider {
  provider: string;
  title: string;
  place: string; // where the code goes
  needsKey: boolean;
  needsAddress: boolean; // it has no host of its own
}
export interface Models {
  current: string;
  models: ModelChoice[];
  providers: Provider[];
}
export interface ListedModels {
  models: string[];
  default: string; // "": bodkin knows none
}
export interface Question {
  tool: string;
  title: string;
  detail?: string;
  options?: string[]; // of "once", "session", "workspace", "reject"
}
export type ModelBlock =
  | { type: "text"; text: string }
  | { type: "tool_call"; id: string; name: string; arguments: object }
  | { type: "tool_result"; id: string; name: string; content: string; isError?: boolean }
  | { type: "image"; mimeType: string; data: string };
export interface ModelRequest {
  modelId: string; // "": whichever the editor has
  system?: string;
  messages: { role: "user" | "assistant"; content: ModelBlock[] }[];
  tools?: { name: string; description: string; inputSchema: object }[];
  partialResultToken?: string; // deltas: $/progress {token, value: {kind: "text", text}}
}
export interface ModelAnswer {
  text?: string;
  toolCalls?: { id: string; name: string; arguments: object }[];
  stopReason?: "end_turn" | "tool_use";
  error?: { kind: string; message: string };
}

// Server commands (workspace/executeCommand). The language client registers these ids itself, so
// the extension's own commands have other ids.
export const commands = {
  ask: "bodkin.ask",
  fix: "bodkin.fix",
  apply: "bodkin.apply",
  applyHunk: "bodkin.applyHunk",
  discard: "bodkin.discard",
  undo: "bodkin.undo",
  redo: "bodkin.redo", // {} -> {state: "applying" | "ready"}
  showDiff: "bodkin.showDiff",
  cancel: "bodkin.cancel",
  applyReply: "bodkin.applyReply",
  copyPrompt: "bodkin.copyPrompt",
  selectModel: "bodkin.selectModel", // {} -> Models
  listModels: "bodkin.listModels", // {provider, endpoint?} -> ListedModels
  check: "bodkin.check", // {name?: "checks" | "model"} -> {ok, text}
  setMode: "bodkin.setMode", // {mode: Mode} -> {mode}
  status: "bodkin.status", // {} -> Status
} as const;
