/* Facts of a trace as texts (tests/support/script_tests.h), and the processes,
 * mappings, locations and samples they become. Facts come first; `build` or
 * `attribute` follows, and what the rest of the lines ask. */
#include <inttypes.h>

#include "engine/attribution/address_locator.h"
#include "tests/support/observed.h"
#include "tests/support/script_tests.h"
#include "tests/support/suite.h"

static struct observed o;
static struct lifetimes lives;
static struct address_spaces spaces;
static struct locator locator;
static bool is_built;
static uint32_t symbols; /* the last set of them */

static void begin(void)
{
    observed_begin(&o);
    is_built = false;
}

static void end(void)
{
    if (is_built) {
        locator_release(&locator);
        address_spaces_release(&spaces);
        lifetimes_release(&lives);
    }
    observed_end(&o);
}

static void build(struct script *s)
{
    (void)s;
    lifetimes_build(&lives, o.seen);
    address_spaces_init(&spaces, o.seen, &lives);
    address_spaces_build(&spaces);
    locator_init(&locator, &spaces);
    is_built = true;
}

static void attribute_all(struct script *s)
{
    (void)s;
    observed_attribute(&o);
}

/* ---- facts ---- */

static uint32_t string_option(struct script *s, const char *name)
{
    const char *text = script_option(s, name);

    return text ? observed_string(&o, text) : 0;
}

/* process TIME EVENT PID NAME [parent=PID] [command=TEXT] [renames] */
static void process(struct script *s)
{
    struct observed_process fact = {.time = script_time(s),
                                    .event = script_event(s)};

    fact.pid = script_id(s, NO_PID);
    fact.name = observed_string(&o, script_word(s));
    fact.parent_pid = (uint32_t)script_option_number(s, "parent");
    fact.command_line = string_option(s, "command");
    fact.renames = script_option(s, "renames");
    observe_process(o.seen, &fact);
}

/* thread TIME EVENT TID PID NAME */
static void thread(struct script *s)
{
    int64_t time = script_time(s);
    enum observed_event event = script_event(s);
    uint32_t tid = script_id(s, 0), pid = script_id(s, NO_PID);

    see_thread(&o, time, event, tid, pid, script_word(s));
}

static uint32_t module_of(struct script *s, const char *path, bool managed)
{
    struct module m = {.managed = managed};

    m.path = observed_string(&o, path);
    m.identity.timestamp = (uint32_t)script_option_number(s, "stamp");
    m.identity.pdb_name = string_option(s, "pdb");
    m.identity.age = (uint32_t)script_option_number(s, "age");
    return observe_module(o.seen, &m);
}

/* image TIME EVENT PID|kernel BASE SIZE PATH [stamp= pdb= age=] [rva=NUMBER]
 * [pages] [jit] [symbols]; symbols: those of the next lines, of the last set
 * with =last. Without a path it is `-`. */
static void image(struct script *s)
{
    struct observed_image fact = {.time = script_time(s),
                                  .event = script_event(s)};
    const char *pid = script_word(s), *path, *set;

    fact.kernel = strcmp(pid, "kernel") == 0;
    fact.pid = fact.kernel ? 0 : (uint32_t)atoi(pid);
    fact.base = script_number(s);
    fact.size = script_number(s);
    path = script_word(s);
    fact.module = strcmp(path, "-") ? module_of(s, path, false) : NO_ID;
    fact.rva = script_option_number(s, "rva");
    fact.pages = script_option(s, "pages");
    fact.jit = script_option(s, "jit");
    set = script_option(s, "symbols");
    if (set && !*set)
        symbols = observe_symbol_set(o.seen);
    fact.symbols = set ? symbols : 0;
    observe_image(o.seen, &fact);
}

/* symbol START SIZE NAME */
static void symbol(struct script *s)
{
    uint64_t start = script_number(s), size = script_number(s);

    see_symbol(&o, symbols, start, size, script_word(s));
}

/* method TIME EVENT PID START SIZE NAME [id=NUMBER] [script] [listed] */
static void method(struct script *s)
{
    int64_t time = script_time(s);
    enum observed_event event = script_event(s);
    uint32_t pid = script_id(s, NO_PID);
    uint64_t start = script_number(s);
    uint32_t size = (uint32_t)script_number(s);
    struct observed_method *fact;

    see_method(&o, time, event, pid, start, size, script_word(s));
    fact = &o.seen->methods.data[o.seen->methods.len - 1];
    if (script_option(s, "id"))
        fact->method_id = script_option_number(s, "id");
    if (script_option(s, "script"))
        fact->kind = CODE_SCRIPT;
    fact->listed = script_option(s, "listed");
}

