#include "engine/base/sandbox.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
enum { ARCHITECTURE = AUDIT_ARCH_X86_64, FIRST_OF_X32 = 0x40000000 };
#else
enum { ARCHITECTURE = AUDIT_ARCH_AARCH64 };
#endif

/* A sanitizer stops other threads by ptrace when it looks for leaks. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||     \
    __has_feature(memory_sanitizer) || __has_feature(leak_sanitizer)
#define SANITIZED
#endif
#endif

/* The member of struct sandbox that allows a call. */
enum allowance { NOTHING, NETWORK, REPLACES, CREATES };

/* Some headers are older than these calls, which have one number on all
 * architectures. */
enum {
    IO_URING_SETUP = 425,
    IO_URING_ENTER = 426,
    IO_URING_REGISTER = 427,
    MOVE_MOUNT = 429,
    OPENAT2 = 437,
    PIDFD_GETFD = 438,
    MOUNT_SETATTR = 442,
    FCHMODAT2 = 452,
    SETXATTRAT = 463,
};

static const struct {
    uint32_t number;
    enum allowance by;
} refused[] = {
    /* Other programs and processes. kill and tkill reach any process; for
     * tgkill, which raise and abort use, see check_tgkill. */
    {SYS_execve, NOTHING},
    {SYS_execveat, NOTHING},
#ifndef SANITIZED
    {SYS_ptrace, NOTHING},
    {SYS_kill, NOTHING},
#endif
    {SYS_tkill, NOTHING},
    {SYS_process_vm_writev, NOTHING},
    {SYS_pidfd_send_signal, NOTHING},
    {PIDFD_GETFD, NOTHING},
    /* Ways around this table. */
    {OPENAT2, NOTHING},
    {SYS_open_by_handle_at, NOTHING},
    {IO_URING_SETUP, NOTHING},
    {IO_URING_ENTER, NOTHING},
    {IO_URING_REGISTER, NOTHING},
    {SYS_bpf, NOTHING},
    {SYS_perf_event_open, NOTHING},
    {SYS_userfaultfd, NOTHING},
    {SYS_add_key, NOTHING},
    {SYS_request_key, NOTHING},
    {SYS_keyctl, NOTHING},
    {SYS_unshare, NOTHING},
    {SYS_setns, NOTHING},
    {SYS_chroot, NOTHING},
    {SYS_pivot_root, NOTHING},
    {SYS_mount, NOTHING},
    {SYS_umount2, NOTHING},
    {MOVE_MOUNT, NOTHING},
    {MOUNT_SETATTR, NOTHING},
    {SYS_init_module, NOTHING},
    {SYS_finit_module, NOTHING},
    {SYS_delete_module, NOTHING},
    {SYS_kexec_load, NOTHING},
    {SYS_reboot, NOTHING},
    {SYS_swapon, NOTHING},
    {SYS_swapoff, NOTHING},
    /* Connections. */
    {SYS_socket, NETWORK},
    {SYS_socketpair, NETWORK},
    {SYS_connect, NETWORK},
    {SYS_bind, NETWORK},
    {SYS_listen, NETWORK},
    {SYS_accept, NETWORK},
    {SYS_accept4, NETWORK},
    {SYS_sendto, NETWORK},
    {SYS_sendmsg, NETWORK},
    {SYS_sendmmsg, NETWORK},
/* Files, by their names. */
#ifdef SYS_rename
    {SYS_rename, REPLACES},
    {SYS_unlink, REPLACES},
#endif
#ifdef SYS_renameat
    {SYS_renameat, REPLACES},
#endif
    {SYS_renameat2, REPLACES},
    {SYS_unlinkat, REPLACES},
#ifdef SYS_creat
    {SYS_creat, CREATES},
    {SYS_link, CREATES},
    {SYS_symlink, CREATES},
    {SYS_mkdir, CREATES},
    {SYS_rmdir, CREATES},
    {SYS_mknod, CREATES},
    {SYS_chmod, CREATES},
    {SYS_chown, CREATES},
    {SYS_lchown, CREATES},
#endif
    {SYS_linkat, CREATES},
    {SYS_symlinkat, CREATES},
    {SYS_mkdirat, CREATES},
    {SYS_mknodat, CREATES},
    {SYS_truncate, CREATES},
    {SYS_fchmod, CREATES},
    {SYS_fchmodat, CREATES},
    {FCHMODAT2, CREATES},
    {SYS_fchown, CREATES},
    {SYS_fchownat, CREATES},
    {SYS_setxattr, CREATES},
    {SYS_lsetxattr, CREATES},
    {SYS_fsetxattr, CREATES},
    {SETXATTRAT, CREATES},
};

