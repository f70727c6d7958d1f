/* What events are called in counts, and how they are asked for by that. */
#include "engine/events/events.h"
#include "engine/input/recording.h"
#include "tests/support/blob.h"
#include "tests/support/etl_events.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const uint8_t guid[16] = {1, 2,  3,  4,  5,  6,  7,  8,
                                 9, 10, 11, 12, 13, 14, 15, 16};

static const char *name_of(struct event_naming *naming, uint16_t id)
{
    return naming->name(naming,
                        &(struct kind_request){.guid = guid, .id = id});
}

/* In two parts: u8 1, version, u8 0x5B, u16 parts, u16 which, text. */
static void give_manifest(struct event_naming *naming, const char *xml)
{
    size_t half = strlen(xml) / 2;

    for (uint16_t part = 0; part < 2; part++) {
        const char *text = part ? xml + half : xml;
        struct blob b = {0};

        blob_pack(&b, "BBBBHH", 1, 1, 0, 0x5B, 2, part);
        blob_bytes(&b, text, part ? strlen(text) : half);
        naming->describe(naming, &(struct event_description){
                                     .manifest = true,
                                     .guid = guid,
                                     .pid = 1,
                                     .tid = 2,
                                     .payload = {b.data, b.len}});
        free(b.data);
    }
}

TEST(manifests_name_what_came_before_them)
{
    static const char xml[] =
        "<instrumentationManifest><instrumentation><events>"
        "<provider name='Shop' guid='{04030201-0605-0807-090a-0b0c0d0e0f10}'>"
        "<events><event value='7' symbol='Sold' version='0'/></events>"
        "</provider></events></instrumentation></instrumentationManifest>";
    struct event_naming *naming = event_naming_new();

    for (int again = 0; again < 2; again++)
        give_manifest(naming, xml);
    ck_assert_str_eq(name_of(naming, 7), "Shop/Sold");
    ck_assert_str_eq(name_of(naming, 8), "Shop/EventID(8)");
    event_naming_free(naming);
    naming = event_naming_new();
    ck_assert_str_eq(name_of(naming, 7),
                     "04030201-0605-0807-090a-0b0c0d0e0f10/EventID(7)");
    event_naming_free(naming);
}

/* ---- asked for ---- */

static char path[TEMP_PATH];

/* Three events of one provider and one id; one of another provider that is
 * called as these are. */
static void write_log(void)
{
    static const uint8_t schema[] = "\x0c\0\0Progress", traits[] = "\x08\0Other";
    const struct etl_descriptor other = {.provider = {1, 2, 3, {4}}, .id = 9};
    struct etl_options options = {.cpus = 1};
    struct etl_writer *w;
    FILE *file;

    temp_file(path, "", 0);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    w = etl_writer_new(&options, file);
    for (unsigned i = 0; i < 3; i++)
        etl_tracelogging(w,
                         (struct etl_at){.tick = etl_tick(w, 1000000 * (i + 1)),
                                         .pid = 8,
                                         .tid = 4},
                         i, "x");
    etl_begin_event(w,
                    (struct etl_at){
                        .tick = etl_tick(w, 5000000), .pid = 8, .tid = 4},
                    &other);
    etl_put_item(w, ETL_ITEM_SCHEMA, schema, sizeof(schema), true);
    etl_put_item(w, ETL_ITEM_TRAITS, traits, sizeof(traits), false);
    etl_end(w);
    ck_assert(etl_writer_finish(w));
    etl_writer_free(w);
    fclose(file);
}

static size_t samples_of(const char *event)
{
    struct read_options options = {.event = event};
    const char *name = path;
    struct err err = {0};
    struct recording *r = recording_open(&name, 1, &options, &err);
    size_t n = r ? r->profile->samples.len : 0;

    if (r) {
        ck_assert_str_eq(profile_metric_word(r->profile), event);
        recording_close(r);
    }
    return n;
}

TEST(self_described_events_are_chosen_by_name)
{
    const struct read_options none = {0};
    const char *name = path;
    struct recording *r;
    bool counted = false;

    write_log();
    r = recording_open(&name, 1, &none, NULL);
    for (size_t i = 0; i < r->profile->trace.event_counts.len; i++) {
        const struct event_count *e = &r->profile->trace.event_counts.data[i];

        if (!strcmp(strings_get(r->profile->strings, e->name),
                    "Topfn.Tests/Progress"))
            counted = e->count == 3;
    }
    recording_close(r);
    ck_assert(counted);
    ck_assert_uint_eq(samples_of("Topfn.Tests/Progress"), 3);
    ck_assert_uint_eq(samples_of("Other/Progress"), 1);
    ck_assert_uint_eq(samples_of("progress"), 4);
    ck_assert_uint_eq(samples_of("EventTrace"), 1);
    ck_assert_uint_eq(samples_of("Topfn.Tests/Progres"), 0);
    ck_assert_uint_eq(samples_of("Tests/Progress"), 0);
    unlink(path);
}
