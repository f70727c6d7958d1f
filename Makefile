# Sources are found by folder: a new file needs no edit here. Lines that
# begin with two number signs are what `make help` prints.
#
## make              build/topfn
## make demo         install what is missing, build, show a sample trace
## make test         all tests: unit, golden cases, fuzz corpus

CC      ?= cc
CFLAGS  ?= -O2 -g
WARN    := -Wall -Wextra -Wconversion $(if $(filter 1,$(WERROR)),-Werror)
STD     := -std=c11 -D_GNU_SOURCE -I.
PREFIX  ?= /usr/local
DESTDIR ?=
TIME    ?= 60
DEMO    := testdata/etl/rounds.etl --symbols testdata/pdb

# Libraries as pkg-config calls them, or, where it may not know them, by a
# header; behind the colon the Debian package.
NEED := sqlite3:libsqlite3-dev libzip:libzip-dev expat:libexpat1-dev \
	libelf:libelf-dev zlib:zlib1g-dev \
	libzstd:libzstd-dev libpcre2-8:libpcre2-dev liblzma:liblzma-dev \
	libmspack:libmspack-dev capstone/capstone.h:libcapstone-dev \
	libdwarf/libdwarf.h:libdwarf-dev libiberty/demangle.h:libiberty-dev \
	curl/curl.h:libcurl4-openssl-dev yajl:libyajl-dev nettle:nettle-dev
NEED_TESTS := check:check jansson:libjansson-dev

