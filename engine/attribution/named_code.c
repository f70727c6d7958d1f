#include "engine/attribution/named_code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "engine/base/text.h"
#include "engine/base/unpacking.h"

enum {
    MOST_INLINED = 64,
    INLINED_FREE = 1 << 19, /* frames, whatever the file's size */
    /* Bytes of a function's name or a path, and of a thread's name: many may
     * share one. */
    MOST_TEXT = 4096,
    MOST_TITLE = 256,
    SUM = sizeof("...12345678") - 1,
    PART = STACK_DEEPEST / 2,
    /* All names and paths beyond MOST_TITLE may take this much, and RATIO
     * bytes for each byte of the file. They count in each row that has them,
     * because a database has the text in each. */
    LONG_FREE = 16 << 20,
    LONG_RATIO = 2,
};

struct named_code named_code_of(struct profile *p)
{
    return (struct named_code){.profile = p,
                               .inlined_frames = budget_of(0, 0, INLINED_FREE),
                               .long_texts = budget_of(0, 0, LONG_FREE)};
}

struct named_code named_code_from(struct profile *p, const struct entry *e)
{
    struct named_code n = named_code_of(p);

    n.inlined_frames = budget_of(e->size / 16, 1, INLINED_FREE);
    n.long_texts = budget_of(e->size, LONG_RATIO, LONG_FREE);
    n.most = e->packed ? unpack_most_of_profile(e->packed)
                       : plain_most_of_profile(e->size);
    return n;
}

/* A sum of the whole takes the place of what is cut off, so that two names stay
 * two. Once for each text: thousands of functions may have the same long
 * one. */
static uint32_t cut(struct named_code *n, uint32_t text, uint32_t most)
{
    struct strings *strings = n->profile->strings;
    const char *whole = strings_get(strings, text);
    size_t size = strings_len(strings, text), kept = most - SUM;
    uint32_t known;
    char name[MOST_TEXT + 1];

    if (size <= most)
        return text;
    known = map_get(&n->cut, text, most);
    if (known != MAP_NONE)
        return known;
    while (kept && ((uint8_t)whole[kept] & 0xC0) == 0x80)
        kept--;
    snprintf(name, sizeof(name), "%.*s...%08lx", (int)kept, whole,
             crc32(0, (const Bytef *)whole, (uInt)size));
    known = strings_add(strings, name, strlen(name));
    map_set(&n->cut, text, most, known);
    return known;
}

uint32_t named_process(struct named_code *n, uint32_t pid, uint32_t name)
{
    struct profile *p = n->profile;
    uint32_t id = mem_next_id(p->processes.len);

    *vec_add(&p->processes) = (struct process){
        .pid = pid,
        .start = TIME_MIN,
        .end = TIME_MAX,
        .name = cut(n, name, MOST_TITLE),
    };
    return id;
}

uint32_t named_thread(struct named_code *n, uint32_t process, uint32_t tid,
                      uint32_t name)
{
    struct profile *p = n->profile;
    uint32_t id = mem_next_id(p->threads.len);

    *vec_add(&p->threads) = (struct thread){
        .tid = tid,
        .process = process,
        .start = TIME_MIN,
        .end = TIME_MAX,
        .name = cut(n, name, MOST_TITLE),
    };
    return id;
}

uint32_t named_thread_of(struct named_code *n,
                         const struct named_thread_ids *ids)
{
    struct profile *p = n->profile;
    uint32_t fresh = mem_next_id(p->processes.len), process, id;
    uint32_t tid = ids->tid < NO_PID ? ids->tid : 0;

    process = map_add(&n->processes, (uint64_t)ids->pid << 32 | ids->process, 0,
                      fresh);
    if (process == fresh)
        named_process(n, ids->pid, ids->process);
    fresh = mem_next_id(p->threads.len);
    id =
        map_add(&n->threads, (uint64_t)process << 32 | tid, ids->thread, fresh);
    if (id == fresh)
        named_thread(n, process, tid, ids->thread);
    return id;
}

uint64_t named_number(struct bytes text)
{
    enum { DIGITS_MOST = 20 }; /* many samples may name one long text */
    uint64_t n = 0;

    if (text.len > DIGITS_MOST)
        return NO_PID;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || n > UINT32_MAX)
            return NO_PID;
        n = n * 10 + (text.data[i] - '0');
    }
    return text.len ? n : NO_PID;
}

