#include "engine/model/module_twins.h"

#include "engine/model/profile.h"
#include "tests/support/suite.h"

TEST(one_identity_is_one_file)
{
    struct module modules[] = {
        {.name = 1, .identity = {.build_id = {7}, .build_id_size = 8}},
        {.name = 2, .identity = {.build_id = {7}, .build_id_size = 8}},
        {.name = 1, .identity = {.build_id = {8}, .build_id_size = 8}},
        /* Its addresses are of another kind. */
        {.name = 1,
         .by_file_offset = true,
         .identity = {.build_id = {7}, .build_id_size = 8}},
        {.name = 3, .identity = {.guid = {1}, .age = 2, .pdb_name = 5}},
        {.name = 4, .identity = {.guid = {1}, .age = 2, .pdb_name = 6}},
        /* A time stamp is not enough for another name. */
        {.name = 3, .identity = {.timestamp = 9, .image_size = 1}},
        {.name = 4, .identity = {.timestamp = 9, .image_size = 1}},
        {.name = 4, .identity = {.timestamp = 9, .image_size = 1}},
    };
    static const uint32_t first[] = {0, 0, 2, 3, 4, 4, 6, 7, 7};
    struct module_twins twins = {0};

    for (uint32_t i = 0; i < COUNT(first); i++)
        ck_assert_uint_eq(module_twins_add(&twins, modules, i), first[i]);
    module_twins_release(&twins);
}

TEST(few_of_one_name_without_an_identity)
{
    struct module modules[20] = {{.name = 1}};
    struct module_twins twins = {0};

    for (uint32_t i = 0; i < 20; i++) {
        modules[i].name = i == 18 ? 2 : 1;
        ck_assert_uint_eq(module_twins_add(&twins, modules, i),
                          i < 16 || i == 18 ? i : NO_ID);
    }
    module_twins_release(&twins);
}
