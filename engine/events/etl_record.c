/*
 * A record of a log as an event: what its header says, which kind it is, whose
 * it is.
 */
#include "engine/events/etl_events.h"
#include "engine/format/etl/guids.h"

enum { GUID_AT = 24 };

/* Groups whose payload says whom an event is about, whatever its header says:
 * a rundown is written by whoever controls the recording. */
static bool is_about_other(uint16_t hook)
{
    enum { PROCESS = 3, THREAD = 5, IMAGE = 20 };
    unsigned group = hook >> 8, type = hook & 0xFF;

    return group == PROCESS || group == IMAGE ||
           (group == THREAD && (type <= 4 || type == 0x48));
}
/* Items between header and payload of an EVENT_HEADER record. */
struct items {
    struct bytes tracelogging, traits;
    const uint8_t *related;
    struct bytes stack;
    unsigned width; /* of its frames */
    uint64_t key;   /* of a stack; 0: none */
};

static void take_item(struct items *items, const struct etl_item *i)
{
    enum { RELATED = 1 };

    switch (i->type) {
    case RELATED:
        if (i->size >= 16)
            items->related = i->data;
        break;
    case ITEM_TRACELOGGING:
        items->tracelogging = (struct bytes){i->data, i->size};
        break;
    case ITEM_TRAITS:
        items->traits = (struct bytes){i->data, i->size};
        break;
    case ITEM_STACK_32:
    case ITEM_STACK_64:
        if (i->size >= 8) {
            items->width = i->type == ITEM_STACK_64 ? 8 : 4;
            items->stack = (struct bytes){i->data + 8, i->size - 8};
        }
        break;
    default:
        break;
    }
}

static struct items read_items(struct event_cursor *c, struct etl_event *e)
{
    struct items items = {0};
    struct etl_item item;
    bool more = load_u16(e->at + 4) & 1;

    while (more) {
        if (!etl_next_item(e, &more, &item)) {
            c->notes->quality.malformed++;
            break;
        }
        take_item(&items, &item);
    }
    return items;
}

static void set_payload(struct event *out, const struct etl_event *e)
{
    out->payload = etl_payload(e);
    out->size = etl_payload_size(e);
    out->pointer_size = e->width;
}

static void set_times(struct event *out, const uint8_t *at)
{
    out->kernel_time = load_u32(at);
    out->user_time = load_u32(at + 4);
    out->has_times = true;
}

static uint32_t number_at(const struct event *e, int at)
{
    return at >= 0 && (size_t)at + 4 <= e->size ? load_u32(e->payload + at)
                                                : EVENT_UNKNOWN;
}

/* Process and thread of a kernel event: of its header, of its payload, of what
 * else is known of the thread. */
static void set_subject(struct event_cursor *c, uint16_t hook, uint64_t time,
                        const struct subject *subject)
{
    struct event *e = &c->event;
    uint32_t pid = number_at(e, subject->pid_at);
    uint32_t tid = number_at(e, subject->tid_at);
    bool other = is_about_other(hook);

    e->stack_tid = e->tid;
    e->stack_pid = e->pid;
    if (tid != EVENT_UNKNOWN && (other || e->tid == EVENT_UNKNOWN))
        e->tid = tid;
    if (pid != EVENT_UNKNOWN && (other || e->pid == EVENT_UNKNOWN))
        e->pid = pid;
    if (e->pid == EVENT_UNKNOWN && e->tid != EVENT_UNKNOWN &&
        (!c->options.no_subjects || c->options.pids.count)) {
        event_survey(c->trace);
        e->pid = event_thread_pid(c->trace, e->tid, time);
    }
}

static void set_kernel(struct event_cursor *c, const struct etl_event *e,
                       uint64_t time, uint16_t hook)
{
    const struct known_kind *known =
        event_hook_kind(c->trace, hook, (uint8_t)etl_version(e), e->width);

    c->event.kind = &known->kind;
    c->event.opcode = (uint8_t)hook;
    set_subject(c, hook, time, &known->subject);
}

static void set_system(struct event_cursor *c, const struct etl_event *e,
                       uint64_t time)
{
    struct event *out = &c->event;

    if (etl_header_type(e) <= 4) {
        out->tid = load_u32(e->at + 8);
        out->pid = load_u32(e->at + 12);
    }
    if (etl_header_type(e) <= 2)
        set_times(out, e->at + 24);
    set_payload(out, e);
    set_kernel(c, e, time, e->hook);
}

