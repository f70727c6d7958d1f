/* Newer C++ names in the spelling that libiberty knows. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "symbols/names/demangle_spelling.h"
#include "tests/support/suite.h"

struct row {
    const char *name, *older;
};

static void check_rows(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *older = demangle_older(rows[i].name);

        ck_assert_str_eq(older, rows[i].older);
        free(older);
    }
}

/* Kinds, concepts, and the one behind "Dk". */
static const struct row parameters[] = {
    {"_Z1fITk1cTk1dE", "_Z1fILvTnEL_Z1cELvTnEL_Z1dEE"},
    {"_Z1fITk1cET_", "_Z1fILvTnEL_Z1cEET_"},
    {"_Z1fITkSt1cET_", "_Z1fILvTnEL_ZSt1cEET_"},
    {"_Z1fITkS1_IiEET_", "_Z1fILvTnEL_ZS1_IiEEET_"},
    {"_Z1fITkN1a1cEET_", "_Z1fILvTnEL_ZN1a1cEEET_"},
    {"_Z1fITkN1a1cIiEEET_", "_Z1fILvTnEL_ZN1a1cIiEEEET_"},
    {"_Z1fITk1cIiEET_", "_Z1fILvTnEL_Z1cIiEEET_"},
    {"_Z1fITk1cITk1dIiEEET_", "_Z1fILvTnEL_Z1cITk1dIiEEEET_"},
    {"_Z1fITkN1aITkN1dEEEET_", "_Z1fILvTnEL_ZN1aITkN1dEEEEET_"},
    {"_Z1fDk1c", "_Z1fDTdtL_Z1cE4autoE"},
    {"_Z1fDkN1a1cIiEEv", "_Z1fDTdtL_ZN1a1cIiEEE4autoEv"},
    {"_Z1fDk1cIiEv", "_Z1fDTdtL_Z1cIiEE4autoEv"},
    {"_Z1fITny1aE", "_Z1fILvTnEy1aE"},
    {"_Z1fITyE", "_Z1fIE"},
    {"_Z1fITtTyE1aE", "_Z1fILvTnEJE1aE"},
    {"_Z1fITpTnjE", "_Z1fILvTnEjE"},
    {"_Z1fITp1aE", "_Z1fI1aE"},
    {"_Z1fDk1cDk1d", "_Z1fDTdtL_Z1cE4autoEDTdtL_Z1dE4autoE"},
    {"_Z1fIDkN1aEDk1bE", "_Z1fIDTdtL_ZN1aEE4autoEDTdtL_Z1bE4autoEE"},
    {"_Z1fDkSt", "_Z1fDTdtL_ZStE4autoE"},
    {"_Z1fDkS_IiEv", "_Z1fDTdtL_ZS_IiEE4autoEv"},
    {"_Z1fDkSt1cIiEDk1d", "_Z1fDTdtL_ZSt1cIiEE4autoEDTdtL_Z1dE4autoE"},
};

START_TEST(kinds_of_parameters)
{
    check_rows(parameters, sizeof(parameters) / sizeof(*parameters));
}
END_TEST

static const struct row names[] = {
    {"_Z1fTL0_", "_Z1fT"},
    {"_Z1fTL0__", "_Z1fT_"},
    {"_Z1fTL12_1_", "_Z1fT1_"},
    {"_Z1fTL0_1a", "_Z1fT1a"},
    {"_Z1fIXsr3std6rangesE5beginEE", "_Z1fIX18std::ranges::beginEE"},
    {"_Z1fIXsr3stdE5beginEE", "_Z1fIX10std::beginEE"},
    {"_Z1fIXsr3std7is_sameI1aIiEEE5valueEE",
     "_Z1fIXdt15sr std::is_sameI1aIiEE5valueEE"},
    {"_Z1fIXsr3stdI3std1aIXsr3barIiEE1bEEE1cEE",
     "_Z1fIXdt6sr stdI3std1aIXsr3barIiEE1bEEE1cEE"},
    {"_Z1fIXsr1a1b1c1d1e1f1g1h1i1j1k1l1m1n1oE1pEE",
     "_Z1fIX46a::b::c::d::e::f::g::h::i::j::k::l::m::n::o::pEE"},
    {"_Z1fIsr1aIiEE1bsr1cIiEE1dE", "_Z1fIdt4sr aIiE1bdt4sr cIiE1dE"},
    {"_Z1fIsr1aIiE1b", "_Z1fIdt4sr aIiE1b"},
    {"_Z1fu7__decayIT_E1a", "_Z1fDT9u __decayIT_EE1a"},
    {"_Z1fu7__decayIu7__decayIT_EE1a", "_Z1fDT9u __decayIu7__decayIT_EEE1a"},
    {"_Z1fu9__is_same1aS_E1a", "_Z1f9__is_sameI1aS_E1a"},
    {"_Z1fu8__has_it1aS_E1a", "_Z1f8__has_itI1aS_E1a"},
    {"_Z1fu9__is_sameI1aE1a", "_Z1fDT11u __is_sameI1aEE1a"},
    {"_Z1fu1aIiEu1bIiE", "_Z1fDT3u aIiEEDT3u bIiEE"},
    {"_ZN1aC2B3abiIiEEv", "_ZN1aC2IiEEv"},
    {"_ZN1aC2B3abiB1xIiEEv", "_ZN1aC2IiEEv"},
    {"_ZN1aF1bE", "_ZN1a1bE"},
    {"_ZNK1aF1bE", "_ZNK1a1bE"},
};

