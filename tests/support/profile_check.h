/*
 * profile_check - whether a finished profile keeps what profile.h promises.
 *
 *     ck_assert_msg(!profile_check(p), "%s", profile_check(p));
 */
#ifndef TOPFN_TESTS_PROFILE_CHECK_H
#define TOPFN_TESTS_PROFILE_CHECK_H

#include "engine/model/profile.h"

/* NULL, or the first promise that is broken. */
const char *profile_check(const struct profile *p);

/* True if one of its warnings has this text in it. */
bool warns(const struct profile *p, const char *text);

#endif
