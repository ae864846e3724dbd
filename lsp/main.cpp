// bodkin: without a subcommand the language server; the subcommands are one file each.
#include <CLI/CLI.hpp>

#include "lsp/commands.h"

int main(int argc, char** argv) {
  using namespace bodkin;
  CLI::App app{"bodkin: a language server that lets a language model correct code precisely."};
  app.set_version_flag("--version", "bodkin " BODKIN_VERSION);
  app.require_subcommand(0, 1);
  bool stdio = false;
  app.add_flag("--stdio", stdio, "Speak LSP on standard input and output (the default)");
  app.add_subcommand("lsp", "The language server on standard input and output (the default)");

  ApplyCommand apply;
  CLI::App* apply_app = app.add_subcommand("apply", "Apply a model's reply to files");
  apply_app->add_option("--root", apply.root, "The folder that paths are relative to");
  apply_app->add_option("--format", apply.format, "The format of the edits (default: auto)");
  apply_app->add_option("--path", apply.path, "The file, for formats that carry no path");
  apply_app->add_flag("--truncated", apply.truncated, "The reply was cut off");
  apply_app->add_flag("--diff", apply.diff, "Print the diff and touch nothing");
  apply_app->add_flag("--dry-run", apply.dry_run, "Say what would happen and touch nothing");
  apply_app->add_flag("--json", apply.json, "Print the result as JSON");
  apply_app->add_flag("--jsonl", apply.jsonl, "Cases in, results out, one JSON object a line");

  ContextCommand context;
  CLI::App* context_app = app.add_subcommand("context", "Print what the model is shown of a place");
  context_app->add_option("place", context.place, "FILE:LINE, the line from 1")->required();
  context_app->add_flag("--json", context.json, "Print JSON");

  CompleteCommand complete;
  CLI::App* complete_app = app.add_subcommand("complete", "Send one request to a model");
  complete_app->add_option("--provider", complete.provider, "The provider (default: auto)");
  complete_app->add_option("--endpoint", complete.endpoint, "The base URL");
  complete_app->add_option("--model", complete.model, "The model's name");
  complete_app->add_option("--api-key-env", complete.api_key_env,
                           "The name of the variable that holds the key");
  complete_app->add_option("--idle-limit", complete.idle_limit,
                           "Give up after so many seconds without a byte");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (apply_app->parsed()) return apply_command(apply);
  if (context_app->parsed()) return context_command(context);
  if (complete_app->parsed()) return complete_command(complete);
  return serve();
}
