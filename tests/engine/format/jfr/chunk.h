/*
 * chunk - a writer of Java Flight Recorder's files.
 *
 *     struct jfr_writer w = {0};
 *     begin_chunk(&w, 1000);             // ticks a second
 *     begin_event(&w, E_SAMPLE);
 *     number(&w, 5, 8);                  // 8: bytes where numbers are fixed
 *     end_event(&w);
 *     end_chunk(&w);
 *     use(w.file.data, w.file.len);
 *     writer_free(&w);
 */
#ifndef TOPFN_TESTS_JFR_CHUNK_H
#define TOPFN_TESTS_JFR_CHUNK_H

#include <stdio.h>

#include "tests/support/blob.h"

enum {
    C_LONG = 2, /* 0 and 1 are metadata and constants */
    C_INT,
    C_BOOLEAN,
    C_FLOAT,
    C_STRING,
    C_SYMBOL = 10,
    C_METHOD,
    C_CLASS,
    C_PACKAGE,
    C_MODULE,
    C_FRAME,
    C_FRAME_TYPE,
    C_STACK,
    C_LOADER,
    C_THREAD,
    C_STATE,
    E_SAMPLE = 200,
    E_ENTER,
    E_JVM,
    E_OTHER,
    C_PAIR,
    E_COLLECTION,
    E_HEAP,
    C_GC_NAME,
    C_GC_CAUSE,
    C_GC_WHEN,
    E_WALL,
    E_SETTING,
    E_RECORDING,
    E_MALLOC,
    C_LOG_LEVEL,
};

/* Id, name and fields; a field is a name and a type, * for the key of a
 * constant, [ for an array. */
static const struct {
    unsigned id;
    const char *name, *fields;
} jfr_classes[] = {
    {C_STRING, "java.lang.String", ""},
    {C_LONG, "long", ""},
    {C_INT, "int", ""},
    {C_BOOLEAN, "boolean", ""},
    {C_FLOAT, "float", ""},
    {C_SYMBOL, "jdk.types.Symbol", "string 6"},
    {C_METHOD, "jdk.types.Method", "type 12* name 10* descriptor 10*"},
    {C_CLASS, "java.lang.Class", "classLoader 18* name 10* package 13*"},
    {C_PACKAGE, "jdk.types.Package", "module 14*"},
    {C_MODULE, "jdk.types.Module", "name 10*"},
    {C_FRAME, "jdk.types.StackFrame",
     "method 11* lineNumber 3 bytecodeIndex 3 type 16*"},
    {C_FRAME_TYPE, "jdk.types.FrameType", "description 6"},
    {C_STACK, "jdk.types.StackTrace", "truncated 4 frames 15["},
    {C_LOADER, "jdk.types.ClassLoader", "name 10*"},
    {C_THREAD, "java.lang.Thread",
     "osName 6 osThreadId 2 javaName 6 javaThreadId 2"},
    {C_STATE, "jdk.types.ThreadState", "name 6"},
    {E_SAMPLE, "jdk.ExecutionSample",
     "startTime 2 sampledThread 19* stackTrace 17* state 20*"},
    {E_ENTER, "jdk.JavaMonitorEnter",
     "startTime 2 duration 2 eventThread 19* stackTrace 17*"},
    {E_JVM, "jdk.JVMInformation",
     "startTime 2 jvmVersion 6 javaArguments 6 pid 2"},
    {E_OTHER, "test.Other", "pair 204 pairs 204[ startTime 2 stackTrace 17*"},
    {C_PAIR, "test.Pair", "startTime 2 ratio 5 list 2*["},
    {E_COLLECTION, "jdk.GarbageCollection",
     "startTime 2 duration 2 gcId 3 name 207* cause 208* sumOfPauses 2 "
     "longestPause 2"},
    {E_HEAP, "jdk.GCHeapSummary", "startTime 2 gcId 3 when 209* heapUsed 2"},
    {C_GC_NAME, "jdk.types.GCName", "name 6"},
    {C_GC_CAUSE, "jdk.types.GCCause", "cause 6"},
    {C_GC_WHEN, "jdk.types.GCWhen", "when 6"},
    {E_WALL, "profiler.WallClockSample",
     "startTime 2 sampledThread 19* stackTrace 17* state 20* samples 3"},
    {E_SETTING, "jdk.ActiveSetting", "startTime 2 id 2 name 6 value 6"},
    {E_RECORDING, "jdk.ActiveRecording", "startTime 2"},
    {E_MALLOC, "profiler.Malloc",
     "startTime 2 eventThread 19* stackTrace 17* address 2 size 2"},
    {C_LOG_LEVEL, "profiler.types.LogLevel", "name 6"},
};

struct jfr_writer {
    bool fixed; /* numbers are not compressed */
    struct blob file, chunk, event;
    uint64_t frequency;
};

static inline void big(struct blob *b, uint64_t value, unsigned width)
{
    while (width--)
        blob_u8(b, (uint8_t)(value >> 8 * width));
}

static inline void number_to(const struct jfr_writer *w, struct blob *b,
                             uint64_t value, unsigned width)
{
    if (w->fixed) {
        big(b, value, width);
        return;
    }
    for (; value > 0x7F; value >>= 7)
        blob_u8(b, (uint8_t)(value | 0x80));
    blob_u8(b, (uint8_t)value);
}

static inline void number(struct jfr_writer *w, uint64_t value, unsigned width)
{
    number_to(w, &w->event, value, width);
}

static inline void byte(struct jfr_writer *w, uint8_t value)
{
    blob_u8(&w->event, value);
}

