#include "agent/workspace/secrets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "agent/support/held_secrets.h"
#include "agent/workspace/planted.h"

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
      {"https://",
       std::string("hooks.slack") + ".com/services/T" + all(8) + "/B" + all(8) + "/" + all(24),
       "\n"},
      {"'https://", std::string("discord") + ".com/api/webhooks/123456789012345678/" + all(68),
       "'"},
      {"https://a.",
       std::string("webhook.office") + ".com/webhookb2/" + all(36) + "@" + all(36) +
           "/IncomingWebhook/" + all(32),
       "\""},
      {"bot ", "1234567890:A" + all(34, 3), "\n"},
      {"https://api.telegram.org/bot", "123456789:A" + all(34, 4), "/send"},
      {"\"", std::string("MT") + all(22, 5) + ".Ga" + all(4) + "." + all(30, 6), "\""},
      {"?sv=2022-11-02&se=2030&sr=c&sp=rl&sig=", all(43, 8) + "%3D", "&x=1"},
      {"Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=", all(43, 9) + "=", "\n"},
      {"Server=db;Database=x;User Id=app;Password=", "hunter2", ";Encrypt=yes\""},
      {"\"Data Source=db;uid=app;pwd=", "correct-horse", "\""},
      {"jdbc:postgresql://db/x?user=app&password=", "hunter2", "\n"},
      {"machine example.com login me password ", "hunter2", "\n"},
      {"machine example.com\n  login me\n  password ", "hunter2", "\n"},
      {"aws_secret_access_key = ",
       random_text(40, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 5), "\n"},
      {"client = ", all(3) + "8Q" + "~" + all(34), "\n"},
      {"", all(14) + ".atlas" + "v1." + all(60), "\n"},
      {"", std::string("nv") + "api-" + all(64), "\n"},
      {"", std::string("gl") + "wt-" + all(20), "\n"},
      {"", std::string("ci") + "o" + all(32), "\n"},
      {"key = ", random_text(32, kHex, 6) + "-us" + "21", "\n"},
      {"",
       std::string("dt") + "0c01." + random_text(24, kUpper, 2) + "." + random_text(64, kUpper, 4),
       "\n"},
      {"", std::string("EZ") + "AK" + all(54, 2), "\n"},
      {"", std::string("CLO") + "JARS_" + random_text(60, kHex, 3), "\n"},
      {"x = ", std::string("pa") + "t" + all(14, 3) + "." + random_text(64, kHex, 5), "\n"},
      {"x = ",
       std::string("pa") + "t." + all(22, 3) + "." + random_text(24, kHex, 5) + "." + all(20),
       "\n"},
      {"", std::string("re") + "_" + all(8, 3) + "_" + all(24, 4), "\n"},
      {"", std::string("sk") + "_live_" + all(20, 3) + "_" + all(20, 4), "\n"},
      {"--token=", std::string("sha") + "256~" + all(43), "\n"},
      {"\"auth\": \"", "bWU6aHVudGVyMnBsdXM=", "\"\n"},
      {"SECRET_KEY = '", "django-insecure-^p2$" + all(30, 7) + "&*(-=+", "'\n"},
      {"MAILER_API_KEY=", "f3a9c07b12de8846", "\n"},
      {"export X_TOKEN=", "kdh38sLp02mQ", "\n"},
      {"DB_ROOT_PASSWORD=", "nT5$wK8!pLx2vQz7", "\n"},
      {"password: ", "nT5$wK8!pLx2vQz7", "\n"},
      {"password = \"", "r0undH0use!qpx", "\"\n"},
      {"app.datasource.password=", "nT5@wK8#pLx2vQz7", "\n"},
      {"app.datasource.password=", "nT5wK8pLx2vQz7", "\n"},
      {"PGPASSWORD=", "nT5wK8pLx2vQz7", " psql\n"},
      {"define(\"DB_PASSWORD\", \"", "nT5$wK8!pLx2vQz7", "\");\n"},
      {"define('DB_PASSWORD', '", "nT5wK8pLx2vQz7", "');\n"},
      {"<password>", "nT5$wK8!pLx2vQz7", "</password>\n"},
      {"<password>", "nT5wK8pLx2vQz7", "</password>\n"},
      {"\"password\": [\"", "nT5wK8pLx2vQz7", "\"]\n"},
      {"curl -u admin:", "nT5wK8pLx2vQz7", " http://x\n"},
      {"mysql -u root -p", "hunter2x", " db\n"},
      {"RUN /usr/bin/mysqldump -p'", "hunter 2x", "' db\n"},
      {"$ A=1 sshpass -p ", "hunter2x", " ssh me@host\n"},
      {"sshpass -p", "hunter2x", " ssh me@host\n"},
      {"[\"redis-cli\", \"-a\", \"", "hunter2x", "\"]\n"},
      {"docker login -u me -p ", "hunter2x", "\n"},
      {"x && ldapsearch -w \"", "hunter2x", "\"\n"},
      {"deploy --token ", "9f8e7d6c5b4a3f2e", "\n"},
      {"deploy --password '", "nT5wK8pLx2vQz7", "'\n"},
      {"key: ", "1/12345678901234" + (":" + random_text(32, kHex, 6)), "\n"},
      {"", std::string("access_token$sand") + "box$" + all(16) + "$" + random_text(32, kHex, 6),
       "\n"},
      {"x = \"", all(6, 3) + "_" + all(29, 5) + "_mmk", "\"\n"},
      {"x = \"", "12345678-9abc-def0-1234-56789abcdef0:fx", "\"\n"},
      {"x = \"", "2" + all(26, 7) + "_" + all(21, 4), "\"\n"},
      {"<add key=\"ApiKey\" value=\"", "nT5wK8pLx2vQz7bNc4Rd", "\"/>\n"},
      {"- name: PASSWORD\n  value: ", "nT5wK8pLx2vQz7", "\n"},
      {"Authorization: Basic ", "bWU6bjBkaWNlVHdv", "\n"},
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

