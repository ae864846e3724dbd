#include "agent/ask/draft_model.h"

#include <utility>

namespace bodkin {

DraftModel draft_model_of(DraftModelSettings settings, EditorModels* editor,
                          std::unique_ptr<Model>& made) {
  DraftModel draft{{}, settings.temperature, std::move(settings.prompt)};
  if (!settings.model) return draft;
  draft.get = [&made, editor,
               model = *std::move(settings.model)](const Task& task) -> Result<Model*> {
    if (!made) {
      auto chosen = make_model(model, editor, task);
      if (!chosen) return std::unexpected(chosen.error());
      made = *std::move(chosen);
    }
    return made.get();
  };
  return draft;
}

}  // namespace bodkin