uint32_t named_module(struct named_code *n, uint32_t path)
{
    struct profile *p = n->profile;
    uint32_t fresh = mem_next_id(p->modules.len), name, id;
    const char *base;

    path = cut(n, path, MOST_TEXT);
    id = map_add(&n->modules, path, 0, fresh);
    if (id != fresh)
        return id;
    base = path_base_name(strings_get(p->strings, path));
    name = cut(n, strings_add(p->strings, base, strlen(base)), MOST_TITLE);
    *vec_add(&p->modules) =
        (struct module){.path = path, .name = name, .area = name};
    return id;
}

/* ---- names ---- */

/* Without what names of functions have and those of files rarely. */
static bool is_module_name(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (strchr(":;<>()'\"`~,$@", text[i]))
            return false;
    return len > 0;
}

static void take_mark(struct named_frame *f, const char *text, size_t *len)
{
    static const struct {
        const char *mark;
        uint8_t kind;
    } marks[] = {
        {"_[k]", CODE_KERNEL},
        {"_[j]", CODE_MANAGED},
        {"_[i]", CODE_UNKNOWN},
    };

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
        if (*len > 4 && !memcmp(text + *len - 4, marks[i].mark, 4)) {
            *len -= 4;
            f->kind = marks[i].kind;
            f->inlined = text[*len + 2] == 'i';
            return;
        }
}

struct named_frame named_frame_of(struct named_code *n, const char *text,
                                  size_t len)
{
    struct profile *p = n->profile;
    struct named_frame f = {0};
    const char *bang;
    size_t before;

    take_mark(&f, text, &len);
    bang = memchr(text, '!', len);
    before = bang ? (size_t)(bang - text) : 0;
    if (bang && before + 1 < len && bang[1] != '=' &&
        is_module_name(text, before)) {
        f.module = strings_add(p->strings, text, before);
        text += before + 1;
        len -= before + 1;
    }
    f.name = strings_add(p->strings, text, len);
    return f;
}

/* ---- locations ---- */

static uint32_t add_location(struct profile *p, const struct location *l)
{
    uint32_t id = mem_next_id(p->locations.len);

    *vec_add(&p->locations) = *l;
    return id;
}

static uint32_t module_of(struct named_code *n, uint32_t module)
{
    return module ? named_module(n, module) : NO_ID;
}

static uint32_t method_of(struct named_code *n, uint32_t function,
                          uint32_t module)
{
    struct profile *p = n->profile;
    uint32_t name = p->functions.data[function].name;

    while (n->methods.len <= function)
        *vec_add(&n->methods) = NO_ID;
    if (n->methods.data[function] != NO_ID)
        return n->methods.data[function];
    return n->methods.data[function] =
               methods_add(&p->methods, &(struct method){.from = TIME_MIN,
                                                         .to = TIME_MAX,
                                                         .name = name,
                                                         .full_name = name,
                                                         .module = module});
}

/* Names are what others already made readable: what is read into those that a
 * runtime records (labels.h) is not in them. */
static uint8_t unnamed_cause(uint32_t module)
{
    return module == NO_ID ? CAUSE_NO_IMAGE : CAUSE_NO_SYMBOLS;
}

static uint32_t function_of(struct named_code *n, const struct named_frame *f)
{
    struct profile *p = n->profile;
    uint32_t module = module_of(n, f->module);
    uint8_t kind = f->kind == CODE_MANAGED ? CODE_UNKNOWN : f->kind;

    return profile_function(
        p, &(struct function){
               .name = cut(n, f->name, MOST_TEXT),
               .module = module == NO_ID ? 0 : p->modules.data[module].name,
               .kind = kind,
               .cause = f->name ? (uint8_t)CAUSE_NONE
                                : unnamed_cause(module)});
}

/* "[no symbols]", "clr.dll [no symbols]" in clr.dll or in none. */
static bool stands_for_unnamed(struct named_code *n, struct named_frame *f)
{
    const char *name = strings_get(n->profile->strings, f->name);
    size_t len = strings_len(n->profile->strings, f->name);
    size_t tail = strlen(NAME_NO_SYMBOLS);

    if (!f->name || !strcmp(name, NAME_UNKNOWN))
        return true;
    if (len < tail || strcmp(name + len - tail, NAME_NO_SYMBOLS) != 0)
        return false;
    if (!f->module && len > tail + 1 && name[len - tail - 1] == ' ')
        f->module = strings_add(n->profile->strings, name, len - tail - 1);
    return true;
}

/* Names can be looked for. */
static uint32_t unnamed_location(struct named_code *n, uint32_t module,
                                 uint64_t address, uint8_t kind)
{
    return add_location(
        n->profile,
        &(struct location){
            .address = address,
            .module = module,
            .method = NO_ID,
            .kind = kind,
            .cause = unnamed_cause(module),
        });
}

