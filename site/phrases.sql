-- The words of the site that no query and no experiment file gives. report/words.csv has them in other languages.
-- SPDX-License-Identifier: MIT
CREATE TEMP TABLE phrase(name TEXT, text TEXT);
INSERT INTO phrase(text) VALUES
    ('Studies'), ('Answers'), ('Conclusions'), ('Claims'), ('Machines'), ('Kernels'), ('All cells'), ('All files'),
    ('tilelab: all results'), ('The best own variants beside the libraries'), ('Verdicts on claims'),
    ('Claims of the sources, and verdicts'), ('Variants that are wrong'), ('Machines compared'),
    ('Machine code of the innermost loop'), ('Variant'), ('Host'), ('Source hash'), ('Compile line'),
    ('How to read figures and tables'), ('Nothing was measured'), ('Error'),
    ('split products');
INSERT INTO phrase VALUES
    ('introduction of index', 'Each study has its figures and tables. The number of its cells leads to all cells with '
     || 'their reasons and samples.'),
    ('answers in short', 'The main questions, answered in short'),
    ('columns of the best', 'Own / library is the ratio of the speeds, above 1 where the own variant is faster; % peak '
     || 'is the share of the measured peak, for solvers of the read bandwidth, in brackets with operations beyond '
     || 'those that are needed; the error of split products is over that of the library.'),
    ('what scripts do', 'The head of a column is a button that sorts the table. The mouse, or an arrow key, reads a '
     || 'point of a figure off; a click, or Enter, leads to its cell.'),
    ('table moves', 'This table is wider than the page: it moves sideways, and down below its head.'),
    ('without scripts', 'Without JavaScript, no table is sorted or searched, and a cell shows no samples; they are in '
     || 'data/HOST/STUDY.samples.csv.'),
    ('introduction of compare', 'Each cell is compared with the same cell on the first machine. Machines differ, so '
     || 'that no speed-up here is one of the code.'),
    ('nothing to compare', 'Here are no cells that two machines have measured. The command "make measure" measures on '
     || 'this machine, and "tilelab merge FOLDER --into data/NAME" adds the results of another one.');
-- What site.js says, and the heads of columns that it knows.
CREATE TEMP TABLE script_phrase(text TEXT);
INSERT INTO script_phrase VALUES
    ('Figure: arrow keys read its points off'),
    ('Search in this table'), ('This cell has no samples.'), ('samples'), ('round'), ('launch'), ('sample'),
    ('repeats'), ('kernel, s'), ('CPU, s'), ('end to end, s'), ('sweeps'), ('clock, GHz'), ('power, W'),
    ('energy, J'), ('flags'), (' s'), (' ms'), (' µs'), (' ns'), ('elements'), ('n'), ('N'), ('to n'), ('to N'),
    ('threads'), ('Threads'), ('tile'), ('Tile'), ('Type'), ('precision'), ('begin, ms'), ('end, ms'), ('thread'),
    ('bank'), ('row'), ('lane'), ('conflict');
