#include "report/schemas.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/json.h"

struct shape {
    const char *name, *text;
};

/* ---- the table ---- */

static const struct shape shared[] = {
    {"trace",
     "{files:[s] format:s metric:s unit:s interval_ns:i cpu_time_ns?:i "
     "duration_ns:i "
     "runs?:i hosts?:i "
     "cpus:i events:i samples:n idle_samples:n waiting_samples?:n parked_threads?:i "
     "stacks:{full:n user_only:n kernel_only:n none:n complete:n "
     "truncated:n unknown:n by_cause:{no_unwind_data:n generated_code:n "
     "machine_not_read:n no_user_part:n depth_limit:n "
     "copied_stack_too_short:n caller_missing:n broken:n no_stack:n}} "
     "lost_events:i "
     "lost_buffers:i skipped_bytes:i malformed_records:i "
     "negative_values?:i cut_stacks:i "
     "unresolved:{samples:n by_cause:{no_image:n no_symbols:n "
     "hypercall_page:n no_stack:n no_rundown:n cut_off:n unloaded:n "
     "identity_mismatch:n broken_file:n address_outside:n code_freed:n}} "
     "selected?:{of_samples:n process?:[s] thread?:[s] "
     "group?:[s] mine?:[s] fold?:[s] focus?:[s] ignore?:[s] leaf?:[s] "
     "module?:[s] show_from?:[s] to?:[s] between?:[s] "
     "fold_percent?:n kind?:[s] tier?:[s] sample_type?:s cpu?:[i] from_ns?:i "
     "to_ns?:i}}"},
    {"ranked",
     "{rank:i exclusive:n exclusive_percent:n sum_percent?:n inclusive:n "
     "inclusive_percent:n exclusive_period?:i exclusive_period_percent?:n "
     "inclusive_period?:i inclusive_period_percent?:n "
     "inlined_exclusive?:n inlined_inclusive?:n "
     "when?:[n] running?:[n] ready?:[n] blocked?:[n] unknown?:[n] name:s label?:s module?:s kind?:s address?:s? token?:s? "
     "method_id?:s? module_id?:s? file?:s? line?:i? function?:s? tid?:i pid?:i? process?:s waits?:b}"},
    {"called",
     "{samples:n percent:n function_percent:n name:s label:s module:s?}"},
    {"changed",
     "{name:s label:s module:s path?:s verdict:s before:n after:n change:n "
     "interval:[n] ratio:n? p:n q:n detectable:n samples:[n] pairing:s "
     "waits?:b}"},
    {"changed_part",
     "{kind:s name?:s label?:s module?:s before:n after:n change:n "
     "edges:i}"},
    {"side", "{samples:n runs:i blocks:i dispersion:n}"},
    {"identity", "{path:s format:s pdb?:s? timestamp?:i size?:i guid?:s age?:i "
                 "build_id?:s}"},
};

