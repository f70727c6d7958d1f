# make            build/topfn
# make test       everything a change must pass
# make help       the rest
#
# Sources are found by folder: a new file needs no edit here.

CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wconversion -Werror
STD     := -std=c11 -D_GNU_SOURCE -I.
LIBS    := -lsqlite3 -lpthread -lm
SAN     ?=
B       ?= build
DESTDIR ?=
PREFIX  ?= /usr/local

ifneq ($(SAN),)
B       := build-$(subst $(comma),-,$(SAN))
SANFLAGS := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
comma := ,

COMPILE = $(CC) $(STD) $(WARN) $(CFLAGS) $(SANFLAGS) -MMD -MP
LINK    = $(CC) $(CFLAGS) $(SANFLAGS)

LIB_SRC  := $(shell find engine symbols report -name '*.c' | LC_ALL=C sort)
CLI_SRC  := $(shell find cli -name '*.c' | LC_ALL=C sort)
SUP_SRC  := $(shell find tests/support -name '*.c' 2>/dev/null | LC_ALL=C sort)
TEST_SRC := $(shell find tests -name 'test_*.c' | LC_ALL=C sort)
TOOL_SRC := $(wildcard tests/tools/*.c)
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
BENCH_SRC := $(wildcard tests/bench/*.c)

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))
LIB   := $(B)/libtopfn.a
SUP   := $(B)/libsupport.a
TESTS := $(patsubst %.c,$(B)/%,$(TEST_SRC))
TOOLS := $(patsubst tests/tools/%.c,$(B)/%,$(TOOL_SRC))
FUZZ  := $(patsubst tests/fuzz/%.c,$(B)/%,$(FUZZ_SRC))
BENCH := $(patsubst tests/bench/%.c,$(B)/bench-%,$(BENCH_SRC))

all: $(B)/topfn

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

$(LIB): $(call obj,$(LIB_SRC))
	@rm -f $@
	$(AR) rcs $@ $^

$(SUP): $(call obj,$(SUP_SRC))
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/topfn: $(call obj,$(CLI_SRC)) $(LIB)
	$(LINK) -o $@ $^ $(LIBS)

$(TESTS): $(B)/%: $(B)/obj/%.o $(SUP) $(LIB)
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(LIBS) $(shell pkg-config --libs check)

$(TOOLS): $(B)/%: $(B)/obj/tests/tools/%.o $(SUP) $(LIB)
	$(LINK) -o $@ $^ $(LIBS)

$(BENCH): $(B)/bench-%: $(B)/obj/tests/bench/%.o $(SUP) $(LIB)
	$(LINK) -o $@ $^ $(LIBS)

clean:
	rm -rf build build-*

-include $(shell find $(B) -name '*.d' 2>/dev/null)

.PHONY: all clean
.SECONDARY:
