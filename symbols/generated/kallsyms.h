/*
 * kallsyms - the kernel's own list of its functions, /proc/kallsyms or a copy.
 *
 *     ffffffff81000000 T _text
 *     ffffffffc0401000 t ext4_read	[ext4]
 *
 *     struct kallsyms *k = kallsyms_open(data, size, base);
 *     const char *name = kallsyms_find(k, address, NULL);
 *     kallsyms_free(k);
 *
 * The kernel starts elsewhere each time the machine does: addresses of the
 * list are moved by what lies between its `_text` and `base`, where the
 * recording has it. Drivers move on their own, and are known only where the
 * kernel did not move. A list that was read without privilege has addresses
 * of 0 and is none. (format.md, section 3)
 */
#ifndef TOPFN_KALLSYMS_H
#define TOPFN_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

struct kallsyms;

/* NULL: no list. `base` 0: not known. The bytes must outlive it. */
struct kallsyms *kallsyms_open(const uint8_t *data, size_t size, uint64_t base);
void kallsyms_free(struct kallsyms *k);

/* The function that holds an address, of the driver called so ("ext4") or,
 * for NULL, of the kernel; NULL: none is known. Valid until kallsyms_free. */
const char *kallsyms_find(struct kallsyms *k, uint64_t address,
                          const char *driver);

#endif
