-- The page of one submission. Parameters: :title, :submission, :base_name, :measured, and :log, what the program said
-- last. SPDX-License-Identifier: MIT
SELECT '<!DOCTYPE html><meta charset="utf-8"><title>' || html(:title || ': ' || :submission) || '</title>'
       || '<style>body{font:1em sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}'
       || 'td,th{border-bottom:1px solid #ccc;padding:.3em .6em;text-align:left}pre{white-space:pre-wrap}</style>';
SELECT '<h1>' || html(:title) || '</h1><h2>' || html(submission) || ': '
       || coalesce(points || ' of ' || most || ' points', 'not graded') || '</h2><p>'
       || CASE WHEN status <> 'ok' THEN html(upper(substr(remark, 1, 1)) || substr(remark, 2))
                                         || '</p><p>No time counts.'
               ELSE 'All results are right. The submission is ' || ratio(ratio, low, high) || ' times as fast as '
                    || html(:base_name) || ', in ' || rounds || ' rounds.'
                    || coalesce(' Remark: ' || html(remark) || '.', '') END || '</p>'
FROM placed WHERE submission = :submission;
SELECT '<p>' || html(name || ': ' || meaning) || '</p>' FROM flagged WHERE submission = :submission ORDER BY ord;
SELECT '<table><tr><th>n<th>time<th>' || html(:base_name) || '<th>ratio</tr>'
WHERE EXISTS (SELECT 1 FROM sizes WHERE substr(folder, 3) = :submission);
SELECT '<tr><td>' || n || '<td>' || si(own_s, 's') || '<td>' || si(base_s, 's') || '<td>' || sig(ratio, 3) || '</tr>'
FROM sizes WHERE substr(folder, 3) = :submission ORDER BY n;
SELECT '</table>' WHERE EXISTS (SELECT 1 FROM sizes WHERE substr(folder, 3) = :submission);
SELECT '<h3>Points</h3><table><tr><th>for<th>points</tr>';
SELECT '<tr><td>' || CASE kind WHEN 'failed' THEN 'what does not build' WHEN 'built' THEN 'what builds, and is wrong'
                               WHEN 'right' THEN 'right results'
                               ELSE 'at least ' || ratio || ' times as fast as ' || html(:base_name) END
       || '<td>' || points || '</tr>'
FROM points;
SELECT '</table><p>' || html(:measured) || '</p>';
-- html() makes a line break a blank, so that U+2424 stands for it there.
SELECT '<h3>What the program said</h3><pre>' || replace(html(replace(:log, char(10), char(9252))), char(9252), '<br>')
       || '</pre>'
WHERE :log <> '';
