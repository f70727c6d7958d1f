/*
 * What a symbol server may do to us, and what we may ask of it. The program
 * as a whole is in tests/cli/test_online.c.
 */
#include "symbols/find/online/online.h"

#include <curl/curl.h>

#include "engine/base/library.h"
#include "engine/base/text.h"
#include "symbols/find/module.h"
#include "tests/support/cab_writer.h"
#include "tests/support/online_world.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* The words of the libcurl that is installed. */
static const char *libcurl_text(CURLcode code)
{
    const char *(*text)(CURLcode) = NULL;

    ck_assert(library_find(library_load("libcurl.so.4"), "curl_easy_strerror",
                           &text));
    return text(code);
}

static const struct probe *last_probe(const struct found *found)
{
    ck_assert_uint_gt(found->probes.len, 0);
    return &found->probes.data[found->probes.len - 1];
}

static void assert_found(struct online_world *w, struct found *found)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];

    ck_assert_int_eq(found->cause, FIND_OK);
    ck_assert_uint_gt(
        debug_frames(found->file, 0x1030, frames, DEBUG_FRAMES_MAX), 0);
    ck_assert_uint_eq(temp_folder_files(w->store), 1);
    found_release(found);
}

TEST(is_kept_where_it_is_found_again)
{
    struct online_world w;
    struct found found;

    online_world_start(&w);
    online_world_page(&w, &w.wanted, NULL,
                      &(struct http_page){.body = w.pdb->data,
                                          .size = w.pdb->size});
    found = online_world_ask(&w, &w.wanted);
    ck_assert_uint_eq(found.probes.len, 2);
    ck_assert_int_eq(found.probes.data[0].cause, FIND_OK);
    assert_found(&w, &found);
    ck_assert_uint_eq(http_server_requests(w.server), 1);
    w.wanted.places = &w.places;
    found = found_nothing(&w.wanted);
    ck_assert(search_place(&found, &w.wanted, w.store));
    assert_found(&w, &found);
    online_world_stop(&w);
}

TEST(a_cabinet_is_unpacked)
{
    struct online_world w;
    struct blob cab = {0};
    struct found found;

    online_world_start(&w);
    cab_make(&cab, w.pdb->data, w.pdb->size, true);
    online_world_page(
        &w, &w.wanted, "mixer.pd_",
        &(struct http_page){.body = cab.data, .size = cab.len});
    found = online_world_ask(&w, &w.wanted);
    assert_found(&w, &found);
    w.wanted.places = &w.places;
    found = found_nothing(&w.wanted);
    ck_assert(search_place(&found, &w.wanted, w.store));
    assert_found(&w, &found);
    online_world_stop(&w);
    free(cab.data);
}

TEST(a_redirect_is_followed)
{
    struct online_world w;
    struct found found;

    online_world_start(&w);
    online_world_page(&w, &w.wanted, NULL,
                      &(struct http_page){.location = "/blob/1"});
    http_server_add(w.server, &(struct http_page){.path = "/blob/1",
                                                  .body = w.pdb->data,
                                                  .size = w.pdb->size});
    found = online_world_ask(&w, &w.wanted);
    assert_found(&w, &found);
    online_world_stop(&w);
}

/* ---- what goes wrong ---- */

static const char html[] = "<html>Please log in</html>";

static const struct {
    const char *name;
    struct http_page page;
    enum find_cause cause;
    const char *reason; /* begins so; NULL: libcurl's words for `code` */
    bool is_dead;       /* the server, then */
    CURLcode code;
} failures[] = {
    {"html", {.body = html, .size = sizeof(html)}, FIND_BROKEN,
     "not a debug file", false, 0},
    {"nothing", {.status = 200}, FIND_FAILED, "", false, 0},
    {"cut", {.body = html, .size = sizeof(html), .claimed = 100000},
     FIND_FAILED, NULL, true, CURLE_PARTIAL_FILE},
    {"slow", {.body = html, .size = sizeof(html), .waits_ms = 10000},
     FIND_FAILED, NULL, true, CURLE_OPERATION_TIMEDOUT},
    {"large", {.body = html, .size = sizeof(html), .claimed = 3ull << 30},
     FIND_FAILED, "larger than 52428800 bytes", false, 0},
    {"loop", {.location = "/mixer.pdb/KEY/mixer.pdb"}, FIND_FAILED,
     NULL, true, CURLE_TOO_MANY_REDIRECTS},
    {"file", {.location = "file:///etc/passwd"}, FIND_FAILED,
     NULL, true, CURLE_UNSUPPORTED_PROTOCOL},
    {"ftp", {.location = "ftp://127.0.0.1/x"}, FIND_FAILED,
     NULL, true, CURLE_UNSUPPORTED_PROTOCOL},
    {"busy", {.status = 503}, FIND_FAILED, "HTTP status 503", true, 0},
    {"locked", {.status = 401}, FIND_FAILED, "HTTP status 401", true, 0},
    {"nothing new", {.status = 304}, FIND_FAILED, "HTTP status 304", true, 0},
    {"part", {.status = 206, .body = html, .size = sizeof(html)},
     FIND_FAILED, "HTTP status 206", true, 0},
};

