// The formats of well-known services' tokens: their prefixes, and the characters of their bodies.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace bodkin {

// The characters of a token's body.
enum TokenChars { kWord, kToken, kHex, kBase32, kBase64, kPath, kCharKinds };

inline constexpr std::array<std::array<bool, 256>, kCharKinds> kTokenChars = [] {
  std::array<std::array<bool, 256>, kCharKinds> sets{};
  for (int c = 0; c < 256; ++c) {
    const bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'Z';
    const bool lower = c >= 'a' && c <= 'z';
    sets[kWord][c] = digit || upper || lower;
    sets[kToken][c] = digit || upper || lower || c == '_' || c == '-';
    sets[kHex][c] = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    sets[kBase32][c] = upper || digit;
    sets[kPath][c] = sets[kToken][c] || c == '/' || c == '@';
    sets[kBase64][c] = digit || upper || lower || c == '+' || c == '/' || c == '=';
  }
  return sets;
}();

inline bool is_token_char(TokenChars kind, char c) {
  return kTokenChars[kind][static_cast<unsigned char>(c)];
}

struct TokenForm {
  std::string_view prefix;
  TokenChars chars;
  size_t least, most = 4096;  // of the body
  bool is_random = false;     // whether the body must look so: the prefix says little

  // Any name may begin like a prefix. Hexadecimal digits and addresses are not names; 16 capitals
  // may be either.
  constexpr bool may_be_words() const {
    return chars != kHex && chars != kPath && !(chars == kBase32 && most == 16);
  }
};

// The documented forms of the services' tokens (GitHub's secret scanning, gitleaks); a form's
// prefixes have blanks between them. The first that fits counts. Anyone who knows the address of a
// web hook (kPath) can write there.
inline constexpr TokenForm kSharedForms[] = {
    {"LTAI", kWord, 16, 24},
    {"EAACEdEose0cBA", kWord, 20},
    {"vercel_", kWord, 24},
    {"fw_", kWord, 24, 24},
    {"NRAK-", kWord, 26},
    {"aio_", kWord, 28, 28},
    {"ghp_ gho_ ghu_ ghs_ ghr_ npm_ lin_api_", kWord, 30},
    {"oauth:", kWord, 30, 30},
    {"r8_ hf_ api_org_", kWord, 30, 48},
    {"ATBB AKID", kWord, 32, 36},
    {"ico-", kWord, 32, 32, true},
    {"nfp_", kWord, 36},
    {"pnu_", kWord, 36, 36},
    {"gsk_ xai- pplx- csk- ntn_ dp.pt. phx_ sess- polar_oat_ polar_pat_", kWord, 40},
    {"AKLT", kWord, 40, 60},
    {"ion_", kWord, 42, 42},
    {"secret_ oy2", kWord, 43, 43},
    {"EZAK EZTK", kWord, 54, 54},
    {"rdme_ AKCp napi_", kWord, 60},
    {"EAAB EAAC EAAG EAAM", kWord, 80},
    {"xoxe.", kToken, 3},
    {"xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xapp- sk_live_ sk_test_ rk_live_ rk_test_",
     kToken, 10},
    {"glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- gloas- glffct- glwt- glrtr- "
     "GR1348941",
     kToken, 18},
    {"github_pat_ GOCSPX- ya29. sk-proj- sk-svcacct- sk-admin- sk-None- sk-ant- sk-or- sk-lf- "
     "dckr_pat_ dckr_oat_ sq0atp- hvs. hvb. hvr. sb_secret_ tskey-",
     kToken, 20},
    {"sk-", kWord, 32},
    {"pypi-AgE glsa_ pscale_tkn_ pscale_pw_ HRKU- tvly- pscale_oauth_ pat-na1- pat-eu1-", kToken,
     30},
    {"re_", kToken, 33, 33, true},
    {"AIza", kToken, 35, 35},
    {"AQVN", kToken, 35, 40},
    {"figd_ access-sandbox- access-development- access-production-", kToken, 36},
    {"waka_", kToken, 36, 36},
    {"1//0", kToken, 38},
    {"sq0csp- PMAK- dp.st. fo1_ dsk- cio- lsv2_ AQ.Ab tgp_v1_ CFPAT- CCIPAT_ CCIPRJ_ duffel_test_ "
     "duffel_live_",
     kToken, 40},
    {"cio", kWord, 32, 32},
    {"sgp_", kToken, 40, 4096, true},
    {"sha256~", kToken, 43, 43},
    {"tfp_", kToken, 44},
    {"b_", kToken, 44, 44, true},
    {"tk-us-", kToken, 48, 48},
    {"jina_ pcsk_", kToken, 50},
    {"EAAAE", kToken, 55},
    {"nvapi- sk.eyJ fio-u-", kToken, 60},
    {"xkeysib- xsmtpsib-", kToken, 64},
    {"ATATT3 ATCTT3 ops_eyJ sl.u.", kToken, 100},
    {"sl.", kToken, 120},
    {"FLWSECK_TEST- FLWSECK-", kHex, 12},
    {"shpat_ shpca_ shppa_ shpss_", kHex, 30},
    {"SK key- cu_", kHex, 32, 32},
    {"dapi", kHex, 32, 34},
    {"live_ test_", kHex, 35, 35},
    {"rubygems_ dop_v1_ doo_v1_ dor_v1_ sntryu_ sbp_ pul- bkua_ shippo_live_ shippo_test_ "
     "depot_project_ depot_org_",
     kHex, 40},
    {"sk_", kHex, 48, 48},
    {"CLOJARS_", kHex, 60},
    {"AKIA ASIA ABIA ACCA", kBase32, 16, 16},
    {"API-", kBase32, 25, 26},
    {"AGE-SECRET-KEY-", kBase32, 50},
    {"whsec_", kBase64, 24},
    {"glc_", kBase64, 32},
    {"sntrys_ cmVmdGtuOj", kBase64, 40},
    {"AAAAAAAAAAAAAAAAAAAAA eyJrIjoi", kBase64, 60},
    {"ABSK fm2_", kBase64, 80},
    {"hooks.zapier.com/hooks/catch/", kPath, 12},
    {"hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/", kPath, 24},
    {"discord.com/api/webhooks/ discordapp.com/api/webhooks/ webhook.office.com/webhookb2/", kPath,
     60},
};

// The same, one for each prefix.
inline constexpr auto kTokenForms = [] {
  constexpr size_t kCount = [] {
    size_t count = 0;
    for (const TokenForm& form : kSharedForms)
      count += 1 + static_cast<size_t>(std::ranges::count(form.prefix, ' '));
    return count;
  }();
  std::array<TokenForm, kCount> forms{};
  size_t next = 0;
  for (TokenForm form : kSharedForms) {
    for (std::string_view left = form.prefix; !left.empty();) {
      const size_t end = std::min(left.find(' '), left.size());
      form.prefix = left.substr(0, end);
      left.remove_prefix(std::min(end + 1, left.size()));
      forms[next++] = form;
    }
  }
  return forms;
}();

}  // namespace bodkin