static const struct shape reports_json[] = {
    {"top", "trace:@trace rows:[@ranked] total_rows:i"},
    {"timeline",
     "trace:@trace from_ns:i to_ns:i buckets:i all:[n] rows:[@ranked] "
     "total_rows:i phases:[{from_ns:i to_ns:i samples:n function:s? "
     "function_samples:n}]"},
    {"tree",
     "trace:@trace rows:[{depth:i inclusive:n inclusive_percent:n "
     "recursion?:i id?:i parent?:i? exclusive?:n? exclusive_percent?:n? "
     "inlined_exclusive?:n? inlined_inclusive?:n? name:s? label:s? module:s? "
     "kind:s? waits?:b}] total_rows:i"},
    {"folded", "trace:@trace rows:[{stack:s count:n}] total_rows:i"},
    {"callers",
     "trace:@trace functions:[{name:s label:s module:s kind:s exclusive:n "
     "exclusive_percent:n inclusive:n inclusive_percent:n "
     "callers:[@called] total_callers:i callees:[@called] "
     "total_callees:i}] total_functions:i"},
    {"wakers",
     "trace:@trace functions:[{name:s label:s module:s kind:s exclusive:n "
     "exclusive_percent:n inclusive:n inclusive_percent:n blocked:n "
     "without_wakeup:n wakers:[{id:i parent:i? depth:i blocked:n "
     "function_percent:n woken_by:s process:s}]}] total_functions:i"},
    {"list",
     "trace:@trace functions:[{name:s label:s module:s kind:s exclusive:n "
     "exclusive_percent:n inclusive:n inclusive_percent:n "
     "files:[{file:s? found:s? too_short:b rows:[{exclusive:n? "
     "exclusive_percent:n? inclusive:n? inclusive_percent:n? line:i? "
     "source:s?}]}]}] total_functions:i"},
    {"annotate",
     "trace:@trace functions:[{name:s label:s module:s kind:s exclusive:n "
     "exclusive_percent:n inclusive:n inclusive_percent:n "
     "parts:[{module:s image:s? name:s? problem:s? start:s end:s exclusive:n "
     "rows:[{address:s? bytes:s? instruction:s? exclusive:n? "
     "exclusive_percent:n? part_percent:n? is_target:b? target:s? "
     "target_name:s? function:s? file:s? line:i? inlined_into:s?}]}]}] "
     "total_functions:i"},
    {"info",
     "trace:@trace system:{os:s? machine:s? pointer_size:i start:s?} "
     "container:[{name:s? kind:s? bytes:i used:b note:s?}] "
     "header:[{name:s? value:s?}] header_fields:o contents:{processes:i threads:i modules:i "
     "methods:i stacks:i addresses:i event_stacks:i} "
     "quality:{skipped_ranges:i undefined_stack_keys:i "
     "skipped:[{file:s? offset:i bytes:i reason:s?}] warnings:[s]} "
     "processes:[{pid:i? name:s? samples:n parent_pid:i start_ns:i? "
     "end_ns:i? command_line:s?}] events:[{name:s? count:i}] total_processes?:i "
     "total_events?:i"},
    {"diff",
     "before:[@trace] after:[@trace] summary:s normalize:s unit:s "
     "common_functions?:i count:s by:s q:n relevant_percent:n verdicts:{slower:i faster:i new:i gone:i "
     "inconclusive:i unchanged:i} uncertainty:{before:@side after:@side} "
     "left_out?:[{file:s side:s distance:n}] detectable:{of_1_percent:n of_10_percent:n} total_unit?:s "
     "total?:@changed modules?:[@changed] rows:[@changed] total_rows:i "
     "explain:[{name:s label:s module:s change:n inside?:[@changed_part] callers:[@changed_part]}] "
     "pairs:[{name:s module:s as:s as_module:s rule:s}]"},
    {"gate",
     "outcome:s failed:i inconclusive:i passed:i runs_to_tell:n "
     "could_have_missed?:{name:s module:s at_most:n} findings:[{outcome:s "
     "name:s label:s module:s rule:s? allowed:n change?:n interval?:[n] "
     "reason:s}]"},
    {"series",
     "normalize:s functions:i changed:i recordings:[s] points:[{before:n "
     "after:n change:n p:n range:[n] drift:n? last_before:s first_after:s "
     "moved:s? module:s name:s label:s}]"},
    {"symbols",
     "modules:[{module:s path:s? samples:n unnamed:n cause:s? used:s? "
     "wanted:{pdb:s? timestamp?:i size?:i guid?:s age?:i build_id?:s} "
     "probes:[{path:s result:s reason:s? renamed?:b unproved?:b}] "
     "code:[{base:s calls:i addresses:i}] lines:{used:s? addresses:i found:i "
     "without_il_map:i}?}]"},
    {"resolve", "image:@identity debug_file:@identity? cause?:s rows:[{rva:s "
                "frames:[{function:s? file:s? line:i? inlined:b}]}]"},
    {"events", "file:s format:s events:i bytes:i seconds:n "
               "rows:[{events:i events_percent:n events_per_second:n bytes:i "
               "fields:i provider:s event:s}]"},
    {"gc", "trace:@trace rows:[{number:i start_ns:i process:s? pid:i "
           "generation:i kind:s? reason:s? pause_ns:i? duration_ns:i? "
           "before_bytes:i? after_bytes:i? promoted_bytes:i?}] total_rows:i"},
    {"query", "columns:[s] rows:[*]"},
    {"runs",
     "function?:s usual_percent?:n rows:[{share_percent?:n apart?:n "
     "stands_out?:b time:s samples:i complete_percent?:n named_percent?:n "
     "lost_events?:i lost_buffers?:i skipped_bytes?:i duration_ns?:i "
     "recordings?:i host:s? os?:s? format?:s metric?:s labels:s? run:s "
     "file:s}]"},
    {"recordings", "rows:[{file:s bytes:i}] total_rows:i"},
    {"query-schema",
     "rows:[{table:s kind:s column:s? type:s? about:s?}]"},
};

enum {
    SHARED = sizeof(shared) / sizeof(*shared),
    REPORTS_JSON = sizeof(reports_json) / sizeof(*reports_json)
};

/* ---- a value ---- */

static const char *write_value(const char *at, const char *key,
                               struct json *json);

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

/* Stops behind a value, which ends at its closing brace or bracket, or is a
 * word. */