/* The next file is asked for if the server is not dead. */
static void assert_alive(struct online_world *w, bool is_alive)
{
    size_t before = http_server_requests(w->server);
    struct wanted next = w->wanted;
    struct found found;

    strcpy(next.key, "1");
    found = online_world_ask(w, &next);
    ck_assert_uint_eq(http_server_requests(w->server) - before,
                      is_alive ? 2 : 0);
    ck_assert_int_eq(last_probe(&found)->cause,
                     is_alive ? FIND_ABSENT : FIND_NOT_ASKED);
    if (!is_alive)
        ck_assert_ptr_nonnull(
            strstr(last_probe(&found)->reason, "failed before: "));
    found_release(&found);
}

static void assert_failed(struct online_world *w, struct found *found,
                          enum find_cause cause, const char *reason)
{
    const struct probe *probe = &found->probes.data[0];

    ck_assert_uint_eq(found->probes.len, 1);
    ck_assert_ptr_null(found->file);
    ck_assert_int_eq(probe->cause, cause);
    ck_assert_msg(!strncmp(probe->reason, reason, strlen(reason)), "%s",
                  probe->reason);
    ck_assert_uint_eq(temp_folder_files(w->store), 0);
    found_release(found);
}

TEST(failures_leave_nothing)
{
    for (size_t i = 0; i < COUNT(failures); i++) {
        struct online_world w;
        struct found found;

        online_world_start(&w);
        strcpy(w.wanted.key, "KEY");
        online_world_page(&w, &w.wanted, NULL, &failures[i].page);
        found = online_world_ask(&w, &w.wanted);
        assert_failed(&w, &found, failures[i].cause,
                      failures[i].reason
                          ? failures[i].reason
                          : libcurl_text(failures[i].code));
        assert_alive(&w, !failures[i].is_dead);
        online_world_stop(&w);
    }
}

TEST(another_build_is_not_kept)
{
    struct online_world w;
    struct found found;

    online_world_start(&w);
    online_world_page(&w, &w.wanted, NULL,
                      &(struct http_page){.body = w.other->data,
                                          .size = w.other->size});
    found = online_world_ask(&w, &w.wanted);
    ck_assert_int_eq(found.cause, FIND_MISMATCH);
    assert_failed(&w, &found, FIND_MISMATCH, "the server sent another build");
    assert_alive(&w, true);
    online_world_stop(&w);
}

TEST(a_broken_cabinet_is_not_kept)
{
    struct online_world w;
    struct found found;

    online_world_start(&w);
    online_world_page(&w, &w.wanted, "mixer.pd_",
                      &(struct http_page){.body = html, .size = 20});
    found = online_world_ask(&w, &w.wanted);
    ck_assert_int_eq(found.cause, FIND_BROKEN);
    ck_assert_str_eq(last_probe(&found)->reason, "not a cabinet");
    ck_assert_uint_eq(temp_folder_files(w.store), 0);
    found_release(&found);
    online_world_stop(&w);
}

TEST(nobody_listens)
{
    struct online_world w;
    struct found found;
    char url[40];

    online_world_start(&w);
    snprintf(url, sizeof(url), "http://127.0.0.1:%u", http_free_port());
    free(w.places.servers.data[0].url);
    w.places.servers.data[0].url = text_copy(url, strlen(url));
    found = online_world_ask(&w, &w.wanted);
    assert_failed(&w, &found, FIND_FAILED,
                  libcurl_text(CURLE_COULDNT_CONNECT));
    assert_alive(&w, false);
    online_world_stop(&w);
}

TEST(what_is_absent_is_asked_for_twice)
{
    static const char *const lasts[] = {"mixer.pdb", "mixer.pd_"};
    struct online_world w;
    struct found found;

    online_world_start(&w);
    found = online_world_ask(&w, &w.wanted);
    ck_assert_uint_eq(found.probes.len, 2);
    ck_assert_uint_eq(http_server_requests(w.server), 2);
    for (size_t i = 0; i < 2; i++) {
        const char *slash = strrchr(http_server_request(w.server, i), '/');

        ck_assert_str_eq(slash + 1, lasts[i]);
        ck_assert_int_eq(found.probes.data[i].cause, FIND_ABSENT);
    }
    ck_assert_int_eq(found.cause, FIND_ABSENT);
    found_release(&found);
    ck_assert_uint_eq(temp_folder_files(w.store), 0);
    assert_alive(&w, true);
    online_world_stop(&w);
}

