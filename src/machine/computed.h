/* How many threads of this process compute in a stretch of time.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_COMPUTED_H
#define TILELAB_MACHINE_COMPUTED_H

/* Notes the processor time of each thread that there is now. */
void computed_begin(void);
/* How many of the threads that there are now have taken processor time since then; 0: not known. A thread that ended in
 * between is not counted. */
int computed_threads(void);

#endif
