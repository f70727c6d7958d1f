#include "engine/model/code.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "engine/model/profile.h"

const char *code_kind_name(enum code_kind kind)
{
    static const char *const names[CODE_KINDS] = {
        [CODE_UNKNOWN] = "unknown", [CODE_NATIVE] = "native",
        [CODE_MANAGED] = "managed", [CODE_SCRIPT] = "script",
        [CODE_KERNEL] = "kernel",
    };

    return names[kind];
}

static const struct {
    const char *word, *phrase;
} cause_words[CAUSE_KINDS] = {
    [CAUSE_NONE] = {"none", "named"},
    [CAUSE_NO_IMAGE] = {"no_image", "no image"},
    [CAUSE_NO_SYMBOLS] = {"no_symbols", "no symbols"},
    [CAUSE_HYPERCALL] = {"hypercall_page", "hypercall page"},
    [CAUSE_NO_STACK] = {"no_stack", "no stack"},
    [CAUSE_NO_RUNDOWN] = {"no_rundown", "no rundown"},
    [CAUSE_CUT_OFF] = {"cut_off", "truncated recording"},
    [CAUSE_UNLOADED] = {"unloaded", "code unloaded"},
    [CAUSE_MISMATCH] = {"identity_mismatch", "symbol file of another build"},
    [CAUSE_BROKEN] = {"broken_file", "broken symbols"},
    [CAUSE_OUTSIDE] = {"address_outside", "not in symbols"},
    [CAUSE_FREED] = {"code_freed", "code freed"},
};

const char *name_cause_name(enum name_cause cause)
{
    return cause_words[cause].word;
}

const char *name_cause_phrase(enum name_cause cause)
{
    return cause_words[cause].phrase;
}

const char *code_tier_name(unsigned tier)
{
    /* attribution/clr-events.md, section 2 */
    static const char *const names[CODE_TIERS] = {
        "",
        "MinOptJitted",
        "Optimized",
        "QuickJitted",
        "OptimizedTier1",
        "OptimizedTier1OSR",
        "InstrumentedTier",
        "InstrumentedTierOptimized",
    };

    return tier < CODE_TIERS ? names[tier] : "";
}

enum code_tier code_tier_of(unsigned tier)
{
    static const enum code_tier tiers[CODE_TIERS] = {
        TIER_UNKNOWN, TIER_MINOPTS, TIER_OPTIMIZED, TIER_0,
        TIER_1,       TIER_OSR,     TIER_0,         TIER_1};

    return tier < CODE_TIERS ? tiers[tier] : TIER_UNKNOWN;
}

const char *code_tier_word(int tier)
{
    static const char *const words[TIER_WORDS] = {
        "unknown", "precompiled", "minopts", "optimized",
        "tier0",   "tier1",       "osr"};

    return tier < TIER_WORDS ? words[tier] : NULL;
}

/* A method that is a name alone. */
static struct method method_of_name(const struct method_name *name)
{
    return (struct method){
        .from = TIME_MIN,
        .to = TIME_MAX,
        .name = name->full_name,
        .full_name = name->full_name,
        .module = name->module,
    };
}

static bool is_name_alone(const struct method *m)
{
    return !m->start && !m->size && m->from == TIME_MIN && m->to == TIME_MAX &&
           !m->process && !m->space && m->name == m->full_name &&
           !m->signature && !m->token && !m->tier && !m->method_id;
}

uint32_t methods_add(struct methods *methods, const struct method *m)
{
    uint32_t id = mem_next_id(methods->len);
    struct method_name name = {.full_name = m->full_name, .module = m->module};

    if (!is_name_alone(m)) {
        *vec_add(&methods->code) = *m;
        name.code = mem_next_id(methods->code.len);
    }
    *vec_add(methods) = name;
    return id;
}

struct method methods_get(const struct methods *methods, uint32_t id)
{
    const struct method_name *name = &methods->data[id];
    struct method m;

    if (!name->code)
        return method_of_name(name);
    m = methods->code.data[name->code - 1];
    m.full_name = name->full_name;
    return m;
}

