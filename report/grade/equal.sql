-- The rows of equal.csv. SPDX-License-Identifier: MIT
SELECT hash, submissions, files FROM equal ORDER BY submissions, files;
