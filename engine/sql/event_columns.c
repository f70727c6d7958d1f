#include "engine/sql/event_columns.h"

#include <string.h>

#include "engine/base/text.h"
#include "engine/events/schema.h"

/* clang-format off */
const struct event_column event_columns[EVENT_COLUMNS] = {
    [EVENT_TIME] = {"time", "REAL",
        "seconds since the start of the trace", 0, 0},
    [EVENT_CPU] = {"cpu", "INTEGER", "number of the processor", 0, 0},
    [EVENT_PID] = {"pid", "INTEGER", "process id", 0, 0},
    [EVENT_TID] = {"tid", "INTEGER", "thread id", 0, 0},
    [EVENT_PROVIDER] = {"provider", "TEXT",
        "name of the provider, or its GUID", 0, 1},
    [EVENT_EVENT] = {"event", "TEXT", "name, such as Process/Start", 0, 1},
    [EVENT_ID] = {"id", "INTEGER", "event id; type of a classic event", 0, 1},
    [EVENT_VERSION] = {"version", "INTEGER", "version of the event", 0, 1},
    [EVENT_LEVEL] = {"level", "INTEGER", "1: critical, to 5: verbose", 0, 0},
    [EVENT_KEYWORDS] = {"keywords", "INTEGER", "keyword bits", 0, 0},
    [EVENT_SIZE] = {"size", "INTEGER", "bytes of payload", 0, 0},
    [EVENT_USER_DATA] = {"user_data", "TEXT",
        "fields, as a JSON object", 0, 0},
    [EVENT_PAYLOAD] = {"payload", "BLOB", "payload, as stored", 1, 0},
    [EVENT_TRACE_NAME] = {"TraceName", "TEXT", "trace file", 1, 0},
    [EVENT_NUMBER] = {"EventNumber", "INTEGER",
        "number in the trace, from 1", 1, 0},
    [EVENT_TIMESTAMP] = {"Timestamp", "TEXT", "date and time, UTC", 1, 0},
    [EVENT_INSTANCE] = {"InstanceID", "INTEGER", "instance id", 1, 0},
    [EVENT_PARENT_INSTANCE] = {"ParentInstanceID", "INTEGER",
        "instance id of the parent event", 1, 0},
    [EVENT_PARENT_GUID] = {"ParentGUID", "TEXT",
        "GUID of the parent event", 1, 0},
    [EVENT_PROVIDER_NAME] = {"ProviderDescription", "TEXT",
        "see provider", 1, 1},
    [EVENT_PROVIDER_GUID] = {"ProviderGUID", "TEXT", "GUID in braces", 1, 1},
    [EVENT_NAME] = {"EventName", "TEXT", "first part, such as Process", 1, 1},
    [EVENT_DESCRIPTION] = {"EventDescription", "TEXT",
        "description in its metadata", 1, 1},
    [EVENT_EVENT_VERSION] = {"EventVersion", "INTEGER", "see version", 1, 1},
    [EVENT_GUID] = {"EventGUID", "TEXT",
        "GUID of a classic event's class", 1, 1},
    [EVENT_TYPE] = {"EventType", "INTEGER", "see id", 1, 1},
    [EVENT_TYPE_NAME] = {"EventTypeName", "TEXT",
        "second part, such as Start", 1, 1},
    [EVENT_TYPE_DESCRIPTION] = {"EventTypeDescription", "TEXT",
        "description in its schema", 1, 1},
    [EVENT_TYPE_LEVEL] = {"EventTypeLevel", "INTEGER", "see level", 1, 0},
    [EVENT_THREAD_ID] = {"ThreadID", "INTEGER", "see tid", 1, 0},
    [EVENT_PROCESS_ID] = {"ProcessID", "INTEGER", "see pid", 1, 0},
    [EVENT_KERNEL_TIME] = {"KernelTime", "INTEGER", "in timer ticks", 1, 0},
    [EVENT_USER_TIME] = {"UserTime", "INTEGER", "in timer ticks", 1, 0},
    [EVENT_USER_DATA_TEXT] = {"UserData", "TEXT",
        "values of the fields, separated by |", 1, 0},
    [EVENT_PROCESS_NAME] = {"ProcessName", "TEXT",
        "name, such as orders.exe", 1, 0},
    [EVENT_IMAGE_NAME] = {"ImageName", "TEXT",
        "path of the program, as recorded", 1, 0},
    [EVENT_TICKS] = {"Ticks", "INTEGER",
        "time stamp, as stored", 1, 0},
    [EVENT_IS_32_BIT] = {"Is32Bit", "INTEGER",
        "1: its addresses have 32 bits", 1, 0},
    [EVENT_OPCODE] = {"Opcode", "INTEGER", "number of the opcode", 1, 0},
    [EVENT_TASK] = {"Task", "INTEGER", "number of the task", 1, 1},
    [EVENT_ACTIVITY] = {"ActivityID", "TEXT", "GUID in braces", 1, 0},
    [EVENT_RELATED] = {"RelatedActivityID", "TEXT",
        "GUID in braces", 1, 0},
    [EVENT_LABELS] = {"Labels", "TEXT",
        "trace id, span id and labels, as a JSON object", 1, 0},
    [EVENT_ATTRIBUTES] = {"Attributes", "TEXT",
        "attributes of its metadata, as a JSON object", 1, 1},
    [EVENT_STACK] = {"stack", "INTEGER", "call stack, id in the table stacks",
        1, 0},
    [EVENT_FUNCTION] = {"function", "TEXT",
        "short name of the innermost function on its stack that has one", 1,
        0},
};
/* clang-format on */

