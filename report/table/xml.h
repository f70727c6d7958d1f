/*
 * xml - text in elements and attributes of XML.
 */
#ifndef TOPFN_XML_H
#define TOPFN_XML_H

#include "engine/base/out.h"

/* Escaped; what XML has no characters for, and what acts unseen, is shown as
 * in any text. */
void xml_text(struct out *out, const char *text);

#endif
