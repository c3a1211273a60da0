# The GPU's code: two shared objects that the program loads at run time where there is a device. The second holds all
# that needs cuBLAS, so that the first also loads without it.
# SPDX-License-Identifier: MIT

comma := ,
NVCC_FLAGS := -arch=$(CUDA_ARCH) -O3 -std=c++17 -objtemp -Xcompiler -fPIC,-fvisibility=hidden -Isrc
# wgmma is an instruction of 9.0a alone, which no list of architectures holds; compilers before CUDA 12 do not know it.
MORE_kernels/fma/cuda_tensor := $(if $(and $(filter all%,$(CUDA_ARCH)),$(filter-out 10.% 11.%,$(NVCC_VERSION))), \
    -gencode arch=compute_90a$(comma)code=sm_90a)
CUDA_OBJECTS := $(if $(NVCC),$(BUILD)/tilelab-cuda.so $(BUILD)/tilelab-cublas.so)
DEVICE_CODE := $(CUDA_KERNELS:%=$(OBJ)/kernels/%.cuda.o) $(patsubst %.cu,$(OBJ)/%.cuda.o,$(wildcard src/*.cu))
CUBLAS_CODE := $(filter %.cuda.o,$(foreach o,$(DEVICE_CODE),$(if $(findstring /cublas,$(o)),$(o))))
CUDA_LIBS = $(firstword $(wildcard $(patsubst %/bin/nvcc,%/lib64,$(NVCC)) /usr/lib/$(shell uname -m)-linux-gnu))

cuda: $(CUDA_OBJECTS)
ifeq ($(NVCC),)
	@printf '%-8s %s\n' CUDA 'skipped: $(NVCC_WHY)'
endif

$(GEN)/nvcc: always
	$(call replace,echo '$(NVCC_VERSION) $(NVCC_FLAGS)')

$(OBJ)/%.cuda.o: %.cu $(GEN)/nvcc
	$(call step,NVCC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(NVCC) $(NVCC_FLAGS) $(MORE_$*) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<

$(BUILD)/tilelab-cuda.so: $(filter-out $(CUBLAS_CODE),$(DEVICE_CODE))
	$(call step,LINK,$@)
	$(Q)$(NVCC) -arch=$(CUDA_ARCH) -shared -cudart static -o $@ $^

$(BUILD)/tilelab-cublas.so: $(CUBLAS_CODE)
	$(call step,LINK,$@)
	$(Q)$(NVCC) -arch=$(CUDA_ARCH) -shared -cudart static -o $@ $^ -lcublas -Xlinker -rpath,$(CUDA_LIBS)

-include $(DEVICE_CODE:.o=.d)
