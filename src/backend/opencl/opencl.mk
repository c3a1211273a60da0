# The texts of the OpenCL kernels, which the program carries: the device's own compiler builds them at run time. So a
# build needs neither headers nor a library of OpenCL.
# SPDX-License-Identifier: MIT

OPENCL_FILES := $(filter %.cl,$(DEVICE_FILES))
# What is recorded with the results of a kernel, see device_suffix in build.mk.
device_cl := __OPENCL_VERSION__
line_cl = clBuildProgram -cl-std=CL1.2 -D REAL=float|double|uint -D TILE=tile -D PADDING=padding \
    -D GROUP_X=columns -D GROUP_Y=rows $<
code_line_cl = clBuildProgram -cl-std=CL1.2 $<
version_cl :=

# SOURCE(matmul_opencl_tiled, "line\n" ...) for each file.
$(GEN)/opencl_sources.def: $(OPENCL_FILES:%=kernels/%) src/backend/opencl/opencl.mk
	$(Q)mkdir -p $(@D)
	$(Q)for file in $(OPENCL_FILES:.cl=); do \
	    echo "SOURCE($${file//\//_},"; \
	    sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' "kernels/$$file.cl"; \
	    echo ')'; done >$@

$(OBJ)/src/backend/opencl/opencl_sources.o $(BUILD)/san/src/backend/opencl/opencl_sources.o: $(GEN)/opencl_sources.def
