#include "engine/sql/event_values.h"

#include <string.h>

#include "engine/events/schema.h"
#include "engine/sql/event_columns.h"

static bool is_zero(const uint8_t guid[16])
{
    for (int i = 0; i < 16; i++)
        if (guid[i])
            return false;
    return true;
}

static void set_text(struct kind_value *v, const char *text)
{
    v->is_text = true;
    v->text = text;
}

/* One that is not known is NULL. */
static void set_guid(struct kind_value *v, const uint8_t guid[16])
{
    if (!is_zero(guid))
        event_guid_text(v->guid, guid);
    set_text(v, is_zero(guid) ? NULL : v->guid);
}

void kind_value(const struct event_kind *kind, int column,
                struct kind_value *v)
{
    *v = (struct kind_value){.is_text = false};
    switch (column) {
    case EVENT_PROVIDER:
    case EVENT_PROVIDER_NAME:
        set_text(v, kind->provider);
        break;
    case EVENT_EVENT:
        set_text(v, kind->full_name);
        break;
    case EVENT_NAME:
        set_text(v, kind->name);
        break;
    case EVENT_TYPE_NAME:
        set_text(v, kind->type_name);
        break;
    case EVENT_DESCRIPTION:
        set_text(v, kind->description && *kind->description
                        ? kind->description
                        : NULL);
        break;
    case EVENT_ATTRIBUTES:
        set_text(v, kind->attributes && *kind->attributes ? kind->attributes
                                                          : NULL);
        break;
    case EVENT_TASK:
        v->number = kind->task;
        break;
    case EVENT_TYPE_DESCRIPTION:
        set_text(v, kind->message && *kind->message ? kind->message : NULL);
        break;
    case EVENT_PROVIDER_GUID:
        set_guid(v, kind->guid);
        break;
    case EVENT_GUID:
        set_guid(v, kind->class_guid);
        break;
    case EVENT_ID:
    case EVENT_TYPE:
        v->number = kind->id;
        break;
    case EVENT_VERSION:
    case EVENT_EVENT_VERSION:
        v->number = kind->version;
        break;
    default:
        break;
    }
}

/* Texts of kinds live as long as the trace, but for GUIDs. */
void kind_result(const struct event_kind *kind, int column,
                 sqlite3_context *context)
{
    struct kind_value v;

    kind_value(kind, column, &v);
    if (!v.is_text)
        sqlite3_result_int64(context, v.number);
    else if (!v.text)
        sqlite3_result_null(context);
    else
        sqlite3_result_text(context, v.text, -1,
                            v.text == v.guid ? SQLITE_TRANSIENT
                                             : SQLITE_STATIC);
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

void event_result(struct event_trace *trace, const struct event *e,
                  int column, sqlite3_context *context)
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
    case EVENT_LABELS:
        labels(context, e);
        break;
    default:
        kind_result(e->kind, column, context);
    }
}