enum { ROWS = sizeof(refused) / sizeof(*refused), MOST_CODE = 2 * ROWS + 40 };

struct program {
    struct sock_filter code[MOST_CODE];
    unsigned short len;
};

static void put(struct program *p, unsigned operation, uint32_t k)
{
    p->code[p->len++] =
        (struct sock_filter)BPF_STMT((unsigned short)operation, k);
}

/* Leaves out the next `n` instructions unless the value is `k`. */
static void skip_unless(struct program *p, uint32_t k, uint8_t n)
{
    p->code[p->len++] = (struct sock_filter)BPF_JUMP(
        BPF_JMP | BPF_JEQ | BPF_K, k, 0, n);
}

static void load(struct program *p, size_t offset)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset);
}

/* Flags are 32 bits, the lower half of an argument. */
static void load_argument(struct program *p, unsigned i)
{
    load(p, offsetof(struct seccomp_data, args) + i * sizeof(uint64_t));
}

static void refuse(struct program *p)
{
    put(p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
}

static void allow(struct program *p)
{
    put(p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}

/* Opening for reading alone, and a file without a name that can never get
 * one (nameless_file). */
static void check_open(struct program *p, uint32_t number, unsigned flags)
{
    enum {
        WRITES = O_ACCMODE | O_CREAT | O_TRUNC,
        NAMELESS = O_TMPFILE | O_EXCL | O_RDWR,
    };

    skip_unless(p, number, 8);
    load_argument(p, flags);
    put(p, BPF_ALU | BPF_AND | BPF_K, WRITES | NAMELESS);
    skip_unless(p, NAMELESS, 1);
    allow(p);
    put(p, BPF_ALU | BPF_AND | BPF_K, WRITES);
    skip_unless(p, 0, 1);
    allow(p);
    refuse(p);
}

/* Typing into the terminal starts programs by its shell. */
static void check_ioctl(struct program *p)
{
    skip_unless(p, SYS_ioctl, 6);
    load_argument(p, 1);
    skip_unless(p, TIOCSTI, 1);
    refuse(p);
    skip_unless(p, TIOCLINUX, 1);
    refuse(p);
    allow(p);
}

/* Signals go to threads of this process only. */
static void check_tgkill(struct program *p)
{
    skip_unless(p, SYS_tgkill, 4);
    load_argument(p, 0);
    skip_unless(p, (uint32_t)getpid(), 1);
    allow(p);
    refuse(p);
}

static bool is_allowed(const struct sandbox *s, enum allowance by)
{
    return (by == NETWORK && s->network) ||
           (by == REPLACES && (s->replaces || s->creates)) ||
           (by == CREATES && s->creates);
}

/* Calls of other architectures, which have other numbers, are all refused. */
static void build(struct program *p, const struct sandbox *allowed)
{
    load(p, offsetof(struct seccomp_data, arch));
    p->code[p->len++] = (struct sock_filter)BPF_JUMP(
        BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    refuse(p);
    load(p, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    p->code[p->len++] = (struct sock_filter)BPF_JUMP(
        BPF_JMP | BPF_JGE | BPF_K, FIRST_OF_X32, 0, 1);
    refuse(p);
#endif
    for (size_t i = 0; i < ROWS; i++) {
        if (is_allowed(allowed, refused[i].by))
            continue;
        skip_unless(p, refused[i].number, 1);
        refuse(p);
    }
    if (!allowed->creates) {
#ifdef SYS_open
        check_open(p, SYS_open, 1);
#endif
        check_open(p, SYS_openat, 2);
    }
    check_ioctl(p);
    if (!allowed->forks)
        check_tgkill(p);
    allow(p);
}

/* Older kernels slow a process with a filter down, as if it ran strangers'
 * programs, unless they are told not to. */
bool sandbox_enter(const struct sandbox *allowed)
{
    static const unsigned long flags[] = {
        SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
        SECCOMP_FILTER_FLAG_TSYNC,
    };
    struct program p = {.len = 0};
    struct sock_fprog program = {.filter = p.code};
    bool entered = false;

    build(&p, allowed);
    program.len = p.len;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return false;
    for (int i = 0; i < 2 && !entered; i++)
        entered = !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags[i],
                           &program);
    return entered;
}

#else

bool sandbox_enter(const struct sandbox *allowed)
{
    (void)allowed;
    return false;
}

#endif
