#include "tests/support/listing_fields.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/out.h"
#include "engine/base/text.h"
#include "engine/events/schema.h"

enum { LONGEST = 4096 };

/* Differences that are known, by patterns of event and field; where any field
 * is meant, of those only that are not there by this name. */
static const struct {
    const char *event, *field, *why;
} known[] = {
    /* Not in the payload: the other decoder works them out. */
    {"*", "BuildTime", "of TimeDateStamp"},
    {"*", "*FileName", "a drive for a device; or of another event"},
    {"*", "ElapsedTimeMSec", "of ticks"},
    {"*", "DiskServiceTimeMSec", "of other events"},
    {"*", "DurationNs", "of other events, to another digit"},
    {"*", "ParentThreadID", "of the header"},
    {"*", "ParentProcessID", "of the header"},
    {"*", "PayloadLength", "of the payload"},
    {"*", "TypeName", "of other events"},
    {"*DiskIO/*", "Priority", "of IrpFlags"},
    {"*/Sample", "Priority", "of the rank"},
    {"*/Sample", "Executing*", "of the flags"},
    {"*/Sample", "ProcessorNumber", "of the buffer"},
    {"*HeapStats", "Total*", "a sum of fields"},
    {"*HeapStats", "Depth", "of other events"},
    {"*/Method/*", "OptimizationTier", "of MethodFlags"},
    {"*Kernel-File/Create", "Create*", "of one field with two meanings"},
    {"*Kernel-File/Create", "IrpPtr", "Irp, as the trace's schema has it"},
    {"*Kernel-File/Create", "ShareAccess", "the trace's schema has no names"},
    /* In an array here. */
    {"*/BulkType", "Type*_0", "in an array"},
    {"*/BulkMovedObjectRanges", "*", "in an array"},
    {"*/GC/PerHeapHistory", "*", "in an array; or of another layout"},
    /* Named otherwise. */
    {"*", "IrpFlags", "one bit has two names"},
    {"*", "*Flags", "names where it has a number"},
    {"*/Process/PerfCtr*", "MemoryCount", "PageFaultCount"},
    {"*", "char_type", "a character"},
    {"*", "int64_type", "its schema says that it has no sign"},
    {"*/NgenBind", "ReasonCode", "its names are not published"},
    {"*KernelEnableParameters", "keywords", "one name for all of the bits"},
    {"*KernelEnableParameters", "stacks", "one name for all of the bits"},
    {"*SystemConfig/NIC", "PhysicalAddr", "in hex"},
    {"*SystemConfig/PhyDisk", "WriteCacheEnabled", "true"},
    {"*/Image/*", "TID", "who logged it"},
    {"*/Process/*", "TID", "who logged it"},
    {"*SystemConfig/Services", "P*", "of the payload; who logged it here"},
    /* Read from the wrong place there. */
    {"*", "system_time_type", "its parts are mixed up"},
    {"*DiskIO/FlushBuffers", "?ID", "of the bytes of a time"},
    {"*/UdpIp/*", "context", "of an older layout"},
    {"*/ImageID", "ProcessID", "always 0"},
};

static bool is_known(const char *event, const char *field, bool absent)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (glob_match(known[i].event, event) &&
            glob_match(known[i].field, field) &&
            (absent || strcmp(known[i].field, "*") != 0))
            return true;
    return false;
}

/* What stands for a field that the event's version does not have. */
static bool is_default(const char *text)
{
    static const char *const defaults[] = {
        "",     "0",       "-1",    "0x00000000",    "0.000",
        "None", "Unknown", "False", "not_specified", NULL,
    };

    for (const char *const *d = defaults; *d; d++)
        if (!strcmp(*d, text))
            return true;
    return false;
}

/* ---- ours ---- */

struct listing_fields listing_fields_of(const struct event *e)
{
    struct out *out = out_memory();
    struct event_decoder d = event_decode(e);
    struct listing_fields fields;
    struct event_value v;

    out_char(out, '\n');
    while (event_next_field(&d, &v)) {
        struct out *value = out_memory();
        const char *text;

        event_value_text(value, &d, &v);
        text = out_text(value, NULL);
        out_fmt(out, "%s=", v.field->name);
        for (; *text; text++)
            out_char(out, (char)(*text == '\n' || *text == '\r' ? ' ' : *text));
        out_char(out, '\n');
        out_close(value, NULL);
    }
    fields.text = text_copy(out_text(out, NULL), strlen(out_text(out, NULL)));
    out_close(out, NULL);
    return fields;
}

void listing_fields_release(struct listing_fields *fields)
{
    free(fields->text);
}

/* False: there is none of the name. */
static bool find_ours(const struct listing_fields *ours, const char *name,
                      char value[LONGEST])
{
    char key[160];
    const char *at;
    size_t n;

    snprintf(key, sizeof(key), "\n%s=", name);
    at = strstr(ours->text, key);
    if (!at)
        return false;
    at += strlen(key);
    n = strcspn(at, "\n");
    snprintf(value, LONGEST, "%.*s", (int)(n < LONGEST - 1 ? n : LONGEST - 1),
             at);
    return true;
}

/* ---- comparing ---- */

