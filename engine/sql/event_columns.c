#include "engine/sql/event_columns.h"

#include <string.h>

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

static bool is_zero(const uint8_t guid[16])
{
    for (int i = 0; i < 16; i++)
        if (guid[i])
            return false;
    return true;
}

/* Texts of kinds live as long as the trace. */
static struct virtual_value text_value(const char *text)
{
    return (struct virtual_value){.type = text ? SQLITE_TEXT : SQLITE_NULL,
                                  .text = text,
                                  .len = text ? strlen(text) : 0};
}

static struct virtual_value known_text(const char *text)
{
    return text_value(text && *text ? text : NULL);
}

static struct virtual_value number_value(int64_t number)
{
    return (struct virtual_value){.type = SQLITE_INTEGER, .number = number};
}

static void known_guid(struct virtual_value *v, const uint8_t guid[16])
{
    *v = text_value(NULL);
    if (is_zero(guid))
        return;
    event_guid_text(v->own, guid);
    v->type = SQLITE_TEXT;
    v->text = v->own;
    v->len = strlen(v->own);
}

void event_kind_value(const struct event_kind *kind, int column,
                      struct virtual_value *v)
{
    switch (column) {
    case EVENT_PROVIDER:
    case EVENT_PROVIDER_NAME:
        *v = text_value(kind->provider);
        break;
    case EVENT_EVENT:
        *v = text_value(kind->full_name);
        break;
    case EVENT_NAME:
        *v = text_value(kind->name);
        break;
    case EVENT_TYPE_NAME:
        *v = text_value(kind->type_name);
        break;
    case EVENT_DESCRIPTION:
        *v = known_text(kind->description);
        break;
    case EVENT_ATTRIBUTES:
        *v = known_text(kind->attributes);
        break;
    case EVENT_TYPE_DESCRIPTION:
        *v = known_text(kind->message);
        break;
    case EVENT_PROVIDER_GUID:
        known_guid(v, kind->guid);
        break;
    case EVENT_GUID:
        known_guid(v, kind->class_guid);
        break;
    case EVENT_TASK:
        *v = number_value(kind->task);
        break;
    case EVENT_ID:
    case EVENT_TYPE:
        *v = number_value(kind->id);
        break;
    default: /* version */
        *v = number_value(kind->version);
    }
}

static void number_or_null(sqlite3_context *context, uint32_t number)
{
    if (number == EVENT_UNKNOWN)
        sqlite3_result_null(context);
    else
        sqlite3_result_int64(context, number);
}

static void number_if(sqlite3_context *context, bool known, uint64_t number)
{
    if (known)
        sqlite3_result_int64(context, (sqlite3_int64)number);
    else
        sqlite3_result_null(context);
}

static void text_result(sqlite3_context *context, struct out *out)
{
    size_t n;
    const char *text = out_text(out, &n);

    sqlite3_result_text64(context, text, n, SQLITE_TRANSIENT, SQLITE_UTF8);
    out_close(out, NULL);
}

static void user_data(sqlite3_context *context, const struct event *e)
{
    struct out *json = out_memory();

    event_payload_json(json, e);
    text_result(context, json);
}

static void user_data_text(sqlite3_context *context, const struct event *e)
{
    struct out *text = out_memory();

    event_payload_text(text, e, "|", false);
    text_result(context, text);
}

static void timestamp(sqlite3_context *context, const struct event_trace *trace,
                      int64_t time)
{
    char text[EVENT_TIME_SIZE];

    event_stamp_text(text, trace, time);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void guid(sqlite3_context *context, const uint8_t *bytes)
{
    char text[40];

    if (!bytes) {
        sqlite3_result_null(context);
        return;
    }
    event_guid_text(text, bytes);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void process_result(struct event_trace *trace, const struct event *e,
                           bool path, sqlite3_context *context)
{
    const struct event_process *p = event_process_at(trace, e->pid, e->time);
    const char *text = !p ? "" : path ? p->path : p->name;

    if (*text)
        sqlite3_result_text(context, text, -1, SQLITE_STATIC);
    else
        sqlite3_result_null(context);
}

static void labels(sqlite3_context *context, const struct event *e)
{
    struct out *json = out_memory();

    event_labels_json(json, e);
    if (*out_text(json, NULL)) {
        text_result(context, json);
        return;
    }
    out_close(json, NULL);
    sqlite3_result_null(context);
}

/* Answers the columns that ETL events alone have, and those that are the same
 * for all events of a kind. */
static void etl_result(struct event_trace *trace, const struct event *e,
                       int column, sqlite3_context *context)
{
    struct virtual_value v;

    switch (column) {
    case EVENT_NUMBER:
        number_if(context, e->number, e->number);
        break;
    case EVENT_TIMESTAMP:
        timestamp(context, trace, e->time);
        break;
    case EVENT_INSTANCE:
        number_if(context, e->parent_guid, e->instance);
        break;
    case EVENT_PARENT_INSTANCE:
        number_if(context, e->parent_guid, e->parent_instance);
        break;
    case EVENT_PARENT_GUID:
        guid(context, e->parent_guid);
        break;
    case EVENT_KERNEL_TIME:
        number_if(context, e->has_times, e->kernel_time);
        break;
    case EVENT_USER_TIME:
        number_if(context, e->has_times, e->user_time);
        break;
    case EVENT_PROCESS_NAME:
    case EVENT_IMAGE_NAME:
        process_result(trace, e, column == EVENT_IMAGE_NAME, context);
        break;
    case EVENT_TICKS:
        number_if(context, e->ticks, e->ticks);
        break;
    case EVENT_IS_32_BIT:
        sqlite3_result_int(context, e->pointer_size == 4);
        break;
    case EVENT_OPCODE:
        sqlite3_result_int(context, e->opcode);
        break;
    case EVENT_ACTIVITY:
        guid(context, e->activity);
        break;
    case EVENT_RELATED:
        guid(context, e->related);
        break;
    default:
        event_kind_value(e->kind, column, &v);
        virtual_result(context, &v);
    }
}

void event_result(struct event_trace *trace, const struct event *e, int column,
                  sqlite3_context *context)
{
    switch (column) {
    case EVENT_TIME:
        sqlite3_result_double(context, (double)e->time / 1e9);
        break;
    case EVENT_CPU:
        number_or_null(context, e->cpu);
        break;
    case EVENT_PID:
    case EVENT_PROCESS_ID:
        number_or_null(context, e->pid);
        break;
    case EVENT_TID:
    case EVENT_THREAD_ID:
        number_or_null(context, e->tid);
        break;
    case EVENT_LEVEL:
    case EVENT_TYPE_LEVEL:
        sqlite3_result_int(context, e->level);
        break;
    case EVENT_KEYWORDS:
        sqlite3_result_int64(context, (sqlite3_int64)e->keywords);
        break;
    case EVENT_SIZE:
        sqlite3_result_int64(context, e->size);
        break;
    case EVENT_USER_DATA:
        user_data(context, e);
        break;
    case EVENT_USER_DATA_TEXT:
        user_data_text(context, e);
        break;
    case EVENT_PAYLOAD:
        sqlite3_result_blob64(context, e->size ? e->payload : (const void *)"",
                              e->size, SQLITE_TRANSIENT);
        break;
    case EVENT_TRACE_NAME:
        sqlite3_result_text(context, event_trace_file(trace, e->file), -1,
                            SQLITE_STATIC);
        break;
    case EVENT_LABELS:
        labels(context, e);
        break;
    default:
        etl_result(trace, e, column, context);
    }
}
