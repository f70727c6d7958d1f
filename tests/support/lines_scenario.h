/*
 * lines_scenario - a recording of managed code with IL maps, and its PDB.
 *
 * Module Orders, /srv/shop/Cart.cs and /srv/shop/Sums.cs:
 *
 *   Cart.Add    lines 10, 11, 13; a first body at 0x1000 and a second at
 *               0x5000, each with a map of its own
 *   Cart.Price  line 30 alone, at 0x2000, no map
 *   Cart.Show   no source, at 0x3000
 *   Sums.Total  lines 40, 42; at 0x4000 and then at 0x6000, with maps that do
 *               not say which body they are of
 *
 * The stacks and the lines they must have are in lines_scenario.c.
 */
#ifndef TOPFN_TESTS_LINES_SCENARIO_H
#define TOPFN_TESTS_LINES_SCENARIO_H

#include "tests/support/nettrace_writer.h"

struct nettrace_writer *lines_recording(void);

/* Of the PDB, which the recording names. */
const uint8_t *lines_guid(void);

/* `stamp`: the second half of the PDB's identity, which traces do not say. */
void lines_pdb(byte_vec *to, uint32_t stamp);
/* The same names and lines, with the GUID of another build. */
void lines_other_pdb(byte_vec *to);

#endif
