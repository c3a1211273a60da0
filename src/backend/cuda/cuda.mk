# The GPU's code: shared objects that the program loads at run time if there is a device. The variants that need a
# library of the CUDA Toolkit lie in a shared object of their own, which is built if the library's header is there. So
# the main shared object also loads without the library.
# SPDX-License-Identifier: MIT

# $(call nvcc_flags,architectures)
nvcc_flags = -arch=$(1) -O3 -std=c++17 -objtemp -Xcompiler -fPIC,-fvisibility=hidden $(INCLUDES)
NVCC_FLAGS := $(call nvcc_flags,$(CUDA_ARCH))
# The instructions wgmma and setmaxnreg exist in architecture 9.0a only, which is in no list of architectures. Compilers
# before CUDA 12 do not know it. A kernel that uses them asks for the macro of that architecture.
HOPPER_KERNELS := $(shell tools/reaches -v word=__CUDA_ARCH_FEAT_SM90_ALL kernels/*/*.cu kernels/*/*.cuh)
HOPPER := $(if $(filter-out 10.% 11.%,$(NVCC_VERSION)),-gencode arch=compute_90a$(comma)code=sm_90a)
is_hopper = $(filter $(HOPPER_KERNELS),$<)
MORE = $(if $(and $(is_hopper),$(filter all% sm_90,$(CUDA_ARCH))),$(HOPPER))
CUDA_INCLUDES := $(patsubst %/bin/nvcc,%/include,$(NVCC)) /usr/include
CUDA_LIBS = $(firstword $(wildcard $(patsubst %/bin/nvcc,%/lib64,$(NVCC)) /usr/lib/$(shell uname -m)-linux-gnu))
HEADER_cublas := cublas_v2.h
HEADER_cusolver := cusolverDn.h
LIBRARIES := $(foreach l,cublas cusolver,$(if $(wildcard $(CUDA_INCLUDES:%=%/$(HEADER_$(l)))),$(l)))
CUDA_OBJECTS := $(if $(NVCC),$(BUILD)/tilelab-cuda.so $(LIBRARIES:%=$(BUILD)/tilelab-%.so))
# What ranks of a team of GPUs load lies in the shared objects of ../team/team.mk.
TEAM_CUDA := $(foreach r,$(REGISTERED),$(if $(filter GPUS,$(call field,$(r),1)),kernels/$(call kernel_file,$(r))))
CUDA_FILES := $(filter-out $(TEAM_CUDA),$(addprefix kernels/,$(filter %.cu,$(DEVICE_FILES)))) \
    $(wildcard src/backend/cuda/*.cu)
DEVICE_CODE := $(CUDA_FILES:%.cu=$(OBJ)/%.cuda.o)
# What is recorded with the results of a kernel, see device_suffix in build.mk.
device_cu := __CUDACC__
line_cu = $(strip nvcc $(NVCC_FLAGS) $(MORE) -c $<)
version_cu = $(NVCC_VERSION)
# The line that the hash covers names every architecture: for which ones a kernel was compiled as well decides no
# instruction of the one that ran.
code_line_cu = $(strip nvcc $(call nvcc_flags,all-major) $(if $(is_hopper),$(HOPPER)) -c $<)
# $(call code_of,library) gives the code of a library's variants: their names start with the library's name.
code_of = $(foreach o,$(DEVICE_CODE),$(if $(findstring /$(1),$(o)),$(o)))

# Compiling it takes minutes. Where there is no GPU, only `make test` does that, or who names an architecture.
CUDA_IDLE := $(if $(NVCC),$(if $(CUDA_ASKED),,no GPU is here; CUDA_ARCH=all-major compiles for every GPU),$(NVCC_WHY))
BACKEND_GOALS += cuda
BACKEND_IDLE += $(if $(CUDA_IDLE),cuda)
BACKEND_NEEDED += $(if $(GPU),cuda)
BACKEND_OBJECTS += $(if $(CUDA_IDLE),,$(CUDA_OBJECTS))
BACKEND_INFO += NVCC_VERSION
BACKEND_SETTINGS += $(call setting,nvcc,$(NVCC)) $(call setting,nvcc_why,$(NVCC_WHY)) \
    $(call setting,nvcc_flags,$(NVCC_FLAGS)) $(call setting,nvcc_arch,-arch=$(CUDA_ARCH)) \
    $(call setting,nvcc_hopper,$(if $(filter all% sm_90,$(CUDA_ARCH)),$(HOPPER))) \
    $(call setting,cuda_libs,$(CUDA_LIBS))

.PHONY: cuda tell-cuda-idle
cuda: $(CUDA_OBJECTS)
build: $(if $(CUDA_IDLE),tell-cuda-idle)
tell-cuda-idle:
	@printf '%-8s %s\n' CUDA 'skipped: $(CUDA_IDLE)'

$(GEN)/nvcc: always
	$(call replace,echo '$(NVCC_VERSION) $(NVCC_FLAGS)')

$(OBJ)/%.cuda.o: %.cu $(GEN)/nvcc
	$(call step,NVCC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(NVCC) $(NVCC_FLAGS) $(MORE) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<

$(BUILD)/tilelab-cuda.so: $(filter-out $(call code_of,cublas) $(call code_of,cusolver),$(DEVICE_CODE))
	$(call check_symbols,$^)
	$(call step,LINK,$@)
	$(Q)$(NVCC) -arch=$(CUDA_ARCH) -shared -cudart static -o $@ $^

# Each object has a CUDA runtime of its own, and reads the errors of that runtime.
$(BUILD)/tilelab-cublas.so: $(call code_of,cublas) $(OBJ)/src/backend/cuda/cuda_error.cuda.o
$(BUILD)/tilelab-cusolver.so: $(call code_of,cusolver) $(OBJ)/src/backend/cuda/cuda_error.cuda.o
$(BUILD)/tilelab-cublas.so $(BUILD)/tilelab-cusolver.so: $(BUILD)/tilelab-%.so:
	$(call check_symbols,$^)
	$(call step,LINK,$@)
	$(Q)$(NVCC) -arch=$(CUDA_ARCH) -shared -cudart static -o $@ $^ -l$* -Xlinker -rpath,$(CUDA_LIBS)

-include $(DEVICE_CODE:.o=.d)