/* The first byte is the encoding: 0 null, 1 empty, 2 a key that follows, 3
 * UTF-8, 4 characters, 5 Latin-1. */
static inline void text(struct jfr_writer *w, const char *text)
{
    size_t len = strlen(text + (*text != 0));

    byte(w, (uint8_t)*text);
    if (*text < 3)
        return;
    number(w, len, 4);
    for (size_t i = 1; i <= len; i++)
        if (*text == 4)
            number(w, (uint8_t)text[i], 2);
        else
            byte(w, (uint8_t)text[i]);
}

static inline void begin_event(struct jfr_writer *w, uint64_t type)
{
    w->event.len = 0;
    number(w, type, 8);
}

/* The size counts itself. */
static inline void end_event(struct jfr_writer *w)
{
    size_t size = w->event.len + (w->fixed ? 4 : 1);

    if (!w->fixed)
        size += (size_t)(size > 0x7F) + (size_t)(size + 1 > 0x3FFF);
    number_to(w, &w->chunk, size, 4);
    blob_bytes(&w->chunk, w->event.data, w->event.len);
}

static inline void begin_constants(struct jfr_writer *w, unsigned pools)
{
    begin_event(w, 1);
    number(w, 0, 8), number(w, 0, 8), number(w, 0, 8);
    byte(w, 0);
    number(w, pools, 4);
}

static inline void pool(struct jfr_writer *w, unsigned class, unsigned count)
{
    number(w, class, 8), number(w, count, 4);
}

/* ---- metadata ---- */

struct jfr_words {
    char *list[200];
    unsigned count;
};

static inline unsigned word_of(struct jfr_words *words, const char *word)
{
    for (unsigned i = 0; i < words->count; i++)
        if (!strcmp(words->list[i], word))
            return i;
    words->list[words->count] = strdup(word);
    return words->count++;
}

static inline void put_attribute(struct jfr_writer *w, struct jfr_words *words,
                                 const char *key, const char *value)
{
    number(w, word_of(words, key), 4), number(w, word_of(words, value), 4);
}

static inline void put_fields(struct jfr_writer *w, struct jfr_words *words,
                              const char *fields)
{
    char name[40], type[20];
    int used;

    while (sscanf(fields, "%39s %19s%n", name, type, &used) == 2) {
        bool constant = strchr(type, '*'), array = strchr(type, '[');

        fields += used;
        type[strspn(type, "0123456789")] = '\0';
        number(w, word_of(words, "field"), 4);
        number(w, 2u + constant + array, 4);
        put_attribute(w, words, "name", name);
        put_attribute(w, words, "class", type);
        if (constant)
            put_attribute(w, words, "constantPool", "true");
        if (array)
            put_attribute(w, words, "dimension", "1");
        number(w, 0, 4);
    }
}

static inline unsigned fields_in(const char *fields)
{
    unsigned spaces = 0;

    for (const char *at = fields; *at; at++)
        spaces += *at == ' ';
    return (spaces + 1) / 2;
}

static inline void put_metadata(struct jfr_writer *w)
{
    enum { CLASSES = sizeof(jfr_classes) / sizeof(*jfr_classes) };
    struct jfr_words words = {0};
    struct blob tree = {0};
    char id[20], value[60];

    w->event.len = 0;
    word_of(&words, "");
    number(w, word_of(&words, "root"), 4), number(w, 0, 4), number(w, 1, 4);
    number(w, word_of(&words, "metadata"), 4), number(w, 0, 4);
    number(w, CLASSES, 4);
    for (unsigned i = 0; i < CLASSES; i++) {
        snprintf(id, sizeof(id), "%u", jfr_classes[i].id);
        number(w, word_of(&words, "class"), 4), number(w, 2, 4);
        put_attribute(w, &words, "id", id);
        put_attribute(w, &words, "name", jfr_classes[i].name);
        number(w, fields_in(jfr_classes[i].fields), 4);
        put_fields(w, &words, jfr_classes[i].fields);
    }
    blob_bytes(&tree, w->event.data, w->event.len);
    begin_event(w, 0);
    number(w, 0, 8), number(w, 0, 8), number(w, 1, 8);
    number(w, words.count, 4);
    for (unsigned i = 0; i < words.count; i++) {
        snprintf(value, sizeof(value), "\3%s", words.list[i]);
        text(w, value);
        free(words.list[i]);
    }
    blob_bytes(&w->event, tree.data, tree.len);
    end_event(w);
    free(tree.data);
}

/* ---- chunks ---- */

static inline void begin_chunk(struct jfr_writer *w, uint64_t frequency)
{
    w->chunk.len = 0;
    w->frequency = frequency;
}

/* Writes the metadata behind the events, as the JDK does, and the header. */
static inline void end_chunk(struct jfr_writer *w)
{
    put_metadata(w);
    blob_bytes(&w->file, "FLR\0", 4);
    big(&w->file, 2, 2), big(&w->file, 1, 2);
    big(&w->file, 68 + w->chunk.len, 8);
    big(&w->file, 0, 8), big(&w->file, 0, 8);
    big(&w->file, 1700000000000000000, 8), big(&w->file, 9000000000, 8);
    big(&w->file, 1000, 8), big(&w->file, w->frequency, 8);
    big(&w->file, !w->fixed, 4);
    blob_bytes(&w->file, w->chunk.data, w->chunk.len);
}

static inline void writer_free(struct jfr_writer *w)
{
    free(w->file.data), free(w->chunk.data), free(w->event.data);
}

#endif
