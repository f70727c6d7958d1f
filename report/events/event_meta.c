/*
 * Meta mode: the fields of all events of the providers, a row each.
 */
#include "report/events/event_modes.h"
#include "report/events/event_rows.h"

static void put_field(struct event_rows *r, const struct event_kind *k,
                      size_t number, const struct event_field *field)
{
    struct out *type = out_memory();

    if (field)
        event_type_text(type, field);
    event_rows_begin(r);
    event_rows_maybe(r, k->provider);
    event_rows_null(r);
    event_rows_guid(r, k->guid);
    event_rows_maybe(r, k->name);
    event_rows_maybe(r, k->description);
    event_rows_u64(r, k->version);
    event_rows_maybe(r, k->classic ? k->name : NULL);
    event_rows_guid(r, k->class_guid);
    event_rows_u64(r, k->classic ? k->opcode : k->id);
    event_rows_maybe(r, k->type_name);
    event_rows_maybe(r, k->message);
    event_rows_null(r);
    event_rows_u64(r, k->level);
    event_rows_maybe(r, field ? field->name : NULL);
    event_rows_maybe(r, field && field->names ? field->names->name : NULL);
    event_rows_number(r, field, number);
    event_rows_maybe(r, out_text(type, NULL));
    event_rows_end(r);
    out_close(type, NULL);
}

event_column_list event_meta_columns(void)
{
    static const char *const names[] = {
        "ProviderDescription",
        "ProviderClassName",
        "ProviderGUID",
        "EventName",
        "EventDescription",
        "EventVersion",
        "EventClassName",
        "EventGUID",
        "EventType",
        "EventTypeName",
        "EventTypeDescription",
        "EventTypeClassName",
        "EventTypeLevel",
        "FieldName",
        "FieldDescription",
        "FieldIndex",
        "FieldType"};
    event_column_list columns = {0};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        *vec_add(&columns) = (struct event_column){names[i], 0, false};
    return columns;
}

void event_meta_write(struct event_trace *trace,
                      const struct event_options *options,
                      const struct event_print *p, struct out *out)
{
    struct event_rows rows = event_rows_to(out, p->format, p->columns);
    event_column_list columns = event_meta_columns();
    event_kind_list list = event_kinds_chosen(trace, options, p);
    uint64_t n = 0;

    event_rows_heading(&rows, columns.data, columns.len);
    for (size_t i = 0; i < list.len; i++) {
        const struct event_kind *k = list.data[i];
        size_t count = k->schema ? k->schema->top : 0, shown = 0;

        for (size_t j = 0; j < count && (!p->limit || n < p->limit); j++)
            if (!k->schema->fields[j].hidden) {
                put_field(&rows, k, ++shown, &k->schema->fields[j]);
                n++;
            }
        if (!shown && (!p->limit || n++ < p->limit))
            put_field(&rows, k, 0, NULL);
    }
    event_rows_release(&rows);
    vec_release(&columns);
    vec_release(&list);
}
