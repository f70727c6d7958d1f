#include "symbols/disasm.h"

#include "tests/support/suite.h"

struct decoded {
    unsigned size;
    const char *text;
    enum flow flow;
    uint64_t target; /* 0: none */
};

struct code_case {
    enum debug_machine machine;
    const char *bytes;
    size_t size;
    struct decoded decoded[8]; /* at 0x1000 */
};

static const struct code_case cases[] = {
    {DEBUG_X64,
     "\x55\x48\x89\xE5\xE8\x07\x00\x00\x00\x75\xF5\xFF\x15\x00\x01\x00\x00"
     "\xC3",
     18,
     {{1, "push rbp", FLOW_ON, 0},
      {3, "mov rbp, rsp", FLOW_ON, 0},
      {5, "call 0x1010", FLOW_CALL, 0x1010},
      {2, "jne 0x1000", FLOW_JUMP, 0x1000},
      {6, "call qword ptr [rip + 0x100]", FLOW_CALL, 0},
      {1, "ret", FLOW_ON, 0}}},
    {DEBUG_X86,
     "\x55\x89\xE5\xE9\xF8\xFF\xFF\xFF\xFF\xE0",
     10,
     {{1, "push ebp", FLOW_ON, 0},
      {2, "mov ebp, esp", FLOW_ON, 0},
      {5, "jmp 0x1000", FLOW_JUMP, 0x1000},
      {2, "jmp eax", FLOW_JUMP, 0}}},
    {DEBUG_ARM64, /* little-endian words */
     "\xFD\x7B\xBF\xA9"
     "\x03\x00\x00\x94"
     "\xE0\xFF\xFF\x35"
     "\x20\x00\x02\x36"
     "\x41\x00\x00\x54"
     "\xC0\x03\x5F\xD6",
     24,
     {{4, "stp x29, x30, [sp, #-0x10]!", FLOW_ON, 0},
      {4, "bl #0x1010", FLOW_CALL, 0x1010},
      {4, "cbnz w0, #0x1004", FLOW_JUMP, 0x1004},
      {4, "tbz w0, #0, #0x5010", FLOW_JUMP, 0x5010},
      {4, "b.ne #0x1018", FLOW_JUMP, 0x1018},
      {4, "ret", FLOW_ON, 0}}},
    /* Bytes that are no instruction, and one that is cut off. */
    {DEBUG_X64, "\x06\x90\x48\x89", 4,
     {{1, "(bad) 06", FLOW_ON, 0},
      {1, "nop", FLOW_ON, 0},
      {1, "(bad) 48", FLOW_ON, 0},
      {1, "(bad) 89", FLOW_ON, 0}}},
    {DEBUG_ARM64, "\xFF\xFF\xFF\xFF\x1F\x20\x03\xD5\x1F\x20", 10,
     {{4, "(bad) ff ff ff ff", FLOW_ON, 0},
      {4, "nop", FLOW_ON, 0},
      {2, "(bad) 1f 20", FLOW_ON, 0}}},
    {DEBUG_X64, "", 0, {{0}}},
};

static void check_code(const struct code_case *c)
{
    struct disasm *d = disasm_open(c->machine);
    struct bytes code = {(const uint8_t *)c->bytes, c->size};
    struct instruction i;
    uint64_t address = 0x1000;

    ck_assert_ptr_nonnull(d);
    for (size_t k = 0; c->decoded[k].size; k++) {
        const struct decoded *want = &c->decoded[k];
        uint64_t before = address;

        ck_assert(disasm_next(d, &code, &address, &i));
        ck_assert_str_eq(i.text, want->text);
        ck_assert_uint_eq(i.address, before);
        ck_assert_uint_eq(i.bytes.len, want->size);
        ck_assert_uint_eq(address, before + want->size);
        ck_assert_int_eq(i.flow, want->flow);
        ck_assert(i.has_target == (want->target != 0));
        ck_assert_uint_eq(i.has_target ? i.target : 0, want->target);
    }
    ck_assert(!disasm_next(d, &code, &address, &i));
    disasm_close(d);
}

TEST(instructions_are_decoded)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        check_code(&cases[i]);
}

TEST(an_unknown_machine_is_refused)
{
    ck_assert_ptr_null(disasm_open(DEBUG_NO_MACHINE));
}
