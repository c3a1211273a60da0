#!/usr/bin/env python3
"""Judges every claim of the sources from the files of data/ alone, by the rules of data/published/README.md.

    tests/verdicts.py data/HOST     prints each part whose verdict differs from the one in data/HOST/claims.csv

It shares no code with the program, so that a fault in the program's queries shows as a difference. Where the program
asks its model of memory banks, this judge takes what the GPU's counters have counted.
SPDX-License-Identifier: MIT
"""
import collections
import csv
import fnmatch
import glob
import json
import math
import os
import statistics
import sys

INF = math.inf
SAME = 0.02  # two sides whose ratio surely differs from 1 by no more are the same
CPU = ("cpu", "blas", "ranks")
GPU = ("cuda", "gpus")
DOUBTS = {"noisy", "throttled", "once", "idle", "partial", "unsteady"}
FAULTS = {"wrong", "failed", "crash", "exit", "replayed", "impossible"}
COUNTED = ("bank conflicts", "sectors per load", "read ratio", "global reads", "shared reads", "wavefronts per load",
           "reuse ratio")
PROBES = ("fma", "copy", "read")
SHAPE = ("precision", "m", "n", "k", "omega", "sweeps", "cache", "host-memory")
TUNING = ("tile", "row-tile", "padding", "elements", "memory", "mc", "nc", "kc")
AXES = SHAPE + TUNING + ("isa", "opt", "device-id", "threads", "ranks", "gpus", "inputs")


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [collections.defaultdict(str, row) for row in csv.DictReader(file)]


def number(text):
    return float(text) if text else None


def equal(have, value):
    try:
        return have == value or float(have) == float(value)
    except ValueError:
        return False


def devices(record):
    return [device for key in ("opencl", "sycl") for device in record.get(key) or []]


class Cell:
    """A row of results.csv. `named`: the kinds of the host's devices. A later run may number the devices otherwise."""

    def __init__(self, row, study, record, samples, named):
        self.row, self.study, self.variant = row, study, row["variant"]
        self.status, self.problem, self.precision = row["status"], row["problem"], row["precision"]
        self.machine = row.get("machine_mark") or row["machine_hash"]
        self.build = (self.variant, row["source_hash"], row["library_hash"])
        self.n, self.threads = int(row["n"] or 0), int(row["threads"] or 1)
        kinds = {device["id"]: device["kind"] for device in devices(record)}
        of_device = row.get("device-id") and (named.get(row["device"]) or kinds.get(row["device-id"]))
        self.side = of_device or ("CPU" if row["backend"] in CPU else
                                  "GPU" if row["backend"] in GPU else None)
        self.usual = not row.get("cache") and not row.get("host-memory")
        self.uniform = not row.get("inputs")
        self.square = all(row[axis] in ("", row["n"]) for axis in ("m", "k"))
        self.probe = self.problem in PROBES and self.problem not in record["experiment"]["problems"]
        self.s, self.lo, self.hi = (number(row[name]) for name in ("median_s", "ci_lo_s", "ci_hi_s"))
        self.end = self.end_to_end(samples)
        self.gflops, self.gbs = number(row["gflops"]), number(row["gbs"])
        joules = [float(s["energy_j"]) for s in samples if s["energy_j"]]
        several = len(joules) > 1
        self.joules = number(row["energy_j"]), min(joules) if several else None, max(joules) if several else None
        self.iterations = number(row["iterations"])
        counted = [int(s["iterations"]) for s in samples if int(s["iterations"] or 0) > 0]
        self.least = min(counted, default=self.iterations)
        self.most = max(counted, default=self.iterations)
        self.weak = self.status == "ok" and self.is_weak(samples)
        facts = next((v for v in record["variants"] if v["name"] == self.variant), {})
        self.has_peak = facts.get("unit", "fma") == "fma"
        self.tensor = self.precision in facts.get("tensor", "")
        self.base = None

    def end_to_end(self, samples):
        """The time with the copies, with the range of its own rounds."""
        if not number(self.row["total_s"]):
            return self.s, self.lo, self.hi
        rounds = {}
        for sample in samples:
            if number(sample["total_s"]):
                rounds.setdefault(sample["round"], []).append(float(sample["total_s"]))
        medians = [statistics.median(times) for times in rounds.values()]
        several = len(medians) > 1
        return number(self.row["total_s"]), min(medians) if several else None, max(medians) if several else None

    def in_doubt(self):
        return bool(DOUBTS & set(self.row["flags"].split("+")))

    def is_weak(self, samples):
        if self.in_doubt() or self.s > 3 * number(self.row["min_s"]):
            return True
        launches = int(self.row.get("launches") or 0) or len({s["launch"] for s in samples if s["kernel_s"]}) or 1
        return int(self.row["rounds"] or 0) < (3 if self.s > 2 else 5) or launches < 3

    def pick(self, axes):
        return tuple((axis, self.row.get(axis) or "") for axis in axes)

    def suits(self, conditions):
        return all(self.holds(condition) for condition in conditions.split())

    def holds(self, condition):
        for sign in ("<=", ">=", "<", ">", "="):
            if sign in condition:
                axis, value = condition.split(sign)
                break
        have = self.side if axis == "side" else self.row.get(axis)
        if not have:
            return False
        if sign == "=":
            return any(equal(have, v) for v in value.split("|"))
        have, value = float(have), float(value)
        return {"<=": have <= value, ">=": have >= value, "<": have < value, ">": have > value}[sign]

    def rate(self):
        """The rate with its interval."""
        return self.gflops, div(mul(self.gflops, self.s), self.hi), div(mul(self.gflops, self.s), self.lo)

    def gain(self):
        """The speed-up over one thread, with its interval."""
        if not self.base:
            return None, None, None
        return self.base.s / self.s, div(self.base.lo, self.hi), div(self.base.hi, self.lo)


