/* Firefox profiles whose tables are slabs; others are in firefox.script. */
#include "engine/format/named.h"
#include "tests/support/profile_text.h"
#include "tests/support/slabs_writer.h"
#include "tests/support/suite.h"

/* Tables whose columns are slabs (base/json_slabs.h). */
TEST(slabs)
{
    static const char root[] =
        "{'meta':{'preprocessedProfileVersion':80},'libs':[],'shared':{"
        "'stackTable':{'frame':{'$s':0},'prefixOffset':{'$s':1}},'frameTable':"
        "{'func':[0,1]},'funcTable':{'name':[0,1]},'stringArray':{'$s':2}},"
        "'threads':[{'samples':{'stack':{'$s':3},'time':{'$s':4}}}]}";
    static const uint32_t frames[] = {0, 1}, prefixes[] = {0, 1};
    static const int32_t stacks[] = {1, 0, -1};
    static const double times[] = {0.5, 1.5, 3};
    struct slabs_writer w = {.count = 0};
    char *text = profile_text_quoted(root), *said;
    struct blob file;

    slabs_add(&w, 4, frames, sizeof(frames));
    slabs_add(&w, 4, prefixes, sizeof(prefixes));
    slabs_add(&w, SLABS_JSON, "[\"a\",\"b\"]", 9);
    slabs_add(&w, 4, stacks, sizeof(stacks));
    slabs_add(&w, 7, times, sizeof(times));
    slabs_add(&w, SLABS_JSON, text, strlen(text));
    file = slabs_file(&w, 5);
    ck_assert_int_eq(firefox_format.probe(file.data, file.len), PROBE_YES);
    said = profile_text_of_bytes(&firefox_format, file.data, file.len, NULL);
    ck_assert_str_eq(said, "cpu-samples, for 2500000\n"
                           "not in the format: modules, addresses, losses\n"
                           "sample x 3\n"
                           "process - : 0\n"
                           "0 #0: b <- a\n"
                           "1000000 #0: a\n"
                           "2500000 #0: [no stack] [[unknown]]\n");
    free(said);
    file.data[8]++;
    said = profile_text_of_bytes(&firefox_format, file.data, file.len, NULL);
    ck_assert_str_eq(
        said, "a: unknown version 2 of JsonSlabs; topfn reads version 1");
    free(said);
    free(file.data);
    free(text);
}