TEST_CASE("a token in several literals is one") {
  const std::string begin = std::string("gh") + "p_" + all(12, 1), middle = all(12, 2),
                    end = all(12, 3);
  for (const auto& [between, last] :
       {std::pair{"\" \"", "\""}, std::pair{"' + '", "'"}, std::pair{"\"\n    \"", "\""},
        std::pair{"' \\\n  '", "'"}, std::pair{"\" . \"", "\""}}) {
    const std::string text =
        std::string(last) + begin + between + middle + between + end + last + "\n";
    CAPTURE(text);
    const WithoutSecrets without = without_secrets(text);
    CHECK(without.count == 1);
    for (const std::string& part : {begin, middle, end}) {
      CHECK(without.text.find(part) == std::string::npos);
    }
    CHECK(count_lines(without.text) == count_lines(text));
  }
  const std::string list = "[\"" + begin + "\", \"" + middle + "\", \"" + end + "\"]";
  CHECK(hide_secrets(list) == list);
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
        std::string("password=; host=; Server={0};Password={1};User Id={2}"),
        std::string("if (server == x) password=user; sig=sha256(message_bytes, key_bytes)"),
        std::string("machine learning password reset login page"),
        std::string("Module.method.call_of_a_function_with_a_long_name"),
        std::string("int a1234567890:A; hooks.slack.com/services/ \"hf_\" \"short\""),
        std::string("PWD=/tmp/run-4f9Kq27ZxB1m/w8Rt3\nOLDPWD=/tmp/run-4f9Kq27ZxB1m/w8Rt3/b\n"),
        std::string("sk-container-id-1 div.sk-toggleable__content pre"),
        std::string("re_compile_all_of_the_patterns_here_2 pat.first_name_of_the_user.x.y"),
        std::string("class ghp_ {}; int AKIA = 1; eyJ. SG.x hf_hub_download_with_retries"),
        std::string("std::unique_ptr<Token> token = make_token<Utf8, Utf16, Utf32>(a1, b2);")}) {
    CAPTURE(text);
    CHECK(hide_secrets(text) == text);
  }
}

