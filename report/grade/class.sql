-- The page of the class. Parameters: :title, :base_name, :measured, how the submissions were measured.
-- SPDX-License-Identifier: MIT
SELECT '<!DOCTYPE html><meta charset="utf-8"><title>' || html(:title) || '</title>'
       || '<style>body{font:1em sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}'
       || 'td,th{border-bottom:1px solid #ccc;padding:.3em .6em;text-align:left}</style>';
SELECT '<h1>' || html(:title) || '</h1><p>' || html(:measured) || '</p>';
SELECT '<table><tr><th>place<th>submission<th>points<th>times as fast as ' || html(:base_name) || '<th>remark</tr>';
SELECT '<tr><td>' || coalesce(place, '') || '<td><a href="students/'
       || html(replace(replace(replace(submission, '%', '%25'), '#', '%23'), '?', '%3F')) || '/page.html">'
       || html(submission) || '</a><td>' || coalesce(points || ' of ' || most, 'not graded') || '<td>'
       || coalesce(ratio(ratio, low, high), '') || '<td>' || html(coalesce(remark, '')) || '</tr>'
FROM placed ORDER BY place IS NULL, place, ratio DESC, submission;
SELECT '</table>';
SELECT DISTINCT '<p>' || html(name || ': ' || meaning) || '</p>' FROM flagged ORDER BY ord;
SELECT '<h2>Equal sources</h2><p>These files are equal but for comments, blanks and names:</p><ul>'
WHERE EXISTS (SELECT 1 FROM equal);
SELECT '<li>' || html(files) || '</li>' FROM equal ORDER BY submissions, files;
SELECT '</ul>' WHERE EXISTS (SELECT 1 FROM equal);
