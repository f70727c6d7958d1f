/*
 * online - debug files from symbol servers.
 *
 *     places.online = online_new(&limits, "topfn/1.0"); // NULL: never ask
 *     if (!search_places(&found, &wanted))
 *         online_find(&found, &wanted);
 *     if (found.file)
 *         debug_frames(found.file, rva, ...);
 *     online_free(places.online);
 *
 * Of the servers among the places, those of Microsoft's protocol have PDBs
 * and images of Windows, those of debuginfod have ELF. They are asked in
 * order. A file that one sends is written to its store under a temporary name,
 * opened, and renamed to its place only if it is the very file wanted:
 * NAME/KEY/NAME, or of ELF .build-id/xx/yyyy and .build-id/xx/yyyy.debug.
 * From then on it is found there without asking. Every address asked, or not
 * asked, is a probe of `found`.
 *
 * A server that fails (no connection, time-out, answers other than the file
 * or its absence, a file cut short) is not asked again; nor is one that used
 * up its share of time or bytes. A new protocol is one file and a row of the
 * table in online.c. Several threads may ask; nothing but online_new makes a
 * connection possible.
 */
#ifndef TOPFN_ONLINE_H
#define TOPFN_ONLINE_H

#include "engine/base/progress.h"
#include "symbols/find/search.h"

struct online_limits {
    int64_t server_ms;     /* while a server is being asked, in all */
    uint64_t server_bytes; /* that it may send, in all */
    uint64_t file_bytes;   /* of one file */
    uint32_t connect_ms;
    uint32_t slow_bytes;   /* a second; slower for ... */
    uint32_t slow_seconds; /* ... so long is a failure */
    unsigned requests;     /* at a time */
};

#define ONLINE_LIMITS                                                          \
    {                                                                          \
        .server_ms = 600000, .server_bytes = 8ull << 30,                       \
        .file_bytes = 2ull << 30, .connect_ms = 10000, .slow_bytes = 1024,     \
        .slow_seconds = 60, .requests = 4                                      \
    }

enum { ONLINE_REDIRECTS = 5 };

/* The server of Windows and .NET. */
#define ONLINE_MICROSOFT "https://msdl.microsoft.com/download/symbols"

/* `agent` is how we introduce ourselves and must live as long. */
struct online *online_new(const struct online_limits *limits,
                          const char *agent);
void online_free(struct online *online);

/* Sets the progress that is told how far a file has come, by the thread that
 * called online_new only; NULL: nobody. */
void online_watch(struct online *online, const struct progress *progress);

/* The number of requests that are useful at a time. */
unsigned online_requests(const struct online *online);

/* Asks the servers among wanted->places for what is not there. True: `found`
 * has it open. */
bool online_find(struct found *found, const struct wanted *wanted);

/* The answers of one server in this run. */
struct online_server {
    const char *url;
    const char *failure;  /* NULL: none */
    size_t files, found;  /* that it was asked for; that it sent */
    size_t refused;       /* not asked for: it had failed before */
    uint64_t bytes;       /* that it sent */
};

/* The servers in order of their first request. False: there are no more. Call
 * both when no thread asks any more. */
bool online_server(const struct online *online, size_t i,
                   struct online_server *told);

/* True if an ELF file with a build ID was wanted and no debuginfod server is
 * among the places. */
bool online_lacks_debuginfod(const struct online *online);

#endif