# Debian packages: to build, to test, and to work on the code.
DEBIAN    = $(shell sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
APT_LIST  = $(wildcard /etc/apt/sources.list \
	/etc/apt/sources.list.d/debian.sources)
package   = $(foreach n,$(1),$(lastword $(subst :, ,$(n))))
DEPS     := gcc libc6-dev make pkg-config $(call package,$(NEED))
DEPS     += ca-certificates $(call package,$(NEED_TESTS)) locales debuginfod
DEPS     += zsh fish tmux man-db
DEPS_DEV := clang lld clang-tidy clang-format cppcheck shellcheck
DEPS_DEV += dpkg-dev lintian mmdebstrap python3
DEPS_DEV += gcc-aarch64-linux-gnu qemu-user-static
DEPS_DEV += golang-go valgrind libxml2-utils dwz
# Node.js from elsewhere, which a machine may have, refuses to be beside these.
DEPS_PAGE = chromium $(if $(shell command -v npm),,nodejs npm)
DEPS_CANARY = linux-perf golang-go valgrind chromium-headless-shell firefox-esr \
	$(if $(shell command -v npm),,nodejs npm)
DEPS_COMPILERS := clang lld gcc-mingw-w64-x86-64-win32 rustc
DEPS_FLEET := clickhouse-server clickhouse-client openssl

# Loaded, not linked: libcurl when a server is asked, Capstone when code is
# shown.
known     = $(foreach n,$(1),$(if $(findstring .h:,$(n)),,$(firstword \
	$(subst :, ,$(n)))))
flags_of  = $(shell pkg-config $(1) $(call known,$(2)) 2>/dev/null)
LIBS     := $(call flags_of,--libs,$(NEED)) -liberty -ldl -lpthread -lm
LIBFLAGS := $(call flags_of,--cflags,$(NEED))
LIBS_TESTS = $(LIBS) $(call flags_of,--libs,$(NEED_TESTS)) -ldwarf

# Every kind of build has a folder of its own, so they never mix.
comma := ,
B := build$(if $(SAN),-$(subst $(comma),-,$(SAN)))
B := $(B)$(if $(findstring clang,$(CC)),-clang)$(if $(SHARED),-shared)
ifneq ($(SAN),)
SANFLAGS := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

COMPILE = $(CC) $(STD) $(WARN) $(LIBFLAGS) $(CFLAGS) $(SANFLAGS) $(CPPFLAGS) \
	-MMD -MP
LINK    = $(CC) $(CFLAGS) $(SANFLAGS) $(LDFLAGS)

# Says what a rule does in two words; V=1 shows its commands, -s nothing.
silent = $(findstring s,$(firstword -$(MAKEFLAGS)))
say = $(if $(filter 1,$(V)),,@$(if $(silent),,printf '%-3s %s\n' $(1) $(2);))

# Folders come and go: a missing one has no files.
find = $(shell find $(1) -name '$(2)' 2>/dev/null | LC_ALL=C sort)
obj  = $(patsubst %.c,$(B)/obj/%.o,$(1))

# All but the program's main is in the library: tests link the cli too.
CLI_SRC  := $(wildcard cli/main.c)
LIB_SRC  := $(call find,engine symbols report cli,*.c)
LIB_SRC  := $(filter-out $(CLI_SRC),$(LIB_SRC))
PAGE_SRC := $(addprefix report/page/,$(addsuffix .js,work data plain shorten options \
	model processes pattern groups filters state colours shapes timeshape flame \
	timeline lanes table tree diff shown sandwich copy lists search selection graphs \
	hottest source about input main))
SUP_SRC  := $(call find,tests/support,*.c)
TEST_SRC := $(call find,tests,test_*.c)
TOOL_SRC := $(call find,tests/tools,*.c)
FUZZ_SRC := $(call find,tests/fuzz,fuzz_*.c)
BENCH_SRC := $(call find,tests/bench,*.c)

LIB    := $(B)/libtopfn.$(if $(SHARED),so,a)
SUP    := $(B)/libsupport.a
# Tests have a program for each room: test-engine-base, test-symbols...
levels = $(subst /, ,$(patsubst tests/%,%,$(dir $(1))))
room   = $(if $(filter engine,$(firstword $(levels))),$(subst $() ,-,$(strip \
	$(wordlist 1,2,$(levels)))),$(firstword $(levels)))
ROOMS  := $(sort $(foreach f,$(TEST_SRC),$(call room,$(f))))
tests_of = $(foreach f,$(TEST_SRC),$(if $(filter $(1),$(call room,$(f))),$(f)))
TESTS  := $(ROOMS:%=$(B)/test-%)
TOOLS  := $(TOOL_SRC:tests/tools/%.c=$(B)/%)
# Names of one program, of which each runs one target.
FUZZ   := $(addprefix $(B)/fuzz_,$(sort $(if $(FUZZ_SRC),$(shell sed -n \
	's/^FUZZ(\(.*\))$$/\1/p' $(FUZZ_SRC)))))
BENCH  := $(BENCH_SRC:tests/bench/%.c=$(B)/bench-%)
TOPFN  := $(if $(CLI_SRC),$(B)/topfn)
# libFuzzer brings a main; every other build replays files with ours.
REPLAY := $(if $(findstring fuzzer,$(SAN)),,$(B)/obj/tests/fuzz/replay.o)

all: $(TOPFN) $(if $(TOPFN),,$(LIB))

$(B)/obj/%.o: %.c | $(B)/obj/need.found
	@mkdir -p $(@D)
	$(call say,CC,$<)$(COMPILE) -c -o $@ $<

# Looked for once in every build folder, so that what is missing is named.
$(B)/obj/need.found: WANTED = $(NEED)
$(B)/obj/tests.found: WANTED = $(NEED_TESTS)
$(B)/obj/%.found:
	@mkdir -p $(@D)
	@set --; for n in $(WANTED); do case $$n in \
	    *.h:*) $(CC) -E -include "$${n%:*}" -x c /dev/null ;; \
	    *) pkg-config --exists "$${n%:*}" ;; \
	    esac >/dev/null 2>&1 || set -- "$$@" "$${n#*:}"; done; \
	[ $$# = 0 ] || { echo "missing libraries, by Debian package: $$*"; \
	    echo "('make deps' installs them)"; exit 1; } >&2
	@touch $@

# A source that went away must leave the archive too.
$(LIB): $(call obj,$(LIB_SRC)) $(B)/obj/page_files.o \
	$(B)/obj/builtin_events.o $(B)/obj/lib.list
$(SUP): $(call obj,$(SUP_SRC)) $(B)/obj/sup.list
$(B)/lib%.a:
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $(filter %.o,$^)

