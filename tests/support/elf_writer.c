#include "tests/support/elf_writer.h"

#include <stdlib.h>

static size_t sections_end(const struct elf_part *parts, size_t n)
{
    size_t end = sizeof(Elf64_Ehdr);

    for (size_t i = 0; i < n; i++)
        end += parts[i].bytes->len;
    return end;
}

struct blob elf_of(const struct elf_part *parts, size_t n)
{
    struct blob names = {0}, file = {0};
    size_t at = sizeof(Elf64_Ehdr), end = sections_end(parts, n);
    Elf64_Shdr header = {0};
    Elf64_Ehdr head = {
        .e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_DYN,
        .e_machine = EM_X86_64,
        .e_version = EV_CURRENT,
        .e_shoff = end,
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = (uint16_t)(n + 2),
        .e_shstrndx = (uint16_t)(n + 1)};

    blob_bytes(&file, &head, sizeof(head));
    for (size_t i = 0; i < n; i++)
        blob_bytes(&file, parts[i].bytes->data, parts[i].bytes->len);
    blob_bytes(&file, &header, sizeof(header));
    blob_u8(&names, 0);
    for (size_t i = 0; i < n; at += parts[i++].bytes->len) {
        header = (Elf64_Shdr){.sh_name = (uint32_t)names.len,
                              .sh_type = parts[i].type,
                              .sh_flags = parts[i].flags,
                              .sh_addr = parts[i].address,
                              .sh_offset = at,
                              .sh_size = parts[i].bytes->len,
                              .sh_link = parts[i].link,
                              .sh_addralign = 1,
                              .sh_entsize = parts[i].entry_size};
        blob_bytes(&file, &header, sizeof(header));
        blob_bytes(&names, parts[i].name, strlen(parts[i].name) + 1);
    }
    header = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                          .sh_offset = file.len + sizeof(header),
                          .sh_size = names.len,
                          .sh_addralign = 1};
    blob_bytes(&file, &header, sizeof(header));
    blob_bytes(&file, names.data, names.len);
    free(names.data);
    return file;
}