START_TEST(names_that_are_one)
{
    check_rows(names, sizeof(names) / sizeof(*names));
}
END_TEST

/* In front of what ends arguments, but at the end of the name it goes. What
 * has an E to come is within the arguments. */
static const struct row required[] = {
    {"_Z1fIiQ1aE", "_Z1fIiLvTqEX1aEE"},
    {"_Z1fIiQ1aEQ1b", "_Z1fIiLvTqEX1aEE"},
    {"_Z1fIiQ1aIiQ1bEE", "_Z1fIiLvTqEX1aIiQ1bEEE"},
    {"_Z1fQ1a.cold", "_Z1f.cold"},
    {"_Z1fIA9_iQ1bEEvT_", "_Z1fIA9_iLvTqEX1bEEEvT_"},
    {"_ZN1aUt7_1gIiQ1bEEv", "_ZN1aUt7_1gIiLvTqEX1bEEEv"},
    {"_Z1fILi5EQ1bEEvT_", "_Z1fILi5ELvTqEX1bEEEvT_"},
    {"_Z1fILin5EQ1bEEvT_", "_Z1fILin5ELvTqEX1bEEEvT_"},
    {"_Z1fILf40a0EQ1bEEvT_", "_Z1fILf40a0ELvTqEX1bEEEvT_"},
    {"_ZN1aaSERS_Q1b.x", "_ZN1aaSERS_.x"},
    {"_Z1fS10_IiQ1bEE", "_Z1fS10_IiLvTqEX1bEEE"},
    {"_Z1fT10_IiQ1bEE", "_Z1fT10_IiLvTqEX1bEEE"},
    {"_Z1fIEQ1bE.x", "_Z1fIE.x"},
    {"_Z1fIQ1a", "_Z1fILvTqEX1a"},
    {"_Z1fIIEQ1bE", "_Z1fIIELvTqEX1bEE"},
    {"_Z1fINEQ1bE", "_Z1fINELvTqEX1bEE"},
    {"_Z1fIJEQ1bE", "_Z1fIJELvTqEX1bEE"},
    {"_Z1fIXEQ1bE", "_Z1fIXELvTqEX1bEE"},
    {"_Z1fIFEQ1bE", "_Z1fIFELvTqEX1bEE"},
    {"_Z1fIZEQ1bE", "_Z1fIZELvTqEX1bEE"},
    {"_Z1fIGEQ1bE", "_Z1fIGE"},
    {"_Z1fI_ZEQ1bE", "_Z1fI_ZE"},
    {"_Z1fIsZT_EQ1bE", "_Z1fIsZT_E"},
    {"_Z1fIsZfp_EQ1bE", "_Z1fIsZfp_E"},
    {"_Z1fIsZ1aEQ1bE", "_Z1fIsZ1aELvTqEX1bEE"},
    {"_Z1fIxZT_EQ1bE", "_Z1fIxZT_ELvTqEX1bEE"},
    {"_Z1fIUlEQ1bE", "_Z1fIUlELvTqEX1bEE"},
    {"_Z1fIDTEQ1bE", "_Z1fIDTELvTqEX1bEE"},
    {"_Z1fIDtEQ1bE", "_Z1fIDtELvTqEX1bEE"},
    {"_Z1fIDpEQ1bE", "_Z1fIDpE"},
    {"_Z1fIclvEQ1bE", "_Z1fIclvELvTqEX1bEE"},
    {"_Z1fIclEQ1bE", "_Z1fIclE"},
    {"_Z1fIclIEEQ1bE", "_Z1fIclIEE"},
    {"_Z1fIclBEQ1bE", "_Z1fIclBE"},
    {"_Z1fItlEQ1bE", "_Z1fItlELvTqEX1bEE"},
    {"_Z1fIilEQ1bE", "_Z1fIilELvTqEX1bEE"},
    {"_Z1fIplEQ1bE", "_Z1fIplE"},
    {"_Z1fIsrEQ1bE", "_Z1fIsrELvTqEX1bEE"},
    {"_Z1fIssEQ1bE", "_Z1fIssE"},
};

START_TEST(requirements)
{
    check_rows(required, sizeof(required) / sizeof(*required));
}
END_TEST

/* Identifiers that begin with an underscore or an E, and numbers before one:
 * only behind a number is there something to rewrite. */