# Modules of the page become one script, in an order in which each stands
# behind those it imports. As C, for that needs no tool of a target.
to_bytes = printf '\nconst char page_$(1)[] = {\n'; \
	od -An -v -tx1 $(2) | sed 's/ \(..\)/0x\1,/g'; \
	printf '0};\nconst size_t page_$(1)_size = sizeof(page_$(1)) - 1;\n'
to_hash  = printf 'const char page_$(1)_hash[] = "sha256-%s";\n' \
	"$$(sha256sum <$(2) | cut -c -64 | tr a-f A-F | \
	    basenc --base16 -d | basenc --base64)"
$(B)/page.js: $(PAGE_SRC) Makefile
	@mkdir -p $(@D)
	@{ printf "'use strict';\n"; sed -e '/^import /{:a' -e '/;$$/!{N;ba' -e '};d}' -e 's/^export //' \
	    $(PAGE_SRC); } \
	    >$@
$(B)/page_files.c: $(B)/page.js report/page/page.css report/page/body.html \
	report/page/svg.js
	@{ echo '#include "report/page/page.h"'; \
	    $(call to_bytes,script,$(B)/page.js); \
	    $(call to_hash,script,$(B)/page.js); \
	    $(call to_bytes,style,report/page/page.css); \
	    $(call to_hash,style,report/page/page.css); \
	    $(call to_bytes,svg,report/page/svg.js); \
	    $(call to_bytes,body,report/page/body.html); } >$@
EVENTS_SRC := $(addprefix engine/events/builtin_,events.awk events.txt enums.txt)
$(B)/builtin_events.c: $(EVENTS_SRC)
	@mkdir -p $(@D)
	@awk -f $(EVENTS_SRC) >$@
$(B)/obj/page_files.o $(B)/obj/builtin_events.o: $(B)/obj/%.o: $(B)/%.c | $(B)/obj/need.found
	$(call say,CC,$<)$(COMPILE) -c -o $@ $<

# SHARED=1, for tests/mutate: a changed library links nothing anew.
ON_LIB = $(if $(SHARED),|) $(LIB)
ifneq ($(SHARED),)
SANFLAGS += -fPIC
LDFLAGS  += -Wl,-rpath,$(CURDIR)/$(B)
$(B)/lib%.so:
	$(call say,LD,$@)$(LINK) -shared -Wl,-soname,$(@F) -o $@ \
	    $(filter %.o,$^) $(LIBS)
endif

$(B)/obj/lib.list: LIST = $(LIB_SRC)
$(B)/obj/sup.list: LIST = $(SUP_SRC)
$(B)/obj/%.list: force
	@mkdir -p $(@D)
	@echo $(LIST) | cmp -s - $@ || echo $(LIST) >$@

$(B)/topfn: $(call obj,$(CLI_SRC)) $(ON_LIB)
	$(call say,LD,$@)$(LINK) -o $@ $^ $| $(LIBS)

# A test that went away must leave the program, too.
define test_program
$(B)/test-$(1): $(call obj,$(call tests_of,$(1))) $(B)/obj/test-$(1).list
$(B)/obj/test-$(1).list: LIST = $(call tests_of,$(1))
endef
$(foreach r,$(ROOMS),$(eval $(call test_program,$(r))))
$(TESTS): $(SUP) $(ON_LIB)
	$(call say,LD,$@)$(LINK) -o $@ $(filter %.o,$^) $(SUP) $(LIB) \
	    $(LIBS_TESTS)
$(call obj,$(SUP_SRC) $(TEST_SRC)): | $(B)/obj/tests.found

$(TOOLS): $(B)/%: $(B)/obj/tests/tools/%.o $(SUP) $(ON_LIB)
$(B)/fuzz: $(call obj,$(FUZZ_SRC)) $(REPLAY) $(SUP) $(ON_LIB)
$(FUZZ): $(B)/fuzz
	@ln -f $< $@
$(BENCH): $(B)/bench-%: $(B)/obj/tests/bench/%.o $(SUP) $(ON_LIB)
$(TOOLS) $(B)/fuzz $(BENCH):
	$(call say,LD,$@)$(LINK) -o $@ $^ $| $(LIBS_TESTS)