/* module PID ID PATH [assembly] [stamp=]: of a managed runtime. */
static void managed_module(struct script *s)
{
    struct observed_managed_module fact = {.pid = script_id(s, NO_PID),
                                           .module_id = script_number(s)};

    fact.module = module_of(s, script_word(s), true);
    fact.assembly_id = script_option(s, "assembly") ? fact.module_id : 0;
    observe_managed_module(o.seen, &fact);
}

/* maker PID ASSEMBLY NAME */
static void maker(struct script *s)
{
    uint32_t pid = script_id(s, NO_PID);
    uint64_t assembly = script_number(s);

    map_set(&o.seen->assembly_makers, assembly, pid,
            observed_string(&o, script_word(s)));
}

/* sample TIME TID PID USER KERNEL */
static void sample(struct script *s)
{
    uint64_t user[20], kernel[20];
    int64_t time = script_time(s);
    uint32_t tid = script_id(s, 0), pid = script_id(s, NO_PID);
    struct addresses outer = script_run(s, user);

    see_sample(&o, time, tid, pid, outer, script_run(s, kernel));
}

/* leaf TIME TID PID USER ADDRESS: the address stands for the inner part. */
static void leaf(struct script *s)
{
    uint64_t user[20];
    int64_t time = script_time(s);
    uint32_t tid = script_id(s, 0), pid = script_id(s, NO_PID);
    struct addresses outer = script_run(s, user);

    see_leaf(&o, time, tid, pid, outer, script_number(s));
}

/* set NAME VALUE: of the whole trace. */
static void set(struct script *s)
{
    static const char *const names[] = {"windows_pids",
                                        "late_images",
                                        "hypercall_page",
                                        "kernel_from",
                                        "last_unload",
                                        "no_rundown",
                                        NULL};
    unsigned what = script_choice(s, names);
    uint64_t value = script_number(s);

    if (what == 0)
        o.seen->windows_pids = value;
    else if (what == 1)
        o.seen->late_images = value;
    else if (what == 2)
        o.seen->hypercall_page = value;
    else if (what == 3)
        o.seen->kernel_from = value;
    else if (what == 4)
        o.seen->last_unload = (int64_t)value;
    else
        o.seen->unknown_cause = CAUSE_NO_RUNDOWN;
}

/* ---- processes and threads ---- */

static const char *string(uint32_t id)
{
    return strings_get(o.p->strings, id);
}

static const char *module_name(uint32_t module)
{
    return string(o.p->modules.data[module].name);
}

/* count WHAT */
static void count(struct script *s)
{
    static const char *const names[] = {"processes", "threads",   "mappings",
                                        "locations", "stacks",    "located",
                                        "methods",   "addresses", NULL};
    const size_t counts[] = {o.p->processes.len,    o.p->threads.len,
                             o.p->mappings.len,     o.p->locations.len,
                             o.p->stacks.len,       locator.located.len,
                             o.p->methods.code.len, profile_addresses(o.p)};

    script_tell(s, "%zu", counts[script_choice(s, names)]);
}

static void tell_span(struct script *s, int64_t from, int64_t to)
{
    script_tell_time(s, from);
    script_tell(s, " ");
    script_tell_time(s, to);
}

static void tell_process(struct script *s, uint32_t id)
{
    const struct process *p = &o.p->processes.data[id];

    ck_assert_uint_lt(id, o.p->processes.len);
    script_tell(s, "%s ", string(p->name));
    tell_span(s, p->start, p->end);
}

/* life PROCESS = NAME START END */
static void life(struct script *s)
{
    tell_process(s, script_id(s, NO_ID));
}

/* life_at PID TIME = NAME START END */
static void life_at(struct script *s)
{
    uint32_t pid = script_id(s, NO_PID);

    tell_process(s, lifetimes_process(&lives, pid, script_time(s)));
}

/* process_at PID TIME = NAME */
static void process_at(struct script *s)
{
    uint32_t pid = script_id(s, NO_PID);
    uint32_t id = lifetimes_process(&lives, pid, script_time(s));

    script_tell(s, "%s", string(o.p->processes.data[id].name));
}

/* details PROCESS = PID NAME PARENT COMMAND */
static void details(struct script *s)
{
    const struct process *p = &o.p->processes.data[script_number(s)];

    script_tell(s, "%u %s %u %s", p->pid, string(p->name), p->parent_pid,
                string(p->command_line));
}

