#include "cli/help/help_form.h"

static const struct {
    const char *name;
    void (*write)(struct out *out);
} forms[] = {
    {"text", NULL},          {"bash", complete_bash},  {"zsh", complete_zsh},
    {"fish", complete_fish}, {"roff", manual_options},
};

enum { FORMS = sizeof(forms) / sizeof(*forms) };

const char *help_form_name(int form)
{
    return form < FORMS ? forms[form].name : NULL;
}

void help_form_write(unsigned form, struct out *out)
{
    forms[form].write(out);
}
