/*
 * Kernel events.  Offsets below are for 8-byte pointers; ptr is 4 or 8 bytes.
 *
 *   0x0F2E sample   ptr ip; u32 tid; u16 count; u8 bits; u8 rank
 *   0x1820 stack    u64 event stamp; u32 pid, tid; ptr frame[]
 *   0x1825/26 key   u64 event stamp; u32 pid, tid; ptr key
 *   0x1822..24      ptr key; ptr frame[]
 *   0x03xx process, 0x05xx thread, 0x14xx image: see each function
 *
 * Which record header a kernel event has follows real logs: SYSTEM for starts
 * and ends, PERFINFO for most of a rundown.
 */
#include "tests/support/etl_events.h"

#include <assert.h>
#include <string.h>

void etl_sampled_profile(struct etl_writer *w, struct etl_at at, uint64_t ip,
                         uint32_t tid, unsigned bits)
{
    etl_begin_perfinfo(w, at, 0x0F2E, 2);
    etl_pack(w, "PIHBB", ip, tid, 1, bits, 0);
    etl_end(w);
}

void etl_interval(struct etl_writer *w, struct etl_at at, unsigned type,
                  uint32_t interval)
{
    etl_begin_system(w, at, 0x0F00 | type, 3);
    etl_put_u32(w, 0); /* source 0: the timer */
    etl_pack(w, "II", interval, interval);
    etl_put_wstr(w, "Timer");
    etl_end(w);
}

static void put_frames(struct etl_writer *w, const uint64_t *frames, size_t n)
{
    for (size_t i = 0; i < n; i++)
        etl_put_ptr(w, frames[i]);
}

static void begin_stack(struct etl_writer *w, struct etl_at at, unsigned hook,
                        uint64_t event_tick, uint32_t pid, uint32_t tid)
{
    etl_begin_perfinfo(w, at, hook, 2);
    etl_pack(w, "QII", event_tick, pid, tid);
}

void etl_stack(struct etl_writer *w, struct etl_at at, uint64_t event_tick,
               uint32_t pid, uint32_t tid, const uint64_t *frames, size_t n)
{
    begin_stack(w, at, 0x1820, event_tick, pid, tid);
    put_frames(w, frames, n);
    etl_end(w);
}

void etl_stack_key(struct etl_writer *w, struct etl_at at,
                   uint64_t event_tick, uint32_t pid, uint32_t tid,
                   uint64_t key, bool user)
{
    begin_stack(w, at, user ? 0x1826 : 0x1825, event_tick, pid, tid);
    etl_put_ptr(w, key);
    etl_end(w);
}

void etl_key_definition(struct etl_writer *w, struct etl_at at,
                        enum etl_key_event event, uint64_t key,
                        const uint64_t *frames, size_t n)
{
    etl_begin_perfinfo(w, at, 0x1800 | (unsigned)event, 2);
    etl_put_ptr(w, key);
    put_frames(w, frames, n);
    etl_end(w);
}

/*
 * A user's SID, S-1-5-21-1-2-3-1001, behind a TOKEN_USER of two pointers
 * whose first must not be 0: a first u32 of 0 means "no SID".
 */
static void put_sid_block(struct etl_writer *w, bool none)
{
    static const uint32_t sub[5] = { 21, 1, 2, 3, 1001 };

    if (none) {
        etl_put_u32(w, 0);
        return;
    }
    etl_pack(w, "PPBB5xB", 0xCE6770u, 0, 1, 5, 5);
    for (unsigned i = 0; i < 5; i++)
        etl_put_u32(w, sub[i]);
}

/*
 * v0  ptr pid, ptr parent, SID, name
 * v1  ptr page directory, u32 pid, parent, session, exit, SID, name
 * v2  as v1 (process key for the directory) + command line
 * v3  as v2 with ptr directory base before the SID
 * v4  as v3 with u32 flags before the SID; + package, application id
 * v5  as v4 + u64 exit FILETIME (Defunct only)
 */
static void put_process(struct etl_writer *w, unsigned version,
                        const struct etl_process *p)
{
    if (version == 0) {
        etl_pack(w, "PP", p->pid, p->parent);
    } else {
        etl_pack(w, "PIIII", 0x83C27080u + p->pid * 64u, p->pid, p->parent, 1,
                 0);
    }
    if (version >= 3)
        etl_put_ptr(w, 0x187000u);
    if (version >= 4)
        etl_put_u32(w, p->flags);
    put_sid_block(w, p->no_sid);
    etl_put_astr(w, p->image);
    if (version >= 2)
        etl_put_wstr(w, p->command_line ? p->command_line : "");
    if (version >= 4) {
        etl_put_wstr(w, "");
        etl_put_wstr(w, "");
    }
    if (version >= 5)
        etl_put_u64(w, 133537248000000000u);
}

void etl_process(struct etl_writer *w, struct etl_at at, enum etl_phase phase,
                 unsigned version, const struct etl_process *p)
{
    static const unsigned hooks[] = { 0x301, 0x302, 0x303, 0x304, 0x327 };

    if (phase == ETL_DEFUNCT)
        version = 5;
    if (phase == ETL_START || phase == ETL_END)
        etl_begin_system(w, at, hooks[phase], version);
    else
        etl_begin_perfinfo(w, at, hooks[phase], version);
    put_process(w, version, p);
    etl_end(w);
}

