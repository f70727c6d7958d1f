/*
 * nrbf_writer - a symbols.bin (BinaryFormatter) for tests.
 *
 *     struct blob b = nrbf_symbols(4, 0x400000);
 *
 * One process, one module of 0x10000 bytes, and in it: function "run" at
 * 0x1000 in "a.cpp" for the addresses 0x1010 (line 7) and 0x1021 (its line 9
 * is saved for 0x1020, as that of a return address).
 */
#ifndef TOPFN_TESTS_NRBF_WRITER_H
#define TOPFN_TESTS_NRBF_WRITER_H

#include "tests/support/blob.h"

struct blob nrbf_symbols(uint32_t pid, uint64_t base);

#endif