## make deps         install the Debian packages that build and tests need
## make deps-dev     and those for lint, fuzz and clang builds
## make deps-page    and a browser, for tests of the page
## make deps-compilers   and those whose files tests look at (200 MB)
## make deps-fleet   and ClickHouse, whose package starts a server
## make deps-canary  and the newest producers of recordings (500 MB)
absent = for p in $(1); do dpkg-query -Wf '$${Status}' $$p 2>&1 | \
	grep -q 'ok installed' || echo $$p; done
apt-install = set -- $$($(call absent,$(1))); [ $$\# = 0 ] || { \
	as_root="$$([ $$(id -u) = 0 ] || echo sudo) env"; \
	as_root="$$as_root DEBIAN_FRONTEND=noninteractive apt-get -qq"; \
	echo "missing packages, to be installed: $$*" >&2; $$as_root update && \
	$$as_root install -y --no-install-recommends "$$@" \
	</dev/null >/dev/null || echo "going on without: $$*" >&2; }

deps:
	@! command -v apt-get >/dev/null || { $(call apt-install,$(DEPS)); }

deps-dev: deps
	@$(call apt-install,$(DEPS_DEV))
	@v=$$(clang -dumpversion) && \
	    $(call apt-install,libclang-rt-$${v%%.*}-dev)

deps-compilers:
	@$(call apt-install,$(DEPS_COMPILERS))

deps-page:
	@$(call apt-install,$(DEPS_PAGE))
	@$(MAKE) --no-print-directory build-npm/node_modules

# npm packages of a lock file; of the day with NEWEST=1. NuGet has the newest.
deps-canary:
	@$(call apt-install,$(DEPS_CANARY))
	@mkdir -p build-canary
	@cp tests/canary/package.json tests/canary/package-lock.json build-canary
	@cd build-canary && { [ -z "$(NEWEST)" ] || rm -f package-lock.json; } && \
	    npm $(if $(NEWEST),install @firefox-devtools/profiler-cli@latest \
	    speedscope@latest,ci) --silent --ignore-scripts --no-audit --no-fund || \
	    echo "going on without: canaries of npm packages" >&2
	@! command -v dotnet >/dev/null || dotnet tool update --verbosity quiet \
	    --tool-path build-canary/tools dotnet-trace >/dev/null || \
	    echo "going on without: dotnet-trace" >&2

# 17 MB, which take 105 MB. Tests start servers of their own.
deps-fleet:
	@$(call apt-install,$(DEPS_FLEET))

# What tests/page needs; without a network it is skipped.
build-npm/node_modules: tests/page/package-lock.json
	@mkdir -p $(@D)
	@cp tests/page/package.json tests/page/package-lock.json $(@D)
	@cd $(@D) && npm ci --silent --ignore-scripts --no-audit --no-fund || \
	    echo "going on without: tests of the page and of topfn mcp" >&2
	@[ ! -d $@ ] || touch $@

demo: deps
	@$(MAKE) --no-print-directory $(B)/topfn
	$(B)/topfn $(DEMO)
	@echo
	$(B)/topfn list mixer::rounds $(DEMO) --source testdata/pdb
	@printf '\n%s\n' 'What to try next:'
	@echo '  $(B)/topfn tree $(DEMO)'
	@echo '  $(B)/topfn annotate mixer::rounds $(DEMO) --source testdata/pdb'
	@echo '  $(B)/topfn diff testdata/etl/orders.etl testdata/diff/changed.etl'

# Everything that `tests/run` runs.
testable: all $(TESTS) $(TOOLS) $(FUZZ)
	@rm -f $(filter-out $(TESTS),$(wildcard $(B)/test-*))

test: deps
	@$(MAKE) --no-print-directory testable
	@tests/run $(B)

## make canary             recordings of the newest producers, against their reports
canary: all
	@tests/canary/run $(B)

## make update CASE=name   rewrite one expected output of tests/cases, or
##                         (CASE=manual) what README.md and man/ show
update: all $(TOOLS)
	@if [ "$(CASE)" = manual ]; then tests/manual --update $(B); \
	    else tests/run --update $(B) $(CASE); fi

