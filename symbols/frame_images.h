/*
 * frame_images - call frame information of the images that a recording has
 * mapped, for readers that walk stacks (frame_rules.h).
 *
 *     void *image = frame_image_open(&places, p, module);
 *     frame_image_find(image, address, &row);
 *     frame_image_close(image);
 *
 * Images are found as names are (find/elf.h), by build-id.
 */
#ifndef TOPFN_FRAME_IMAGES_H
#define TOPFN_FRAME_IMAGES_H

#include "engine/attribution/frame_rules.h"
#include "symbols/find/places.h"
#include "engine/model/profile.h"

/* As frame_rules.h has it: the same inode, and a file with a build-id. */
bool frame_image_identify(const struct mapped_file *file,
                          struct identity *identity);

/* NULL: nothing tells which file it is. */
void *frame_image_open(const struct places *places, const struct profile *p,
                       uint32_t module);
/* Generated code, from its .eh_frame: addresses are absolute. */
void *frame_image_of_code(struct bytes eh_frame, uint64_t address);
/* e_machine; 0: the image was not found. */
unsigned frame_image_machine(void *opened);
bool frame_image_find(void *opened, uint64_t address, struct frame_row *row);
bool frame_image_is_cut(void *opened);
void frame_image_close(void *opened);

/* Finds the stack end of samples that have none, where the images show it. Call
 * it for a finished profile that was just read. */
void stack_ends_find(struct profile *p, const struct places *places);

#endif
