-- What failed, one line a cell: the last thing that `make report` prints.
SELECT printf('FAILED   %s: %s%s%s%s%s%s: %s%s', experiment, variant, ifnull(' n=' || n, ''),
              ifnull(' threads=' || threads, ''), ifnull(' tile=' || tile, ''),
              iif(omega IS NULL, '', printf(' omega=%.9g', omega)), ifnull(' sweeps=' || sweeps, ''), status, ifnull(', ' || reason, ''))
FROM results
WHERE status NOT IN ('ok', 'skipped')
ORDER BY experiment, variant, n, threads, tile, omega, sweeps;
