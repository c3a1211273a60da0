# Shared objects for the members of teams, one for each library. The members load them, so that the program itself needs
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

team: $(TEAM_OBJECTS)
.PHONY: team

$(GEN)/mpicc: always
	$(call replace,echo '$(MPICC) $(SCALAPACK) $(TEAM_CFLAGS) $(CC_VERSION)')

$(OBJ)/%.member.o: %.c $(GEN)/mpicc
	$(call step,MPICC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)OMPI_CC='$(CC)' $(MPICC) $(TEAM_CFLAGS) $(CFLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c -o $@ $<

SCALAPACK_MEMBERS := src/backend/ranks_member $(addprefix kernels/,$(filter %/scalapack,$(TEAM_KERNELS)))
$(BUILD)/tilelab-scalapack.so: $(SCALAPACK_MEMBERS:%=$(OBJ)/%.member.o)
	$(call step,LINK,$@)
	$(Q)OMPI_CC='$(CC)' $(MPICC) -shared -o $@ $^ $(LDFLAGS) -l$(SCALAPACK)

$(GEN)/hash/%.team: kernels/%.c
	$(call hash,$(preprocess) -std=c11 $<; $(preprocess) -std=c11 -DTILELAB_MEMBER $<;,$(team_line),$(CC_VERSION))

-include $(wildcard $(SCALAPACK_MEMBERS:%=$(OBJ)/%.member.d))
