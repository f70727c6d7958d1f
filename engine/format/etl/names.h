/*
 * names - what kinds of events are called in counts, and are asked for by.
 */
#ifndef TOPFN_ETL_NAMES_H
#define TOPFN_ETL_NAMES_H

#include <stdint.h>

enum { ETL_HOOKS = 65536, ETL_NAME_SIZE = 128 };

/* "PerfInfo/SampleProf", "Process/0x27". */
void etl_hook_name(uint16_t hook, char name[ETL_NAME_SIZE]);

#endif
