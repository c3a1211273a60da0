# The program: the runner, the problems, each CPU kernel in each build, and the host part of each device kernel.
# SPDX-License-Identifier: MIT

# CITATION.cff alone tells version, date and public address.
cited = $(shell sed -n 's/^$(1): *//p' CITATION.cff | tr -d '"')
VERSION := $(call cited,version)
OBJ := $(BUILD)/obj
GEN := $(BUILD)/gen

# The registry says which kernels there are; make stops here if a line has no file. tools/registry prints the lines.
# $(call made,BUILDS) gives the files of the backends that compile their kernels in this way, as "matmul/seq_ijk.c".
REGISTERED := $(shell tools/registry | tr ' ' :)
field = $(word $(2),$(subst :, ,$(1)))
kernel_file = $(call field,$(1),3)/$(call field,$(1),4)$(call field,$(1),5)
made = $(foreach r,$(REGISTERED),$(if $(filter $(1),$(call field,$(r),2)),$(call kernel_file,$(r))))
CPU_KERNELS := $(basename $(call made,BUILDS))
BLAS_KERNELS := $(basename $(call made,LIBRARIES))
DEVICE_FILES := $(call made,DEVICE)
TEAM_KERNELS := $(basename $(call made,TEAM))
DEVICE_KERNELS := $(basename $(DEVICE_FILES))

WARNINGS := -Wall -Wextra $(if $(filter true,$(CI)),-Werror)
# No object contains a path of this machine.
REPRODUCIBLE := $(call quoted,-ffile-prefix-map=$(CURDIR)=.)
# An include of another room names the room, "plan/grid.h". A header that kernels share is "common/gemm.h".
INCLUDES := -Isrc -Ikernels
RUNNER_CFLAGS := -std=c11 -D_GNU_SOURCE -O2 -g -fopenmp -pthread $(WARNINGS) $(REPRODUCIBLE) $(INCLUDES) -I$(GEN) \
    $(LIB_CFLAGS)

# The measured code: each kernel is compiled once for each precision, optimisation level and instruction set, and the
# program chooses at run time. -ffp-contract=fast allows what -std=c11 would forbid: a fused multiply-add, which rounds
# once and stays within every bound. There is no fast-math.
PRECISIONS := f32 f64 i32
OPTS := O2 O3
ISAS := base $(if $(X86),v3 v4)
MARCH_base := $(if $(X86),-march=x86-64)
MARCH_v3 := -march=x86-64-v3
MARCH_v4 := -march=x86-64-v4
DEFINE_f32 := -DTILELAB_F32
DEFINE_f64 := -DTILELAB_F64
DEFINE_i32 := -DTILELAB_I32
BUILDS := $(foreach p,$(PRECISIONS),$(foreach o,$(OPTS),$(foreach i,$(ISAS),$(p)_$(o)_$(i))))
part = $(word $(2),$(subst _, ,$(1)))
# The flags that decide the code of one build. They are recorded with the results.
KERNEL_FLAGS = -std=c11 -$(call part,$(1),2) $(MARCH_$(call part,$(1),3)) -ffp-contract=fast -fopenmp \
    $(DEFINE_$(call part,$(1),1)) -DTILELAB_BUILD=_$(1) $(INCLUDES)
RECORDED_BUILD := f32_O3_$(lastword $(ISAS))
KERNEL_WARNINGS := $(WARNINGS) -Wno-unknown-pragmas
# The numbers of source lines, for `tilelab show --assembly`. They change no instruction, so they are not recorded.
# objdump 2.40 takes the wrong file from line tables of DWARF 5.
KERNEL_LINES := -g1 -gdwarf-4 -fno-var-tracking
# With -pthread the headers of the system declare calls of POSIX too, which kernels made to fail use. GCC's -fopenmp
# implies it, and clang's does not. It changes no instruction either.
KERNEL_HEADERS := $(if $(findstring clang,$(CC_VERSION)),-pthread)

