# Makes C of builtin_events.txt and builtin_enums.txt, whose heads tell their
# form: the tables that builtin.h declares.
function c_text(s) { return s == "*" ? "NULL" : "\"" s "\"" }

# A row for each event since the last layout, and for each of its layouts.
function put_events(    i, j) {
    for (i = 1; i <= events; i++)
        for (j = 1; j <= layouts; j++)
            printf "    {%s, %s, %s, %s},\n", id[i], version[j], name[i],
                fields[j] == "?" ? "NULL" : "\"" fields[j] "\""
    events = layouts = 0
}

function end_table() {
    put_events()
    if (table)
        print "};"
    table = ""
}

BEGIN { print "#include \"engine/events/builtin.h\"" }

/^#/ || !NF { next }

/^(provider|class) / {
    end_table()
    table = "events_" ++providers
    guid = $2 == "-" ? "NULL" : c_text($2)
    classic = $1 == "class" ? "true" : "false"
    sub(/^[a-z]+ [^ ]+ /, "")
    provider_rows = provider_rows sprintf( \
        "    {%s, %s, %s, %s, sizeof(%s) / sizeof(%s[0])},\n", guid,
        c_text($0), classic, table, table, table)
    print "static const struct builtin_event " table "[] = {"
    next
}

/^(enum|bits) / {
    end_table()
    table = "names_" ++enums
    enum_rows = enum_rows sprintf( \
        "    {%s, %s, sizeof(%s) / sizeof(%s[0]), %s},\n", c_text($2), table,
        table, table, $1 == "bits" ? "true" : "false")
    print "static const struct event_name " table "[] = {"
    next
}

/^    / && enums {
    for (i = 1; i < NF; i += 2) {
        sub(/,$/, "", $(i + 1))
        printf "    {%s, %s},\n", $i, c_text($(i + 1))
    }
    next
}

/^    [0-9]+:/ {
    version[++layouts] = $1 + 0
    sub(/^ *[0-9]+: ?/, "")
    fields[layouts] = $0
    next
}

/^    / {
    sub(/^ +/, "")
    if (layouts)
        fields[layouts] = fields[layouts] " " $0
    else {
        version[++layouts] = 0
        fields[layouts] = $0
    }
    next
}

{
    if (layouts)
        put_events()
    split($1, part, "/")
    id[++events] = $2 == "any" ? "BUILTIN_ANY_ID" : $2
    name[events] = c_text(part[1]) ", " c_text(part[2])
}

END {
    end_table()
    printf "const struct builtin_provider builtin_providers[] = {\n%s};\n",
        provider_rows
    print "const size_t builtin_provider_count = " providers ";"
    printf "const struct event_names builtin_enums[] = {\n%s};\n", enum_rows
    print "const size_t builtin_enum_count = " enums ";"
}