static void set_classic(struct event_cursor *c, const struct etl_event *e,
                        uint64_t time)
{
    enum { INSTANCE_32 = 11, INSTANCE_64 = 21 };
    struct event *out = &c->event;
    const uint8_t *guid = e->at + GUID_AT;
    uint16_t hook = etl_classic_hook(guid, e->at[4]);
    uint8_t type = etl_header_type(e);
    struct kind_request request = {
        .guid = guid,
        .classic = true,
        .id = e->at[4],
        .opcode = e->at[4],
        .level = e->at[5],
        .version = (uint8_t)load_u16(e->at + 6),
        .width = e->width,
    };

    out->tid = load_u32(e->at + 8);
    out->pid = load_u32(e->at + 12);
    out->level = e->at[5];
    out->opcode = e->at[4];
    set_times(out, e->at + 40);
    set_payload(out, e);
    if (type == INSTANCE_32 || type == INSTANCE_64) {
        out->instance = load_u32(e->at + 48);
        out->parent_instance = load_u32(e->at + 52);
        out->parent_guid = e->at + 56;
    }
    if (hook)
        set_kernel(c, e, time, hook);
    else
        out->kind = &event_kind_of(c->trace, &request)->kind;
}

static void set_walked_stack(struct event_cursor *c)
{
    struct etl_walk *w = c->state;

    c->event.stack = (const uint8_t *)w->stack.data;
    c->event.stack_count = (uint32_t)w->stack.len;
    c->event.stack_width = sizeof(*w->stack.data);
}

static void keep_stack(struct event_cursor *c, const struct items *items)
{
    struct etl_walk *w = c->state;
    size_t n = items->width ? items->stack.len / items->width : 0;

    w->stack.len = 0;
    for (size_t i = 0; i < n; i++)
        *vec_add(&w->stack) =
            load_ptr(items->stack.data + i * items->width, items->width);
    set_walked_stack(c);
}

static void set_header(struct event_cursor *c, struct etl_event *e)
{
    struct event *out = &c->event;
    struct items items = read_items(c, e);
    const uint8_t *at = e->at;
    struct kind_request request = {
        .guid = at + GUID_AT,
        .id = load_u16(at + 40),
        .version = at[42],
        .level = at[44],
        .opcode = at[45],
        .task = load_u16(at + 46),
        .keywords = load_u64(at + 48),
        .width = e->width,
        .tracelogging = items.tracelogging,
        .traits = items.traits,
    };

    if (!items.tracelogging.len)
        request.traits.len = 0;
    out->tid = load_u32(at + 8);
    out->pid = load_u32(at + 12);
    out->level = request.level;
    out->opcode = request.opcode;
    out->keywords = request.keywords;
    out->activity = at + 64;
    out->related = items.related;
    set_times(out, at + 56);
    set_payload(out, e);
    if (c->options.stacks)
        keep_stack(c, &items);
    out->kind = &event_kind_of(c->trace, &request)->kind;
}

/* A message of the preprocessor: its number and what options say precedes its
 * arguments. Files that are not part of a trace say what they mean. */
static void set_wpp(struct event_cursor *c, struct walked *b)
{
    enum { SEQUENCE = 1, GUID = 2, COMPONENT = 4, TIME = 8, IDS = 0x20 };
    enum { POINTER_32 = 0x40 };
    static const uint8_t nobody[16];
    struct event *out = &c->event;
    struct reader r = reader_of("", b->e.at + 4, b->e.size - 4, 0, NULL);
    struct kind_request request = {
        .classic = true,
        .name = "Message",
        .guid = nobody,
    };
    unsigned options;
    uint64_t time = 0;

    request.id = reader_u16(&r);
    options = reader_u16(&r);
    if (options & SEQUENCE)
        reader_skip(&r, 4);
    if (options & GUID)
        request.guid = reader_take(&r, 16);
    else if (options & COMPONENT)
        reader_skip(&r, 4);
    if (options & TIME)
        time = reader_u64(&r);
    if (options & IDS) {
        out->tid = reader_u32(&r);
        out->pid = reader_u32(&r);
    }
    out->pointer_size = options & POINTER_32 ? 4 : 8;
    if (r.failed || !request.guid) {
        request.guid = nobody;
        c->notes->quality.malformed++;
    }
    if (time > b->time)
        b->time = time;
    out->payload = r.base + r.pos;
    out->size = (uint32_t)(r.len - r.pos);
    request.width = out->pointer_size;
    out->kind = &event_kind_of(c->trace, &request)->kind;
}