/* A method that is a name alone keeps that as its short name. */
void methods_set_name(struct methods *methods, uint32_t id, uint32_t full_name)
{
    struct method_name *name = &methods->data[id];

    if (!name->code) {
        *vec_add(&methods->code) = method_of_name(name);
        name->code = mem_next_id(methods->code.len);
    }
    name->full_name = full_name;
}

void methods_release(struct methods *methods)
{
    vec_release(methods);
    vec_release(&methods->code);
}

enum { TIMESTAMP_DIGITS = 8, MOST_PE_DIGITS = 15, MOST_GO = 128 };

void code_id_of_pe(const struct identity *id, char text[CODE_ID_SIZE])
{
    *text = '\0';
    if (id->timestamp && id->image_size)
        snprintf(text, CODE_ID_SIZE, "%08X%x", id->timestamp, id->image_size);
}

void code_id_text(const struct identity *id, char text[CODE_ID_SIZE])
{
    if (id->build_id_size)
        hex_text(id->build_id, id->build_id_size, text);
    else
        code_id_of_pe(id, text);
}

static bool are_digits(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (hex_digit(text[i]) < 0)
            return false;
    return true;
}

bool code_id_take_go(struct identity *id, struct bytes text)
{
    enum { LEAST = 40, HASHES = 4 };
    size_t hashes = 1;

    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] <= ' ' || text.data[i] > '~')
            return false;
        hashes += text.data[i] == '/';
    }
    if (text.len < LEAST || hashes != HASHES)
        return false;
    id->build_id_size = sizeof(id->build_id);
    memcpy(id->build_id, text.data, sizeof(id->build_id));
    return true;
}

static void read_go_digits(struct identity *id, const char *text, size_t n)
{
    uint8_t bytes[MOST_GO] = {0};

    if (n % 2)
        return;
    hex_bytes(text, n / 2, bytes);
    code_id_take_go(id, (struct bytes){bytes, n / 2});
}

bool code_id_read_pdb(struct identity *id, const char *text, size_t n)
{
    enum { GUID_DIGITS = 32, MOST_AGE_DIGITS = 7 };

    if (n <= GUID_DIGITS || n > GUID_DIGITS + MOST_AGE_DIGITS ||
        !are_digits(text, n))
        return false;
    hex_bytes(text, sizeof(id->guid), id->guid);
    id->age = 0;
    for (size_t i = GUID_DIGITS; i < n; i++)
        id->age = id->age << 4 | (uint32_t)hex_digit(text[i]);
    return true;
}

void code_id_read(struct identity *id, const char *text, size_t n)
{
    if (!n || n > (size_t)2 * MOST_GO) /* many mappings may name a long one */
        return;
    if (!are_digits(text, n)) {
        code_id_take_go(id, (struct bytes){(const uint8_t *)text, n});
        return;
    }
    if (n > TIMESTAMP_DIGITS && n <= MOST_PE_DIGITS) {
        uint32_t parts[2] = {0, 0};

        for (size_t i = 0; i < n; i++) {
            uint32_t *part = &parts[i >= TIMESTAMP_DIGITS];

            *part = *part << 4 | (uint32_t)hex_digit(text[i]);
        }
        id->timestamp = parts[0];
        id->image_size = parts[1];
        return;
    }
    if (n / 2 > sizeof(id->build_id)) {
        read_go_digits(id, text, n);
        return;
    }
    if (n % 2)
        return;
    id->build_id_size = (uint8_t)(n / 2);
    hex_bytes(text, n / 2, id->build_id);
}

bool file_date(uint32_t timestamp, char text[FILE_DATE_SIZE])
{
    enum { YEAR_1995 = 788918400, YEAR_2030 = 1893456000 };
    time_t time = timestamp;
    struct tm day;

    return timestamp >= YEAR_1995 && timestamp < YEAR_2030 &&
           gmtime_r(&time, &day) &&
           strftime(text, FILE_DATE_SIZE, "%Y-%m-%d", &day);
}
