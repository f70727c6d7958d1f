/* Libraries that may be there, and what may be in them. */
#include "engine/base/library.h"

#include <math.h>

#include "tests/support/suite.h"

TEST(functions_of_libraries)
{
    void *library = library_load("libm.so.6");
    double (*root)(double) = NULL;

    ck_assert_ptr_nonnull(library);
    ck_assert(library_find(library, "sqrt", &root));
    ck_assert(fabs(root(9) - 3) < 1e-9);
    ck_assert(!library_find(library, "no_such_function", &root));
    ck_assert(root == NULL);
}

TEST(libraries_that_are_not_there)
{
    double (*root)(double) = sqrt;

    ck_assert_ptr_null(library_load("libnone-such.so.0"));
    ck_assert(!library_find(NULL, "sqrt", &root));
    ck_assert(root == NULL);
}
