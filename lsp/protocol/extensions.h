// bodkin's own methods, commands and kinds: all of them, in this one file. Those that a client uses
// are also in its clients/vscode/src/extensions.ts or clients/nvim/lua/bodkin/extensions.lua.
//
// A client that announced a method with the prefix `bodkin/` must handle it; `$/bodkin/` are
// notifications that may be dropped. Requests from the server are sent only if the client announced
// the flag in `capabilities.experimental.bodkin` ("proposals", "diagnostics", "pullDiagnostics",
// "input", "permit", "models", "secrets", "actionCommands": code actions that apply are commands,
// whose edit is requested with its documents' versions).
#pragma once

namespace bodkin::lsp {

// Client to server.
inline constexpr char kDidChangeDiagnostics[] = "bodkin/didChangeDiagnostics";
// {"uri","documentVersion":12|null,"sequence":57,"diagnostics":[Diagnostic],"complete":true,
//  "servers"?:["clangd",…],"reported"?:["clangd"]}; servers: the document's other language servers
// at this moment; reported: those of them that have published for this version
inline constexpr char kDidChangeEncoding[] = "bodkin/didChangeEncoding";
// {"uri"?,"encoding":"windows1252"}: in which the editor saves an open document; without a
// document: in which it loads files that are not UTF-8. Also sent when a document was opened
inline constexpr char kListProposals[] = "bodkin/listProposals";  // {} -> {"proposals":[…]}
inline constexpr char kProposalContent[] = "bodkin/proposalContent";
// {"proposalId","uri"} -> {"text","version","hunks":[{"index","range","newText","quality"}],
//  "hunkCount":5,"pending":2,"applied":1,"discarded":2,"undone":1,"changed":[{"index","uri","range",…}]};
// range: as the document is now; the others of the whole proposal: all hunks, how many can still be
// applied, are in the text, were discarded or undone, and those whose text has changed since
inline constexpr char kListSessions[] = "bodkin/listSessions";
// {} -> {"sessions":[{"id","title","created","used","asks":n,"running":false,"usage":{"input",
//  "output","costUsd"?},"answered":true,"outcome":"done|limit|cancelled|failed|","proposal"?:
//  "applied"}]}: those of this workspace, also of earlier runs, the one used last first; created,
// used: milliseconds since 1970; answered: a model has answered in it; outcome: of its last ask;
// proposal: the state of its newest one
inline constexpr char kReadSession[] = "bodkin/readSession";
// {"sessionId"} -> {"title","text"}: what was asked, said, done and proposed in it, as Markdown
inline constexpr char kRenameSession[] = "bodkin/renameSession";
// {"sessionId","name"} -> {}; name: its title from now on
inline constexpr char kDeleteSession[] = "bodkin/deleteSession";
// {"sessionId"} -> {}; an error while it runs
inline constexpr char kComplete[] = "bodkin/complete";
// {"text","offset"?} -> {"start","items":[{"label","insertText","kind":"command|file|folder|symbol|
//  keyword","detail"?}]}: completions of a request at the cursor: slash commands, and what may
// follow an @. insertText replaces the text from start to offset; both count units of the
// negotiated encoding; offset: the end of the text, if missing
inline constexpr char kNextEdits[] = "bodkin/nextEdits";
// {"uri","range"?} -> {"version":12|null,"what":"Same change","edits":[{"range","newText",
//  "message"?}],"checked"?:true}: what the last edit in the document implies elsewhere in it, the
// next one below it first. message: nothing changes, but the person has to do this there. range:
// the cursor; if nothing is implied, the model of bodkin.suggest.model predicts, and `checked` says
// whether the language's own checkers found no new error
inline constexpr char kStatusRequest[] = "bodkin/status";
// {} -> {"model","host","mode","asks":[…],"proposals":n,"trusted":true,"usage":{…},
//  "nextEdits", "nextEditsUsage"}; nextEdits: the model that predicts them, and where; "": none
//  does; nextEditsUsage: {"input", "output"}, its tokens
// Whether the user trusts the files of all open folders: a boolean with this key in
// initializationOptions, and later the notification. A client that sends neither leaves it to the
// user's own settings (clients/USERS.md, "Trust").
inline constexpr char kWorkspaceTrusted[] = "bodkin.workspaceTrusted";
inline constexpr char kDidChangeTrust[] = "bodkin/didChangeTrust";  // {"trusted":true}

// Server to client, if `proposals` was announced.
inline constexpr char kProposal[] = "bodkin/proposal";
// {"proposalId","askId","title","edit":WorkspaceEdit,"hunks":[…],"verification":{…},
//  "notes"?:["a.cpp, line 4: syntax error: `…`"],"replaces"?:"p1","restored"?:true,"atOnce"?:true};
// restored: it is of an earlier run, the user has been shown it; atOnce: it is applied without
// review, of an agent (bodkin mcp) if askId is empty; notes: what to know before
// applying it; hunks: [{"index","uri","range","newText","quality","kind"?:"create"}]; verification:
// {"state":"clean|problems|not_checked","newProblems":n,"by":"clangd" or "make -j2",
//  "words":"✓ clangd: 2 fixed",
//  "problems"?:[{"path","line","severity":"error|warning|info|hint","code","message",
//  "source","uri"?,"hunk"?}]}; problems: new errors and warnings, with lines of the proposed text
//  from 1
inline constexpr char kDidChangeProposal[] = "bodkin/didChangeProposal";
// {"proposalId","state","message","pending":2,"verification","part"?:verification}; part: of
//  what is applied alone, while more of it waits
inline constexpr char kDocumentVersions[] = "documentVersions";
// In the parameters of workspace/applyEdit, {"uri":12}: the versions of all open documents that the
// edit is about, also of those that it deletes or renames, and of version 0. Of another version
// nothing may be applied
inline constexpr char kDidEndAsk[] = "bodkin/didEndAsk";
// {"askId","end":"proposal|answer|failed|cancelled|limit|refused","message",
//  "proposalId"?,"reason"?,"setting"?:"bodkin.agent.maxTurns","sessionId","plan"?:true,
//  "overtaken"?:true,"partial"?:"text","usage"?:{"input","output"}}; usage: tokens of this ask;
//  reason: "no_model", "limit", "setting" (one is wrong, or missing), or the
// kind of what the model's server has refused: "authentication", "not_found", "quota", … (kind of
// ModelError, agent/models/model.h); setting: that can fix it; partial: what came in of a reply
// that was broken off; plan: the message is one, and bodkin.ask
// {"sessionId","profile":"tools"} carries it out; overtaken: the user has changed the text of some
// edits meanwhile, which are left out

// Server to client, may be dropped.
// What the reply writes while it arrives, to be drawn: {"askId","path","old","new","lines"}; old:
// the lines that it replaces; new: those that are complete, of very many the first; lines: how many
// there are.
inline constexpr char kWriting[] = "$/bodkin/writing";
inline constexpr char kStream[] = "$/bodkin/stream";
// {"askId","kind":"text|thought|tool|plan","text","step"?}; plan: all of it, at the end; step: a
// tool call, a command or the edits in the text are done, of which `text` is one line:
// {"tool":"edit","ms":12,"failed":false,"files":[{"path","movedTo"?,
//  "change":"edited|created|removed","added":2,"removed":1,"diff"}],"path"?:"a.c","subject"?:"make",
//  "why"?,"reason"?,"command"?:{"exitCode":2,"output"}}; tool: "" for edits in the text; added,
// removed: lines; diff: unified, truncated if it is long; path, subject: of the call, the file and
// the command or pattern; why: the model's words; reason: why it failed; output: its last lines.
// "note":true: what went wrong, and what is done about it
inline constexpr char kStatus[] = "$/bodkin/status";
// {"state":"idle|thinking|editing|verifying|waiting","message","model","host","mode",
//  "trusted":true,"usage":{"input","output"},"nextEdits","nextEditsUsage"}; waiting: for the user's
//  answer; mode: confirm, auto,
// human or plan; trusted: without it, every edit waits for the user. Also sent once after
// `initialized`

// Server to client requests, if announced.
inline constexpr char kInput[] = "bodkin/input";  // {"prompt","placeholder"} -> {"value"}
inline constexpr char kPullDiagnostics[] = "bodkin/diagnostics";
// {"uri","documentVersion"} -> {"documentVersion":12,"diagnostics":[Diagnostic],
//  "servers":[{"name","state":"pulled|answered|failed"}]}. The client sends a request to each other
// language server of the document and answers when all have. pulled: the diagnostics were requested
// after this version; answered: a request that was sent after this version was answered.
// bodkin/models/list, bodkin/models/request, bodkin/secret: agent/models/providers/editor_model.h
inline constexpr char kPermit[] = "bodkin/permit";
// {"tool":"read|edit|run|mcp|limit|repair","title","detail","options":["once","session"?,
//  "workspace"?,"reject"]} -> {"choice","reason"?}; "always" means "session". A rejection with a
// reason is told to the model, which goes on; one without ends the ask. limit: to go on after a
// limit was met. After ten minutes without an answer the request is cancelled and counts as
// "reject". It must not capture what the user is typing. Clients that have not announced it get a
// plain message, and the code actions of kKindQuestion in every document

// The error of a request or command may have data: {"setting":"bodkin.model.endpoint"}: that can
// fix it; {"reason":"no_session"}: of bodkin.ask and bodkin.fix, whose session is not known any
// more.
//
// Commands. Each takes one object, which may be omitted if all of its members are optional (the
// owners in lsp/server list the members; lsp/protocol/arguments.cpp decodes them). Anything else is
// an error, and nothing happens. Without an id, a command applies to the last proposal that arrived
// or was shown.
inline constexpr char kAsk[] = "bodkin.ask";
// {"textDocument"?,"range"?,"prompt"?,"profile"?,"effort"?,"sessionId"?,"attachments"?:[uri],
//  "proposalId"?,"whenBusy"?:"refuse|queue"} -> {"sessionId","askId"}
// effort: instead of model.effort
// whenBusy: if the session's last ask is still running: an error, or it waits for its end (if it
// runs in another process, the ask fails, or waits);
// sessionId, and proposalId here, in bodkin.apply and in bodkin.undo: also of an earlier run in the
// same workspace
// proposalId: refine that proposal; without a prompt, in a session whose last ask made a plan, and
// with another profile: carry it out
inline constexpr char kFix[] = "bodkin.fix";
inline constexpr char kApplyReply[] = "bodkin.applyReply";
inline constexpr char kCopyPrompt[] = "bodkin.copyPrompt";
inline constexpr char kApply[] = "bodkin.apply";
inline constexpr char kApplyHunk[] = "bodkin.applyHunk";
inline constexpr char kDiscard[] = "bodkin.discard";
inline constexpr char kShowDiff[] = "bodkin.showDiff";
inline constexpr char kUndo[] = "bodkin.undo";
// {"proposalId"?} -> {"state":"applying","changed"?:["a.c"]}; without an id: what was applied last;
// changed: the paths of files that stay as they are, because they have changed since; likewise of
// bodkin.apply for what was undone
inline constexpr char kRedo[] = "bodkin.redo";
// {"proposalId"?} -> {"state":"applying","changed"?:["a.c"]}: what was undone is applied again;
// {"state":"ready"}: what was discarded is proposed again. Without an id: what was undone or
// discarded last in this run
inline constexpr char kAnswer[] = "bodkin.answer";
// {"questionId","choice":"once|session|workspace|reject|show","reason"?} ->
// {"state":"allowed|refused|shown"}
inline constexpr char kCancel[] = "bodkin.cancel";  // {"askId"?} -> {"state"}; without: all
inline constexpr char kSetMode[] = "bodkin.setMode";
// {"mode":"confirm|auto|human|plan"} -> {"mode"}: the setting agent.mode until the server exits;
// also for asks that are running
inline constexpr char kTrust[] = "bodkin.trust";
// {} -> {"trusted"}: the open folders are from now on among those that the user's own settings.json
// trusts; an error if the editor itself says what is trusted
inline constexpr char kStatusCommand[] = "bodkin.status";
inline constexpr char kNewSession[] = "bodkin.newSession";  // {} -> {"sessionId"}
inline constexpr char kUsage[] = "bodkin.usage";
// {} -> {"text","usage":{"input","cacheRead","cacheWrite","output","reasoning","costUsd"?}}
inline constexpr char kShowLog[] = "bodkin.showLog";  // {} -> {"text"}
inline constexpr char kSelectModel[] = "bodkin.selectModel";
// {"provider","name","endpoint"?} -> {"model","host","message"}: until the server exits
// {} -> {"current","models":[{"provider","name","title","detail"}],
//  "providers":[{"provider","title","place","variable","needsKey","needsAddress"}]}
// models: that can be reached now; place: where code goes; variable: that may hold the key
inline constexpr char kListModels[] = "bodkin.listModels";
// {"provider","endpoint"?} -> {"models":["name"],"default":"name"}: what its server lists; asks it
// with its key
// {} -> {"ok":true,"text":"several lines"}; with name "checks": only what checks the languages
// here; "model": only whether the model answers
inline constexpr char kCheck[] = "bodkin.check";

// Kinds of code actions.
inline constexpr char kKindFix[] = "quickfix.bodkin";
inline constexpr char kKindFixAll[] = "quickfix.bodkin.all";
inline constexpr char kKindExplain[] = "quickfix.explain.bodkin";
inline constexpr char kKindRewrite[] = "refactor.rewrite.bodkin";
inline constexpr char kKindProposal[] = "quickfix.bodkin.proposal";
inline constexpr char kKindQuestion[] = "quickfix.bodkin.question";
inline constexpr char kKindCancel[] = "source.bodkin";

}  // namespace bodkin::lsp
