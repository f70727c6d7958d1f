/*
 * guids - the event providers and classes a profile needs.
 *
 * A GUID is stored with its first three parts little-endian, so its first
 * eight bytes as a little-endian number are unlike any other's here; the
 * second half is compared too.
 */
#ifndef TOPFN_ETL_GUIDS_H
#define TOPFN_ETL_GUIDS_H

#include <stdbool.h>
#include <stdint.h>

enum etl_provider {
    PROVIDER_OTHER,
    /* Manifest providers. */
    PROVIDER_CLR_RUNTIME,
    PROVIDER_CLR_RUNDOWN,
    PROVIDER_JSCRIPT,
    /* Classes of classic events. */
    CLASS_IMAGE_ID,
    CLASS_SYSTEM_CONFIG,
    CLASS_CLR_METHOD, /* CLR 2.0: opcode tells which event */
    CLASS_CLR_LOADER,
    CLASS_CLR_RUNDOWN_METHOD,
    CLASS_CLR_RUNDOWN_LOADER,
};

enum etl_provider etl_provider_of(const uint8_t guid[16]);

/* The event of the runtime that is the stack of the thread's event before it:
 * instance (2 bytes), 2 bytes, count (4 bytes), addresses. */
enum { CLR_STACK_WALK = 82 };

/* The hook (group << 8 | type) of a classic event of a kernel class; 0 for
 * other classes. */
uint16_t etl_classic_hook(const uint8_t guid[16], uint8_t opcode);

/* The class that a hook is of; false: it is not known. */
bool etl_hook_class(uint16_t hook, uint8_t guid[16]);

/* The GUID of a provider or class by that name, or by its digits
 * ("e13c0d23-..."). False: neither. */
bool etl_provider_guid(const char *name, uint8_t guid[16]);

/* Events that describe others: the class of a merged log's, and the parts of
 * an EventSource's manifest, by the record of a FAMILY_HEADER event. */
bool etl_is_event_metadata(const uint8_t guid[16]);
bool etl_is_manifest_part(const uint8_t *record);

/* True if records.c reads such an event. */
bool etl_manifest_event_wanted(const uint8_t guid[16], uint16_t id);

#endif
