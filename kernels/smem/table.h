/* The table of the probe `smem`, in groups of four elements; a lane's next group is a warp further.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SMEM_TABLE_H
#define TILELAB_SMEM_TABLE_H

enum { SMEM_GROUPS = 256, SMEM_GROUP = 4, SMEM_STEP = 32 };

#endif