/* Records without a header that we know: the bytes, to be seen. */
static void set_other(struct event_cursor *c, const struct etl_event *e)
{
    struct kind_request request = {
        .classic = true,
        .name = "Record",
        .guid = (const uint8_t[16]){0},
        .id = etl_header_type(e),
        .opcode = etl_header_type(e),
    };

    c->event.payload = e->at + 4;
    c->event.size = e->size - 4;
    c->event.kind = &event_kind_of(c->trace, &request)->kind;
}

/* A stack that was logged apart from the event. */
static void find_stack(struct event_cursor *c, uint64_t time)
{
    struct etl_walk *w = c->state;

    etl_stack_of(etl_trace_of(c->trace)->stacks, time, c->event.stack_tid,
                 (uint16_t)c->event.cpu, &w->stack.data, &w->stack.len,
                 &w->stack.cap);
    set_walked_stack(c);
}

/* A CPU sample in the kernel may have no kernel part: then the sampled address
 * is all there is of it, as in a profile. */
static void add_sampled_address(struct event_cursor *c,
                                const struct etl_event *e, uint64_t kernel_from)
{
    enum { SAMPLE = 0x0F2E };
    struct etl_walk *w = c->state;
    uint64_t address;

    if (e->hook != SAMPLE || !w->stack.len || etl_payload_size(e) < e->width)
        return;
    address = load_ptr(etl_payload(e), e->width);
    if (address < kernel_from || w->stack.data[0] >= kernel_from)
        return;
    vec_add(&w->stack);
    memmove(w->stack.data + 1, w->stack.data,
            (w->stack.len - 1) * sizeof(*w->stack.data));
    w->stack.data[0] = address;
    set_walked_stack(c);
}

/* The kernel part in front of the user part: the rule of the reader, so that a
 * stack of an event and of a sample get the same names. */
static uint32_t kernel_part(const struct event *e, uint64_t kernel_from)
{
    uint32_t n = 0;

    if (e->stack_count && event_frame(e, e->stack_count - 1) >= kernel_from)
        return e->stack_count;
    while (n < e->stack_count && event_frame(e, n) >= kernel_from)
        n++;
    return n;
}

void etl_set_event(struct event_cursor *c, struct walked *b)
{
    const struct etl_recording *r = &etl_trace_of(c->trace)->recording;
    const struct etl_buffer *buffer = &r->buffers.data[b->buffer];
    struct etl_event e = b->e;
    uint64_t kernel_from;

    c->event = (struct event){
        .place = (uint64_t)b->buffer << 32 | b->pos,
        .pid = EVENT_UNKNOWN,
        .tid = EVENT_UNKNOWN,
        .stack_pid = EVENT_UNKNOWN,
        .stack_tid = EVENT_UNKNOWN,
        .cpu = buffer->cpu,
        .pointer_size = e.width ? e.width : 8,
        .record = e.at,
        .file = buffer->file,
    };
    if (e.family == FAMILY_KERNEL)
        set_system(c, &e, b->time);
    else if (e.family == FAMILY_HEADER)
        set_header(c, &e);
    else if (e.header)
        set_classic(c, &e, b->time);
    else if (etl_is_message(&e))
        set_wpp(c, b);
    else
        set_other(c, &e);
    /* Records without a time are as late as the one before them. */
    c->event.ticks = e.time ? e.time : b->time;
    c->event.time = etl_time(r, c->event.ticks);
    if (c->event.stack_tid == EVENT_UNKNOWN) {
        c->event.stack_tid = c->event.tid;
        c->event.stack_pid = c->event.pid;
    }
    if (c->options.stacks && !c->event.stack_count)
        find_stack(c, e.time);
    kernel_from = kernel_space_start(r->files[buffer->file].pointer_size);
    if (c->event.stack_count)
        add_sampled_address(c, &e, kernel_from);
    c->event.stack_kernel = kernel_part(&c->event, kernel_from);
}