/*
 * v0  u32 tid, pid (this order)
 * v1  u32 pid, tid, 6 ptr (stacks, start, win32 start), i8 wait mode
 * v2  u32 pid, tid, 7 ptr (the same and TEB), u32 service tag
 * v3  v2 + 4 x u8 priorities and flags, name if bytes remain
 * v4  v3 with the name always there
 */
void etl_thread(struct etl_writer *w, struct etl_at at, enum etl_phase phase,
                unsigned version, uint32_t pid, uint32_t tid,
                const char *name)
{
    etl_begin_system(w, at, 0x501 + (unsigned)phase, version);
    etl_pack(w, "II", version ? pid : tid, version ? tid : pid);
    for (unsigned i = 0; version && i < (version == 1 ? 6u : 7u); i++)
        etl_put_ptr(w, i < 2 ? 0x80DA0000u + tid * 0x8000u : 0);
    if (version == 1)
        etl_put_u8(w, 0);
    if (version >= 2)
        etl_put_u32(w, 0);
    if (version >= 3)
        etl_put_u32(w, 8 | 5 << 8 | 2 << 16);
    if (version >= 4 || (version == 3 && name))
        etl_put_wstr(w, name ? name : "");
    etl_end(w);
}

void etl_context_switch(struct etl_writer *w, struct etl_at at,
                        uint32_t new_tid, uint32_t old_tid)
{
    etl_begin_perfinfo(w, at, 0x524, 4);
    etl_pack(w, "II", new_tid, old_tid);
    etl_put_u32(w, 8 | 8 << 8);       /* priorities */
    etl_put_u32(w, 6 | 1 << 8 | 5 << 16); /* user request, waiting */
    etl_pack(w, "II", 1, 0);
    etl_end(w);
}

/*
 * v0  ptr base, u32 size, name
 * v1  ptr base, ptr size, u32 pid, name
 * v2  v1 + u32 checksum, link time, 4 x u8, ptr default base, 16 spare bytes
 * Load is the odd one: it sits in the process group.
 */
void etl_image(struct etl_writer *w, struct etl_at at, enum etl_phase phase,
               unsigned version, const struct etl_image *i)
{
    static const unsigned hooks[] = { 0x30A, 0x1402, 0x1403, 0x1404 };

    assert(phase <= ETL_DC_END);
    if (phase == ETL_START || phase == ETL_END || i->pid == 0)
        etl_begin_system(w, at, hooks[phase], version);
    else
        etl_begin_perfinfo(w, at, hooks[phase], version);
    etl_put_ptr(w, i->base);
    if (version == 0)
        etl_put_u32(w, (uint32_t)i->size);
    else
        etl_put_ptr(w, i->size);
    if (version >= 1)
        etl_put_u32(w, i->pid);
    if (version >= 2) {
        etl_pack(w, "IIIP16x", i->checksum, i->link_time, 0, i->base);
    }
    etl_put_wstr(w, i->name);
    etl_end(w);
}

static const struct etl_guid image_id_class = {
    0xb3e675d7, 0x2554, 0x4f18,
    { 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde }
};

/* A merge step writes these as FULL records with no thread. */
static void begin_image_id(struct etl_writer *w, struct etl_at at,
                           uint32_t pid, unsigned opcode)
{
    at.pid = pid;
    at.tid = 0xFFFFFFFF;
    at.pointer_size = 0;
    etl_begin_full(w, at, &image_id_class, opcode, 2);
}

void etl_image_id(struct etl_writer *w, struct etl_at at,
                  const struct etl_image *i, const char *original_name)
{
    begin_image_id(w, at, i->pid, 0);
    etl_pack(w, "PPII", i->base, i->size, i->pid, i->link_time);
    etl_put_wstr(w, original_name);
    etl_end(w);
}

void etl_image_rsds(struct etl_writer *w, struct etl_at at,
                    const struct etl_image *i, const struct etl_guid *guid,
                    uint32_t age, const char *pdb)
{
    begin_image_id(w, at, i->pid, 36);
    etl_pack(w, "PI", i->base, i->pid);
    etl_put_guid(w, guid);
    etl_put_u32(w, age);
    etl_put_astr(w, pdb);
    etl_end(w);
}

void etl_volume_mapping(struct etl_writer *w, struct etl_at at,
                        const char *nt_prefix, const char *dos_prefix)
{
    static const struct etl_guid system_config_ex = {
        0x9b79ee91, 0xb5fd, 0x41c0,
        { 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0 }
    };

    at.pid = at.tid = 0;
    at.pointer_size = 0;
    etl_begin_full(w, at, &system_config_ex, 35, 0);
    etl_put_wstr(w, nt_prefix);
    etl_put_wstr(w, dos_prefix);
    etl_end(w);
}

void etl_disk_read(struct etl_writer *w, struct etl_at at, uint32_t size,
                   uint64_t offset, uint32_t tid)
{
    etl_begin_perfinfo(w, at, 0x10A, 3);
    etl_pack(w, "IIIIQPPQI", 0, 0x60043, size, 0, offset, 0x16B9140u,
             0x33B3680u, 0x1AB9D, tid);
    etl_end(w);
}

void etl_hard_fault(struct etl_writer *w, struct etl_at at, uint64_t address,
                    uint32_t tid)
{
    etl_begin_perfinfo(w, at, 0x220, 2);
    etl_pack(w, "QQPPII", at.tick - 10, 0x30400, address, 0x16B9140u, tid,
             0x5000);
    etl_end(w);
}