/* thread_life THREAD = NAME PROCESS START END */
static void thread_life(struct script *s)
{
    uint32_t id = script_id(s, NO_ID);
    const struct thread *t = &o.p->threads.data[id];

    ck_assert_uint_lt(id, o.p->threads.len);
    script_tell(s, "%s %u ", string(t->name), t->process);
    tell_span(s, t->start, t->end);
}

/* thread_at TID PID TIME = ID TID NAME of PROCESS PID NAME until TIME */
static void thread_at(struct script *s)
{
    uint32_t tid = script_id(s, 0), pid = script_id(s, NO_PID);
    int64_t until = 0;
    uint32_t id = lifetimes_thread(&lives, tid, pid, script_time(s), &until);
    const struct thread *t = &o.p->threads.data[id];
    const struct process *p = &o.p->processes.data[t->process];

    ck_assert_uint_eq(t->tid, tid);
    script_tell(s, "%s of %s %d until ", string(t->name), string(p->name),
                (int)p->pid);
    script_tell_time(s, until);
}

/* memory PROCESS = PROCESS, whose memory it shares */
static void memory(struct script *s)
{
    script_tell(s, "%u", lifetimes_memory(&lives, script_id(s, NO_ID)));
}

/* ---- address spaces ---- */

/* mapping NUMBER = NAME BASE SIZE FROM TO PROCESS */
static void mapping(struct script *s)
{
    uint64_t i = script_number(s);
    const struct mapping *m = &o.p->mappings.data[i];

    ck_assert_uint_lt(i, o.p->mappings.len);
    script_tell(s, "%s 0x%" PRIx64 " 0x%" PRIx64 " ", module_name(m->module),
                m->base, m->size);
    tell_span(s, m->from, m->to);
    script_tell(s, " %d", (int)m->process);
}

/* age MAPPING = AGE of the PDB, which tells one identity from another */
static void age(struct script *s)
{
    uint32_t module = o.p->mappings.data[script_number(s)].module;

    script_tell(s, "%u", o.p->modules.data[module].identity.age);
}

static const struct address_space *space_of(struct script *s)
{
    uint32_t pid = script_id(s, NO_PID);

    return pid == NO_PID
               ? &spaces.kernel
               : address_spaces_of(&spaces, lifetimes_process(&lives, pid, 0));
}

static struct range_hit hit_of(struct script *s, const struct rangemap *ranges)
{
    uint64_t address = script_number(s);

    return rangemap_find(ranges, address, script_time(s));
}

/* image_at PID ADDRESS TIME = NAME */
static void image_at(struct script *s)
{
    struct range_hit hit = hit_of(s, &space_of(s)->images);

    if (hit.value != UINT32_MAX)
        script_tell(s, "%s",
                    module_name(o.seen->images.data[hit.value].module));
}

/* area_at PID ADDRESS TIME = NUMBER of the fact */
static void area_at(struct script *s)
{
    script_tell(s, "%d", (int)hit_of(s, &space_of(s)->areas).value);
}

/* method_at PID ADDRESS TIME = NUMBER of the fact, from TIME */
static void method_at(struct script *s)
{
    struct range_hit hit = hit_of(s, &space_of(s)->methods);

    script_tell(s, "%d", (int)hit.value);
    if (hit.value == UINT32_MAX)
        return;
    script_tell(s, " from ");
    script_tell_time(s, hit.from);
}

/* methods_of PID = how many there are */
static void methods_of(struct script *s)
{
    script_tell(s, "%zu", (size_t)space_of(s)->methods.ranges.len);
}

/* start PROCESS = TIME */
static void start(struct script *s)
{
    script_tell_time(
        s, address_spaces_process_start(&spaces, script_id(s, NO_ID)));
}

/* managed PID ID = NAME and MAKER in one */
static void managed(struct script *s)
{
    uint32_t pid = script_id(s, NO_PID);
    uint32_t module = map_get(&spaces.managed_modules, script_number(s), pid);

    if (module != MAP_NONE)
        script_tell(s, "%s%s", module_name(module),
                    string(o.p->modules.data[module].maker));
}

/* ---- locations ---- */

static const struct located *locate(struct script *s, bool caller)
{
    uint32_t process_id = script_id(s, NO_ID);
    uint64_t address = script_number(s);
    const struct located *l =
        locator_find(&locator, process_id, address, caller, script_time(s));

    trace_names_add(&locator.names);
    return l;
}

