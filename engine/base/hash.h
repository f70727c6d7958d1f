/*
 * hash - the keyed mixing behind every hash table of ours.
 *
 * Keys of tables come from files. With a hash that anybody can invert, a file
 * of addresses that all belong into one slot takes hours; so it has a key
 * that nobody knows, drawn at the start of each run. No output depends on
 * it, as no table is ever walked.
 */
#ifndef TOPFN_HASH_H
#define TOPFN_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash_key {
    uint64_t word[4]; /* the odd ones are odd numbers */
};

/* The key of this run of the program; set before main. */
extern struct hash_key hash_key;

/* For tests that show that output does not depend on it; while there is no
 * table. */
void hash_set_key(uint64_t seed);

/* Both halves of the product. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
    uint64_t h = hash_fold(a ^ hash_key.word[0], hash_key.word[1]);

    return hash_fold(h ^ b ^ hash_key.word[2], hash_key.word[3]);
}

/* Hashes bytes, which may come from anywhere. */
uint64_t hash_memory(const void *bytes, size_t n);

#endif