def mul(a, b):
    return None if a is None or b is None else a * b


def div(a, b):
    return None if a is None or not b else a / b


def over(a, b):
    """The ratio of two values with intervals."""
    return div(a[0], b[0]), div(a[1], b[2]), div(a[2], b[1])


def load(folder):
    """The verified cells; the study and variant of every row, as what a kernel accesses needs no GPU; and the probes of
    the same code that other machines have measured anew."""
    cells, archived, records = [], [], {}
    for path in sorted(glob.glob(folder + "/*.results.csv")):
        study = os.path.basename(path)[:-len(".results.csv")]
        with open(f"{folder}/{study}.run.json", encoding="utf-8") as file:
            records[study] = json.load(file)
    named = {device["name"]: device["kind"] for record in records.values() for device in devices(record)}
    for study, record in records.items():
        samples = {}
        for sample in table(f"{folder}/{study}.samples.csv"):
            samples.setdefault(sample["cell"], []).append(sample)
        shown = {row["cell"]: row for row in table(f"{folder}/{study}.results.csv")}
        cells += [Cell(row, study, record, samples.get(cell, []), named) for cell, row in shown.items()]
        archive = f"{folder}/{study}.archive.csv"
        for row in table(archive) if os.path.exists(archive) else []:
            now = shown.get(row["cell"])
            if row["problem"] in PROBES and row["status"] == "ok" and now and all(
                    row[hash] == now[hash] for hash in ("source_hash", "machine_hash")):
                archived.append(Cell(row, study, record, [], named))
    listed = {(cell.study, cell.variant) for cell in cells}
    blamed = {cell.build for cell in cells if cell.status in FAULTS}
    cells = [cell for cell in cells if cell.status == "ok" and cell.build not in blamed and cell.usual]
    bases = {(c.study, c.variant, c.machine, c.pick(set(AXES) - {"threads"})): c for c in cells if c.threads == 1}
    for cell in cells:
        cell.base = bases.get((cell.study, cell.variant, cell.machine, cell.pick(set(AXES) - {"threads"})))
    return cells, listed, [cell for cell in archived if cell.usual and not cell.in_doubt()]


