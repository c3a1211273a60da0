/* The table of the probe `smem` consists of groups of four elements. A thread's next group lies a warp's width further.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SMEM_TABLE_H
#define TILELAB_SMEM_TABLE_H

enum { SMEM_GROUPS = 256, SMEM_GROUP = 4, SMEM_STEP = 32 };

#endif
