// bodkin's own methods and commands: all of them, in this one file. Mirrors lsp/extensions.h.

// Client to server.
export const didChangeDiagnostics = "bodkin/didChangeDiagnostics";
export const proposalContent = "bodkin/proposalContent";

// Server to client.
export const proposal = "bodkin/proposal";
export const didChangeProposal = "bodkin/didChangeProposal";
export const didEndAsk = "bodkin/didEndAsk";
export const status = "$/bodkin/status";
export const stream = "$/bodkin/stream";
export const input = "bodkin/input";

export interface DidChangeDiagnostics {
  uri: string;
  documentVersion: number | null; // of the text that the editor shows now; null: not open
  sequence: number;
  diagnostics: unknown[];
  complete: boolean;
}
export interface ProposedHunk {
  index: number;
  uri: string;
}
export interface Proposal {
  proposalId: string;
  askId?: string;
  title: string;
  hunks: ProposedHunk[];
}
export interface ProposalContent {
  text: string;
  version: number | null;
}
export interface ChangedProposal {
  proposalId: string;
  state: "ready" | "applying" | "applied" | "partly" | "stale" | "refused" | "unknown" | "discarded";
  message?: string;
}
export interface EndedAsk {
  askId: string;
  end: "proposal" | "answer" | "failed" | "cancelled" | "limit";
  message?: string;
  proposalId?: string;
}
export interface Status {
  state: "idle" | "thinking" | "editing" | "verifying" | "waiting";
  message?: string;
}

// Server commands (workspace/executeCommand). The language client registers these ids itself, so
// the extension's own commands have other ids.
export const commands = {
  ask: "bodkin.ask",
  fix: "bodkin.fix",
  apply: "bodkin.apply",
  discard: "bodkin.discard",
  cancel: "bodkin.cancel",
  applyReply: "bodkin.applyReply",
  copyPrompt: "bodkin.copyPrompt",
} as const;
