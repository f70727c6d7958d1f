/*
 * curl - libcurl, loaded when a server is to be asked.
 *
 *     const struct curl *curl = curl_load();
 *     if (curl)
 *         handle = curl->init();
 *
 * It comes with some thirty libraries, whose loading takes longer than many a
 * report. Runs that ask no server do without them, and cannot make a connection.
 */
#ifndef TOPFN_CURL_H
#define TOPFN_CURL_H

#include <curl/curl.h>

struct curl {
    CURL *(*init)(void);
    void (*cleanup)(CURL *handle);
    void (*reset)(CURL *handle);
    CURLcode (*setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*getinfo)(CURL *handle, CURLINFO info, ...);
    CURLcode (*perform)(CURL *handle);
    const char *(*strerror)(CURLcode code);
};

/* NULL when it is not installed. It stays loaded. */
const struct curl *curl_load(void);

#endif