/* ---- values ---- */

struct virtual_value event_guid_value(const uint8_t *bytes)
{
    struct virtual_value v = {.type = SQLITE_TEXT};

    if (!bytes)
        return virtual_null();
    event_guid_text(v.own, bytes);
    v.len = strlen(v.own);
    return v;
}

static struct virtual_value guid_of_kind(const uint8_t bytes[16])
{
    return event_guid_value(guid_is_zero(bytes) ? NULL : bytes);
}

/* Texts of kinds live as long as the trace. */
struct virtual_value event_kind_value(const struct event_kind *kind, int column)
{
    switch (column) {
    case EVENT_PROVIDER:
    case EVENT_PROVIDER_NAME:
        return virtual_text(kind->provider);
    case EVENT_EVENT:
        return virtual_text(kind->full_name);
    case EVENT_NAME:
        return virtual_text(kind->name);
    case EVENT_TYPE_NAME:
        return virtual_text(kind->type_name);
    case EVENT_DESCRIPTION:
        return virtual_maybe(kind->description);
    case EVENT_ATTRIBUTES:
        return virtual_maybe(kind->attributes);
    case EVENT_TYPE_DESCRIPTION:
        return virtual_maybe(kind->message);
    case EVENT_PROVIDER_GUID:
        return guid_of_kind(kind->guid);
    case EVENT_GUID:
        return guid_of_kind(kind->class_guid);
    case EVENT_TASK:
        return virtual_number(kind->task);
    case EVENT_ID:
    case EVENT_TYPE:
        return virtual_number(kind->id);
    default: /* version */
        return virtual_number(kind->version);
    }
}

static struct virtual_value labels(const struct event *e, struct arena *row)
{
    struct out *json = out_memory();
    struct virtual_value v;

    event_labels_json(json, e);
    v = virtual_made(json, row);
    return v.len ? v : virtual_null();
}

static struct virtual_value timestamp(const struct event_trace *trace,
                                      int64_t time)
{
    struct virtual_value v = {.type = SQLITE_TEXT};

    _Static_assert(sizeof(v.own) >= EVENT_TIME_SIZE, "room for a time");
    event_stamp_text(v.own, trace, time);
    v.len = strlen(v.own);
    return v;
}

static struct virtual_value process_text(struct event_trace *trace,
                                         const struct event *e, bool path)
{
    const struct event_process *p = event_process_at(trace, e->pid, e->time);

    return virtual_maybe(!p ? NULL : path ? p->path : p->name);
}

/* Answers the columns that ETL events alone have, and those that are the same
 * for all events of a kind. */
static struct virtual_value etl_value(struct event_trace *trace,
                                      const struct event *e, int column)
{
    switch (column) {
    case EVENT_NUMBER:
        return virtual_unless(e->number, 0);
    case EVENT_TIMESTAMP:
        return timestamp(trace, e->time);
    case EVENT_INSTANCE:
        return e->parent_guid ? virtual_number(e->instance) : virtual_null();
    case EVENT_PARENT_INSTANCE:
        return e->parent_guid ? virtual_number(e->parent_instance)
                              : virtual_null();
    case EVENT_PARENT_GUID:
        return event_guid_value(e->parent_guid);
    case EVENT_KERNEL_TIME:
        return e->has_times ? virtual_number(e->kernel_time) : virtual_null();
    case EVENT_USER_TIME:
        return e->has_times ? virtual_number(e->user_time) : virtual_null();
    case EVENT_PROCESS_NAME:
    case EVENT_IMAGE_NAME:
        return process_text(trace, e, column == EVENT_IMAGE_NAME);
    case EVENT_TICKS:
        return virtual_unless(e->ticks, 0);
    case EVENT_IS_32_BIT:
        return virtual_number(e->pointer_size == 4);
    case EVENT_OPCODE:
        return virtual_number(e->opcode);
    case EVENT_ACTIVITY:
        return event_guid_value(e->activity);
    case EVENT_RELATED:
        return event_guid_value(e->related);
    default:
        return event_kind_value(e->kind, column);
    }
}

struct virtual_value event_value(struct event_trace *trace,
                                 const struct event *e, int column,
                                 struct arena *row)
{
    struct out *text;

    switch (column) {
    case EVENT_TIME:
        return virtual_seconds(e->time);
    case EVENT_CPU:
        return virtual_unless(e->cpu, EVENT_UNKNOWN);
    case EVENT_PID:
    case EVENT_PROCESS_ID:
        return virtual_unless(e->pid, EVENT_UNKNOWN);
    case EVENT_TID:
    case EVENT_THREAD_ID:
        return virtual_unless(e->tid, EVENT_UNKNOWN);
    case EVENT_LEVEL:
    case EVENT_TYPE_LEVEL:
        return virtual_number(e->level);
    case EVENT_KEYWORDS:
        return virtual_number((int64_t)e->keywords);
    case EVENT_SIZE:
        return virtual_number(e->size);
    case EVENT_USER_DATA:
        event_payload_json(text = out_memory(), e);
        return virtual_made(text, row);
    case EVENT_USER_DATA_TEXT:
        event_payload_text(text = out_memory(), e, "|", false);
        return virtual_made(text, row);
    case EVENT_PAYLOAD:
        return (struct virtual_value){.type = SQLITE_BLOB,
                                      .text = e->size ? (const char *)e->payload
                                                      : "",
                                      .len = e->size};
    case EVENT_TRACE_NAME:
        return virtual_text(event_trace_file(trace, e->file));
    case EVENT_LABELS:
        return labels(e, row);
    default:
        return etl_value(trace, e, column);
    }
}