class Ceilings:
    """What the probes of each machine have reached: the fastest round of any of them."""

    def __init__(self, cells, archived):
        self.cells, self.rates = cells, {}
        size = {"f64": 8}
        probes = [c for c in cells if c.problem in PROBES] + archived
        for c in probes:
            reach = c.n * size.get(c.precision, 4)
            most = max(o.n * size.get(o.precision, 4) for o in probes if (o.machine, o.side, o.problem, o.threads) ==
                       (c.machine, c.side, c.problem, c.threads))
            if c.problem == "fma" or 2 * reach >= most:
                key = (c.machine, c.side, c.problem, c.threads)
                rate = (c.gflops if c.problem == "fma" else c.gbs) * c.s / (c.lo or c.s)
                precision = {"fma/cuda-tensor-f16": "f16", "fma/cuda-tensor-i8": "i8"}.get(c.variant, c.precision)
                kind = (precision if c.problem == "fma" else "", c.row["isa"] if c.problem == "fma" else "", c.tensor)
                self.rates.setdefault(key, {}).setdefault(kind, 0)
                self.rates[key][kind] = max(self.rates[key][kind], rate)

    def fma(self, cell):
        """The peak of a cell, and which one it is. A kernel that may use tensor cores may use either unit."""
        key = (cell.machine, cell.side, "fma", cell.threads)
        known = {kind: rate for kind, rate in self.rates.get(key, {}).items()
                 if kind[0] == cell.precision and kind[2] <= cell.tensor}
        same = {kind: rate for kind, rate in known.items() if kind[1] == cell.row["isa"]}
        known = same if same and cell.side == "CPU" else known
        if not cell.has_peak or not known or cell.tensor and not any(kind[2] for kind in known):
            return None, None
        kind = max(known, key=known.get)
        return known[kind], (key, kind)

    def peak(self, cell):
        """The peak, unless a verified kernel, or fewer threads, were measured to be faster."""
        rate, which = self.fma(cell)
        if rate is None:
            return None
        for other in self.cells:
            if other.problem not in PROBES and self.fma(other)[1] == which and other.gflops * other.s / (
                    other.hi or other.s) > rate:
                return None
        key, kind = which
        fewer = [r.get(kind, 0) for k, r in self.rates.items() if k[:3] == key[:3] and k[3] < key[3]]
        return None if cell.side == "CPU" and max(fewer, default=0) > 1.02 * rate else rate

    def read(self, cell):
        return max(self.rates.get((cell.machine, cell.side, "read", cell.threads), {}).values(), default=None)


