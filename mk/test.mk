# make test runs every check that this machine can run; tests/run counts the checks.
# SPDX-License-Identifier: MIT

UNIT_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/unit/test_*.c)))
# These cases are compiled as kernels are: in every build.
GEMM_CASES := tests/unit/gemm_cases
GEMM_OBJECTS := $(BUILDS:%=$(OBJ)/$(GEMM_CASES)_%.o)
UNIT_HELPERS := $(GEMM_OBJECTS) \
    $(patsubst %.c,$(OBJ)/%.o,$(filter-out tests/unit/test_% $(GEMM_CASES).c,$(wildcard tests/unit/*.c)))
TESTED := $(filter-out $(OBJ)/src/main.o,$(OBJECTS))

$(OBJ)/tests/%.o: tests/%.c $(GEN)/compiler | $(GENERATED)
	$(call step,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(RUNNER_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(GEMM_OBJECTS): $(OBJ)/$(GEMM_CASES)_%.o: $(GEMM_CASES).c $(GEN)/compiler
	$(call step,CC,$< ($*))
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(call KERNEL_FLAGS,$*) $(KERNEL_WARNINGS) $(REPRODUCIBLE) -MMD -MP -c -o $@ $<

# What all unit tests share is linked once. The line numbers stay in the separate objects, since copying them into each
# program takes most of the time.
COMMON := $(OBJ)/tests/common.o
$(COMMON): $(UNIT_HELPERS) $(TESTED)
	$(call step,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(LD) -r --strip-debug -o $@ $^

$(BUILD)/tests/%: $(OBJ)/tests/unit/%.o $(COMMON)
	$(call step,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(LDFLAGS) $(LINK_LIBS) $(CMOCKA_LIBS)

# The runner is built a second time, with address and undefined-behaviour sanitizers; the kernels stay as they are.
SAN := $(BUILD)/san
SAN_FLAGS := -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
SAN_OBJECTS := $(patsubst $(OBJ)/%,$(SAN)/%,$(RUNNER_OBJECTS) $(PLAIN:%=$(OBJ)/%.o))

$(SAN)/%.o: %.c $(GEN)/compiler | $(GENERATED)
	$(call step,CC,$< (sanitized))
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(RUNNER_CFLAGS) $(CFLAGS) $(SAN_FLAGS) -MMD -MP -c -o $@ $<

$(SAN)/tilelab: $(SAN_OBJECTS) $(DEVICE_KERNELS:%=$(OBJ)/kernels/%.host.o) $(KERNEL_OBJECTS)
	$(call step,LINK,$@)
	$(Q)$(CC) -o $@ $^ $(LDFLAGS) $(SAN_FLAGS) $(LINK_LIBS)

.SECONDARY: $(UNIT_TESTS:$(BUILD)/tests/%=$(OBJ)/tests/unit/%.o)

# A library that makes chosen calls of the C library fail; it is preloaded into the program.
INJECTOR := $(BUILD)/tests/inject.so
$(INJECTOR): tests/inject.c $(GEN)/compiler
	$(call step,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -D_GNU_SOURCE -std=gnu11 -Wall -Wextra -O1 -fPIC -shared -o $@ $< -ldl

faults: $(TILELAB) $(INJECTOR)
	$(Q)export BUILD='$(BUILD)' TILELAB='$(abspath $(TILELAB))'; \
	    tests/kill.sh && tests/orders.sh 200 && tests/inject.sh all

check-grades: $(TILELAB)
	$(Q)TILELAB='$(abspath $(TILELAB))' tests/grades.sh $(call quoted,$(or $(N),100))

lint: $(TILELAB)
	$(Q)BUILD='$(BUILD)' tests/lint

test: $(TILELAB) $(BACKEND_GOALS) $(if $(CMOCKA_LIBS),$(UNIT_TESTS)) $(SAN)/tilelab $(INJECTOR)
	$(Q)BUILD='$(BUILD)' NVCC='$(NVCC)' GPU='$(GPU)' SANITIZER='$(SANITIZER)' MAKE='$(MAKE)' \
	    JOBS='$(JOBS)' MISSING='$(strip $(MISSING_TEST))' tests/run $(if $(CMOCKA_LIBS),$(UNIT_TESTS))

-include $(patsubst %,$(OBJ)/tests/unit/%.d,$(notdir $(UNIT_TESTS))) $(SAN_OBJECTS:.o=.d) $(UNIT_HELPERS:.o=.d)
-include tests/cheats/cheats.mk