TEST(where_nothing_can_be_kept)
{
    struct online_world w;
    struct found found;

    online_world_start(&w);
    online_world_page(&w, &w.wanted, NULL,
                      &(struct http_page){.body = w.pdb->data,
                                          .size = w.pdb->size});
    w.places.servers.data[0].store = text_copy("/dev/null/store", 15);
    found = online_world_ask(&w, &w.wanted);
    assert_failed(&w, &found, FIND_FAILED, "/dev/null/store/mixer.pdb/");
    assert_alive(&w, true);
    online_world_stop(&w);
}

/* ---- limits ---- */

TEST(bytes_run_out)
{
    static const char *const keys[] = {"1", "2"};
    struct online_world w;
    struct found found;

    online_world_start(&w);
    w.limits.server_bytes = w.other->size + 10;
    for (size_t i = 0; i < 2; i++) {
        strcpy(w.wanted.key, keys[i]);
        online_world_page(&w, &w.wanted, NULL,
                          &(struct http_page){.body = w.other->data,
                                              .size = w.other->size});
    }
    strcpy(w.wanted.key, "1");
    found = online_world_ask(&w, &w.wanted);
    ck_assert_int_eq(last_probe(&found)->cause, FIND_MISMATCH);
    found_release(&found);
    strcpy(w.wanted.key, "2");
    found = online_world_ask(&w, &w.wanted);
    ck_assert_int_eq(last_probe(&found)->cause, FIND_FAILED);
    ck_assert_msg(!strncmp(last_probe(&found)->reason, "larger than ", 12),
                  "%s", last_probe(&found)->reason);
    found_release(&found);
    ck_assert_uint_eq(temp_folder_files(w.store), 0);
    online_world_stop(&w);
}

TEST(time_runs_out)
{
    struct online_world w;
    struct found found;

    online_world_start(&w);
    w.limits.server_ms = 200;
    w.limits.slow_seconds = 60;
    online_world_page(&w, &w.wanted, NULL,
                      &(struct http_page){.body = html,
                                          .size = sizeof(html),
                                          .waits_ms = 10000});
    found = online_world_ask(&w, &w.wanted);
    assert_failed(&w, &found, FIND_FAILED, "Timeout");
    assert_alive(&w, false);
    online_world_stop(&w);
}

/* ---- who is asked ---- */

TEST(an_address_is_asked_once)
{
    struct online_world w;
    struct wanted absent;
    struct found found;

    online_world_start(&w);
    absent = w.wanted;
    strcpy(absent.key, "1");
    online_world_page(&w, &w.wanted, NULL,
                      &(struct http_page){.body = w.pdb->data,
                                          .size = w.pdb->size});
    for (int i = 0; i < 2; i++) {
        found = online_world_ask(&w, &w.wanted);
        ck_assert_uint_eq(found.probes.len, 2);
        assert_found(&w, &found);
        found = online_world_ask(&w, &absent);
        ck_assert_uint_eq(found.probes.len, 2);
        found_release(&found);
        ck_assert_uint_eq(http_server_requests(w.server), 3);
    }
    online_world_stop(&w);
}

TEST(nobody_is_asked_offline)
{
    struct online_world w;
    struct found found;

    online_world_start(&w);
    w.wanted.places = &w.places;
    found = found_nothing(&w.wanted);
    ck_assert(!online_find(&found, &w.wanted));
    assert_failed(&w, &found, FIND_NOT_ASKED, "no --online");
    ck_assert_uint_eq(http_server_requests(w.server), 0);
    online_world_stop(&w);
}

TEST(names_are_escaped)
{
    struct online_world w;
    struct wanted odd = {
        .kind = WANTED_PE, .name = "a b?c%#.dll", .key = "K"};
    struct found found;

    online_world_start(&w);
    found = online_world_ask(&w, &odd);
    ck_assert_str_eq(http_server_request(w.server, 0),
                     "/a%20b%3Fc%25%23.dll/K/a%20b%3Fc%25%23.dll");
    found_release(&found);
    online_world_stop(&w);
}

TEST(without_a_store_nobody_is_asked)
{
    struct online_world w;
    struct found found;

    online_world_start(&w);
    free(w.places.store);
    w.places.store = NULL;
    found = online_world_ask(&w, &w.wanted);
    assert_failed(&w, &found, FIND_NOT_ASKED, "no folder to keep it in");
    ck_assert_uint_eq(http_server_requests(w.server), 0);
    online_world_stop(&w);
}
