/*
 * zip_place - where the bytes of a stored zip entry lie in the archive.
 *
 * libzip does not tell; copying a trace of gigabytes that could be mapped
 * would be a pity.
 */
#ifndef TOPFN_ZIP_PLACE_H
#define TOPFN_ZIP_PLACE_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of entry `index` of the central directory, which is stored and
 * `n` bytes long. NULL when the directory is anything but plain: the entry
 * must then be read through libzip. */
const uint8_t *zip_place(const uint8_t *data, size_t size, size_t index,
                         uint64_t n);

#endif
