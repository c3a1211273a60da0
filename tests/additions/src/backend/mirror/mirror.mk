# The code of the mirror's kernels: a shared object that the program loads at run time. The compiler of C builds it.
# SPDX-License-Identifier: MIT

MIRROR_OBJECT := $(BUILD)/tilelab-mirror.so
MIRROR_FILES := $(addprefix kernels/,$(filter %.mir,$(DEVICE_FILES))) $(wildcard src/backend/mirror/*.mir)
MIRROR_CODE := $(MIRROR_FILES:%.mir=$(OBJ)/%.mirror.o)
MIRROR_FLAGS := -std=c11 -O2 -fPIC -fvisibility=hidden -DTILELAB_MIRROR $(INCLUDES)
# What is recorded with the results of a kernel, see device_suffix in build.mk.
device_mir := TILELAB_MIRROR
line_mir = cc $(MIRROR_FLAGS) -c $<
code_line_mir = $(line_mir)
version_mir :=

BACKEND_GOALS += mirror
BACKEND_NEEDED += mirror
BACKEND_OBJECTS += $(MIRROR_OBJECT)

.PHONY: mirror
mirror: $(MIRROR_OBJECT)

$(OBJ)/%.mirror.o: %.mir
	$(call step,MIRROR,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(MIRROR_FLAGS) -MMD -MP -c -o $@ -x c $<

$(MIRROR_OBJECT): $(MIRROR_CODE)
	$(call check_symbols,$^)
	$(call step,LINK,$@)
	$(Q)$(CC) -shared -o $@ $^

-include $(MIRROR_CODE:.o=.d)
