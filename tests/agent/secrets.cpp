#include "agent/secrets.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "planted.h"

using namespace bodkin;

namespace {

struct Planted {
  std::string before, secret, behind;
};

std::vector<Planted> planted() {
  const std::string jwt = std::string("ey") + "J" + all(20) + ".ey" + "J" + all(30) + "." + all(43);
  std::vector<Planted> list = {
      {"token = \"", std::string("gh") + "p_" + all(36), "\"\n"},
      {"", std::string("github") + "_pat_" + all(22) + "_" + all(59), ""},
      {"x ", std::string("gh") + "o_" + all(36), "\n"},
      {"CI_TOKEN: ", std::string("glpat") + "-" + all(20), "\n"},
      {"id=", std::string("AK") + "IA" + random_text(16, kUpper, 3), "&"},
      {"aws_secret_access_key = ", all(38, 5) + "+x", "\n"},
      {"\"SecretAccessKey\": \"", all(40, 9), "\""},
      {"key=", std::string("AI") + "za" + all(35), "\n"},
      {"", std::string("xox") + "b-123456789012-123456789012-" + all(24), ""},
      {"(", std::string("sk") + "_live_" + all(24), ")"},
      {"", std::string("rk") + "_live_" + all(24), ""},
      {"", std::string("sk") + "-" + all(48), ""},
      {"", std::string("sk") + "-proj-" + all(80), ""},
      {"", std::string("sk") + "-ant-api03-" + all(90) + "-" + all(8), ""},
      {"", std::string("hf") + "_" + random_text(34, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ", 3),
       ""},
      {"//registry.example/:_authToken=", std::string("np") + "m_" + all(36), "\n"},
      {"password: ", std::string("pyp") + "i-AgEIcHlwaS5vcmc" + all(80), ""},
      {"", std::string("S") + "G." + all(22) + "." + all(43), ""},
      {"", std::string("S") + "K" + random_text(32, kHex, 4), ""},
      {"TWILIO_AUTH_TOKEN=", random_text(32, kHex, 8), "\n"},
      {"DefaultEndpointsProtocol=https;AccountKey=", all(86) + "==", ";"},
      {"", jwt, "\n"},
      {"https://user:", "hunter2plus", "@example.com/x.git"},
      {"postgres://:", "hunter2plus", "@db/x"},
      {"url = https://", all(40), "@example.com/x.git"},
      {"Authorization: Bearer ", all(30), "\n"},
      {"-H 'authorization: basic ", all(30) + "==", "'"},
      {"a\\n", std::string("gh") + "p_" + all(36), "\\n"},
      {"q=%3D", std::string("gh") + "p_" + all(36), "&"},
      {"", std::string("AGE-SECRET") + "-KEY-1" + random_text(58, kUpper, 5), ""},
  };
  return list;
}

size_t count_lines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("tokens, logins and keys are known by their form, whatever stands around them") {
  for (const Planted& one : planted()) {
    CAPTURE(one.secret);
    const WithoutSecrets without = without_secrets(one.before + one.secret + one.behind);
    CHECK(without.text.find(one.secret) == std::string::npos);
    CHECK(without.count == 1);
    CHECK(without.text.starts_with(one.before));
    CHECK(without.text.ends_with(one.behind));
    CHECK(hide_secrets(without.text) == without.text);
  }
}

TEST_CASE("a private key goes line by line, numbered, quoted, escaped or cut off") {
  for (const char* label : {"PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY",
                            "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"}) {
    for (const char* prefix : {"", "    ", "12| ", "src/a.txt:12: ", "+", "// ", "\""}) {
      const std::string text = "before\n" + key_block(label, 5, prefix) + "after it = 1\n";
      CAPTURE(text);
      const WithoutSecrets without = without_secrets(text);
      CAPTURE(without.text);
      CHECK(without.count == 1);
      CHECK(without.text.find(random_text(64, kBody, 100)) == std::string::npos);
      CHECK(without.text.find(random_text(20, kBody, 104)) == std::string::npos);
      CHECK(count_lines(without.text) == count_lines(text));
      CHECK(without.text.ends_with("after it = 1\n"));
    }
  }
  const std::string body = random_text(64, kBody, 1);
  const std::string escaped = "{\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n" + body +
                              "\\n-----END PRIVATE KEY-----\\n\"}";
  CHECK(hide_secrets(escaped).find(body) == std::string::npos);
  const std::string cut = "-----BEGIN PRIVATE KEY-----\n" + body + "\n";
  CHECK(hide_secrets(cut).find(body) == std::string::npos);
  const std::string putty =
      "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 2\n" + body + "\n" +
      body.substr(0, 20) + "\nPrivate-MAC: 00\n";
  CHECK(hide_secrets(putty).find(body.substr(0, 20)) == std::string::npos);
}

TEST_CASE("code, hashes, public keys and placeholders stay as they are") {
  for (const std::string& text :
       {std::string("commit ") + random_text(40, kHex, 1) + "\n",
        std::string("sha512-") + all(86) + "==\n",
        std::string("550e8400-e29b-41d4-a716-446655440000"),
        std::string("data:image/png;base64,") + random_text(400, kBody, 2),
        std::string("-----BEGIN CERTIFICATE-----\n") + random_text(64, kBody, 3) +
            "\n-----END CERTIFICATE-----\n",
        std::string("ssh-ed25519 AAAA") + random_text(64, kBody, 4) + " me@host\n",
        std::string("if line == \"-----BEGIN PRIVATE KEY-----\":\n    started_with_a_key = True\n"
                    "elif line == \"-----END PRIVATE KEY-----\":\n    done = True\n"),
        std::string("postgres://user:password@localhost/x"),
        std::string("https://$USER:$PASSWORD@host/, https://{user}:{password}@host/"),
        std::string("const token = getTokenFromSession(request2, session3);"),
        std::string("password = os.environ[\"APP_PASSWORD_2024_PRODUCTION\"]"),
        std::string("access_token_expires_in = timedelta_of_3600_seconds_2"),
        std::string("sk-container-id-1 div.sk-toggleable__content pre"),
        std::string("class ghp_ {}; int AKIA = 1; eyJ. SG.x hf_hub_download_with_retries"),
        std::string("std::unique_ptr<Token> token = make_token<Utf8, Utf16, Utf32>(a1, b2);")}) {
    CAPTURE(text);
    CHECK(hide_secrets(text) == text);
  }
}

TEST_CASE("hostile texts are looked through once") {
  for (const std::string& part :
       {std::string("eyJ"), std::string("eyJ."), std::string("eyJ-"), std::string("eyJa.eyJ-"),
        std::string("-----BEGIN PRIVATE KEY-----\n"), std::string("-----BEGIN PRIVATE KEY-----"),
        std::string("://a:"), std::string("://"), std::string("token="),
        std::string("token:a1b2c3d4"), std::string("-"), std::string("ghp_"), std::string("SG."),
        std::string("Bearer "), std::string("Private-Lines: 9999\n"), std::string("\\n"),
        std::string("a1B2-")}) {
    std::string text;
    while (text.size() < 1'000'000) text += part;
    CHECK(count_lines(hide_secrets(text)) == count_lines(text));
  }
}