class Claim:
    """A row of claims.csv with the points that a host has of it."""

    HOLDS = "reproduced"

    def __init__(self, row, cells, ceilings):
        self.row, self.ceilings = row, ceilings
        quantity = row["quantity"]
        kind = quantity.split(" ")[0]
        self.kind, self.axis = (kind, quantity[len(kind) + 1:]) if kind in ("best", "trend", "spread") else (quantity, "")
        self.match = row["match"].split()
        self.bounds()
        self.missing, self.elsewhere = False, False
        self.points = []  # (n, value with its interval, whether the times behind it are weak)
        for study in row["studies"].split():
            self.sides = [self.side(cells, study, "subject"), self.side(cells, study, "reference")]
            wanted = row.get("absolute_on", "").lower()
            kinds = {cell.side for cell in self.sides[0]}
            here = [[cell for cell in cells_of if wanted in cell.row["device"].lower() or
                     wanted and cells_of is not self.sides[0] and cell.side not in kinds] for cells_of in self.sides]
            self.elsewhere = any(had and not left for had, left in zip(self.sides, here))
            if self.elsewhere:
                continue
            self.sides = here
            self.sides = [self.complete(cells_of, name) for cells_of, name in zip(self.sides, ("subject", "reference"))]
            self.points = self.judge()
            if self.points:
                break

    def bounds(self):
        row, relation = self.row, self.row["relation"]
        value = float(row["value"])
        to = float(row["to"] or value)
        wide = float(row["tolerance"] or (0.25 if relation in ("=", "in") else 0))
        self.ratio = ratio = self.kind.endswith(" ratio") or self.kind == "speed-up"
        self.low, self.high = value * (1 - wide), to * (1 + wide)
        if ratio and relation in ("=", "in"):
            self.low = max(1, self.low) if value > 1 else self.low
            self.high = min(1, self.high) if to < 1 else self.high
        self.low = -INF if relation in ("<", "<=") else self.low
        self.high = INF if relation in (">", ">=") else self.high

    def side(self, cells, study, name):
        return [c for c in cells if c.study == study and not c.probe and c.square and not c.row["sweeps"] and
                (c.uniform or " inputs=" in " " + self.row[name + "_at"]) and
                (self.kind != "energy ratio" or c.joules[0]) and
                any(fnmatch.fnmatchcase(c.variant, pattern) for pattern in self.row[name].split()) and
                c.suits(self.row[name + "_at"]) and (self.kind != "iso rate ratio" or c.n % c.threads == 0)]

    def complete(self, side, name):
        """Leaves out the sizes at which a value that the claim lists was not measured of every variant on a machine."""
        listed = [c.split("=") for c in self.row[name + "_at"].split() if "|" in c and not c.startswith("side=")]
        listed = [(axis, set(values.split("|"))) for axis, values in listed]
        if self.kind == "best" and name == "subject":
            listed.append((self.axis, {self.row["value"]}))
        left_out = set()
        for axis, values in listed:
            have = {}
            for cell in side:
                at = cell.machine, None if axis == "n" else cell.n
                have.setdefault((cell.variant, at), set()).add(cell.row.get(axis))
            left_out |= {at for (_, at), known in have.items() if not values <= known}
        self.missing = self.missing or bool(left_out)
        return [cell for cell in side if not {(cell.machine, None), (cell.machine, cell.n)} & left_out]

    def key(self, cell):
        machine = "" if self.kind == "sweep ratio" else cell.machine
        what = cell.n // cell.threads if self.kind == "iso rate ratio" else cell.pick(SHAPE)
        return what, cell.pick(self.match), machine

    def group(self, cell):
        return cell.pick(self.match), cell.machine

    def fastest(self, side):
        best = {}
        for cell in side:
            time = {"end-to-end ratio": cell.end[0], "energy ratio": cell.joules[0]}.get(self.kind, cell.s)
            if self.key(cell) not in best or time < best[self.key(cell)][0]:
                best[self.key(cell)] = time, cell
        return {key: cell for key, (_, cell) in best.items()}

    def weak(self, cells):
        of_base = self.kind.startswith(("speed-up", "efficiency", "unsteadiness"))
        return any(c.weak or of_base and c.base and c.base.weak for c in cells)

    def judge(self):
        subject, reference = (self.fastest(side) for side in self.sides)
        pairs = [(a, reference[key]) for key, a in subject.items() if key in reference]
        if self.kind == "iso rate ratio":
            return self.iso(pairs)
        single = {"gflops": Cell.rate, "speed-up": Cell.gain, "efficiency": self.efficiency,
                  "share of peak": self.share_of_peak, "load share": self.load_share,
                  "sweeps": lambda c: (c.iterations, c.least, c.most)}
        double = {"time ratio": lambda a, b: over((a.s, a.lo, a.hi), (b.s, b.lo, b.hi)),
                  "speed ratio": lambda a, b: over((b.s, b.lo, b.hi), (a.s, a.lo, a.hi)),
                  "end-to-end ratio": lambda a, b: over(a.end, b.end),
                  "energy ratio": lambda a, b: over(a.joules, b.joules),
                  "sweep ratio": lambda a, b: over((a.iterations, a.least, a.most), (b.iterations, b.least, b.most)),
                  "speed-up ratio": self.gains,
                  "efficiency ratio": lambda a, b: self.gains(a, b, b.threads / a.threads)}
        if self.kind in single:
            points = [(c.n, single[self.kind](c), self.kind != "sweeps" and self.weak([c])) for c in subject.values()]
        elif self.kind in double:
            points = [(max(a.n, b.n), double[self.kind](a, b), self.kind != "sweep ratio" and self.weak([a, b]))
                      for a, b in pairs]
        else:
            points = getattr(self, self.kind.replace(" ", "_"))(pairs)
        return [point for point in points if point[1][0] is not None or self.kind == "crossover"]

    def iso(self, pairs):
        """At one n / threads alone: of those that most thread counts have, the largest."""
        return [(max(a.n, b.n), over(a.rate(), b.rate()), self.weak([a, b])) for a, b in pairs
                if a.n // a.threads == self.granularity(a) and b.n // b.threads == self.granularity(b)]

    def granularity(self, cell):
        counts = {}
        for other in self.ceilings.cells:
            if (other.study, other.variant) == (cell.study, cell.variant) and other.n % other.threads == 0:
                counts.setdefault(other.n // other.threads, set()).add(other.threads)
        return max(counts, key=lambda rows: (len(counts[rows]), rows))

    @staticmethod
    def efficiency(cell):
        return tuple(div(x, cell.threads) for x in cell.gain())

    @staticmethod
    def gains(a, b, scale=1.0):
        """The ratio of two speed-ups, times `scale`. A time of one thread that both have cancels."""
        ratio = over((b.s, b.lo, b.hi), (a.s, a.lo, a.hi)) if a.base and a.base is b.base else over(a.gain(), b.gain())
        return tuple(mul(scale, x) for x in ratio)

    def share_of_peak(self, cell):
        peak = self.ceilings.peak(cell)
        return tuple(mul(100, div(x, peak)) for x in cell.rate())

    def load_share(self, cell):
        read, size = self.ceilings.read(cell), 8 if cell.precision == "f64" else 4
        return tuple(mul(100 * size, div(x, read)) for x in cell.rate())

    def ratio_trend(self, pairs):
        points, groups = [], {}
        for a, b in pairs:
            groups.setdefault(self.group(a), []).append((a, b))
        for group in groups.values():
            first, last = (pick(group, key=lambda pair: pair[0].n) for pick in (min, max))
            if first[0].n < last[0].n:
                ratios = [over((a.s, a.lo, a.hi), (b.s, b.lo, b.hi)) for a, b in (last, first)]
                points.append((last[0].n, over(*ratios), self.all_weak()))
        return points

    def all_weak(self):
        return self.weak([c for side in self.sides for c in self.fastest(side).values()])

    def crossover(self, pairs):
        if len(pairs) < 2:
            return []
        sizes = sorted(a.n for a, _ in pairs)

        def first(holds):
            last = max((a.n for a, b in pairs if not holds(a, b)), default=0)
            return min((n for n in sizes if n > last), default=None)
        value = first(lambda a, b: a.s < b.s)
        may_be = first(lambda a, b: None in (a.lo, b.hi) or a.lo < b.hi)
        surely = first(lambda a, b: None not in (a.hi, b.lo) and a.hi < b.lo)
        return [(sizes[-1], (value, may_be or INF, surely or INF), self.all_weak())]

    def varied(self, side, values):
        """How much values vary over n in each group, as a share of their mean."""
        groups = {}
        for cell in self.fastest(side).values():
            if values(cell)[0] is not None:
                groups.setdefault(self.group(cell), []).append(cell)
        found = {}
        for group, cells in groups.items():
            x, low, high = zip(*(values(c) for c in cells))
            if len(x) > 2:
                variation = (max(x) - min(x)) / (sum(x) / len(x))
                known = None not in low + high
                found[group] = (variation, max(0, max(low) - min(high)) / (sum(high) / len(x)) if known else None,
                                (max(high) - min(low)) / (sum(low) / len(x)) if known else None), max(c.n for c in cells)
        return found

    def unsteadiness_ratio(self, _, values=Cell.gain):
        subject, reference = (self.varied(side, values) for side in self.sides)
        points = []
        for group in subject.keys() & reference.keys():
            (a, n), (b, _) = subject[group], reference[group]
            known = None not in a + b
            points.append((n, (a[0] / b[0], a[1] / b[2] if known else None,
                               (a[2] / b[1] if b[1] else INF) if known else None), self.all_weak()))
        return points

    def rate_unsteadiness_ratio(self, pairs):
        return self.unsteadiness_ratio(pairs, Cell.rate)

    def trend(self, _):
        points, groups = [], {}
        for cell in self.sides[0]:
            if cell.row.get(self.axis):
                at = groups.setdefault(self.group(cell), {})
                value = float(cell.row[self.axis])
                if value not in at or cell.gflops > at[value].gflops:
                    at[value] = cell
        for at in groups.values():
            if len(at) > 2:
                last, best = at[max(at)], max(at.values(), key=lambda c: c.gflops)
                x, low, high = over(last.rate(), best.rate())
                if last is best:
                    low = high = 1
                points.append((last.n, (x, low, high if high is None else min(1, high)), self.all_weak()))
        return points

    def over_axis(self):
        """The cells over the values of the axis, at the largest size that has as many values as any size. Of sizes from a
        quarter of the largest on, one whose times may give a verdict comes first."""
        tasks = {}
        for cell in self.sides[0]:
            if cell.row.get(self.axis):
                at = tasks.setdefault((cell.machine, cell.problem, cell.pick(SHAPE)), {})
                value = float(cell.row[self.axis])
                if value not in at or cell.s < at[value].s:
                    at[value] = cell
        tasks = [at for at in tasks.values() if len(at) > 1]
        sizes = {id(at): next(iter(at.values())).n for at in tasks}

        def rank(at):
            n = sizes[id(at)]
            return len(at), 4 * n >= max(sizes.values()), not self.at_size(n), n
        return max(tasks, key=rank, default=None)

    def spread(self, _):
        at = self.over_axis()
        if not at:
            return []
        fast, slow = (pick(at.values(), key=lambda c: c.s) for pick in (min, max))
        return [(fast.n, over((slow.s, slow.lo, slow.hi), (fast.s, fast.lo, fast.hi)), self.at_size(fast.n))]

    def best(self, _):
        at = self.over_axis()
        if not at:
            return []
        fast = min(at, key=lambda value: at[value].s)
        may_be = [v for v, c in at.items() if None in (c.lo, at[fast].hi) or c.lo <= at[fast].hi]
        return [(at[fast].n, (fast, min(may_be), max(may_be)), self.at_size(at[fast].n))]

    def at_size(self, n):
        return self.weak([c for side in self.sides for c in side if c.n == n])

    def tile_formula_ratio(self, _):
        points = []
        for n in sorted({c.n for c in self.sides[0]}):
            tiles = {float(c.row["tile"]): c for c in self.sides[0] if c.n == n}
            plain = min((c for c in self.sides[1] if c.n == n), key=lambda c: c.s, default=None)
            if not plain or len(tiles) < 2:
                continue
            small, large = min(tiles), max(tiles)
            share, a, b = 1 / small - 1 / large, tiles[small], tiles[large]
            x = (a.s - plain.s * share) / b.s
            known = None not in (a.lo, b.lo, plain.lo)
            points.append((n, (x, (a.lo - plain.hi * share) / b.hi if known else None,
                               (a.hi - plain.lo * share) / b.lo if known else None), self.at_size(n)))
        return points

    def holds(self, point):
        _, (x, low, high), weak = point
        relation = self.row["relation"]
        if weak or low is None or high is None:
            return 0
        if self.kind == "sweeps" and (low < self.low or high > self.high):
            return -1
        if self.ratio and float(self.row["value"]) == 1 and relation in ("<", "<=", ">", ">=") and \
                1 / (1 + SAME) <= low and high <= 1 + SAME:
            return 1 if "=" in relation else -1
        if relation == "<":
            return 1 if high < self.high else -1 if low >= self.high else 0
        if relation == ">":
            return 1 if low > self.low else -1 if high <= self.low else 0
        if low >= self.low and high <= self.high:
            return 1
        return -1 if low > self.high or high < self.low else 0

    def largest(self):
        """The largest size whose times may give a verdict, if it is at least a quarter of the largest of all."""
        sizes = {n for n, _, _ in self.points}
        sure = sizes - {n for n, (_, low, high), weak in self.points if weak or low is None or high is None}
        most, sure_most = max(sizes), max(sure, default=0)
        return sure_most if 4 * sure_most >= most else most

    def chosen(self):
        if self.row["points"] == "largest":
            return [p for p in self.points if p[0] == self.largest()]
        if self.row["points"] == "least":
            return [p for p in self.points if p[1][0] == min(q[1][0] for q in self.points)]
        return self.points

    def agrees(self, told):
        """Whether the values that lie behind a verdict of the program are those that are found here."""
        values = [point[1] for point in self.chosen()]
        columns = {"least": [x for x, _, _ in values], "most": [x for x, _, _ in values],
                   "lo": [low for _, low, _ in values], "hi": [high for _, _, high in values]}
        for name, found in columns.items():
            found = [x for x in found if x is not None]
            x = (min if name in ("least", "lo") else max)(found) if found else None
            kept = float(told[name]) if told[name] else None
            if None in (x, kept) and x != kept or x is not None and not math.isclose(x, kept, rel_tol=1e-6):
                return False
        return True

    def verdict(self):
        if self.elsewhere:
            return "other hardware"
        points = self.chosen()
        if not points:
            return "not comparable here"
        return {-1: "not reproduced", 0: "undecided", 1: self.HOLDS}[min(self.holds(p) for p in points)]


class Counted(Claim):
    """A claim about memory accesses, judged by what the GPU's counters have counted."""

    HOLDS = "by model"

    def __init__(self, row, counts, listed):
        self.row, self.kind, self.elsewhere = row, row["quantity"], False
        self.bounds()
        names = [variant for study, variant in listed if study in row["studies"].split()]
        self.points = []
        if not any(fnmatch.fnmatchcase(name, row["subject"]) for name in names):
            return
        if self.kind == "reuse ratio":
            tile = float(row["subject_at"].split("=")[1])
            x = tile * tile / (3 * tile - 1)
        else:
            x = self.count(*(self.of(counts, side) for side in ("subject", "reference")))
        self.points = [] if x is None else [(1, (x, x, x), False)]

    def of(self, counts, side):
        """The counts at the largest size that was counted in the precision of the study."""
        wanted = dict(c.split("=") for c in self.row[side + "_at"].split())
        rows = [r for r in counts if r["variant"] == self.row[side] and r["precision"] == "f32" and
                all(r[axis] == value for axis, value in wanted.items())]
        n = max((int(r["n"]) for r in rows if int(r["n"]) <= 1024), default=0)
        return {r["quantity"]: float(r["counted"]) for r in rows if int(r["n"]) == n} | {"n": n}

    def count(self, a, b):
        if not a["n"]:
            return None
        loads = 2 * a["n"] ** 3 / 32  # a warp's loads, if each lane loads every factor by itself
        wide = (loads - a["shared_load_instructions"]) / 3  # those of four factors at once take two wavefronts
        stores, waves = a["shared_store_instructions"], a["shared_store_wavefronts"]
        reads, sectors = a["global_load_requests"], a["global_load_sectors"]
        # A pass loads and stores two tiles, of which one may be at fault. Neighbours that read neighbours fill four
        # sectors.
        return {"bank conflicts": lambda: 2 * (waves - stores) / stores,
                "sectors per load": lambda: (2 * sectors / reads - 4) / 4,
                "read ratio": lambda: a["global_load_requests"] / b["global_load_requests"],
                "global reads": lambda: a["global_load_requests"] / loads,
                "shared reads": lambda: (a["shared_load_instructions"] + 3 * wide) / loads,
                "wavefronts per load": lambda: a["shared_load_wavefronts"] / (a["shared_load_instructions"] + wide),
                }[self.kind]()


def together(verdicts):
    for verdict in ("not reproduced", "undecided", "reproduced", "by model", "other hardware"):
        if verdict in verdicts:
            return verdict
    return "not comparable here"


def judge(row, counts, cells, listed, ceilings, told):
    """The verdict of a part; with a remark where the values behind it are not those that the program found."""
    if row["not_here"]:
        return "not comparable here"
    claim = Counted(row, counts, listed) if row["quantity"] in COUNTED else Claim(row, cells, ceilings)
    if claim.verdict() not in ("other hardware", "not comparable here") and not claim.agrees(told):
        return claim.verdict() + f" from other values, {[point[1] for point in claim.chosen()]}"
    return claim.verdict()


def main(folder):
    claims = table(os.path.join(os.path.dirname(folder), "published", "claims.csv"))
    kept = {(row["id"], row["part"]): row for row in table(folder + "/claims.csv")}
    # What a kernel accesses follows from its code: where this host has counted nothing, another one has.
    counted = [folder + "/model-against-counters.csv"] + sorted(
        glob.glob(os.path.dirname(folder) + "/*/model-against-counters.csv"))
    counts = table(next(path for path in counted if os.path.exists(path)))
    cells, listed, archived = load(folder)
    ceilings = Ceilings(cells, archived)
    parts, faults = {}, 0
    for row in claims:
        told = kept.get((row["id"], row["part"]), collections.defaultdict(str))
        verdict = judge(row, counts, cells, listed, ceilings, told)
        parts.setdefault(row["id"], []).append((verdict, row))
        if verdict != told["part_verdict"]:
            print(f"{row['id']}{row['part']}: {verdict}; {folder}/claims.csv says {told['part_verdict']}")
            faults += 1
    for name, judged in parts.items():
        verdict = together([verdict for verdict, _ in judged])
        never = any(row["not_here"] for _, row in judged)
        if any(row["explained"] for _, row in judged) and (
                verdict == "not reproduced" or verdict == "not comparable here" and never):
            verdict = "explained"
        told = next((row["verdict"] for key, row in kept.items() if key[0] == name), "no verdict")
        if verdict != told:
            print(f"{name}: {verdict}; {folder}/claims.csv says {told}")
            faults += 1
    print(f"{len(parts)} claims of {len(claims)} parts, {faults} differences")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1].rstrip("/")))
