# The code of the SYCL kernels: a shared object that the program loads at run time. Any compiler of SYCL 2020 builds it.
# The script detect tries the compiler; without one, the cells of SYCL variants are skipped.
# SPDX-License-Identifier: MIT

# Intel's compiler alone computes with fast-math unless it is told not to.
SYCL_FLAGS := -O3 -std=c++17 -fPIC -fvisibility=hidden $(if $(filter %icpx,$(firstword $(SYCL))),-fp-model=precise) \
    $(INCLUDES)
SYCL_OBJECT := $(if $(SYCL),$(BUILD)/tilelab-sycl.so)
SYCL_FILES := $(addprefix kernels/,$(filter %.cpp,$(DEVICE_FILES))) $(wildcard src/backend/sycl/*.cpp)
SYCL_CODE := $(SYCL_FILES:%.cpp=$(OBJ)/%.sycl.o)
# What is recorded with the results of a kernel, see device_suffix in build.mk. The version of the compiler belongs to
# the identity of a device, see sycl_identity: a machine without a compiler has the same hash.
device_cpp := __cplusplus
line_cpp = $(strip $(or $(notdir $(firstword $(SYCL))) $(wordlist 2,9,$(SYCL)),sycl) $(SYCL_FLAGS) -c $<)
code_line_cpp = $(strip sycl $(SYCL_FLAGS) -c $<)
version_cpp :=

BACKEND_GOALS += sycl
BACKEND_NEEDED += $(if $(SYCL),sycl)
BACKEND_OBJECTS += $(SYCL_OBJECT)
BACKEND_INFO += SYCL_VERSION SYCL_WHY
BACKEND_SETTINGS += $(call setting,sycl,$(SYCL)) $(call setting,sycl_why,$(SYCL_WHY)) \
    $(call setting,sycl_flags,$(SYCL_FLAGS))

.PHONY: sycl
sycl: $(SYCL_OBJECT)
ifeq ($(SYCL),)
	@printf '%-8s %s\n' SYCL 'skipped: $(SYCL_WHY)'
endif

$(GEN)/sycl: always
	$(call replace,echo '$(SYCL) $(SYCL_VERSION) $(SYCL_FLAGS)')

$(OBJ)/%.sycl.o: %.cpp $(GEN)/sycl
	$(call step,SYCL,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(SYCL) $(SYCL_FLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<

$(BUILD)/tilelab-sycl.so: $(SYCL_CODE)
	$(call check_symbols,$^)
	$(call step,LINK,$@)
	$(Q)$(SYCL) $(SYCL_FLAGS) -shared -o $@ $^

-include $(SYCL_CODE:.o=.d)
