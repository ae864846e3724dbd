// The proposals that the person can still take, newest last, and what is said of them. Pure.
import type { ChangedProposal, EndedAsk, Proposal } from "./extensions.ts";

export class Proposals {
  private readonly open = new Map<string, Proposal>();

  add(proposal: Proposal): void {
    this.open.delete(proposal.proposalId);
    this.open.set(proposal.proposalId, proposal);
  }

  // A proposal that was taken only in part, refused, or not seen to arrive can be tried again.
  change(changed: ChangedProposal): void {
    if (changed.state === "applied" || changed.state === "discarded" || changed.state === "stale") {
      this.open.delete(changed.proposalId);
    }
  }

  get newest(): Proposal | undefined {
    return [...this.open.values()].at(-1);
  }

  byId(id: string): Proposal | undefined {
    return this.open.get(id);
  }
}

export function filesOf(proposal: Proposal): string[] {
  return [...new Set(proposal.hunks.map((hunk) => hunk.uri))];
}

export function summary(proposal: Proposal): string {
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
  const title = proposal.title ? `${proposal.title}: ` : "";
  return `bodkin: ${title}${count(proposal.hunks.length, "change")} in ${count(filesOf(proposal).length, "file")}`;
}

// What the person is told when an ask ends, or nothing where a proposal says it already.
export function farewell(ended: EndedAsk): { severity: "info" | "warning"; text: string } | undefined {
  if (ended.end === "proposal" || ended.end === "cancelled") return undefined;
  const text = `bodkin: ${ended.message || "the model ended without a word."}`;
  return { severity: ended.end === "answer" ? "info" : "warning", text };
}
