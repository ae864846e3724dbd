// Predictions: the person's next edit as a model predicts it (bodkin.suggest.model; off until one
// is chosen). One request at a time: the newest ends the one before. No private file, and no text
// with a secret in it, is sent. Main thread only.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "agent/models/providers/providers.h"
#include "agent/suggest/suggest_format.h"
#include "agent/support/move_only_function.h"
#include "lsp/server/recent_edits.h"
#include "lsp/server/run_policy.h"
#include "lsp/sessions/background_work.h"

namespace bodkin::lsp {

struct Prediction {
  std::vector<Replacement> edits;  // of the text of now; ascending, whole lines or at the cursor
  bool is_checked = false;         // the checkers of its language found no error that is new
};

class Predictions {
 public:
  // All outlive it.
  Predictions(EventLoop& loop, const Documents& documents, const Settings& settings,
              const RecentEdits& recent, RunPolicy& policy, BackgroundWork& work, Client& client,
              EditorModels& editor);

  std::function<std::shared_ptr<Workspace>()> workspace;  // as it is now; must be set
  std::function<void(const std::string& who)> told;       // "zeta at http://…"; "": nobody
  std::function<void(const Usage& used)> used;            // for one prediction; must be set

  // Tells the user once where the code goes, before any of it does.
  void settings_changed();
  bool is_on() const { return told_; }

  // `done` is called once, later or at once: without edits if there are none, if the document has
  // changed since or `stop` is requested. The last prediction holds as long as the person types
  // towards it.
  using Done = MoveOnlyFunction<void(Prediction)>;
  void predict(const Document& document, size_t cursor, std::stop_token stop, Done done);
  void closed(const std::string& uri);  // a document: what was asked of it is over
  // The last one, if it still holds; without asking.
  Prediction known(const Document& document) const;

 private:
  struct Asked;  // what one request needs on its thread
  struct Kept {  // the model, for one thread at a time
    std::mutex mutex;
    std::unique_ptr<Model> model;
  };
  struct Last {
    std::string uri;
    Text before, goal;
    bool is_checked = false;
    mutable std::optional<int64_t> version;  // of the document for which `held` is what still holds
    mutable Prediction held;
  };
  struct Flight {  // the request that is under way
    using Leaving = std::stop_callback<std::function<void()>>;

    Flight(std::string its_uri, Text its_text)
        : uri(std::move(its_uri)), text(std::move(its_text)) {}
    void join(std::stop_token by, Done then);

    const std::string uri;
    const Text text;  // as it was then
    std::vector<Done> done;
    std::stop_source stop;
    std::shared_ptr<std::atomic<int>> askers = std::make_shared<std::atomic<int>>(0);
    std::vector<std::unique_ptr<Leaving>> leaving;
  };
  static Prediction run(const Asked& asked, const Task& task, Usage& usage, std::string& problem);
  Prediction still_holding(const Document& document) const;
  // Whether this many bytes at both ends are those from before the last prediction.
  bool is_same_around(const Text& text, size_t ahead, size_t behind) const;
  void land(const Asked& asked, const Prediction& prediction);
  void stop_flight();

  EventLoop& loop_;
  const Documents& documents_;
  const Settings& settings_;
  const RecentEdits& recent_;
  RunPolicy& policy_;
  BackgroundWork& work_;
  Client& client_;
  EditorModels& editor_;
  Json chosen_;                            // the settings of the model
  std::optional<ModelSettings> model_;     // nothing: none is chosen
  const SuggestFormat* format_ = nullptr;  // of the model
  bool told_ = false;
  std::string problem_;  // that was said last
  std::shared_ptr<Kept> kept_ = std::make_shared<Kept>();
  std::unique_ptr<Flight> flight_;
  std::optional<Last> last_;
};

}  // namespace bodkin::lsp
