/* Libraries that may be there, and what may be in them. */
#include "engine/base/library.h"

#include <math.h>

#include "tests/support/suite.h"

TEST(libraries_that_are_not_there)
{
    double (*root)(double) = sqrt;

    ck_assert_ptr_null(library_load("libnone-such.so.0"));
    ck_assert(!library_find(NULL, "sqrt", &root));
    ck_assert(root == NULL);
}
