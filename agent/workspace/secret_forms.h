// The formats of well-known services' tokens: their prefixes, and the characters of their bodies.
#pragma once

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

  // Any name may begin like a prefix. Digits in hexadecimal and addresses are no names; and of 16
  // capitals one cannot say.
  constexpr bool may_be_words() const {
    return chars != kHex && chars != kPath && !(chars == kBase32 && most == 16);
  }
};

// The documented forms of the services' tokens (GitHub's secret scanning, gitleaks).
inline constexpr TokenForm kTokenForms[] = {
    {"ghp_", kWord, 30},
    {"gho_", kWord, 30},
    {"ghu_", kWord, 30},
    {"ghs_", kWord, 30},
    {"ghr_", kWord, 30},
    {"github_pat_", kToken, 20},
    {"glpat-", kToken, 18},
    {"gldt-", kToken, 18},
    {"glrt-", kToken, 18},
    {"glcbt-", kToken, 18},
    {"glptt-", kToken, 18},
    {"glft-", kToken, 18},
    {"glimt-", kToken, 18},
    {"glagent-", kToken, 18},
    {"glsoat-", kToken, 18},
    {"gloas-", kToken, 18},
    {"glffct-", kToken, 18},
    {"glwt-", kToken, 18},
    {"glrtr-", kToken, 18},
    {"GR1348941", kToken, 18},
    {"AKIA", kBase32, 16, 16},
    {"ASIA", kBase32, 16, 16},
    {"ABIA", kBase32, 16, 16},
    {"ACCA", kBase32, 16, 16},
    {"ABSK", kBase64, 80},
    {"AIza", kToken, 35, 35},
    {"GOCSPX-", kToken, 20},
    {"ya29.", kToken, 20},
    {"1//0", kToken, 38},
    {"xoxb-", kToken, 10},
    {"xoxp-", kToken, 10},
    {"xoxa-", kToken, 10},
    {"xoxr-", kToken, 10},
    {"xoxs-", kToken, 10},
    {"xoxe-", kToken, 10},
    {"xoxe.", kToken, 3},
    {"xoxc-", kToken, 10},
    {"xoxd-", kToken, 10},
    {"xapp-", kToken, 10},
    {"sk_live_", kToken, 10},
    {"sk_test_", kToken, 10},
    {"rk_live_", kToken, 10},
    {"rk_test_", kToken, 10},
    {"whsec_", kBase64, 24},
    {"sk-proj-", kToken, 20},
    {"sk-svcacct-", kToken, 20},
    {"sk-admin-", kToken, 20},
    {"sk-None-", kToken, 20},
    {"sk-ant-", kToken, 20},
    {"sk-or-", kToken, 20},
    {"sk-lf-", kToken, 20},
    {"sk-", kWord, 32},
    {"gsk_", kWord, 40},
    {"xai-", kWord, 40},
    {"pplx-", kWord, 40},
    {"r8_", kWord, 30, 48},
    {"hf_", kWord, 30, 48},
    {"api_org_", kWord, 30, 48},
    {"csk-", kWord, 40},
    {"npm_", kWord, 30},
    {"pypi-AgE", kToken, 30},
    {"rubygems_", kHex, 40},
    {"dckr_pat_", kToken, 20},
    {"dckr_oat_", kToken, 20},
    {"dop_v1_", kHex, 40},
    {"doo_v1_", kHex, 40},
    {"dor_v1_", kHex, 40},
    {"shpat_", kHex, 30},
    {"shpca_", kHex, 30},
    {"shppa_", kHex, 30},
    {"shpss_", kHex, 30},
    {"SK", kHex, 32, 32},
    {"key-", kHex, 32, 32},
    {"sq0csp-", kToken, 40},
    {"sq0atp-", kToken, 20},
    {"EAACEdEose0cBA", kWord, 20},
    {"dapi", kHex, 32, 34},
    {"lin_api_", kWord, 30},
    {"secret_", kWord, 43, 43},
    {"ntn_", kWord, 40},
    {"PMAK-", kToken, 40},
    {"hvs.", kToken, 20},
    {"hvb.", kToken, 20},
    {"hvr.", kToken, 20},
    {"glsa_", kToken, 30},
    {"glc_", kBase64, 32},
    {"sntrys_", kBase64, 40},
    {"sntryu_", kHex, 40},
    {"AGE-SECRET-KEY-", kBase32, 50},
    {"pscale_tkn_", kToken, 30},
    {"pscale_pw_", kToken, 30},
    {"ATATT3", kToken, 100},
    {"ATCTT3", kToken, 100},
    {"ATBB", kWord, 32, 36},
    {"sbp_", kHex, 40},
    {"sb_secret_", kToken, 20},
    {"dp.pt.", kWord, 40},
    {"dp.st.", kToken, 40},
    {"fo1_", kToken, 40},
    {"fm2_", kBase64, 80},
    {"tskey-", kToken, 20},
    {"HRKU-", kToken, 30},
    {"nfp_", kWord, 36},
    {"figd_", kToken, 36},
    {"dsk-", kToken, 40},
    {"aio_", kWord, 28, 28},
    {"pul-", kHex, 40},
    {"cio-", kToken, 40},
    {"cio", kWord, 32, 32},  // crates.io
    {"EZAK", kWord, 54, 54},
    {"EZTK", kWord, 54, 54},
    {"rdme_", kWord, 60},
    {"xkeysib-", kToken, 64},
    {"xsmtpsib-", kToken, 64},
    {"NRAK-", kWord, 26},
    {"phx_", kWord, 40},
    {"vercel_", kWord, 24},
    {"lsv2_", kToken, 40},
    {"tvly-", kToken, 30},
    {"fw_", kWord, 24, 24},
    {"jina_", kToken, 50},
    {"pcsk_", kToken, 50},
    {"AAAAAAAAAAAAAAAAAAAAA", kBase64, 60},  // Twitter's bearer
    {"AQ.Ab", kToken, 40},                   // Gemini
    {"sess-", kWord, 40},
    {"nvapi-", kToken, 60},
    {"tgp_v1_", kToken, 40},
    {"sk_", kHex, 48, 48},
    {"sk.eyJ", kToken, 60},
    {"ops_eyJ", kToken, 100},
    {"sl.u.", kToken, 100},
    {"sl.", kToken, 120},
    {"EAAAE", kToken, 55},
    {"EAAB", kWord, 80},
    {"EAAC", kWord, 80},
    {"EAAG", kWord, 80},
    {"EAAM", kWord, 80},
    {"AKCp", kWord, 60},
    {"cmVmdGtuOj", kBase64, 40},
    {"oy2", kWord, 43, 43},
    {"CFPAT-", kToken, 40},
    {"bkua_", kHex, 40},
    {"CCIPAT_", kToken, 40},
    {"CCIPRJ_", kToken, 40},
    {"pscale_oauth_", kToken, 30},
    {"pnu_", kWord, 36, 36},
    {"tfp_", kToken, 44},
    {"pat-na1-", kToken, 30},
    {"pat-eu1-", kToken, 30},
    {"CLOJARS_", kHex, 60},
    {"duffel_test_", kToken, 40},
    {"duffel_live_", kToken, 40},
    {"FLWSECK_TEST-", kHex, 12},
    {"FLWSECK-", kHex, 12},
    {"fio-u-", kToken, 60},
    {"ico-", kWord, 32, 32, true},
    {"live_", kHex, 35, 35},
    {"test_", kHex, 35, 35},
    {"API-", kBase32, 25, 26},
    {"sha256~", kToken, 43, 43},
    {"access-sandbox-", kToken, 36},
    {"access-development-", kToken, 36},
    {"access-production-", kToken, 36},
    {"tk-us-", kToken, 48, 48},
    {"shippo_live_", kHex, 40},
    {"shippo_test_", kHex, 40},
    {"sgp_", kToken, 40, 4096, true},
    {"AQVN", kToken, 35, 40},
    {"LTAI", kWord, 16, 24},
    {"AKID", kWord, 32, 36},
    {"AKLT", kWord, 40, 60},
    {"polar_oat_", kWord, 40},
    {"polar_pat_", kWord, 40},
    {"re_", kToken, 33, 33, true},
    {"eyJrIjoi", kBase64, 60},
    {"waka_", kToken, 36, 36},
    {"cu_", kHex, 32, 32},
    {"depot_project_", kHex, 40},
    {"depot_org_", kHex, 40},
    {"ion_", kWord, 42, 42},
    {"oauth:", kWord, 30, 30},
    {"napi_", kWord, 60},
    {"b_", kToken, 44, 44, true},
    // Anyone who knows the address can write there.
    {"hooks.slack.com/services/", kPath, 24},
    {"hooks.slack.com/workflows/", kPath, 24},
    {"hooks.slack.com/triggers/", kPath, 24},
    {"hooks.zapier.com/hooks/catch/", kPath, 12},
    {"discord.com/api/webhooks/", kPath, 60},
    {"discordapp.com/api/webhooks/", kPath, 60},
    {"webhook.office.com/webhookb2/", kPath, 60},
};

}  // namespace bodkin