static const char *skip_value(const char *at)
{
    int depth = 0;

    do {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (depth || (*at && !strchr(" }]", *at)));
    return at;
}

/* The length of a name; whether it may be missing. */
static size_t name_length(const char *at, bool *may_miss)
{
    size_t n = strcspn(at, ":");

    *may_miss = n && at[n - 1] == '?';
    return n - *may_miss;
}

static void copy_name(char *name, size_t size, const char *at, size_t n)
{
    snprintf(name, size, "%.*s", (int)n, at);
    for (; *name; name++)
        if (*name == '~')
            *name = ' ';
}

static void write_required(const char *at, struct json *json)
{
    json_array(json, "required");
    for (at = skip_blanks(at); *at && *at != '}'; at = skip_blanks(at)) {
        bool may_miss;
        size_t n = name_length(at, &may_miss);
        char name[40];

        copy_name(name, sizeof(name), at, n);
        if (!may_miss)
            json_text(json, NULL, name);
        at = skip_value(at + n + may_miss + 1);
    }
    json_end(json);
}

/* Returns what follows the last member. */
static const char *write_members(const char *at, struct json *json)
{
    write_required(at, json);
    json_object(json, "properties");
    for (at = skip_blanks(at); *at && *at != '}'; at = skip_blanks(at)) {
        bool may_miss;
        size_t n = name_length(at, &may_miss);
        char name[40];

        copy_name(name, sizeof(name), at, n);
        at = write_value(at + n + may_miss + 1, name, json);
    }
    json_end(json);
    return at;
}

static void write_type(const char *type, bool may_be_null, struct json *json)
{
    if (!may_be_null) {
        json_text(json, "type", type);
        return;
    }
    json_array(json, "type");
    json_text(json, NULL, type);
    json_text(json, NULL, "null");
    json_end(json);
}

static const char *type_of(char c)
{
    switch (c) {
    case 'i':
        return "integer";
    case 'n':
        return "number";
    case 's':
        return "string";
    case 'b':
        return "boolean";
    case '[':
        return "array";
    default:
        return "object";
    }
}

static void write_reference(const char *at, size_t n, struct json *json)
{
    char text[60];

    snprintf(text, sizeof(text), "#/$defs/%.*s", (int)n, at);
    json_text(json, "$ref", text);
}

/* "@name" or "@name?" */
static const char *write_shared(const char *at, struct json *json)
{
    size_t n = strcspn(at, " }]?");
    bool may_be_null = at[n] == '?';

    if (!may_be_null) {
        write_reference(at, n, json);
        return at + n;
    }
    json_array(json, "anyOf");
    json_object(json, NULL);
    write_reference(at, n, json);
    json_end(json);
    json_object(json, NULL);
    json_text(json, "type", "null");
    json_end(json);
    json_end(json);
    return at + n + 1;
}

/* Returns what follows it. */
static const char *write_value(const char *at, const char *key,
                               struct json *json)
{
    const char *end = skip_value(at);
    bool may_be_null = end[-1] == '?';

    json_object(json, key);
    if (*at == '@') {
        write_shared(at + 1, json);
    } else {
        write_type(type_of(*at), may_be_null, json);
        if (*at == '[')
            write_value(at + 1, "items", json);
        else if (*at == '{')
            write_members(at + 1, json);
    }
    json_end(json);
    return end;
}

/* ---- a report ---- */

static void write_definitions(const char *text, struct json *json)
{
    json_object(json, "$defs");
    for (size_t i = 0; i < SHARED; i++) {
        char reference[60];

        snprintf(reference, sizeof(reference), "@%s", shared[i].name);
        if (!strstr(text, reference))
            continue;
        json_line(json, 2);
        write_value(shared[i].text, shared[i].name, json);
    }
    json_end(json);
}

static void write_report(const struct shape *report, struct json *json)
{
    char name[60], text[2000];

    snprintf(name, sizeof(name), "topfn.%s/1", report->name);
    snprintf(text, sizeof(text), "schema:s %s", report->text);
    json_object(json, NULL);
    json_text(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_text(json, "title", name);
    json_line(json, 1);
    json_text(json, "type", "object");
    write_members(text, json);
    json_line(json, 1);
    write_definitions(report->text, json);
    json_end(json);
}

const char *schema_name(size_t i)
{
    return i < REPORTS_JSON ? reports_json[i].name : NULL;
}

bool schema_write(const char *name, struct out *out)
{
    struct json json = json_to(out);

    for (size_t i = 0; i < REPORTS_JSON; i++)
        if (!strcmp(reports_json[i].name, name)) {
            write_report(&reports_json[i], &json);
            out_char(out, '\n');
            return true;
        }
    return false;
}
