// The views "Proposals" and "Sessions": native trees, so that keys, themes and screen readers work as everywhere.
import * as vscode from "vscode";
import type { Hunk, Problem, Proposal, Session } from "./extensions.ts";
import { plain } from "./plain.ts";
import { count, fateOf, filesOf, hasProblems, kGone, kOutOfDate, spokenOf, verdictOf, wordsOf } from "./proposals.ts";
import { textOf } from "./texts.ts";

export type Node =
  | { kind: "proposal"; proposalId: string; proposal: Proposal; left: number } // how many changes wait
  | { kind: "file"; proposalId: string; proposal: Proposal; file: string }
  | { kind: "hunk"; proposalId: string; hunk: number; file: string; at: Hunk; problems: readonly Problem[]; old: readonly string[]; outOfDate?: string };

export class ProposalTree implements vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  // `words`: what the model said of a proposal.
  constructor(
    private readonly all: () => Proposal[],
    private readonly waiting: (proposalId: string, file: string) => Promise<{ hunks: Hunk[]; outOfDate: Hunk[] }>,
    private readonly words: (proposal: Proposal) => string,
    private readonly outOfDate: (proposalId: string) => number, // how many of its changes
  ) {}

  refresh(): void {
    this.changed.fire(undefined);
  }

  async getChildren(node?: Node): Promise<Node[]> {
    const waitingIn = (proposalId: string, file: string) => this.waiting(proposalId, file).catch(() => ({ hunks: [], outOfDate: [] }));
    if (!node) {
      const roots = this.all().map(async (proposal): Promise<Node> => {
        const { proposalId } = proposal;
        const files = await Promise.all(filesOf(proposal).map((file) => waitingIn(proposalId, file)));
        return { kind: "proposal", proposalId, proposal, left: files.flatMap(({ hunks }) => hunks).length };
      });
      return (await Promise.all(roots)).reverse();
    }
    const { proposalId } = node;
    if (node.kind === "proposal") {
      // Those of which nothing waits any more are left out.
      const files = await Promise.all(filesOf(node.proposal).map(async (file) => {
        const { hunks, outOfDate } = await waitingIn(proposalId, file);
        return hunks.length + outOfDate.length > 0 ? [file] : [];
      }));
      return files.flat().map((file) => ({ ...node, kind: "file", file }));
    }
    if (node.kind !== "file" || isWhole(node.proposal, node.file)) return [];
    const { hunks, outOfDate } = await waitingIn(proposalId, node.file);
    const problems = node.proposal.verification?.problems ?? [];
    const text = await textOf(vscode.Uri.parse(node.file));
    const old = text?.split(/\r?\n/) ?? [];
    const both = [...hunks.map((at) => ({ at })), ...outOfDate.map((at) => ({ at, outOfDate: text === undefined ? kGone : kOutOfDate }))].sort((one, other) => one.at.index - other.at.index);
    return both.map((each) => ({ kind: "hunk", proposalId, hunk: each.at.index, file: node.file, problems, old, ...each }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const open = vscode.TreeItemCollapsibleState.Expanded;
    if (node.kind === "proposal") {
      const { proposal } = node;
      const item = new vscode.TreeItem(plain(proposal.title || "Proposal"), open);
      item.id = proposal.proposalId;
      const bad = hasProblems(proposal.verification) || hasProblems(proposal.part);
      item.iconPath = new vscode.ThemeIcon(bad ? "warning" : "diff-multiple");
      const old = this.outOfDate(node.proposalId);
      item.description = plain(`${count(node.left, "change")}${node.left < proposal.hunks.length ? " left" : ""}${old > 0 ? `, ${old} out of date` : ""}, ${verdictOf(proposal)}`);
      item.accessibilityInformation = { label: `Proposal: ${item.label}, ${item.description}` };
      item.tooltip = plain([proposal.title, verdictOf(proposal), ...(proposal.notes ?? []), this.words(proposal)].filter(Boolean).join("\n\n"));
      item.contextValue = "proposal";
      return item;
    }
    if (node.kind === "file") {
      const uri = vscode.Uri.parse(node.file);
      const item = new vscode.TreeItem(uri, isWhole(node.proposal, node.file) ? vscode.TreeItemCollapsibleState.None : open);
      item.id = `${node.proposalId} ${node.file}`;
      item.iconPath = vscode.ThemeIcon.File;
      const fate = fateOf(node.proposal, node.file);
      const folder = vscode.workspace.asRelativePath(uri).split("/").slice(0, -1).join("/");
      item.description = plain([fate, folder].filter(Boolean).join(", "));
      item.accessibilityInformation = { label: `File ${vscode.workspace.asRelativePath(uri)}${fate ? `, ${fate}` : ""}` };
      item.contextValue = fate?.startsWith("renamed") ? "proposalRename" : "proposalFile"; // one half of a rename is none
      const isThere = fate !== "new file" && !fate?.startsWith("renamed from");
      item.command = { title: "Show", command: isThere ? "bodkin.revealChange" : "bodkin.showProposal", arguments: [node] };
      return item;
    }
    const item = new vscode.TreeItem(`Line ${node.at.range.start.line + 1}`);
    item.id = `${node.proposalId} ${node.hunk}`;
    item.command = { title: "Show", command: "bodkin.revealChange", arguments: [node] };
    if (node.outOfDate) {
      item.description = node.outOfDate;
      item.accessibilityInformation = { label: `${item.label}: ${node.outOfDate}` };
      item.iconPath = new vscode.ThemeIcon("circle-slash");
      item.contextValue = "proposalOldHunk";
      return item;
    }
    item.description = plain(wordsOf(node.at, node.old));
    const problems = node.problems.filter((each) => each.hunk === node.hunk);
    item.accessibilityInformation = { label: plain(spokenOf(node.at, problems, node.old)) };
    item.iconPath = new vscode.ThemeIcon(problems.length > 0 ? "warning" : "edit");
    item.contextValue = "proposalHunk";
    return item;
  }
}

// All of the file comes or goes: there are no single changes.
function isWhole(proposal: Proposal, file: string): boolean {
  return ["new file", "deleted"].includes(fateOf(proposal, file) ?? "");
}

// Sessions in which no model has said anything are below an entry of their own: after a wrong key there may be many.
export type SessionNode = Session | { failed: readonly Session[] };

// How the last request of a session ended, where that is worth a word.
const endings: Record<string, string> = { limit: "stopped at a limit", refused: "refused", cancelled: "cancelled", failed: "failed", "": "not finished" };

export class SessionTree implements vscode.TreeDataProvider<SessionNode> {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  // `current`: whether the active file's next ask goes on in it.
  constructor(
    private readonly list: () => Promise<Session[]>,
    private readonly current: (id: string) => boolean,
  ) {}

  refresh(): void {
    this.changed.fire(undefined);
  }

  async getChildren(node?: SessionNode): Promise<SessionNode[]> {
    if (node) return "failed" in node ? [...node.failed] : [];
    const all = await this.list().catch(() => []);
    const failed = all.filter(({ id, answered, running }) => answered === false && !running && !this.current(id));
    const others = all.filter((session) => !failed.includes(session));
    return [...others, ...(failed.length > 0 ? [{ failed }] : [])];
  }

  getTreeItem(node: SessionNode): vscode.TreeItem {
    if ("failed" in node) {
      const item = new vscode.TreeItem("Without an answer", vscode.TreeItemCollapsibleState.Collapsed);
      item.id = "failed";
      item.description = count(node.failed.length, "session");
      item.iconPath = new vscode.ThemeIcon("circle-slash");
      return item;
    }
    const session = node;
    const item = new vscode.TreeItem(plain(session.title || "Session"));
    item.id = session.id;
    const current = this.current(session.id);
    item.iconPath = new vscode.ThemeIcon(session.running ? "loading~spin" : current ? "comment-discussion" : "comment");
    const ended = session.running ? "" : endings[session.outcome ?? "done"] ?? "";
    item.description = plain([current ? "current" : "", count(session.asks, "request"), ended, ago(session.used, Date.now())].filter(Boolean).join(", "));
    item.tooltip = plain([session.title, item.description, new Date(session.used).toLocaleString()].join("\n"));
    item.accessibilityInformation = { label: `Session: ${item.label}, ${item.description}` };
    item.contextValue = "session";
    item.command = { title: "Read", command: "bodkin.readSession", arguments: [session] };
    return item;
  }
}

export function ago(then: number, now: number): string {
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return new Date(then).toLocaleDateString();
}