static void tell_location(struct script *s, uint32_t id)
{
    const struct location *l = &o.p->locations.data[id];

    script_tell(s, "%s%s %s", location_text(&o, id), l->caller ? " caller" : "",
                code_kind_name(l->kind));
}

/* at PROCESS ADDRESS TIME = LOCATION KIND */
static void at(struct script *s)
{
    tell_location(s, locate(s, false)->location);
}

/* return_to PROCESS ADDRESS TIME = LOCATION KIND */
static void return_to(struct script *s)
{
    tell_location(s, locate(s, true)->location);
}

/* same PROCESS ADDRESS TIME = NUMBER of the location */
static void same(struct script *s)
{
    script_tell(s, "%u", locate(s, false)->location);
}

/* cause PROCESS ADDRESS TIME = why no function is known */
static void cause(struct script *s)
{
    uint32_t id = locate(s, false)->location;

    script_tell(s, "%s", name_cause_name(o.p->locations.data[id].cause));
}

/* holds PROCESS ADDRESS TIME = FROM TO, while the answer is the same */
static void holds(struct script *s)
{
    const struct located *l = locate(s, false);

    tell_span(s, l->from, l->to);
}

/* ---- samples ---- */

/* stack SAMPLE = FRAMES from the root */
static void stack(struct script *s)
{
    script_tell(s, "%s", sample_stack(&o, script_number(s)));
}

/* thread_of SAMPLE = NAME PID/TID */
static void thread_of(struct script *s)
{
    script_tell(s, "%s", sample_thread(&o, script_number(s)));
}

/* parts SAMPLE = user kernel stack: which its flags say it has */
static void parts(struct script *s)
{
    uint32_t flags = sample_flags_of(&o, script_number(s));

    script_tell(s, "%s%s%s%s", flags & SAMPLE_USER_PART ? "user " : "",
                flags & SAMPLE_KERNEL_PART ? "kernel " : "",
                flags & SAMPLE_HAS_STACK ? "stack" : "none",
                flags & ~(uint32_t)(SAMPLE_USER_PART | SAMPLE_KERNEL_PART |
                                    SAMPLE_HAS_STACK)
                    ? " others"
                    : "");
}

/* ends SAMPLE = how its stack ends */
static void ends(struct script *s)
{
    script_tell(s, "%s", stack_end_word(sample_end_of(&o, script_number(s))));
}

/* location NUMBER = LOCATION */
static void location(struct script *s)
{
    script_tell(s, "%s", location_text(&o, script_id(s, NO_ID)));
}

/* roles SAMPLE = `exact` or `return` of each frame, from the root */
static void roles(struct script *s)
{
    const struct profile *p = o.p;
    uint32_t chain[20] = {0}, n = 0;

    for (uint32_t i = p->samples.stack[script_number(s)]; i;
         i = p->stacks.data[i].parent)
        chain[n++] = i;
    while (n--)
        script_tell(s, "%s%s",
                    p->locations.data[p->stacks.data[chain[n]].location].caller
                        ? "return"
                        : "exact",
                    n ? " " : "");
}

static const struct script_command commands[] = {
    {"build", build},
    {"attribute", attribute_all},
    {"process", process},
    {"thread", thread},
    {"image", image},
    {"symbol", symbol},
    {"method", method},
    {"module", managed_module},
    {"maker", maker},
    {"sample", sample},
    {"leaf", leaf},
    {"set", set},
    {"count", count},
    {"life", life},
    {"life_at", life_at},
    {"process_at", process_at},
    {"details", details},
    {"thread_life", thread_life},
    {"thread_at", thread_at},
    {"memory", memory},
    {"mapping", mapping},
    {"age", age},
    {"image_at", image_at},
    {"area_at", area_at},
    {"method_at", method_at},
    {"methods_of", methods_of},
    {"start", start},
    {"managed", managed},
    {"at", at},
    {"return_to", return_to},
    {"same", same},
    {"cause", cause},
    {"holds", holds},
    {"stack", stack},
    {"thread_of", thread_of},
    {"parts", parts},
    {"ends", ends},
    {"location", location},
    {"roles", roles},
};

static const char *const files[] = {"lifetimes", "address_spaces", "locate",
                                    "attribute", "stack_ends"};

TEST_LOOP(scripts, COUNT(files))
{
    char path[100];

    snprintf(path, sizeof(path), "tests/engine/attribution/%s.script",
             files[_i]);
    script_tests(path, commands, COUNT(commands), begin, end);
}
