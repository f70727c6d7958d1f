#include "tests/support/cells.h"

#include <stdlib.h>

/* Cuts the line into cells, and puts bytes where escapes are. */
static void cut(struct cells *row, char *line)
{
    static const char letters[] = "n\nr\rt\t\\\\";
    char *to = line;
    size_t i = 0;
    unsigned byte;

    row->cell[0] = line;
    for (; *line; line++) {
        if (*line == '\t') {
            row->len[i] = (size_t)(to - row->cell[i]);
            i++;
            ck_assert_uint_lt(i, CELLS);
            *to++ = '\0';
            row->cell[i] = to;
        } else if (*line != '\\') {
            *to++ = *line;
        } else if (*++line == 'x' && sscanf(line + 1, "%2x", &byte) == 1) {
            *to++ = (char)byte;
            line += 2;
        } else {
            const char *known = strchr(letters, *line);

            ck_assert_msg(*line && known, "%s:%u: \\%c", row->path, row->line,
                          *line);
            *to++ = known[1];
        }
    }
    row->len[i] = (size_t)(to - row->cell[i]);
    *to = '\0';
    while (++i < CELLS) {
        row->cell[i] = to;
        row->len[i] = 0;
    }
}

void cells_each(const char *path, const char *table,
                void (*check)(const struct cells *row))
{
    struct cells row = {.path = path};
    FILE *file = fopen(path, "r");
    char line[4000];
    bool is_in = false;
    unsigned rows = 0;

    ck_assert_msg(file, "%s", path);
    while (fgets(line, sizeof(line), file)) {
        size_t n = strcspn(line, "\n");

        row.line++;
        line[n] = '\0';
        if (*line == '[' && !strchr(line, '\t') && line[n - 1] == ']') {
            is_in = !strncmp(line + 1, table, n - 2) && !table[n - 2];
        } else if (is_in && n && strncmp(line, "# ", 2)) {
            cut(&row, line);
            check(&row);
            rows++;
        }
    }
    fclose(file);
    ck_assert_msg(rows, "%s: no table %s", path, table);
}

uint64_t cells_number(const struct cells *row, unsigned i)
{
    char *end;
    uint64_t number = strtoull(row->cell[i], &end, 0);

    ck_assert_msg(!*end, "%s:%u: no number: %s", row->path, row->line,
                  row->cell[i]);
    return number;
}

void cells_expect(const struct cells *row, unsigned i, const char *text)
{
    ck_assert_msg(!strcmp(row->cell[i], text), "%s:%u: \"%s\", not \"%s\"",
                  row->path, row->line, text, row->cell[i]);
}

void cells_expect_number(const struct cells *row, unsigned i, uint64_t number)
{
    ck_assert_msg(number == cells_number(row, i), "%s:%u: %llu, not %s",
                  row->path, row->line, (unsigned long long)number,
                  row->cell[i]);
}

void cells_expect_that(const struct cells *row, bool holds)
{
    ck_assert_msg(holds, "%s:%u: %s", row->path, row->line, row->cell[0]);
}