uint32_t named_location_at(struct named_code *n, uint32_t module,
                           uint64_t address, const struct named_frame *frames,
                           size_t count)
{
    struct location l = {.address = address, .module = module, .method = NO_ID};
    struct named_frame outermost = {0};
    VEC(struct frame) list = {0};
    uint32_t id, function = 0;

    if (count)
        outermost = frames[count - 1];
    if (count < 2 && stands_for_unnamed(n, &outermost))
        return unnamed_location(
            n, module == NO_ID ? module_of(n, outermost.module) : module,
            address, outermost.kind);
    for (size_t i = 0; i < count; i++) {
        function = function_of(n, &frames[i]);
        *vec_add(&list) =
            (struct frame){.function = function,
                           .file = cut(n, frames[i].file, MOST_TEXT),
                           .line = frames[i].line,
                           .inlined = i + 1 < count};
    }
    l.kind = outermost.kind;
    if (!address || module == NO_ID) {
        l.address = 0;
        l.module = NO_ID;
        l.method = method_of(n, function, module_of(n, outermost.module));
    }
    id = add_location(n->profile, &l);
    profile_set_frames(n->profile, id, list.data, list.len);
    vec_release(&list);
    return id;
}

/* By function, where the place in it is not told. */
static uint32_t location_of(struct named_code *n, uint32_t function,
                            uint32_t fresh)
{
    while (n->plain.len <= function)
        *vec_add(&n->plain) = NO_ID;
    if (n->plain.data[function] == NO_ID)
        n->plain.data[function] = fresh;
    return n->plain.data[function];
}

uint32_t named_location(struct named_code *n, const struct named_frame *f)
{
    uint32_t function = function_of(n, f);
    uint32_t fresh = mem_next_id(n->profile->locations.len);
    uint32_t id =
        f->line || f->file
            ? map_add(&n->locations, (uint64_t)function << 32 | f->line,
                      f->file, fresh)
            : location_of(n, function, fresh);

    return id == fresh ? named_location_at(n, NO_ID, 0, f, 1) : id;
}

uint32_t named_location_on(struct named_code *n, uint32_t base,
                           const struct named_frame *frame)
{
    struct profile *p = n->profile;
    uint32_t plain = named_location(n, frame);
    uint32_t fresh = mem_next_id(p->locations.len), id;
    uint32_t count, one;
    const struct frame *given = profile_given(p, base, &count);
    const struct frame *own = profile_given(p, plain, &one);
    VEC(struct frame) list = {0};

    if (!given || !own || count >= MOST_INLINED)
        return NO_ID;
    id = map_get(&n->inlined, base, plain);
    if (id != MAP_NONE)
        return id;
    if (!budget_take(&n->inlined_frames, count))
        return NO_ID;
    id = fresh;
    map_set(&n->inlined, base, plain, id);
    *vec_add(&list) = *own;
    list.data[0].inlined = true;
    for (uint32_t i = 0; i < count; i++)
        *vec_add(&list) = given[i];
    add_location(p, &(struct location){p->locations.data[base].address,
                                       p->locations.data[base].module,
                                       p->locations.data[base].method,
                                       p->locations.data[base].kind, 0, false});
    profile_set_frames(p, id, list.data, list.len);
    vec_release(&list);
    return id;
}

/* ---- stacks ---- */

static uint32_t frames_of(const struct profile *p, uint32_t location)
{
    uint32_t count;

    return profile_given(p, location, &count) ? count : 1;
}

/* At every turn a stack begins anew below what comes on top of it, and the
 * whole of what follows begins at the turn before: so there are at most two
 * stacks for a node of a tree, however deep that is. */
struct named_stack named_push(struct named_code *n, struct named_stack on,
                              uint32_t location)
{
    struct profile *p = n->profile;

    if (n->full)
        return on;
    if (on.frames >= PART) {
        n->deep += on.turned;
        on = (struct named_stack){
            .whole = on.part, .turned = true, .cut = on.turned};
    }
    on.whole = profile_stack(p, on.whole, location);
    on.part = profile_stack(p, on.part, location);
    on.frames += frames_of(p, location);
    if (on.cut) {
        while (n->cut_stacks.len <= on.whole)
            *vec_add(&n->cut_stacks) = false;
        n->cut_stacks.data[on.whole] = true;
    }
    return on;
}

