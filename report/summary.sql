-- The best own variant of each problem and device beside the library: the comparisons that give a verdict or, on a host
-- that has none, all of them. A column of nothing but "undecided" is left out. Products from parts of operands stand
-- behind the others, with their error.
-- Parameter: :host. SPDX-License-Identifier: MIT
-- needs: paired.sql
-- group
-- align: llrlrlrlrr
SELECT problem || iif(contract = 'none', '', '*') AS "Problem", precision || ' ' || side AS "Type", n AS "n",
       idea || coalesce(', -' || built, '') AS "Best own",
       marked(iif(by_bytes, si(1e9 * gbs, 'B/s'), si(1e9 * gflops, 'FLOP/s')), flagged) AS "Rate",
       vendor || iif(vendor_contract = contract, '', '*') AS "Library",
       marked(ratio(vendor_span, span), flagged, vendor_flagged) AS "Own / library",
       iif(min(verdict = 'undecided') OVER (), NULL, replace(verdict, 'single', 'one run')) AS "Verdict",
       iif(broken, 'broken', sig(share) || coalesce(' (' || sig(executed_share) || ')', '')) AS "% peak",
       sig(error_share) AS "Error"
FROM paired p
WHERE host = :host AND shown
ORDER BY emulated, (SELECT rowid FROM problems q WHERE q.name = p.problem), contract, precision, side;
