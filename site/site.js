/* Sorts and searches tables, switches curves on and off and reads them off, finds the cell behind a number, and shows
 * the samples of a cell. Everything works from a file, without a server. SPDX-License-Identifier: MIT */
'use strict';

const tilelab = (() => {
    const hosts = []; // {study, host, label, cells}, from points-STUDY.js
    let samplesOf = {}; // cell: rows, from samples-STUDY.HOST.js
    let words = {}; // English: the language of the pages, from words.js
    let flags = []; // [bit, name and meaning], from words.js
    const say = (text) => words[text] || text;
    const english = (text) => Object.keys(words).find((one) => words[one] === text) || text;
    const CELL = ['cell', 'variant', 'idea', 'curve', 'family', 'n', 'threads', 'tile', 'precision'];
    const SAMPLE = ['round', 'launch', 'sample', 'repeats', 'kernel, s', 'CPU, s', 'end to end, s', 'sweeps',
        'clock, GHz', '°C', 'power, W', 'energy, J', 'flags'];

    const ROUND = ['round', 'launch', 'kernel, s', 'clock, GHz', '°C', 'power, W'];

    function element(name, attributes, text) {
        const made = name.startsWith('svg:') ? document.createElementNS('http://www.w3.org/2000/svg', name.slice(4))
            : document.createElement(name);
        for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
        if (text !== undefined) made.textContent = text;
        return made;
    }

    // ---- Tables ----

    const SCALE = {n: 1e-9, 'µ': 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15,
        'н': 1e-9, 'мк': 1e-6, 'м': 1e-3, 'к': 1e3, 'М': 1e6, 'Г': 1e9, 'Т': 1e12, 'П': 1e15};
    const UNIT = 's|B|B\\/s|FLOP\\/s|op\\/s|с|Б|Б\\/с|ФЛОП\\/с|оп\\/с';
    const NUMBER = new RegExp(`^([-+]?[\\d.]+(?:e[-+]?\\d+)?)(?: (мк|[nµmkMGTPнмкМГТП])(?:${UNIT})(?![A-Za-zА-я]))?`);

    // A text with numbers as programs write them. In Russian a comma is the decimal sign, and thousands stand apart.
    function plain(text) {
        const one = document.documentElement.lang === 'ru'
            ? text.replace(/(\d)[\u00a0 ](?=\d{3}(?!\d))/g, '$1').replace(/(\d),(?=\d)/g, '$1.')
            : text.replace(/(\d),(?=\d{3}(?!\d))/g, '$1');
        return one.replace(/\u00a0/g, ' ').replace(/\u2212/g, '-');
    }

    // The number that a text starts with, in the unit without a prefix: "1.5 ms" is 0.0015. NaN: it starts with none.
    function valueOf(text) {
        const found = NUMBER.exec(plain(text));
        return found ? parseFloat(found[1]) * (SCALE[found[2]] || 1) : NaN;
    }

    function compare(a, b) {
        const x = valueOf(a), y = valueOf(b);
        if (!isNaN(x) && !isNaN(y)) return x - y;
        if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
        return a < b ? -1 : a > b ? 1 : 0;
    }

    const dataRows = (body) => [...body.rows].filter((row) => !row.matches('.block, .detail'));

    function sortBy(table, header) {
        const column = header.cellIndex, down = header.getAttribute('aria-sort') === 'ascending';
        for (const other of header.parentNode.cells) other.removeAttribute('aria-sort');
        header.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        table.querySelectorAll('tr.detail').forEach((row) => row.remove());
        for (const body of table.tBodies)
            dataRows(body).sort((a, b) => compare(a.cells[column].textContent, b.cells[column].textContent) *
                (down ? -1 : 1)).forEach((row) => body.append(row));
    }

    // Each word must be in the row. A word as "n=64" must be a whole word of it.
    function search(table, wanted) {
        const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
        for (const body of table.tBodies)
            for (const row of dataRows(body)) {
                const text = ' ' + [...row.cells].map((cell) => cell.textContent).join(' ').toLowerCase() + ' ';
                row.hidden = !words.every((word) => text.includes(word.includes('=') ? ` ${word} ` : word));
            }
    }

    function prepareTable(table) {
        for (const header of table.tHead.rows[0].cells) {
            const button = element('button', {type: 'button'}, header.textContent);
            header.replaceChildren(button);
            header.addEventListener('click', () => sortBy(table, header));
        }
        if (table.querySelectorAll('tbody tr').length < 8) return;
        const words = say('Search in this table');
        const input = element('input', {class: 'search', type: 'search', placeholder: words, 'aria-label': words});
        input.addEventListener('input', () => search(table, input.value));
        table.parentNode.before(input);
    }

    // ---- From a number to its cell ----

    const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const holds = (text, name) => name && new RegExp(`(^|[^\\w/-])${quoted(name)}($|[^\\w-])`).test(text);

    // The address of the cells of a host that a text names; `known` are values of axes. null: there is none.
    function addressOf(host, text, known) {
        let best = '', found = [];
        for (const row of host.cells) {
            const cell = Object.fromEntries(CELL.map((name, i) => [name, row[i]]));
            if (Object.entries(known).some(([axis, value]) => String(cell[axis]) !== String(value))) continue;
            for (const name of [cell.curve, cell.family, cell.variant, cell.idea]) {
                if (!name || name.length < best.length || !holds(text, name)) continue;
                if (name !== best) found = [];
                best = name;
                found.push(cell);
                break;
            }
        }
        if (!found.length) return null;
        const page = `cells-${host.study}.${host.host}.html#`;
        if (found.length === 1) return page + found[0].cell;
        return `${page}?${encodeURIComponent(found[0].variant)}` + (known.n ? `%20n=${known.n}` : '');
    }

    function linkNumbers(table) {
        const names = [...table.tHead.rows[0].cells].map((cell) => english(cell.textContent));
        const axisOf = (name) => ({n: 'n', 'to n': 'n', threads: 'threads', tile: 'tile', type: 'precision',
            precision: 'precision'})[name.toLowerCase()];
        for (const body of table.tBodies) {
            const label = body.rows[0].matches('.block') ? body.rows[0].textContent : '';
            const host = hosts.find((one) => one.label === label) || (hosts.length === 1 ? hosts[0] : null);
            if (!host) continue;
            for (const row of dataRows(body)) {
                const texts = [...row.cells].map((cell) => cell.textContent);
                const inRow = {};
                names.forEach((name, i) => { if (axisOf(name) && /^\w+$/.test(texts[i])) inRow[axisOf(name)] = texts[i]; });
                const text = texts.filter((one) => isNaN(valueOf(one))).join(' ');
                [...row.cells].forEach((cell, i) => {
                    if (isNaN(valueOf(texts[i])) || axisOf(names[i]) || cell.querySelector('a')) return;
                    const size = /^(?:n ?= ?)?(\d+)$/i.exec(names[i]);
                    const address = addressOf(host, text, size ? {...inRow, n: size[1]} : inRow);
                    if (!address) return;
                    const link = element('a', {href: address, class: 'source-row'}, texts[i]);
                    cell.replaceChildren(link);
                });
            }
        }
    }

    // ---- Figures ----

    const numbersIn = (text) => (text.match(/-?[\d.]+/g) || []).map(Number);

    const pairs = (text) => numbersIn(text).flatMap((x, i, all) => (i % 2 ? [] : [[x, all[i + 1]]]));
    const inMiddle = (values) => (Math.min(...values) + Math.max(...values)) / 2;

    // Where the points of a curve lie in the drawing: at its symbols, which may have a white edge, in the middle of its
    // boxes, or on its line.
    const PLACES = {
        'use:not([color="white"])': (one) => [one.hasAttribute('transform')
            ? numbersIn(one.getAttribute('transform')).slice(0, 2)
            : [Number(one.getAttribute('x')), Number(one.getAttribute('y'))]],
        polygon: (one) => [[0, 1].map((axis) =>
            inMiddle(pairs(one.getAttribute('points')).map((place) => place[axis])))],
        path: (one) => pairs(one.getAttribute('d')),
    };

    // The places of a group, each with its row, or null. A value that is missing has no place: the column that is drawn
    // has as many values as there are places. A level line has two places and one value.
    function matched(places, rows, columns) {
        const drawn = columns.findIndex((name, i) => i > 0 &&
            rows.filter((row) => !isNaN(row[i])).length === places.length);
        const shown = drawn >= 0 ? rows.filter((row) => !isNaN(row[drawn]))
            : rows.length === 1 && places.length === 2 ? [rows[0], rows[0]] : null;
        return shown && shown.map((row, i) => ({x: places[i][0], y: places[i][1], row}));
    }

    // The points of a figure: {x, y, title, row}. `titles` are those of all curves, and `groups` those of their parts
    // in the drawing. Each panel has its own groups, and a letter in their names; the panel of a row is the value in its
    // first column, or the place of this value among the sizes. A line with gaps lacks places: the others tell which.
    function pointsOf(groups, titles, curves, columns) {
        const sizes = [...new Set(curves.flat().map((row) => row[0]))].sort((a, b) => a - b), at = {}, left = [];
        const points = titles.flatMap((title, i) => {
            const own = groups.filter((one) => one.title === title);
            const shape = Object.keys(PLACES).find((name) => own.some((one) => one.group.querySelector(name)));
            return !shape ? [] : own.flatMap(({group, id}) => {
                const letter = /[a-z]$/.exec(id), panel = letter ? letter[0].charCodeAt(0) - 96 : 1;
                const places = [...group.querySelectorAll(shape)].flatMap((one) => PLACES[shape](one));
                const curve = curves[i] || [], within = (value) => curve.filter((row) => row[0] === value);
                const found = !places.length ? [] : columns[0] === 'panel' ? matched(places, within(panel), columns)
                    : matched(places, curve, columns) || matched(places, within(sizes[panel - 1]), columns);
                if (!found) left.push({title, curve, places});
                return (found || []).map((point) => ({...point, title}));
            });
        });
        for (const {x, row} of points) at[row[0]] = x;
        for (const {title, curve, places} of left)
            for (const row of curve) {
                const place = places.find(([x]) => Math.abs(x - at[row[0]]) < 0.5);
                if (place) points.push({x: place[0], y: place[1], title, row});
            }
        return points;
    }

    function colourOf(groups) {
        for (const [selector, attribute] of [['path[stroke]', 'stroke'], ['polygon[fill]', 'fill'],
            ['use[color]', 'color']])
            for (const group of groups)
                if (group.querySelector(selector)) return group.querySelector(selector).getAttribute(attribute);
        return '#888';
    }

    const PREFIXES = [[1, ' s'], [1e-3, ' ms'], [1e-6, ' µs'], [1e-9, ' ns']];

    function rounded(value, isTime) {
        const [unit, name] = isTime ? PREFIXES.find(([least]) => Math.abs(value) >= least) || PREFIXES[3] : [1, ''];
        return (value / unit).toLocaleString(document.documentElement.lang, {maximumSignificantDigits: 4}) + say(name);
    }

    // What is read off at a point: the values of its columns, and the names of its flags. The labels of the axes name
    // the value and the column before it; where the y axis has none, that of the x axis names the value. A unit stands
    // behind the name of a column. The names of lines tell which one a point is of.
    function textOf(point, columns, figure) {
        const value = Object.fromEntries(columns.map((name, i) => [name, point.row[i]]).filter(([, one]) => !isNaN(one)));
        const {x, y, lines, numbers, seconds} = figure.dataset;
        const last = columns[columns.indexOf('y') - 1], told = [point.title];
        for (const name of columns.slice(0, columns.includes('y') ? columns.indexOf('y') : columns.length)) {
            const label = name === last && x && y ? x : say(name.replace('_', ', '));
            if (!(name in value) || name === 'panel' || label === 'x') continue;
            if (name === 'line' && lines)
                told.push(lines.split("', '")[numbers.split(', ').indexOf(String(value.line))]);
            else told.push(`${label}: ` +
                (Number.isInteger(value[name]) ? value[name] : rounded(value[name], false)));
        }
        const isTime = seconds === '1', set = value[columns.find((name) => name.endsWith('flagged'))];
        if ('y' in value) {
            const isRange = value.low < value.high;
            told.push(`${y || x}: ${rounded(value.y, isTime)}` +
                (isRange ? ` [${rounded(value.low, isTime)} – ${rounded(value.high, isTime)}]` : ''));
        }
        for (const [bit, name] of flags) if (Math.abs(set) & bit) told.push(name);
        return told.join('\n');
    }

    function prepareFigure(figure) {
        const svg = figure.querySelector('svg');
        const pieces = figure.dataset.points.split('|').map((piece) => piece.split(';'));
        const columns = pieces[0][0].startsWith('#') ? pieces[0].shift().slice(1).trim().split(' ') : [];
        const curves = pieces.map((rows) => rows.map((row) => row.split(' ').map(Number)));
        const groups = [...svg.querySelectorAll('g[id*="_plot_"]')].map((group) => (
            {group, title: group.querySelector('title').textContent, id: group.id}))
            .filter((one) => one.title && one.title !== one.id);
        // A group that has the name as a text is a sample in the key. A ceiling has no other.
        const drawn = groups.filter(({group, title}) =>
            ![...group.querySelectorAll('text')].some((text) => text.textContent === title));
        const all = [...new Set(drawn.map((one) => one.title))], points = pointsOf(drawn, all, curves, columns);
        // Single points of a grey curve are not drawn.
        const titles = all.filter((title) =>
            drawn.some((one) => one.title === title && one.group.querySelector('use, polygon, path')));
        const legend = element('div', {class: 'legend', style: `max-width: ${svg.getAttribute('width')}px`});
        for (const title of titles) {
            const own = groups.filter((one) => one.title === title).map((one) => one.group);
            const button = element('button', {type: 'button', 'aria-pressed': 'true',
                style: `border-left-color: ${colourOf(own)}`});
            button.append(element('span', {}, title));
            button.addEventListener('click', () => {
                const shown = button.getAttribute('aria-pressed') !== 'true';
                button.setAttribute('aria-pressed', String(shown));
                own.forEach((group) => { group.style.display = shown ? '' : 'none'; });
            });
            button.dataset.title = title;
            legend.append(button);
        }
        figure.append(legend);

        const reading = element('div', {class: 'reading', hidden: ''});
        figure.append(reading);
        const isShown = (title) => !legend.querySelector('[aria-pressed="false"]') ||
            [...legend.children].some((one) => one.dataset.title === title &&
                one.getAttribute('aria-pressed') === 'true');
        const scaleOf = () => svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
        function nearest(event) {
            const scale = scaleOf();
            const box = svg.getBoundingClientRect();
            const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
            let best = null, least = 18;
            for (const point of points) {
                const distance = Math.hypot(point.x - x, point.y - y);
                if (distance < least && isShown(point.title)) [best, least] = [point, distance];
            }
            return best;
        }
        const hostOf = () => hosts.find((one) => one.label === figure.querySelector('figcaption').textContent) || hosts[0];
        function read(point) {
            reading.hidden = !point;
            svg.style.cursor = point ? 'pointer' : '';
            if (!point) return;
            const scale = scaleOf();
            reading.textContent = textOf(point, columns, figure);
            // Where there is no room at the right of the point, the text stands at its left.
            const left = point.x / scale + 12, room = document.documentElement.clientWidth - reading.offsetWidth - 4;
            reading.style.left = `${Math.min(left, room - figure.getBoundingClientRect().left)}px`;
            reading.style.top = `${point.y / scale + 12}px`;
        }
        function follow(point) {
            const address = point && hostOf() &&
                addressOf(hostOf(), point.title, columns[0] === 'n' ? {n: point.row[0]} : {});
            if (address) location.href = address;
        }
        let touched = null, at = -1;
        svg.addEventListener('mousemove', (event) => read(nearest(event)));
        svg.addEventListener('mouseleave', () => read(null));
        svg.addEventListener('click', (event) => {
            const point = nearest(event), before = touched;
            touched = point;
            // A finger cannot point without a click: it reads first, and follows with the second touch of a point.
            if (event.pointerType === 'touch' && point !== before) read(point);
            else follow(point);
        });
        if (!points.length) return;
        const label = `${say('Figure: arrow keys read its points off')}: ` +
            (figure.closest('section, main').querySelector('h2, h1') || figure).textContent;
        for (const [name, value] of Object.entries({tabindex: 0, role: 'application', 'aria-label': label}))
            svg.setAttribute(name, value);
        reading.setAttribute('role', 'status');
        svg.addEventListener('blur', () => read(null));
        svg.addEventListener('keydown', (event) => {
            const shown = points.filter((one) => isShown(one.title));
            const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
            if (step && shown.length) {
                at = at < 0 && step < 0 ? shown.length - 1 : (at + step + shown.length) % shown.length;
                read(shown[at]);
                event.preventDefault();
            } else if (event.key === 'Enter') follow(shown[at]);
            else if (event.key === 'Escape') read(null);
        });
    }

    // ---- Samples ----

    // Each sample as a dot: time over the order of the samples. Rounds change the colour.
    function drawSamples(rows) {
        const times = rows.map((row) => row[4]).filter((time) => time !== null);
        const width = 640, height = 150, least = Math.min(...times), most = Math.max(...times);
        const svg = element('svg:svg', {viewBox: `0 0 ${width} ${height}`, width, height, role: 'img'});
        svg.append(element('svg:title', {}, `${least} s – ${most} s`));
        rows.forEach((row, i) => {
            if (row[4] === null) return;
            const share = most > least ? (row[4] - least) / (most - least) : 0.5;
            svg.append(element('svg:circle', {cx: 10 + i * (width - 20) / Math.max(1, rows.length - 1),
                cy: height - 10 - share * (height - 20), r: 2, fill: row[0] % 2 ? '#d94801' : '#2171b5'}));
        });
        return svg;
    }

    function tableOf(names, rows) {
        const table = element('table'), head = table.createTHead().insertRow(), body = table.createTBody();
        names.forEach((name) => head.append(element('th', {scope: 'col'}, say(name))));
        for (const one of rows) {
            const line = body.insertRow();
            one.forEach((value, i) => {
                line.append(element('td', {'data-label': say(names[i]), class: value === null ? 'none' : 'number'},
                    value === null ? '–' : value));
            });
        }
        return table;
    }

    function median(values) {
        const known = values.filter((value) => value !== null).sort((a, b) => a - b), half = known.length >> 1;
        return !known.length ? null : known.length % 2 ? known[half] : (known[half - 1] + known[half]) / 2;
    }

    // The medians of each round of the samples, which come in order.
    function roundsOf(rows) {
        return [...new Set(rows.map((row) => row[0]))].map((round) => {
            const own = rows.filter((row) => row[0] === round);
            return ROUND.map((name) => {
                const value = median(own.map((row) => row[SAMPLE.indexOf(name)]));
                return value === null ? null : Number(value.toPrecision(4));
            });
        });
    }

    function showSamples(row) {
        if (row.nextElementSibling && row.nextElementSibling.matches('.detail')) {
            row.nextElementSibling.remove();
            return;
        }
        const rows = samplesOf[row.id] || [];
        const detail = element('tr', {class: 'detail'}), cell = element('td', {colspan: row.cells.length});
        detail.append(cell);
        if (!rows.length) cell.append(say('This cell has no samples.'));
        else {
            const box = element('div', {class: 'samples', tabindex: 0, role: 'region', 'aria-label': say('samples')});
            box.append(tableOf(SAMPLE, rows));
            cell.append(tableOf(ROUND, roundsOf(rows)), `${say('samples')}: ${rows.length}`, element('br'),
                drawSamples(rows), box);
        }
        row.after(detail);
    }

    // The part of the address behind # names a row, or, behind a question mark, words to search for.
    function followHash() {
        const wanted = decodeURIComponent(location.hash.slice(1)), table = document.querySelector('table');
        const input = document.querySelector('input.search');
        if (!table) return;
        if (wanted.startsWith('?')) {
            if (input) input.value = wanted.slice(1);
            search(table, wanted.slice(1));
            return;
        }
        const row = wanted && document.getElementById(wanted);
        if (!row || row.tagName !== 'TR') return;
        document.querySelectorAll('tr.chosen').forEach((one) => one.classList.remove('chosen'));
        row.classList.add('chosen');
        if (!row.nextElementSibling || !row.nextElementSibling.matches('.detail')) showSamples(row);
        row.scrollIntoView();
    }

    document.documentElement.classList.add('scripted');
    document.addEventListener('DOMContentLoaded', () => {
        document.querySelectorAll('table').forEach(prepareTable);
        document.querySelectorAll('section[id^="table-"] table').forEach(linkNumbers);
        document.querySelectorAll('figure.plot').forEach(prepareFigure);
        document.querySelectorAll('tr[id] a[href^="#"]').forEach((link) => link.addEventListener('click', (event) => {
            event.preventDefault();
            showSamples(link.closest('tr'));
        }));
        followHash();
        window.addEventListener('hashchange', followHash);
    });

    return {cells: (host) => hosts.push(host), samples: (rows) => { samplesOf = rows; },
        words: (given) => { words = given; }, flags: (given) => { flags = given; }};
})();