TEST_CASE("a name that begins like a token, but has words behind, is none") {
  for (const char* text :
       {"def sk_test_train_split_shapes(x): pass", "def rk_test_convergence_order(): pass",
        "x = sk_live_update_interval_ms", "sk_test_login_flow_v2_of_2024(a)",
        "class LTAIntegrationHandler: pass", "import { AKIDentityProviderConfigurationManagerX }",
        "class AKLTestingConfigurationForTheNewDatabaseClusterX {}",
        "name: access-production-cluster-monitoring-dashboard-service",
        ".tk-us-navigation-header-menu-item-selected-state-hover {",
        "API-ABCDEFGHIJKLMNOPQRSTUVWXY", "polar_oat_navigationheadermenuitemselectedstatehoverxx",
        "oauth:navigationheadermenuitemse", "encryption_key_name = alias-prod-2024-main\n"}) {
    CHECK(hide_secrets(text) == text);
  }
  for (const std::string prefix : {"sk_"
                                   "test_",
                                   "gl"
                                   "pat-",
                                   "sk-"
                                   "proj-",
                                   "access-"
                                   "sandbox-"}) {
    int missed = 0;
    for (unsigned seed = 1; seed <= 200; ++seed)
      missed += hide_secrets(prefix + all(36, seed)) == prefix + all(36, seed);
    CHECK(missed <= 1);
  }
}