struct named_stack named_stack_of(struct named_code *n,
                                  const uint32_t *locations, size_t count)
{
    struct named_stack stack = {0};

    while (count)
        stack = named_push(n, stack, locations[--count]);
    return stack;
}

/* A location is pushed again with what is inlined into it. */
void named_push_frame(struct named_code *n, struct named_stack_top *top,
                      const struct named_frame *frame)
{
    uint32_t joined = NO_ID;

    if (frame->inlined && top->stack.whole)
        joined = named_location_on(n, top->location, frame);
    if (joined == NO_ID) {
        top->below = top->stack;
        joined = named_location(n, frame);
    }
    top->location = joined;
    top->stack = named_push(n, top->below, joined);
}

/* ---- samples ---- */

int64_t named_begin_with_first(struct named_code *n, int64_t *length)
{
    struct samples *s = &n->profile->samples;
    int64_t first = s->len ? s->time[0] : 0, last = first;

    for (size_t i = 1; i < s->len; i++) {
        first = s->time[i] < first ? s->time[i] : first;
        last = s->time[i] > last ? s->time[i] : last;
    }
    for (size_t i = 0; i < s->len; i++)
        s->time[i] -= first;
    *length = last - first;
    return first;
}

static enum stack_end end_of(const struct named_code *n,
                             const struct named_sample *s)
{
    if (!s->stack)
        return STACK_END_NO_STACK;
    return s->stack < n->cut_stacks.len && n->cut_stacks.data[s->stack]
               ? STACK_END_DEPTH
               : (enum stack_end)s->end;
}

void named_sample(struct named_code *n, const struct named_sample *s)
{
    struct profile *p = n->profile;
    uint32_t flags = stack_end_flags(end_of(n, s));

    if (!s->weight || n->full)
        return;
    if (s->stack)
        flags |= SAMPLE_HAS_STACK | SAMPLE_USER_PART;
    if (s->idle)
        flags |= SAMPLE_IDLE;
    n->full = n->most && profile_cost(p) > n->most;
    n->samples++;
    profile_sample(p, &(struct sample){.time = s->time,
                                       .thread = s->thread,
                                       .stack = s->stack,
                                       .weight = s->weight,
                                       .value = s->value,
                                       .cpu = NO_CPU,
                                       .flags = flags});
}

/* From here on weights have this many decimals. */
static void set_decimals(struct named_code *n, uint32_t decimals)
{
    uint64_t factor = power_of_ten(decimals - n->decimals);
    struct samples *s = &n->profile->samples;

    n->decimals = decimals;
    if (!s->len)
        return;
    profile_begin_weights(n->profile);
    for (size_t i = 0; i < s->len; i++)
        if (__builtin_mul_overflow(s->weight[i], factor, &s->weight[i]))
            s->weight[i] = WEIGHTS_MOST;
}

uint64_t named_decimal(struct named_code *n, uint64_t value, uint32_t decimals)
{
    while (decimals && value % 10 == 0 && value) {
        value /= 10;
        decimals--;
    }
    for (; decimals > WEIGHT_DECIMALS_MOST; decimals--)
        value = value / 10 + (value % 10 >= 5);
    if (decimals > n->decimals && value)
        set_decimals(n, decimals);
    if (__builtin_mul_overflow(value, power_of_ten(n->decimals - decimals),
                               &value))
        return WEIGHTS_MOST;
    return value < WEIGHTS_MOST ? value : WEIGHTS_MOST;
}

/* The decimals that a number of this size can have; further ones only come from
 * its binary form. */
uint64_t named_weight(struct named_code *n, double value, double size)
{
    double noise = fabs(size) * 0x1p-52, scaled = value;
    uint32_t decimals = 0;

    if (value < 0) {
        named_negative(n);
        return 0;
    }
    while (decimals < WEIGHT_DECIMALS_MOST && scaled < 0x1p53 &&
           fabs(scaled - rint(scaled)) >
               fmax(noise * (double)power_of_ten(decimals), 1e-9))
        scaled = value * (double)power_of_ten(++decimals);
    if (!(scaled < 9e18)) {
        n->too_large++;
        return 0;
    }
    return named_decimal(n, (uint64_t)llround(scaled), decimals);
}

void named_negative(struct named_code *n)
{
    n->negative++;
}

/* ---- the end ---- */

