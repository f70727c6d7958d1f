#include "tests/support/compiled.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Line 1 begins after the opening quote. */
static const char program[] =
    "#include <stdlib.h>\n"
    "static inline int mix(int x) { return x * 31 ^ abs(x) >> 3; }\n"
    "static inline int mix_twice(int x)\n"
    "{\n"
    "    return mix(\n"
    "        mix(x));\n"
    "}\n"
    "__attribute__((noinline)) int hash_block(const int *p, int n)\n"
    "{\n"
    "    int h = 0;\n"
    "    for (int i = 0; i < n; i++)\n"
    "        h += mix_twice(p[i] + h);\n"
    "    return h;\n"
    "}\n"
    "int main(int c, char **v)\n"
    "{\n"
    "    return c > 99 ? atoi(v[1]) : hash_block(&c, 1);\n"
    "}\n";

static char folder[] = "/tmp/topfn-elf.XXXXXX";

bool compiled_prepare(void)
{
    FILE *file;

    if (!mkdtemp(folder))
        return false;
    file = fopen(compiled_path("p.c"), "w");
    if (!file)
        return false;
    fputs(program, file);
    return fclose(file) == 0;
}

void compiled_remove(void)
{
    char command[100];

    snprintf(command, sizeof(command), "rm -rf %s", folder);
    (void)!system(command);
}

const char *compiled_folder(void)
{
    return folder;
}

const char *compiled_path(const char *name)
{
    static char path[300];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

bool compiled_run(const char *command)
{
    char text[1200];

    snprintf(text, sizeof(text),
             "cd %s && (%s) >log 2>&1 || { cat log; false; }", folder, command);
    if (system(text) == 0)
        return true;
    printf("failed: %s\n", command);
    return false;
}

bool compiled_build(const char *name, const char *options)
{
    char command[1000];

    snprintf(command, sizeof(command),
             "cc -O2 %s -c p.c -o %s.o && cc %s %s.o -o %s", options, name,
             options, name, name);
    return compiled_run(command);
}

/* Where the header of a section is in the file; 0 if there is none. */
static size_t find_section(const uint8_t *file, size_t size, const char *name,
                           Elf64_Shdr *found)
{
    Elf64_Ehdr head;
    Elf64_Shdr names;

    memcpy(&head, file, sizeof(head));
    memcpy(&names, file + head.e_shoff + head.e_shstrndx * sizeof(names),
           sizeof(names));
    for (unsigned i = 0; i < head.e_shnum; i++) {
        size_t at = head.e_shoff + i * sizeof(*found);

        memcpy(found, file + at, sizeof(*found));
        if (at + sizeof(*found) <= size &&
            !strcmp((const char *)file + names.sh_offset + found->sh_name,
                    name))
            return at;
    }
    return 0;
}

bool compiled_claim(const char *name, const char *section)
{
    const Elf64_Chdr claim = {
        .ch_type = ELFCOMPRESS_ZLIB, .ch_size = 1ull << 32, .ch_addralign = 1};
    FILE *f = fopen(compiled_path(name), "r+b");
    static uint8_t file[1 << 20];
    Elf64_Shdr header;
    size_t size, at;

    if (!f)
        return false;
    size = fread(file, 1, sizeof(file), f);
    at = size > sizeof(Elf64_Ehdr) && file[EI_CLASS] == ELFCLASS64
             ? find_section(file, size, section, &header)
             : 0;
    if (at && header.sh_size > sizeof(claim)) {
        header.sh_flags |= SHF_COMPRESSED;
        memcpy(file + at, &header, sizeof(header));
        memcpy(file + header.sh_offset, &claim, sizeof(claim));
        rewind(f);
        fwrite(file, 1, size, f);
    }
    return !fclose(f) && at && header.sh_size > sizeof(claim);
}
