# Shared objects for the ranks of teams, one for each library. The ranks load them, so that the program itself needs
# neither MPI nor the libraries.
# SPDX-License-Identifier: MIT

MPICC := $(shell command -v mpicc 2>/dev/null)
# The path of a library of this name, if the compiler finds it.
library_path = $(filter /%,$(shell $(MPICC) -print-file-name=lib$(1).so 2>/dev/null))
SCALAPACK := $(if $(MPICC),$(firstword $(foreach l,scalapack-openmpi scalapack,$(if $(call library_path,$(l)),$(l)))))
TEAM_CFLAGS := -std=c11 -D_GNU_SOURCE -O2 -fPIC -fvisibility=hidden -DTILELAB_MEMBER $(WARNINGS) $(REPRODUCIBLE) \
    $(INCLUDES)
TEAM_OBJECTS := $(if $(SCALAPACK),$(BUILD)/tilelab-scalapack.so)
team_line = $(strip mpicc -std=c11 -O2 -DTILELAB_MEMBER $(INCLUDES) -c $<)

# --- GPUs ---

# The headers and libraries that `make setup-cuda-mp` puts into build/cuda-mp, before those of the CUDA Toolkit.
MP := $(BUILD)/cuda-mp
TEAM_CUDA_INCLUDES := $(wildcard $(MP)/include) $(CUDA_INCLUDES)
TEAM_CUDA_LIBS := $(wildcard $(MP)/lib) $(CUDA_LIBS)
TEAM_HEADER_resident := cusolverDn.h
TEAM_HEADER_cusolvermg := cusolverMg.h
TEAM_HEADER_cublasxt := cublasXt.h
TEAM_HEADER_nccl := nccl.h
TEAM_HEADER_cublasmp := cublasmp.h
TEAM_HEADER_cusolvermp := cusolverMp.h
TEAM_LINK_resident := -lcusolver -lcublas -lcublasLt
TEAM_LINK_cusolvermg := -lcusolverMg -lcublas -lcublasLt
TEAM_LINK_cublasxt := -lcublas -lcublasLt
TEAM_LINK_nccl := -l:libnccl.so.2 -lcublas -lcublasLt
TEAM_LINK_cublasmp := -l:libcublasmp.so.0 -l:libnccl.so.2 -lcublas -lcublasLt
TEAM_LINK_cusolvermp := -l:libcusolverMp.so.0 -l:libnccl.so.2 -lcusolver -lcublas -lcublasLt
TEAM_LIBRARIES := $(if $(NVCC),$(foreach l,resident cusolvermg cublasxt nccl cublasmp cusolvermp, \
    $(if $(wildcard $(TEAM_CUDA_INCLUDES:%=%/$(TEAM_HEADER_$(l)))),$(l))))
TEAM_GPUS_OBJECTS := $(TEAM_LIBRARIES:%=$(BUILD)/tilelab-%.so)
# The kernels of a library, and what it needs beside them.
team_code = $(filter %/$(1).cuda.o %/$(1)_syrk.cuda.o %_$(1).cuda.o,$(TEAM_CUDA:%.cu=$(OBJ)/%.cuda.o)) $(TEAM_COMMON) \
    $(if $(findstring nccl,$(TEAM_LINK_$(1))),$(OBJ)/src/team/gpus_nccl.cuda.o)
TEAM_COMMON := $(OBJ)/src/team/gpus_memory.cuda.o $(OBJ)/src/backend/cuda/cuda_error.cuda.o
TEAM_CODE := $(sort $(foreach l,$(TEAM_LIBRARIES),$(call team_code,$(l))))
TEAM_INCLUDES := $(patsubst %,-I%,$(wildcard $(MP)/include))
# The flags are private, so that the file with the flags of all CUDA code has the same bytes whoever asks for it.
$(TEAM_CODE): private NVCC_FLAGS += $(TEAM_INCLUDES)
$(TEAM_CODE): $(GEN)/team-includes
$(GEN)/team-includes: always
	$(call replace,echo '$(TEAM_INCLUDES)')

define team_library
$(BUILD)/tilelab-$(1).so: $(call team_code,$(1))
	$$(call check_symbols,$$^)
	$$(call step,LINK,$$@)
	$$(Q)$$(NVCC) -arch=$$(CUDA_ARCH) -shared -cudart static -o $$@ $$^ $(addprefix -L,$(TEAM_CUDA_LIBS)) \
	    $(TEAM_LINK_$(1)) -Xlinker --allow-shlib-undefined \
	    -Xlinker -rpath,'$$$$ORIGIN/cuda-mp/lib' -Xlinker -rpath,$(CUDA_LIBS)
endef
$(foreach l,$(TEAM_LIBRARIES),$(eval $(call team_library,$(l))))

BACKEND_GOALS += team team-gpus
BACKEND_IDLE += $(if $(CUDA_IDLE),team-gpus)
BACKEND_NEEDED += team $(if $(GPU),team-gpus)
BACKEND_OBJECTS += $(TEAM_OBJECTS) $(if $(CUDA_IDLE),,$(TEAM_GPUS_OBJECTS))

.PHONY: team team-gpus
team: $(TEAM_OBJECTS)
team-gpus: $(TEAM_GPUS_OBJECTS)

$(GEN)/mpicc: always
	$(call replace,echo '$(MPICC) $(SCALAPACK) $(filter-out $(REPRODUCIBLE),$(TEAM_CFLAGS)) $(CC_VERSION)')

$(OBJ)/%.rank.o: %.c $(GEN)/mpicc
	$(call step,MPICC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)OMPI_CC='$(CC)' $(MPICC) $(TEAM_CFLAGS) $(CFLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<

SCALAPACK_RANKS := src/team/ranks_mpi $(addprefix kernels/,$(filter %/scalapack,$(TEAM_KERNELS)))
$(BUILD)/tilelab-scalapack.so: $(SCALAPACK_RANKS:%=$(OBJ)/%.rank.o)
	$(call check_symbols,$^)
	$(call step,LINK,$@)
	$(Q)OMPI_CC='$(CC)' $(MPICC) -shared -o $@ $^ $(LDFLAGS) -l$(SCALAPACK)

$(GEN)/hash/%.team: kernels/%.c
	$(call hash,$(preprocess) -std=c11 $<; $(preprocess) -std=c11 -DTILELAB_MEMBER $<;,$(team_line),$(CC_VERSION))

-include $(TEAM_CODE:.o=.d)
-include $(wildcard $(SCALAPACK_RANKS:%=$(OBJ)/%.rank.d))
