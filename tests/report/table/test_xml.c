/* Text that any reader of XML takes, whatever a file names things. */
#include "report/table/text.h"

#include "tests/support/suite.h"

TEST(text_cannot_break_out)
{
    static const struct {
        const char *text, *written;
    } rows[] = {
        {"", ""},
        {"std::map<int, A&>", "std::map&lt;int, A&amp;&gt;"},
        {"\"quoted\"", "&quot;quoted&quot;"},
        {"Größe 関数", "Größe 関数"},
        {"a\x1b[2J\n", "a\\x1b[2J\\x0a"},
        /* U+FFFD is a character, U+FFFE and U+FFFF are none. */
        {"\xEF\xBF\xBD", "\xEF\xBF\xBD"},
        {"\xEF\xBF\xBE|\xEF\xBF\xBF", "\xEF\xBF\xBD|\xEF\xBF\xBD"},
        {"\xEF\xBE\xBE", "\xEF\xBE\xBE"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct out *out = out_memory();

        xml_text(out, rows[i].text);
        ck_assert_str_eq(out_text(out, NULL), rows[i].written);
        out_close(out, NULL);
    }
}
