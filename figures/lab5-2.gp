# Speed-up of the GPU kernels over OpenMP.
# SPDX-License-Identifier: MIT
left_label = 'speed-up over omp-ijk'
reference = 1
load 'figures/by_n.gp'
