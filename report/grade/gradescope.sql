-- results.json of one submission, as Gradescope reads it. Parameters as for page.sql. SPDX-License-Identifier: MIT
WITH one AS (SELECT *, status IN ('not built', 'refused') AS unbuilt FROM placed WHERE submission = :submission)
SELECT json_object('score', points, 'visibility', 'visible', 'output', :measured,
                   'tests', json_array(
                       json_object('name', 'builds', 'status', iif(unbuilt, 'failed', 'passed'),
                                   'output', iif(unbuilt, remark || char(10) || :log, '')),
                       json_object('name', 'is right', 'status', iif(status = 'ok', 'passed', 'failed'),
                                   'output', iif(unbuilt OR status = 'ok', '', remark)),
                       json_object('name', 'is fast', 'score', points, 'max_score', most, 'output',
                                   coalesce(ratio(ratio, low, high) || ' times as fast as ' || :base_name
                                            || coalesce('; ' || remark, ''), 'no time'))),
                   'leaderboard', json_array(json_object('name', 'times as fast as ' || :base_name, 'value', ratio)))
       AS result
FROM one;
