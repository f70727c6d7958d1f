/*
 * code_scenario - a precompiled assembly, and a recording of it that has
 * neither a rundown nor addresses: only that Shop.dll was loaded.
 *
 *   piece 0, 1   Shop.Store.Open()
 *         2      Shop.Store.Find(int32,class System.String,value class Key)
 *         3      Shop.Store+Key.get_Hash()
 *         4      Shop.List`1[System.Int32].Add(!0)
 *         5      Shop.List`1[Shop.Store+Key[]].Add(!0)
 *         6      Shop.List`1[System.__Canon].Sort(!!0[]), of some type
 *         7      the cold end of Find
 *
 * Shop.Store.Close has no code. The stacks, and what they must become, are in
 * code_scenario.c.
 */
#ifndef TOPFN_TESTS_CODE_SCENARIO_H
#define TOPFN_TESTS_CODE_SCENARIO_H

#include "tests/support/assembly_writer.h"

enum { CODE_ENTRIES = 6, CODE_PIECES = 8 };

/* `embedded`: with the portable PDB of lines_scenario.h inside, whose GUID
 * it has then. */
void code_assembly(byte_vec *to, bool embedded);

/* The same in two files: a composite image, all.r2r.dll, with the code of all
 * methods and, as piece 4, List`1[System.Int32].Add; and Shop.dll with the
 * metadata, which has another build if `other`. */
void code_composite(byte_vec *to);
void code_component(byte_vec *to, bool other);

/* Where the recording has Shop.dll. */
#define CODE_BASE 0x7F0000450000u

struct nettrace_writer *code_recording(void);

#endif
