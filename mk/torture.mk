# Long checks: fuzzing, wrong kernels, and a machine in trouble. `make test` replays the corpus of the fuzz targets.
# SPDX-License-Identifier: MIT

FUZZ := $(BUILD)/fuzz
CLANG := clang
FUZZ_FLAGS := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
# Without the tracing of comparisons an input takes half the time; the corpus knows the words.
FUZZ_COVERAGE := -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZERS := $(FUZZ_TARGETS:%=$(FUZZ)/%)
REPLAYS := $(FUZZ_TARGETS:%=$(SAN)/fuzz/%)

# clang compiles the runner, so that libFuzzer sees which lines an input reaches. The kernels are as gcc has made them;
# LLVM's OpenMP has the functions of gcc's.
FUZZ_OBJECTS := $(patsubst $(OBJ)/%,$(FUZZ)/%,$(filter-out $(OBJ)/src/main.o,$(RUNNER_OBJECTS))) \
    $(FUZZ)/tests/fuzz/fuzz.o
.PHONY: fuzz-compiler
fuzz-compiler:
	@command -v $(CLANG) >/dev/null || { echo 'make fuzz needs clang, libFuzzer and the OpenMP of LLVM' >&2; exit 1; }
$(FUZZ)/%.o: %.c $(GEN)/compiler | $(GENERATED) fuzz-compiler
	$(call step,CLANG,$< (for fuzzing))
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(RUNNER_CFLAGS) $(FUZZ_FLAGS) $(FUZZ_COVERAGE) -MMD -MP -c -o $@ $<
$(FUZZERS): $(FUZZ)/%: $(FUZZ)/tests/fuzz/fuzz_%.o $(FUZZ_OBJECTS) $(HOST_OBJECTS) $(KERNEL_OBJECTS)
	$(call step,LINK,$@)
	$(Q)$(CLANG) -o $@ $^ $(FUZZ_FLAGS) -fsanitize=fuzzer $(LIBS) -fopenmp -pthread -ldl -lm

# The same targets with the sanitizers of the compiler that builds the program, and with a main that replays files.
REPLAY_OBJECTS := $(filter-out $(SAN)/src/main.o,$(SAN_OBJECTS)) $(SAN)/tests/fuzz/fuzz.o $(SAN)/tests/fuzz/replay.o
$(REPLAYS): $(SAN)/fuzz/%: $(SAN)/tests/fuzz/fuzz_%.o $(REPLAY_OBJECTS) \
    $(DEVICE_KERNELS:%=$(OBJ)/kernels/%.host.o) $(KERNEL_OBJECTS)
	$(call step,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(LDFLAGS) $(SAN_FLAGS) $(LINK_LIBS)

.SECONDARY: $(FUZZERS:$(FUZZ)/%=$(FUZZ)/tests/fuzz/fuzz_%.o) $(REPLAYS:$(SAN)/fuzz/%=$(SAN)/tests/fuzz/fuzz_%.o)

test: $(REPLAYS)
fuzz: $(FUZZERS)
	$(Q)tests/fuzz/run --time $(call quoted,$(TIME)) --seed $(call quoted,$(SEED)) $(FUZZERS)

# What tests/mutants/run compiles with. The flags name no folder but the working one.
MUTANT_FLAGS = $(foreach b,$(BUILDS),FLAGS_$(b)=$(call quoted,$(call KERNEL_FLAGS,$(b))))
MUTANTS = BUILD='$(BUILD)' CC='$(CC)' LIBS='$(LIBS)' \
    OBJECTS='$(filter-out $(OBJ)/src/main.o,$(RUNNER_OBJECTS) $(HOST_OBJECTS) $(KERNEL_OBJECTS))' \
    RUNNER='$(filter-out $(REPRODUCIBLE),$(RUNNER_CFLAGS))' $(MUTANT_FLAGS) tests/mutants/run
mutants: $(TILELAB) $(patsubst %,$(BUILD)/tests/test_%,banks banks_launch sites)
	$(Q)$(MUTANTS)
races: $(TILELAB)
	$(Q)$(MUTANTS) --races

torture: $(TILELAB) $(INJECTOR)
	$(Q)export BUILD='$(BUILD)' TILELAB='$(abspath $(TILELAB))'; \
	    tests/torture.sh $(call quoted,$(TIME)) $(call quoted,$(SEED))

compare-proof:
	$(Q)tests/compare-proof.sh

-include $(FUZZ_OBJECTS:.o=.d) $(FUZZERS:$(FUZZ)/%=$(FUZZ)/tests/fuzz/fuzz_%.d) $(REPLAY_OBJECTS:.o=.d) \
    $(REPLAYS:$(SAN)/fuzz/%=$(SAN)/tests/fuzz/fuzz_%.d)