RUNNER_OBJECTS := $(patsubst %.c,$(OBJ)/%.o,$(sort $(wildcard src/*.c src/*/*.c src/*/*/*.c)))
# Problems, their verification and the variants that call a library are compiled once, with the flags of the runner.
PLAIN := $(sort $(filter-out $(CPU_KERNELS:%=kernels/%),$(patsubst %.c,%,$(wildcard kernels/*/*.c))))
HOST_OBJECTS := $(PLAIN:%=$(OBJ)/%.o) $(DEVICE_KERNELS:%=$(OBJ)/kernels/%.host.o)
KERNEL_OBJECTS := $(CPU_KERNELS:%=$(OBJ)/kernels/%.o)
# What holds the description of a variant, and of CPU kernels the code.
DESCRIPTIONS := $(KERNEL_OBJECTS) $(DEVICE_KERNELS:%=$(OBJ)/kernels/%.host.o) \
    $(patsubst %,$(OBJ)/kernels/%.o,$(BLAS_KERNELS) $(TEAM_KERNELS))
# The build writes these sources of the runner before it compiles anything.
SQL_STRINGS := between between-table calibrate-twins calibration-summary ceilings cells compare-called \
    compare-folders compare-launches crossings inventory judge-claims library limits show withdrawn
GENERATED := $(addprefix $(GEN)/,build_info.h hashes.def lines.def packages.h $(SQL_STRINGS:=.sql.inc) \
    tilelab-experiment.5.inc)
OBJECTS := $(RUNNER_OBJECTS) $(HOST_OBJECTS) $(KERNEL_OBJECTS)
# The OpenMP library, which a bare system lacks, lies beside the program. It is not linked statically: a BLAS that uses
# OpenMP must share it, or each would have threads of its own.
OPENMP_BESIDE := -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib/tilelab'
LINK_LIBS := $(LIBS) -fopenmp -pthread -ldl -lm
# What a problem of a user's own folder calls, see tools/own-kernel, and a kernel that is traced.
LINK_SYMBOLS := -Wl,--dynamic-list=mk/problem-symbols
# The line numbers of all builds would quadruple the size of the program.
LINK_LINES := -Wl,--compress-debug-sections=zlib

# $(call check_symbols,objects): what is linked here exports the entry points of kernels alone.
check_symbols = $(Q)tools/kernel-symbols $(filter $(OBJ)/kernels/%,$(1))

# The .mk file of a backend adds to these: goals of `make test` beside the program, those of them that `make build`
# leaves out because nothing here runs their code, those that a measurement on this machine needs, shared objects that
# are installed, variables that the program knows as TILELAB_NAME, and settings for tools/own-kernel.
BACKEND_GOALS :=
BACKEND_IDLE :=
BACKEND_NEEDED :=
BACKEND_OBJECTS :=
BACKEND_INFO :=
BACKEND_SETTINGS =

define newline


endef

$(OBJECTS): | buildable

# Tells what is missing for a build in one message, instead of a page of compiler errors.
.PHONY: buildable
buildable:
	@[ -z '$(strip $(MISSING_BUILD))' ] || { \
	    echo 'Cannot build without: $(MISSING_BUILD)' >&2; \
	    echo 'Install it with: make setup   (as root, or with sudo that asks nothing)' >&2; exit 1; }
	@[ -z '$(OPENMP_WHY)' ] || { echo '$(OPENMP_WHY); for clang install libomp-dev' >&2; exit 1; }

# Who starts the program meanwhile gets the old one: the new one takes its place when it is whole.
$(BUILD)/tilelab: $(OBJECTS) mk/problem-symbols | $(BUILD)/compile.conf
	$(Q)tools/kernel-symbols $(DESCRIPTIONS)
	$(call step,LINK,$@)
	$(Q)$(CC) -o $@.new $(OBJECTS) $(LINK_LINES) $(LINK_SYMBOLS) $(OPENMP_BESIDE) $(LDFLAGS) $(LINK_LIBS)
	$(Q)for library in $$(objdump -p $@.new | awk '$$1 == "NEEDED" && $$2 ~ /^lib[gi]?omp/ { print $$2 }'); do \
	    cp -Lf "$$($(CC) -print-file-name="$$library")" $(@D)/$$library.new && \
	    mv $(@D)/$$library.new $(@D)/$$library || exit; done
	$(Q)mv $@.new $@

$(OBJ)/src/%.o: src/%.c | $(GENERATED)
	$(call step,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(RUNNER_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(OBJ)/kernels/%.o: kernels/%.c
	$(call step,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(RUNNER_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# $(call device_suffix,cu) makes the rules for files with that suffix. The C compiler compiles the description in a
# file; the device's compiler compiles the kernel.
define device_suffix
$(OBJ)/kernels/%.host.o: kernels/%.$(1)
	$$(call step,CC,$$< (host part))
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CC) $$(RUNNER_CFLAGS) $$(CFLAGS) -MMD -MP -c -o $$@ -x c $$<

# The hash covers the host part, then the device part, which is C++ that the C preprocessor can read too. The backend's
# own .mk file sets the macro that tells its compiler, the compile line and the version of the compiler.
preprocess_$(1) = $$(preprocess) -x c $$<; $$(preprocess) -x c -w -D$$(device_$(1)) $$<;
$(GEN)/hash/%.$(1): kernels/%.$(1)
	$$(call hash,$$(preprocess_$(1)),$$(line_$(1)),$$(version_$(1)),$$(code_line_$(1)))
endef
$(foreach s,$(sort $(suffix $(DEVICE_FILES))),$(eval $(call device_suffix,$(s:.%=%))))

$(KERNEL_OBJECTS): $(OBJ)/kernels/%.o: kernels/%.c
	$(call step,CC,$< ($(words $(BUILDS)) builds))
	$(Q)mkdir -p $(@D)
	$(foreach b,$(BUILDS),$(Q)$(CC) $(call KERNEL_FLAGS,$(b)) $(KERNEL_HEADERS) $(KERNEL_WARNINGS) $(KERNEL_LINES) \
	    $(REPRODUCIBLE) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $(@:.o=)_$(b).part.o $<$(newline))
	$(Q)$(LD) -r -o $@ $(BUILDS:%=$(@:.o=)_%.part.o)
	$(Q)rm $(BUILDS:%=$(@:.o=)_%.part.o)

# --- Generated sources ---

# $(call replace,command) writes the output of a command to the target, only if the bytes have changed.
replace = @mkdir -p $(@D); $(1) >$@.new; if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

.PHONY: always
always:

# With another compiler or other flags, everything is compiled again. Paths of this machine do not count.
compiler_and_flags = $(CC_VERSION) $(filter-out -Werror -I$(GEN) $(REPRODUCIBLE),$(RUNNER_CFLAGS)) $(CFLAGS) \
    $(call KERNEL_FLAGS,$(RECORDED_BUILD)) $(KERNEL_LINES)
$(GEN)/compiler: always
	$(call replace,echo '$(compiler_and_flags)')
$(OBJECTS): $(GEN)/compiler

$(GEN)/build_info.h: always
	$(call replace,VERSION='$(VERSION)' RELEASED='$(call cited,date-released)' \
	    ADDRESS='$(or $(call cited,repository-code),$(call cited,url))' CC='$(CC)' CC_VERSION='$(CC_VERSION)' \
	    CFLAGS='$(call flags_of_all_builds)' $(foreach n,$(BACKEND_INFO),$(n)='$($(n))') \
	    tools/build-info $(BACKEND_INFO))

# The registry in the form that C reads.
$(GEN)/lines.def: always
	@tools/registry c >/dev/null
	$(call replace,tools/registry c)

# The flags of all builds in one line: "-std=c11 -O2|-O3 -march=x86-64|-march=x86-64-v3 ...".
join_or = $(subst $() $(),|,$(strip $(1)))
flags_of_all_builds = -std=c11 $(call join_or,$(OPTS:%=-%)) $(call join_or,$(foreach i,$(ISAS),$(MARCH_$(i)))) \
    -ffp-contract=fast -fopenmp

# A hash for each variant. A change of the hash makes the variant's results stale. The hash covers the preprocessed code
# of the variant's file and of the headers under kernels/ that the file includes, and the compile line. tools/code-text
# leaves out what decides no instruction. Headers of the system and of CUDA are empty here, so that the same code has
# the same hash on every machine.
HASHES := $(CPU_KERNELS:%=$(GEN)/hash/%.cpu) $(BLAS_KERNELS:%=$(GEN)/hash/%.blas) $(DEVICE_FILES:%=$(GEN)/hash/%) \
    $(TEAM_KERNELS:%=$(GEN)/hash/%.team)
compiler_name := $(notdir $(firstword $(CC))) $(wordlist 2,9,$(CC))
cpu_line = $(strip $(compiler_name) $(call KERNEL_FLAGS,$(RECORDED_BUILD)) -c $<)
blas_line = $(strip $(compiler_name) -std=c11 -D_GNU_SOURCE -O2 $(INCLUDES) -c $<)
EMPTY_HEADERS := $(GEN)/empty
preprocess = $(CC) -E -nostdinc -isystem $(EMPTY_HEADERS) $(INCLUDES)
# $(call hash,preprocessing commands,compile line,compiler's version[,compile line that the hash covers]). The hash does
# not cover paths.
define hash
	@mkdir -p $(@D)
	@{ $(preprocess) -x c -MM -MP -MT $@ $<; $(preprocess) -x c -D__CUDACC__ -D__cplusplus -MM -MP -MT $@ $<; } >$@.d
	@{ { $(1) } | awk -f tools/code-text; echo '$(filter-out -I% $<,$(or $(4),$(2))) $(3)'; } | sha256sum \
	    | { read -r sum _; echo "HASH(\"$*\", \"$$sum\", \"$(2)\")"; } >$@
endef

$(HASHES): $(GEN)/compiler $(EMPTY_HEADERS)/made tools/code-text

# An empty header for each system header that the kernels and the public headers include.
$(EMPTY_HEADERS)/made: $(wildcard kernels/*/* src/*.h src/backend/*/*_variant.*)
	@rm -rf $(@D) && mkdir -p $(@D)
	@sed -nE 's/^ *# *include <([^>]+)>.*/\1/p' $^ | sort -u | while read -r header; do \
	    mkdir -p "$$(dirname "$(@D)/$$header")" && : >"$(@D)/$$header"; done
	@touch $@

preprocess_builds = $(foreach p,$(PRECISIONS),$(foreach i,$(ISAS),$(preprocess_build)))
look = -std=c11 $(MARCH_$(i)) -fopenmp $(DEFINE_$(p))
preprocess_build = $(preprocess) $(look) $<;
$(GEN)/hash/%.cpu: kernels/%.c
	$(call hash,$(preprocess_builds),$(cpu_line),$(CC_VERSION))

$(GEN)/hash/%.blas: kernels/%.c
	$(call hash,$(preprocess) -std=c11 $<;,$(blas_line),$(CC_VERSION))

# How kernels are compiled and hashed, as variables of bash, for tools/own-kernel. NAME is `builds`, `libraries`, or the
# suffix of a device's files; the line of NAME lacks the name of the file.
setting = printf '%s=%q\n' $(1) $(call quoted,$(2));
line_of = $(call setting,line_$(1),$(filter-out $<,$(2))) \
    $(call setting,hashed_$(1),$(filter-out -I% $<,$(or $(4),$(2))) $(3))
own_flags = $(filter-out -Werror -I$(GEN) $(REPRODUCIBLE),$(1))
device_settings = $(foreach s,$(patsubst .%,%,$(sort $(suffix $(DEVICE_FILES)))), \
    $(call line_of,$(s),$(line_$(s)),$(version_$(s)),$(code_line_$(s))) $(call setting,device_$(s),$(device_$(s))))
$(BUILD)/compile.conf: always
	$(call replace,{ $(call setting,cc,$(CC)) $(call setting,cc_version,$(CC_VERSION)) \
	    $(call setting,link_flags,$(LDFLAGS)) \
	    $(call line_of,builds,$(cpu_line),$(CC_VERSION)) $(call line_of,libraries,$(blas_line),$(CC_VERSION)) \
	    $(device_settings) $(BACKEND_SETTINGS) \
	    $(call setting,plain_flags,$(call own_flags,$(RUNNER_CFLAGS) $(CFLAGS))) \
	    $(call setting,kernel_extra,$(call own_flags,$(KERNEL_HEADERS) $(KERNEL_WARNINGS) $(KERNEL_LINES))) \
	    $(foreach b,$(BUILDS),$(call setting,flags_$(b),$(call KERNEL_FLAGS,$(b)))) \
	    $(foreach p,$(PRECISIONS),$(foreach i,$(ISAS),$(call setting,look_$(p)_$(i),$(look)))) })

# SQL that the program runs itself, and a page that it fills in, as strings of C.
$(SQL_STRINGS:%=$(GEN)/%.sql.inc): $(GEN)/%.sql.inc: report/%.sql
$(GEN)/tilelab-experiment.5.inc: doc/tilelab-experiment.5.in
$(GEN)/%.inc:
	$(Q)mkdir -p $(@D)
	$(Q)sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< >$@

$(GEN)/packages.h: always
	$(call replace,tools/missing --header)

$(GEN)/hashes.def: $(HASHES)
	$(call replace,cat $(sort $(HASHES)))

-include $(OBJECTS:.o=.d) $(HASHES:%=%.d)
