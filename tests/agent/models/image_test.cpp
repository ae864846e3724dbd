#include "agent/models/image.h"

#include <doctest/doctest.h>

#include <fstream>

#include "agent/loop/scripted.h"
#include "agent/support/temporary_folder.h"

using namespace bodkin;

namespace {

struct File {
  TemporaryFolder folder = *TemporaryFolder::make(TemporaryFolder::Where::disk);
  std::string path = folder.path() + "/image";
  explicit File(const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
};

const std::string kPng("\x89PNG\r\n\x1A\n");

}  // namespace

TEST_CASE("the first bytes say what an image is, not its name") {
  CHECK(image_type(kPng + "IHDR") == "image/png");
  CHECK(image_type("\xFF\xD8\xFF\xE0") == "image/jpeg");
  CHECK(image_type("GIF89a") == "image/gif");
  CHECK(image_type(std::string("RIFF\x04\x00\x00\x00WEBPVP8 ", 16)) == "image/webp");
  CHECK(image_type(std::string("RIFF\x04\x00\x00\x00WAVE", 12)).empty());
  CHECK(image_type("<svg>").empty());
  CHECK(image_type("").empty());
}

TEST_CASE("an image is sent whole, in base64") {
  const auto image = load_image(File(kPng + "ab").path);
  REQUIRE(image.has_value());
  CHECK(image->media_type == "image/png");
  CHECK(image->base64 == "iVBORw0KGgphYg==");
  CHECK(load_image(File(kPng + "a").path)->base64 == "iVBORw0KGgph");
  CHECK(load_image(File(kPng + "abc").path)->base64 == "iVBORw0KGgphYmM=");
}

TEST_CASE("what is no image, too large, or not there is refused in one sentence") {
  CHECK(load_image(File("text").path)
            .error()
            .message.ends_with("is not a PNG, JPEG, GIF or WebP image."));
  const auto large = load_image(File(kPng + std::string(kMaxImage, 'x')).path);
  REQUIRE(!large.has_value());
  CHECK(large.error().message.ends_with("is larger than 3.75 MB: attach a smaller image."));
  CHECK(load_image("/nonexistent/a.png").error().message == "/nonexistent/a.png does not exist.");
}

TEST_CASE("a prompt that is copied names the images, which cannot be in it") {
  MemoryWorkspace workspace{{{{"a.c", "int x;\n"}}}};
  Ask ask;
  ask.prompt = "What is this?";
  ask.images = {{"shot.png", "/nonexistent/shot.png"}};
  const auto prompt = prompt_for(ask, workspace, {}, {});
  REQUIRE(prompt.has_value());
  CHECK(prompt->text.ends_with("Attach by hand: shot.png"));
}

TEST_CASE("a model that takes no images is not asked with one") {
  MemoryWorkspace workspace{{{{"a.c", "int x;\n"}}}};
  class Blind : public ScriptedModel {
   public:
    using ScriptedModel::ScriptedModel;
    ModelFacts facts() const override { return {.has_images = false}; }
  };
  const File file(kPng + "ab");
  Ask ask;
  ask.prompt = "What is this?";
  ask.images = {{"shot.png", file.path}};
  Conversation conversation;
  Blind blind(true, {says("A picture.")});
  auto outcome = run(conversation, ask, {.model = blind, .workspace = workspace});
  CHECK(outcome.end == Outcome::End::failed);
  CHECK(outcome.reason.starts_with("a script does not accept images: ask without shot.png"));
  CHECK(blind.requests.empty());
  CHECK(conversation.messages.empty());

  ScriptedModel model(true, {says("A picture.")});
  outcome = run(conversation, ask, {.model = model, .workspace = workspace});
  CHECK(outcome.answer == "A picture.");
  const auto& blocks = model.requests.at(0).messages.back().blocks;
  CHECK(std::get<ImageBlock>(blocks.at(0)).base64 == "iVBORw0KGgphYg==");
  CHECK(std::holds_alternative<TextBlock>(blocks.at(1)));
}
