/*
 * recipe - files that a text describes: the statements that make their bytes.
 *
 *     let CODE = 0x1000                  names of numbers, for all recipes
 *     sub frame                          statements that several recipes use
 *         text main;f$(i)
 *     make leaves.collapsed              the name of a file
 *         - says damaged records         a note, for whoever reads the recipes
 *         count i while len < size       i is 0, 1, 2...
 *             use frame
 *             text  1\n
 *
 * What is indented below a line belongs to it. Statements:
 *
 *     text WORDS            to the end of the line, with \n, \t, \0 and \\;
 *                           $(E) is a number, $x(E) a hexadecimal one, $c(E)
 *                           a character, $,(E) a comma unless E is 0
 *     utf16 WORDS           the same in UTF-16
 *     pack FORMAT E, E...   numbers, as blob_pack; U is a LEB128, A has
 *                           `address_size` bytes, O 8 if `wide`, else 4; T is
 *                           a text in "" behind its length as a LEB128
 *     hex 0A 1B             bytes
 *     fill N, BYTE          so many bytes
 *     align N               zeros up to a multiple
 *     sized LETTER E        what is below, behind its length plus E
 *     ends LETTER E         the same, behind where it ends plus E
 *     in PART               what is below goes to a part of that name
 *     new PART              the same; the part begins anew
 *     put PART              the part
 *     let NAME = E          use SUB          if E
 *     count NAME while E    count NAME to E
 *     section PART E, E, E, E, E   type, flags, address, link, size of entries
 *     elf MACHINE           the parts whose names begin with a point, as an
 *                           ELF file of 64 bits; most are PROGBITS
 *     pdb N                 parts 0 to N - 1, as the streams of a PDB
 *
 * E is arithmetic of C on unsigned numbers of 64 bits; `size` is the size that
 * is asked for, `len` what is written, `len(PART)` the same of a part; a name
 * that no line has set is 0.
 */
#ifndef TOPFN_TESTS_RECIPE_H
#define TOPFN_TESTS_RECIPE_H

#include <stdbool.h>

#include "tests/support/blob.h"

struct recipes;

/* Ends the program when the file is not there, with a message. */
struct recipes *recipes_read(const char *path);
void recipes_free(struct recipes *all);

/* The name of recipe `i`, or NULL behind the last one. */
const char *recipe_name(const struct recipes *all, size_t i);

/* Note `i` of a recipe that begins with this word, without it; or NULL. */
const char *recipe_note(const struct recipes *all, const char *name,
                        const char *word, size_t i);

/* Makes about `size` bytes by the recipe of that name; false: there is none.
 * A mistake in the recipe ends the program, with its line. */
bool recipe_make(const struct recipes *all, const char *name, size_t size,
                 struct blob *b);

#endif
