// The settings that every transfer by libcurl has in common: which certificates are trusted, how it
// connects, and its errors in words. Only for http.cpp.
#pragma once

#include <curl/curl.h>

#include <string>

#include "agent/models/model.h"

namespace bodkin {

void start_curl();  // initializes the library, once; any thread

// Like the openssl and curl programs: SSL_CERT_FILE or CURL_CA_BUNDLE may name the certificates of
// a company; else the distribution's are trusted. False: the same certificates are trusted with or
// without `with_bundle`.
bool set_trust(CURL* easy, bool with_bundle);

// Options of any request: no redirects, only http and https, no proxy for loopback.
void set_common(CURL* easy, const std::string& url, bool with_bundle);

// `detail`: CURLOPT_ERRORBUFFER.
ModelError error_of(CURLcode code, const std::string& url, const char* detail);

}  // namespace bodkin