enum err_code named_read_json(
    struct named_code *n, const struct entry *e, struct bytes text,
    enum err_code (*read)(void *file, struct json_value root, struct err *err),
    void *file, struct err *err)
{
    struct err own = {0};
    struct json_text *json;
    enum err_code code;
    size_t whole;

    err = err ? err : &own;
    json = json_read(e->name, text.data, text.len, &whole, err);
    if (!json)
        return err->code;
    entry_forget(e, 0, e->size);
    code = read(file, json_root(json), err);
    json_close(json);
    if (code || !err->code)
        return code;
    if (!n->profile->samples.len)
        return err->code;
    profile_skip(n->profile, e->name, whole, text.len - whole, "damaged");
    *err = (struct err){.code = ERR_NONE};
    return ERR_NONE;
}

/* Not every file of a format that has modules has any. */
static void say_unsaid(struct profile *p, const char *unsaid)
{
    if (p->modules.len) {
        if (*unsaid)
            profile_fact(p, FACT_UNSAID, "%s", unsaid);
        return;
    }
    profile_fact(p, FACT_UNSAID, *unsaid ? "modules, %s" : "modules", unsaid);
}

/* A stack of its own for the samples without one. */
static void give_stacks(struct profile *p)
{
    struct location unknown = {
        .module = NO_ID, .method = NO_ID, .cause = CAUSE_NO_STACK};
    uint32_t none = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        if (p->samples.stack[i])
            continue;
        if (!none)
            none = profile_stack(p, 0, profile_location(p, &unknown));
        p->samples.stack[i] = none;
    }
}

static void take_long_text(struct named_code *n, uint32_t text)
{
    size_t size = strings_len(n->profile->strings, text);

    if (size > MOST_TITLE)
        budget_take(&n->long_texts, size - MOST_TITLE);
}

static uint32_t title_of(void *named_code, uint32_t name)
{
    return cut(named_code, name, MOST_TITLE);
}

/* Shortens all long names and paths if the rows that have them come to too
 * much. A method has its name twice. */
static void shorten_long_texts(struct named_code *n)
{
    struct profile *p = n->profile;

    for (size_t i = 0; i < p->functions.len; i++)
        take_long_text(n, p->functions.data[i].name);
    for (size_t i = 0; i < p->given.len; i++)
        take_long_text(n, p->given.data[i].file);
    for (size_t i = 0; i < 2 * p->methods.len; i++)
        take_long_text(n, p->methods.data[i / 2].full_name);
    if (!n->long_texts.cut)
        return;
    profile_rename_functions(p, title_of, n);
    for (size_t i = 0; i < p->given.len; i++)
        p->given.data[i].file = title_of(n, p->given.data[i].file);
    for (size_t i = 0; i < p->methods.len; i++)
        p->methods.data[i].full_name =
            title_of(n, p->methods.data[i].full_name);
}

void named_code_end(struct named_code *n, const char *unsaid)
{
    struct profile *p = n->profile;

    p->trace.metric.decimals = n->decimals;
    p->quality.negative_values += n->negative;
    if (n->negative)
        profile_warn(p,
                     "%llu negative %s left out: the file is a difference of "
                     "two profiles, and only increases are shown",
                     (unsigned long long)n->negative,
                     n->negative == 1 ? "value" : "values");
    if (n->too_large)
        profile_warn(p, "%llu %s over 9000000000000000000 left out",
                     (unsigned long long)n->too_large,
                     n->too_large == 1 ? "value" : "values");
    if (p->methods.len && !p->processes.len)
        named_process(n, NO_PID, 0);
    profile_fit_weights(p, p->samples.weight, &p->samples.len);
    give_stacks(p);
    shorten_long_texts(n);
    samples_sort(&p->samples, TIME_MIN);
    profile_bound_stacks(p);
    if (n->deep)
        profile_warn(p,
                     "stacks deeper than %u frames, truncated to their leaf "
                     "frames: %llu",
                     STACK_DEEPEST, (unsigned long long)n->deep);
    if (n->full)
        profile_warn(p, "more stacks and functions than a file of this size "
                        "may have: the rest of its samples is left out");
    if (n->inlined_frames.cut)
        profile_warn(p, "more inlined frames than a file of this size may "
                        "have: the rest is shown as called");
    if (n->cut.used)
        profile_warn(p,
                     "names longer than %u bytes, and names of threads, "
                     "processes and modules longer than %u, are shortened",
                     n->long_texts.cut ? MOST_TITLE : MOST_TEXT, MOST_TITLE);
    say_unsaid(p, unsaid);
    vec_release(&n->methods);
    vec_release(&n->plain);
    vec_release(&n->cut_stacks);
    map_release(&n->modules);
    map_release(&n->processes);
    map_release(&n->threads);
    map_release(&n->locations);
    map_release(&n->inlined);
    map_release(&n->cut);
}
