/*
 * page_files - what every page has in it: report/page/, as it was built in.
 *
 * The Makefile writes them as C. A hash is what a Content-Security-Policy
 * calls the text: 'sha256-...'.
 */
#ifndef TOPFN_PAGE_FILES_H
#define TOPFN_PAGE_FILES_H

#include <stddef.h>

extern const char page_body[], page_script[], page_style[];
extern const size_t page_body_size, page_script_size, page_style_size;
extern const char page_script_hash[], page_style_hash[];

#endif
