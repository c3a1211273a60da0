# The corpus of variants that cheat: a program of its own, beside the tree's, that knows these variants too. Each one is
# compiled once, for one build. tests/cheats/run judges them.
# SPDX-License-Identifier: MIT

CORPUS := $(BUILD)/tests/cheats
CORPUS_ROWS := $(shell awk '/^[a-z]/ { gsub(/-/, "_", $$1); print $$1 ":" $$2 }' tests/cheats/expected)
corpus = $(patsubst %:$(1),%,$(filter %:$(1),$(CORPUS_ROWS)))
CORPUS_CPU := $(call corpus,cpu)
CORPUS_GPU := $(call corpus,gpu)
CORPUS_OPENCL := $(call corpus,opencl)
CORPUS_OBJECTS := $(CORPUS)/registry.o $(CORPUS_CPU:%=$(CORPUS)/%.o) \
    $(patsubst %,$(CORPUS)/%.host.o,$(CORPUS_GPU) $(CORPUS_OPENCL))
CORPUS_CUDA := $(CORPUS_GPU:%=$(CORPUS)/%.cuda.o)
CORPUS_BUILD := f64_O3_base
CORPUS_FLAGS = -Itests/cheats $(REPRODUCIBLE) -I$(GEN) -MMD -MP

# The tree's lines, then those of the corpus.
$(CORPUS)/lines.def: tests/cheats/expected $(GEN)/lines.def
	$(Q)mkdir -p $(@D)
	$(Q){ echo '#include "one_build.h"'; cat $(GEN)/lines.def; awk 'BEGIN { split("cpu gpu opencl", at); \
	    split("CPU, CHEAT|CUDA, DEVICE|OPENCL, DEVICE", made, "|"); split("c cu cl", suffix) } \
	    /^[a-z]/ { split($$1, name, "/"); gsub(/-/, "_", name[2]); for (i in at) if ($$2 == at[i]) \
	    printf "LINE(%s, %s, %s, \".%s\")\n", made[i], name[1], name[2], suffix[i] }' $<; } >$@

$(CORPUS)/hashes.def: $(GEN)/hashes.def $(CORPUS_CPU:%=tests/cheats/%.c) $(CORPUS_GPU:%=tests/cheats/%.cu) \
    $(CORPUS_OPENCL:%=tests/cheats/%.cl)
	$(Q)mkdir -p $(@D)
	$(Q){ cat $<; sha256sum $(wordlist 2,999,$^) | \
	    sed -E 's|^([0-9a-f]+) +tests/cheats/(.*)\.c[ul]?$$|HASH("\2", "\1", "tests/cheats/cheats.mk")|'; } >$@

$(CORPUS)/registry.o: src/registry.c $(CORPUS)/lines.def $(CORPUS)/hashes.def $(GEN)/compiler
	$(call step,CC,$< (corpus))
	$(Q)$(CC) -I$(CORPUS) -Itests/cheats $(RUNNER_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(CORPUS)/%.o: tests/cheats/%.c $(GEN)/compiler | $(GENERATED)
	$(call step,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(call KERNEL_FLAGS,$(CORPUS_BUILD)) $(KERNEL_WARNINGS) -pthread $(CORPUS_FLAGS) -c -o $@ $<

$(CORPUS)/%.host.o: tests/cheats/%.cu $(GEN)/compiler | $(GENERATED)
	$(call step,CC,$< (host part))
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(RUNNER_CFLAGS) $(CFLAGS) $(CORPUS_FLAGS) -c -o $@ -x c $<

# The device's compiler gets the text from the file, see tests/cheats/run.
$(CORPUS)/%.host.o: tests/cheats/%.cl $(GEN)/compiler | $(GENERATED)
	$(call step,CC,$< (host part))
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(RUNNER_CFLAGS) $(CFLAGS) $(CORPUS_FLAGS) -c -o $@ -x c $<

$(CORPUS)/%.cuda.o: tests/cheats/%.cu $(GEN)/nvcc
	$(call step,NVCC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(NVCC) $(NVCC_FLAGS) -Itests/cheats -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<

$(CORPUS)/tilelab: $(filter-out $(OBJ)/src/registry.o,$(OBJECTS)) $(CORPUS_OBJECTS)
	$(call step,LINK,$@)
	$(Q)$(CC) -o $@ $^ -Wl,--strip-debug -Wl$(comma)-rpath$(comma)'$$ORIGIN:$$ORIGIN/../..' $(LDFLAGS) $(LINK_LIBS)

# The program finds the shared object beside itself.
$(CORPUS)/tilelab-cuda.so: $(filter-out $(call code_of,cublas) $(call code_of,cusolver),$(DEVICE_CODE)) $(CORPUS_CUDA)
	$(call step,LINK,$@)
	$(Q)$(NVCC) -arch=$(CUDA_ARCH) -shared -cudart static -o $@ $^

.PHONY: cheats
# `make cheats` builds the whole corpus, so that a machine without a compiler can judge it.
cheats: $(CORPUS)/tilelab $(patsubst %,$(CORPUS)/%.o,$(call corpus,build)) \
    $(if $(NVCC),$(CORPUS)/tilelab-cuda.so)
test: $(CORPUS)/tilelab $(patsubst %,$(CORPUS)/%.o,$(call corpus,build)) \
    $(if $(GPU),$(if $(NVCC),$(CORPUS)/tilelab-cuda.so))

-include $(CORPUS_OBJECTS:.o=.d) $(CORPUS_CUDA:.o=.d)
