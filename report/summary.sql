-- The best own variant of each problem and device beside the library. Parameter: :host. SPDX-License-Identifier: MIT
-- needs: paired.sql
-- group
-- align: lllrlrlrrlrr
SELECT problem || iif(contract = 'none', '', '*') AS "Problem", precision AS "Type", side AS "Device",
       n AS "n", idea || coalesce(', -' || built, '') AS "Best own",
       marked(iif(by_bytes, si(1e9 * gbs, 'B/s'), si(1e9 * gflops, 'FLOP/s')), flagged) AS "Rate",
       vendor || iif(vendor_contract = contract, '', '*') AS "Library",
       marked(ratio(vendor_span, span), flagged, vendor_flagged) AS "Own / library", equal_power AS "Both at",
       replace(verdict, 'single', 'one run') AS "Verdict",
       iif(broken, 'broken', sig(share)) AS "% peak", sig(executed_share) AS "% executed"
FROM paired p WHERE host = :host
ORDER BY (SELECT rowid FROM problems q WHERE q.name = p.problem), contract, precision, side;