/* A number with its digits in groups, or in hex. */
static bool read_number(const char *text, double *number)
{
    char plain[64], *end;
    size_t n = 0;

    for (; *text; text++) {
        if (n + 1 == sizeof(plain))
            return false;
        if (*text != ',')
            plain[n++] = *text;
    }
    plain[n] = '\0';
    *number = strtod(plain, &end);
    return n && !*end;
}

static bool same_number(const char *theirs, const char *ours)
{
    const double wrap = 4294967296.0;
    double a, b;

    if (!read_number(theirs, &a) || !read_number(ours, &b))
        return false;
    return fabs(a - b) <= 1e-9 * fabs(a) || a + wrap == b;
}

/* Theirs may be cut, which "..." says. */
static bool same_text(const char *theirs, const char *ours)
{
    size_t n = strlen(theirs);

    while (n && theirs[n - 1] == ' ')
        n--;
    ours += strspn(ours, " ");
    if (n > 3 && !strncmp(theirs + n - 3, "...", 3))
        return !strncasecmp(theirs, ours, n - 3);
    return !strncasecmp(theirs, ours, n) &&
           strspn(ours + n, " ") == strlen(ours + n);
}

/* Ours in their form: 20/07/29 for 2020-07-29, a GUID without braces, flags
 * with commas. */
static void convert(const char *ours, char out[LONGEST])
{
    size_t n = 0;

    if (*ours == '{')
        ours++;
    else if (strlen(ours) > 10 && ours[4] == '-' && ours[7] == '-') {
        n = (size_t)snprintf(out, LONGEST, "%.2s/%.2s/%.2s", ours + 2, ours + 5,
                             ours + 8);
        ours += 10;
    }
    for (; *ours && n + 3 < LONGEST; ours++) {
        if (*ours == '}')
            continue;
        out[n++] = (char)(*ours == '|' ? ',' : *ours);
        if (*ours == '|')
            out[n++] = ' ';
    }
    out[n] = '\0';
}

static bool is_same(const char *theirs, const char *ours)
{
    char converted[LONGEST];

    convert(ours, converted);
    return same_text(theirs, ours) || same_text(theirs, converted) ||
           same_number(theirs, ours);
}

static void count_field(struct listing_count *count, const char *event,
                        const char *name, const char *theirs, const char *ours)
{
    count->fields++;
    if (ours && is_same(theirs, ours)) {
        count->same++;
    } else if ((!ours && is_default(theirs)) || is_known(event, name, !ours)) {
        count->explained++;
    } else {
        if (!count->different)
            snprintf(count->first, sizeof(count->first), "%s: %s, here %s",
                     name, theirs, ours ? ours : "nothing");
        count->different++;
    }
}

/* `listed` begins a longer text. */
void listing_number(struct listing_count *count, const char *event,
                    const char *name, const char *listed, uint32_t ours)
{
    char number[32], text[16] = "-1";

    snprintf(number, sizeof(number), "%.*s",
             (int)strspn(listed, "-,0123456789"), listed);
    if (ours != EVENT_UNKNOWN)
        snprintf(text, sizeof(text), "%u", ours);
    count_field(count, event, name, number, text);
}

/* What XML cannot hold, and line ends as the listing writes them. */
static void unescape(char *text)
{
    static const struct {
        const char *from, *to;
    } escapes[] = {
        {"&amp;", "&"},   {"&lt;", "<"},   {"&gt;", ">"},
        {"&quot;", "\""}, {"&apos;", "'"}, {"\\r\\n", "  "},
    };

    for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++)
        for (char *at; (at = strstr(text, escapes[i].from)) != NULL;) {
            memcpy(at, escapes[i].to, strlen(escapes[i].to));
            memmove(at + strlen(escapes[i].to), at + strlen(escapes[i].from),
                    strlen(at + strlen(escapes[i].from)) + 1);
        }
}

/* What every line has, of the event or of the other decoder. */
static bool is_of_line(const char *name)
{
    static const char *const names[] = {
        "TID", "PName",      "EventName", "ProviderName", "FormattedMessage",
        "PID", "ActivityID", NULL};

    for (const char *const *n = names; *n; n++)
        if (!strcmp(*n, name))
            return true;
    return false;
}

void listing_compare(struct listing_count *count, const char *event,
                     const char *listed, const struct listing_fields *ours)
{
    char name[128], theirs[LONGEST], value[LONGEST];
    bool xml = !strncmp(listed, "TID=\"", 5);

    while (*(listed += strspn(listed, " ;")) != '\0') {
        size_t n = strcspn(listed, "= ;");
        const char *end;

        if (listed[n] != '=') {
            listed += n;
            continue;
        }
        snprintf(name, sizeof(name), "%.*s", (int)n, listed);
        listed += n + 1;
        listed += strspn(listed, " ");
        listed += xml && *listed == '"';
        end = strstr(listed, xml ? "\"" : "; ");
        if (!end)
            end = listed + strlen(listed);
        snprintf(theirs, sizeof(theirs), "%.*s", (int)(end - listed), listed);
        unescape(theirs);
        listed = end + (*end != '\0');
        if (!is_of_line(name))
            count_field(count, event, name, theirs,
                        find_ours(ours, name, value) ? value : NULL);
    }
}