// Of values that a machine made: not known by their form, but by the name that they have.
TEST_CASE("at most one of fifty values that are called a key is not recognized") {
  const std::pair<std::string, std::string> around[] = {
      {"NAME_API_KEY=", "\n"},          {"export X_TOKEN='", "'\n"},
      {"db_password: ", "\n"},          {"  - client_secret: ", "\r\n"},
      {"\"accessToken\": \"", "\",\n"}, {"signingKey = \"", "\";\n"},
      {"const apiKey = `", "`\n"},      {"+encryption_key=", "\n"}};
  for (const auto& [before, behind] : around) {
    for (const char* letters :
         {"0123456789abcdef", "abcdefghijklmnopqrstuvwxyz0123456789",
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"}) {
      int missed = 0, all = 0;
      for (const size_t size : {16u, 20u, 24u, 32u, 40u, 64u}) {
        for (unsigned seed = 1; seed <= 100; ++seed, ++all) {
          std::mt19937 random(seed);
          std::uniform_int_distribution<size_t> any(0, std::string_view(letters).size() - 1);
          std::string value;
          for (size_t i = 0; i < size; ++i) value += letters[any(random)];
          missed += hide_secrets(before + value + behind).find(value) != std::string::npos;
        }
      }
      CAPTURE(before);
      CAPTURE(letters);
      CHECK(missed * 50 <= all);
    }
  }
  for (const char* text : {"NAME_API_KEY=your-api-key-here1\n",
                           "X_TOKEN_FILE=/run/secrets/x_1\n",
                           "MAX_TOKENS_PER_REQUEST=4096000000000\n",
                           "X_TOKEN=$OTHER_TOKEN_12\n",
                           "AUTH_TOKEN_HEADER=X-Auth-Token-Header\n",
                           "token = nextTokenOfTheParser2\n",
                           "password = \"$HOME/a1b2#c3\"\n",
                           "password: ${A1}b2C3!d4\n",
                           "(\"password\", \"Passwort?\")\n",
                           "<password>Your password!</password>\n",
                           "Basic authentication: user\n",
                           "self.password=self.newpassword12\n",
                           "- name: SIZE\n  value: nT5wK8pLx2vQz7\n",
                           "curl -u admin:$PASSWORD http://x\n",
                           "mysql -p$PASSWORD -port 1\n",
                           "mkdir -pv a\nmysql -u x db\n",
                           "docker run -p 8080:80 x\n",
                           "mysql x | nc -p1234 h\n",
                           "tool --token <TOKEN>\n",
                           "tool --password string\n",
                           "token: 'csrf-field-2-of-form'\n",
                           "secret = sha256Of(first2, last9)\n",
                           "const apiKey = options2.value9,\n"}) {
    CHECK(hide_secrets(text) == text);
  }
}

TEST_CASE("lines of a key are known without its first one, and a public key's are not") {
  const std::string body = key_block("RSA PRIVATE KEY", 6, "");
  std::string end;  // as `tail` shows it
  for (size_t line = 0, at = 0; at < body.size(); ++line) {
    const size_t stop = body.find('\n', at) + 1;
    if (line >= 3) end += body.substr(at, stop - at);
    at = stop;
  }
  const std::string hidden = hide_secrets(end);
  CHECK(hidden.find(random_text(64, kBody, 103)) == std::string::npos);
  CHECK(hidden.find(random_text(20, kBody, 105)) == std::string::npos);
  CHECK(hidden.find("END RSA PRIVATE KEY") != std::string::npos);
  const std::string lone = random_text(64, kBody, 100);
  for (const char* before : {"", "key.txt:12:", "12| ", "+", "  \""})
    CHECK(hide_secrets(before + lone + "\n").find(lone) == std::string::npos);
}

TEST_CASE("a secret that bodkin holds is known by its value, whatever its form") {
  const std::string held = "plain words 7 and no form", other = "another-held-value-9";
  hold_secret(held);
  hold_header("Bearer " + other);
  for (const std::string& text : {"x" + held + "y", held, "{\"a\":\"" + other + "\"}"}) {
    CHECK(hide_secrets(text).find(held) == std::string::npos);
    CHECK(hide_secrets(text).find(other) == std::string::npos);
  }
  const std::string text = "a " + held + " b " + held.substr(0, 9) + " c " + other;
  for (size_t size = 1; size < 9; ++size) {  // in pieces of any size
    HeldSecretFilter filter;
    std::string shown;
    for (size_t at = 0; at < text.size(); at += size) shown += filter.take(text.substr(at, size));
    CHECK(shown + filter.rest() == "a [key] b " + held.substr(0, 9) + " c [key]");
  }
  // As servers write it.
  hold_secret("qv7Lm2ZtR9xkP4wB8nHc3Yd6");
  for (const char* spelling :
       {"cXY3TG0yWnRSOXhrUDR3QjhuSGMzWWQ2",
        "dTpxdjdMbTJadFI5eGtQNHdCOG5IYzNZZDY=", "eHk6cXY3TG0yWnRSOXhrUDR3QjhuSGMzWWQ2",
        "the key qv7Lm2ZtR9xk...", "qv7Lm2ZtR9xk\nP4wB8nHc3Yd6"}) {
    CAPTURE(spelling);
    const std::string without = without_held_secrets(spelling);
    CHECK(without.find("[key]") != std::string::npos);
    CHECK(without.size() < 25);
  }
  hold_secret("not-needed");
  hold_secret("lm-studio");
  CHECK(hide_secrets("lm-studio is not-needed") == "lm-studio is not-needed");
}

TEST_CASE("hostile texts are looked through once") {
  for (const std::string& part : {std::string("eyJ"),
                                  std::string("eyJ."),
                                  std::string("eyJ-"),
                                  std::string("eyJa.eyJ-"),
                                  std::string("-----BEGIN PRIVATE KEY-----\n"),
                                  std::string("-----BEGIN PRIVATE KEY-----"),
                                  std::string("://a:"),
                                  std::string("://"),
                                  std::string("token="),
                                  std::string("token:a1b2c3d4"),
                                  std::string("-"),
                                  std::string("ghp_"),
                                  std::string("SG."),
                                  std::string("Bearer "),
                                  std::string("Private-") + "Lines: 9999\n",
                                  std::string("\\n"),
                                  std::string("a1B2-"),
                                  std::string(";pwd=a;"),
                                  std::string("machine a login "),
                                  std::string("ghp_\" \""),
                                  std::string("ghp_\"\"a"),
                                  std::string("M.abcdef."),
                                  std::string("&sig="),
                                  std::string("8Q~"),
                                  std::string("12345678:A"),
                                  std::string("Server=;pwd=abc;\n")}) {
    std::string text;
    while (text.size() < 1'000'000) text += part;
    CHECK(count_lines(hide_secrets(text)) == count_lines(text));
  }
}