static const struct row numbers[] = {
    {"_Z1gIiEDTfp6_ETL0__", "_Z1gIiEDTfp6_ET_"},
    {"_ZNKUlvE9_aTL0__bcE", "_ZNKUlvE9_aT_bcE"},
    {"_Z1fIL1a5ETL0__EvT_", "_Z1fIL1a5ET_EvT_"},
    {"_Z1fIL1aLi1E5ETL0_EvT_", "_Z1fIL1aLi1E5ETEvT_"},
    {"_ZN1aD65_aTL0__E", "_ZN1aD65_aT_E"},
    {"_ZN1t9_aTL0__bcE", "_ZN1t9_aTL0__bcE"},
    {"_ZN2Ux9_aTL0__bcE", "_ZN2Ux9_aTL0__bcE"},
    {"_ZN1p9_aTL0__bcE", "_ZN1p9_aTL0__bcE"},
    {"_ZN2fx9_aTL0__bcE", "_ZN2fx9_aTL0__bcE"},
    {"_ZN1aIiE9_aTL0__bcE", "_ZN1aIiE9_aTL0__bcE"},
    {"_Z1fIL_Z1gE5ETL0_EvT_", "_Z1fIL_Z1gE5ETL0_EvT_"},
    {"_Z1fIL1a5E5ETL0_EvT_", "_Z1fIL1a5E5ETL0_EvT_"},
    {"_Z1fILb0E5ETL0_E", "_Z1fILb0E5ETL0_E"},
    {"_ZN1aC55_aTL0__E", "_ZN1aC55_aTL0__E"},
    {"_ZN1aD05_aTL0__E", "_ZN1aD05_aTL0__E"},
    {"_ZN1aCI15_aTL0__E", "_ZN1aCI15_aTL0__E"},
};

START_TEST(numbers_and_identifiers)
{
    check_rows(numbers, sizeof(numbers) / sizeof(*numbers));
}
END_TEST

static const char *const kept[] = {
    "_Z3fooi",
    "_Z99999x",
    "_Z1fILin12ELb1EE",
    "_Z1fIXsr3std6rangesE5E",
    "_Z1fIXsrE5beginEE",
    "_Z1fIXsr1a1b1c1d1e1f1g1h1i1j1k1l1m1n1o1pE1qEE",
    "_Z1fIXsr1a1b1c1d1e1f1g1h1i1j1k1l1m1n1o1p1qE1rEE",
    "_ZN1aC2B3abiEv",
    "_ZN1aC2B9IiEEv",
    "_ZN1aCI11b1cEv",
    "_ZN1aC9Ev",
    "_ZN1aC5Ev",
    "_ZN1aD0Ev",
    "_ZN1aD6Ev",
    "_ZN1aaSERS_",
    "_Z1fIJiEEvDpT_sZT_",
    "_Z1fDTsZT_E1a",
    "_Z1fDTsZfp_E1a",
    "_Z1fDTsZ1aE1a",
    "_Z1fDTclIiEE1a",
    "_Z1fDTclEE",
    "_Z1fDTtl1aE1bE",
    "_Z1fDTilE1bE",
    "_Z1fDTclB1aE",
    "_Z1fu7__decay1a",
    "_Z1fu8__as_it1aS_E1a",
    "_ZN1aIFviE1bE",
    "_Z1fFviE",
    "_Z1f.cold1a",
    "_Z1fTL_",
    "_Z1fTL0x",
    "_Z1fDTnE",
    "_Z1fT",
    "_Z1fTx",
    "_Z1fITxE",
    "_Z1f.Tn",
};

START_TEST(what_stays)
{
    for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
        check_rows(&(struct row){kept[i], kept[i]}, 1);
}
END_TEST

/* Five digits of a length are read, six not: only behind an identifier is
 * there something to rewrite. */
START_TEST(longest_identifiers)
{
    static const struct {
        size_t length;
        const char *number;
        bool is_read;
    } rows[] = {{99999, "99999", true},
                {99999, "099999", false},
                {100000, "100000", false}};

    for (size_t i = 0; i < 3; i++) {
        size_t front = strlen(rows[i].number) + 2;
        char *name = mem_new(front + rows[i].length + 6, 1), *older;

        memset(name, 'x', front + rows[i].length);
        memcpy(name, "_Z", 2);
        memcpy(name + 2, rows[i].number, front - 2);
        strcpy(name + front + rows[i].length - 5, "TL0__");
        older = demangle_older(name);
        ck_assert(!strcmp(older, name) == rows[i].is_read);
        free(older);
        free(name);
    }
}
END_TEST

/* As much longer as they can become. */
START_TEST(growing_names)
{
    static const struct row parts[] = {
        {"Dk", "DTdtL_ZE4autoE"}, {"Tk", "LvTnEL_ZE"}, {"Tt", "LvTnEJ"}};

    for (size_t i = 0; i < 3; i++) {
        char name[300] = "", wanted[2000] = "", *older;

        for (int k = 0; k < 100; k++) {
            strcat(name, parts[i].name);
            strcat(wanted, parts[i].older);
        }
        older = demangle_older(name);
        ck_assert_str_eq(older, wanted);
        free(older);
    }
}
END_TEST

int main(void)
{
    return suite_run("spelling", kinds_of_parameters, names_that_are_one,
                     requirements, numbers_and_identifiers, what_stays,
                     longest_identifiers, growing_names);
}