## make fuzz TIME=60       libFuzzer, that many seconds a target (clang)
fuzz:
	@$(MAKE) --no-print-directory CC=clang SAN=fuzzer,address,undefined \
	    fuzz-run
fuzz-run: $(FUZZ)
	@for f in $(FUZZ); do \
	    name=$${f##*/fuzz_}; mkdir -p $(B)/corpus/$$name; \
	    $$f -max_total_time=$(TIME) -timeout=20 -rss_limit_mb=1024 \
	        -print_final_stats=1 -artifact_prefix=$(B)/$$name- \
	        $(B)/corpus/$$name $$(ls -d testdata/fuzz/$$name \
	        testdata/$$name testdata/broken 2>/dev/null) || exit 1; \
	done

## make torture TIME=60    failing memory, kills, damaged files, within limits
$(B)/fail_malloc.so: tests/preload/fail_malloc.c
	$(CC) -std=c11 -O1 -shared -fPIC -o $@ $<

torture: all $(TOOLS) $(B)/fail_malloc.so
	@$(B)/torture $(B) $(TIME) $(SEED)

## make hostile HOSTILE=DIR   every command on made files, and those of DIR
hostile: all $(TOOLS)
	@SWEEP_SIZE=$(SWEEP_SIZE) SWEEP_ONLY="$(SWEEP_ONLY)" \
	SWEEP_FEW=$(SWEEP_FEW) $(B)/sweep $(B) $(HOSTILE)

## make mutate N=40 SEED=1   change the product N times: do tests notice?
mutate: N    = 40
mutate: SEED = 1
mutate: deps deps-dev
	@tests/mutate $(N) $(SEED)

## make bench              speed, as ratios measured in one run
bench: all $(TOOLS) $(BENCH)
	@for b in $(BENCH); do $$b || exit 1; done
	@tests/bench/fleet $(B)

## make arm64            cross build; its golden cases run in an emulator
ARM64      := build-arm64
ARM64_ROOT := $(CURDIR)/$(ARM64)/root
ARM64_PKG  := $(ARM64_ROOT)/usr/lib/aarch64-linux-gnu/pkgconfig

# The libraries as such a machine has them: unpacked below a folder, so that
# nothing of this machine changes.
$(ARM64)/root.made:
	@rm -rf $(ARM64_ROOT)
	@mkdir -p $(ARM64)
	mmdebstrap --quiet --variant=extract --architectures=arm64 --include=\
	"libc6-dev $(call package,$(NEED))" $(DEBIAN) $(ARM64_ROOT) $(APT_LIST)
	@touch $@

$(ARM64)/emulated/topfn:
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec qemu-aarch64-static -L %s %s "$$@"\n' \
	    $(ARM64_ROOT) $(CURDIR)/$(ARM64)/topfn >$@
	@chmod +x $@

arm64: $(ARM64)/root.made $(ARM64)/emulated/topfn
	@PKG_CONFIG_SYSROOT_DIR=$(ARM64_ROOT) PKG_CONFIG_LIBDIR=$(ARM64_PKG) \
	    $(MAKE) --no-print-directory B=$(ARM64) \
	    CC="aarch64-linux-gnu-gcc --sysroot=$(ARM64_ROOT)" all
	@tests/run $(ARM64)/emulated case

## make lint               clang-tidy, cppcheck, shellcheck; format advice
C_ALL = $(LIB_SRC) $(CLI_SRC) $(SUP_SRC) $(TEST_SRC) $(TOOL_SRC) \
	$(FUZZ_SRC) $(BENCH_SRC)
# A third of the states that clang's analyzer looks at unless it is told: it
# takes half the time, and few functions have more.
PATHS := -Xclang -analyzer-config -Xclang max-nodes=75000
lint:
	@clang-format --dry-run $(C_ALL) 2>&1 | grep -c warning: | \
	    sed 's/$$/ places that clang-format would change/'
	@printf '%s\n' $(C_ALL) | xargs -P 2 -n 1 sh -c 'clang-tidy --quiet \
	    "$$1" -- $(STD) $(PATHS) 2>/dev/null || exit 1' tidy
	@cppcheck -q -j 2 --std=c11 --error-exitcode=1 --inline-suppr -I. \
	    --enable=warning,performance,portability \
	    --suppress=missingIncludeSystem $(C_ALL)
	@shellcheck tests/run tests/agreement tests/agree-commands tests/canary/run tests/field/run \
	    tests/docs tests/words tests/manual tests/exports \
	    tests/terminal tests/fleet tests/servers tests/bench/fleet .ci/run \
	    tests/bench/record tests/bench/compare tests/bare tests/packages \
	    tests/mcp/run tests/page/run tests/page/ready tests/page/unpack \
	    tests/page/exact cli/package/deb

## make install            into PREFIX (/usr/local) below DESTDIR
I := $(DESTDIR)$(PREFIX)
MAN  := $(I)/share/man
COMP_BASH := $(I)/share/bash-completion/completions/topfn
COMP_ZSH  := $(I)/share/zsh/site-functions/_topfn
COMP_FISH := $(I)/share/fish/vendor_completions.d/topfn.fish
install: all
	install -D -m 755 $(B)/topfn $(I)/bin/topfn
	@for page in $(notdir $(wildcard man/*.[157])); do \
	    folder=$(MAN)/man$${page##*.}; \
	    install -D -m 644 man/$$page $$folder/$$page && \
	    for name in $$(sed -n '/^\.SH NAME/{n;s/ *\\-.*//;s/,//g;p;}' \
	        man/$$page); do \
	        [ $$name.$${page##*.} = $$page ] || \
	            ln -sf $$page $$folder/$$name.$${page##*.}; \
	    done; \
	done
	install -D -m 644 cli/completion/topfn.bash $(COMP_BASH)
	install -D -m 644 cli/completion/_topfn $(COMP_ZSH)
	install -D -m 644 cli/completion/topfn.fish $(COMP_FISH)
	install -D -m 644 cli/package/skill/SKILL.md \
	    $(I)/share/topfn/skill/SKILL.md

## make deb          a Debian package of it, in the build folder
VERSION = $(shell sed -n 's/.*TOPFN_VERSION "\(.*\)"/\1/p' cli/command.h)
deb: all
	@cli/package/deb $(B) $(VERSION)

## make dist         a source archive of what is committed
dist:
	@mkdir -p $(B)
	git archive --prefix=topfn-$(VERSION)/ HEAD | gzip -9n \
	    >$(B)/topfn-$(VERSION).tar.gz

uninstall:
	rm -f $(I)/bin/topfn $(COMP_BASH) $(COMP_ZSH) $(COMP_FISH)
	rm -f $(MAN)/man1/topfn.1 $(MAN)/man[157]/topfn-*.[157]
	rm -rf $(I)/share/topfn

## make generated    completions and the pages' options, from the table
generated: $(B)/topfn
	@$< help --as bash >cli/completion/topfn.bash
	@$< help --as zsh >cli/completion/_topfn
	@$< help --as fish >cli/completion/topfn.fish
	@for page in man/*.[157]; do $< help --as roff | awk ' \
	    /^\.\\" options: / { key = $$0; if (NR > FNR) print; next } \
	    /^\.\\" end of options/ { \
	        if (NR > FNR) printf "%s%s\n", part[key], $$0; \
	        key = ""; next } \
	    NR == FNR { part[key] = part[key] $$0 "\n" } \
	    NR > FNR && !key' - $$page >$(B)/page && cat $(B)/page >$$page; \
	done
	@rm -f $(B)/page

## SAN=address,undefined or SAN=thread, CC=clang: builds in their own folders;
## V=1 shows commands, WERROR=1 makes warnings errors
help:
	@sed -n 's/^## //p' Makefile

## make clean              remove every build folder
clean:
	rm -rf build build-*

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

.PHONY: all canary deps deps-dev deps-canary deps-page deps-fleet deps-compilers demo testable test update generated fuzz fuzz-run \
	torture hostile mutate bench arm64 lint install deb dist uninstall help clean force
.SECONDARY:
.DELETE_ON_ERROR:
