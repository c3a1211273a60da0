/* Verification of an iterative solution.
 * SPDX-License-Identifier: MIT
 *
 * The verifier computes the residual b - A x anew in higher precision. A run that says it has converged may miss its
 * tolerance by the rounding error of a residual, 4 sqrt(n) u || |A||x| + |b| ||. The unit of its error is therefore the
 * tolerance plus this rounding error, and the bound is 1.
 *
 * If the variant updates rows in a fixed order, the reference is the same number of sweeps in double. After s sweeps an
 * element may differ from the reference by 4 (sqrt(n) + s) u max|x|, for two reasons:
 *   - Each sweep rounds each row, by up to sqrt(n) u |A||x|. Divided by the dominant diagonal this is 2 sqrt(n) u
 *     max|x|. Later sweeps shrink this error, so it does not add up.
 *   - Later sweeps hardly shrink the mean of the errors of all elements: it belongs to an eigenvalue of Jacobi's
 *     iteration near -1. The mean of the n roundings of a sweep is about u max|x|. It adds up over s sweeps, until the
 *     reference no longer changes. */
#include "solver_verify_parts.h"

#include "cell.h"
#include "verify/parallel.h"
#include "verify/poison.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double GROWN = 1e10; /* the factor at which solver_note() says SOLVER_DIVERGED */

static double *reals(int64_t count)
{
    return malloc((size_t)count * sizeof(double));
}

static double norm_of(const double *vector, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += vector[i] * vector[i];
    return sqrt(sum);
}

static double element(const struct linear_system *of, int64_t row, int64_t col)
{
    return operand_value(of->a, of->precision, row * of->n + col);
}

/* --- Reference --- */

struct survey {
    const struct linear_system *of;
    double *sum, *b; /* for each row: the sum of |a_ij|, and b_i */
    int64_t
        *bad; /* for each row: column of the first element that is infinite, NaN or a zero on the diagonal; n: none */
};

static void survey_rows(int64_t begin, int64_t end, void *context)
{
    const struct survey *survey = context;
    const int64_t n = survey->of->n;
    for (int64_t row = begin; row < end; row++) {
        double sum = 0;
        survey->bad[row] = n;
        for (int64_t col = n; col-- > 0;) {
            const double size = fabs(element(survey->of, row, col));
            sum += size;
            if (!isfinite(size) || (col == row && size == 0))
                survey->bad[row] = col;
        }
        survey->sum[row] = sum;
        survey->b[row] = operand_value(survey->of->b, survey->of->precision, row);
    }
}

/* The inputs of a team have no faults, since the members generate them. */
static void survey_distributed(const struct survey *survey)
{
    const struct linear_system *of = survey->of;
    for (int64_t row = 0; row < of->n; row++) {
        survey->bad[row] = of->n;
        survey->b[row] = 1;
    }
    of->distributed->multiply(of->distributed, true, survey->b, survey->sum);
    for (int64_t row = 0; row < of->n; row++)
        survey->b[row] = operand_value(of->b, of->precision, row);
}

static void name_fault(struct reference *reference, const struct survey *survey)
{
    const int64_t n = reference->of.n;
    for (int64_t i = 0; i < n && !reference->fault[0]; i++)
        if (survey->bad[i] < n)
            snprintf(reference->fault, sizeof reference->fault, "A(%lld, %lld) is %g", (long long)i,
                     (long long)survey->bad[i], element(&reference->of, i, survey->bad[i]));
        else if (!isfinite(survey->b[i]))
            snprintf(reference->fault, sizeof reference->fault, "b(%lld) is %g", (long long)i, survey->b[i]);
}

void *solver_verify_reference(const struct linear_system *of)
{
    const int64_t n = of->n;
    struct reference *reference = calloc(1, sizeof *reference);
    struct survey survey = {of, reals(n), calloc((size_t)n, sizeof(double)), malloc((size_t)n * sizeof *survey.bad)};
    bool made =
        reference && survey.sum && survey.b && survey.bad && (reference->paths = calloc(1, sizeof(struct path *)));
    if (made) {
        reference->of = *of;
        if (of->distributed)
            survey_distributed(&survey);
        else
            parallel_for(n, survey_rows, &survey);
        reference->norm_a = norm_of(survey.sum, n);
        reference->norm_b = norm_of(survey.b, n);
        name_fault(reference, &survey);
    } else {
        free(reference);
    }
    free(survey.sum);
    free(survey.b);
    free(survey.bad);
    return made ? reference : NULL;
}

void solver_verify_reference_free(void *memory)
{
    struct reference *reference = memory;
    if (!reference)
        return;
    for (struct path *path = *reference->paths, *next; path; path = next) {
        next = path->next;
        free(path->x);
        free(path);
    }
    free(reference->paths);
    free(reference);
}

/* The path by a rule, found or new; NULL if memory is short. */
static struct path *path_of(const struct reference *reference, const struct solver_rule *rule)
{
    const struct linear_system *of = &reference->of;
    struct path *path = *reference->paths;
    while (path && !(path->omega == rule->omega && path->sweeps == rule->sweeps))
        path = path->next;
    if (path || !(path = calloc(1, sizeof *path)))
        return path;
    path->omega = rule->omega;
    path->sweeps = rule->sweeps;
    path->radius = of->n <= SOLVER_RADIUS_MOST && !reference->fault[0] ? solver_reference_radius(of, rule->omega) : NAN;
    path->next = *reference->paths;
    *reference->paths = path;
    return path;
}

/* Does the sweeps of a path, unless this has been done. Returns false if memory is short. */
static bool follow(const struct reference *reference, const struct solver_rule *rule, struct path *path)
{
    const struct linear_system *of = &reference->of;
    if (path->followed)
        return true;
    struct solver_reference *iteration = solver_reference_begin(of, rule->omega, false);
    path->x = reals(of->n);
    if (!iteration || !path->x) {
        solver_reference_end(iteration);
        free(path->x);
        path->x = NULL;
        return false;
    }
    struct solver_rule followed = *rule;
    followed.limit = SOLVER_FOLLOWED;
    const double still = sqrt((double)of->n) * DBL_EPSILON;
    solver_begin(&path->log);
    for (int64_t k = 0;; k++) {
        const double norm = solver_reference_sweep(iteration);
        path->moving = k + 1;
        const bool moves = !(solver_reference_change(iteration) <= still * solver_reference_largest(iteration)) ||
                           !isfinite(solver_reference_largest(iteration));
        if (solver_note(&followed, &path->log, k, norm) != SOLVER_RUNNING || (rule->sweeps > 0 && !moves))
            break;
    }
    /* The residual that ends a converged run is that of the x from before the sweep. */
    const double *answer =
        path->log.end == SOLVER_CONVERGED ? solver_reference_before(iteration) : solver_reference_x(iteration);
    memcpy(path->x, answer, (size_t)of->n * sizeof *path->x);
    path->largest = solver_reference_largest(iteration);
    path->followed = true;
    solver_reference_end(iteration);
    return true;
}

/* --- The true residual --- */

struct residual {
    const struct linear_system *of;
    const void *x;
    double *residual, *scale; /* for each row: b - A x, and |A||x| + |b| */
};

static void residual_rows(int64_t begin, int64_t end, void *context)
{
    const struct residual *to = context;
    const struct linear_system *of = to->of;
    for (int64_t row = begin; row < end; row++) {
        const double b = operand_value(of->b, of->precision, row);
        long double exact = b;
        double rounded = b, scale = fabs(b);
        for (int64_t col = 0; col < of->n; col++) {
            const double a = element(of, row, col), x = operand_value(to->x, of->precision, col);
            scale += fabs(a * x);
            if (of->precision == F32)
                rounded -= a * x;
            else
                exact -= (long double)a * x;
        }
        to->residual[row] = of->precision == F32 ? rounded : (double)exact;
        to->scale[row] = scale;
    }
}

/* The same for a distributed matrix, in double. */
static bool residual_distributed(const struct residual *to)
{
    const struct linear_system *of = to->of;
    double *x = reals(of->n);
    if (!x)
        return false;
    for (int64_t i = 0; i < of->n; i++)
        x[i] = operand_value(to->x, of->precision, i);
    of->distributed->multiply(of->distributed, false, x, to->residual);
    for (int64_t i = 0; i < of->n; i++)
        x[i] = fabs(x[i]);
    of->distributed->multiply(of->distributed, true, x, to->scale);
    for (int64_t i = 0; i < of->n; i++) {
        const double b = operand_value(of->b, of->precision, i);
        to->residual[i] = b - to->residual[i];
        to->scale[i] += fabs(b);
    }
    free(x);
    return true;
}

/* Computes the true residual and the norm of x. Returns false if memory is short. */
static bool measure_x(struct judged *judged)
{
    const struct linear_system *of = &judged->reference->of;
    struct residual residual = {of, judged->x, reals(of->n), reals(of->n)};
    bool ok = residual.residual && residual.scale;
    if (ok && of->distributed)
        ok = residual_distributed(&residual);
    else if (ok)
        parallel_for(of->n, residual_rows, &residual);
    if (ok) {
        judged->norm = norm_of(residual.residual, of->n);
        judged->scale = norm_of(residual.scale, of->n);
        judged->verdict->residual = judged->norm;
        judged->verdict->norm2 = 0;
        judged->bad = -1;
        for (int64_t i = of->n; i-- > 0;) {
            const double x = operand_value(judged->x, of->precision, i);
            judged->verdict->norm2 += x * x;
            if (!isfinite(x))
                judged->bad = i;
        }
    }
    free(residual.residual);
    free(residual.scale);
    return ok;
}

/* --- Verdict --- */

static bool x_is_finite(const struct judged *judged)
{
    const struct reference *reference = judged->reference;
    if (judged->bad < 0)
        return true;
    return verdict_refuse(judged->verdict, "x(%lld) %s%s%s", (long long)judged->bad,
                          poison_words(judged->x, reference->of.precision, judged->bad),
                          reference->fault[0] ? "; " : "", reference->fault);
}

/* Blames the method: it does not converge here, and the variant is right to say so. */
static void blame_method(const struct judged *judged, enum status status)
{
    const struct solver_log *log = judged->log;
    const char *fault = judged->reference->fault;
    struct verdict *verdict = judged->verdict;
    verdict->status = status;
    snprintf(verdict->reason, sizeof verdict->reason,
             "after %lld sweeps the residual is %.3g, the smallest was %.3g after %lld%s%s", (long long)log->sweeps,
             log->residual, log->smallest, (long long)log->smallest_sweep, fault[0] ? "; " : "", fault);
}

/* The largest distance of an element from the answer of the reference, in units of the rounding error, and where. */
static double farthest(const struct judged *judged, int64_t *worst)
{
    const struct linear_system *of = &judged->reference->of;
    const struct path *path = judged->path;
    const double unit = (root_n(judged) + (double)path->moving) * judged->u * path->largest;
    double error = -1;
    for (int64_t i = 0; i < of->n; i++) {
        const double distance = fabs(operand_value(judged->x, of->precision, i) - path->x[i]);
        if (!(distance <= error)) {
            error = distance;
            *worst = i;
        }
    }
    return error == 0 ? 0 : error / unit;
}

static void judge_converged(const struct judged *judged)
{
    const struct path *path = judged->path;
    int64_t worst;
    struct verdict *verdict = judged->verdict;
    if (!x_is_finite(judged))
        return;
    verdict->bound = 1;
    verdict->error = judged->norm / norm_allowed(judged);
    if (!(verdict->error <= 1))
        verdict_refuse(verdict, "the residual is %.6g, not %.6g or less", judged->norm, norm_allowed(judged));
    else if (path &&
             !(fabs(judged->norm - judged->log->residual) <= ALLOWED * root_n(judged) * judged->u * judged->scale))
        verdict_refuse(verdict, "the residual is %.6g, but the log says %.6g", judged->norm, judged->log->residual);
    else if (path && path->log.end == SOLVER_CONVERGED && path->log.sweeps == judged->log->sweeps &&
             !(farthest(judged, &worst) <= ALLOWED))
        verdict_refuse(verdict, "x(%lld) is not that of %lld sweeps, %.9g", (long long)worst,
                       (long long)judged->log->sweeps, path->x[worst]);
}

static void judge_iterate(const struct judged *judged)
{
    const struct path *path = judged->path;
    struct verdict *verdict = judged->verdict;
    int64_t worst;
    if (!x_is_finite(judged))
        return;
    verdict->bound = ALLOWED;
    verdict->error = farthest(judged, &worst);
    if (!(verdict->error <= verdict->bound))
        verdict_refuse(verdict, "x(%lld) is %.9g after %lld sweeps, not %.9g", (long long)worst,
                       operand_value(judged->x, judged->reference->of.precision, worst), (long long)judged->log->sweeps,
                       path->x[worst]);
}

/* Judges a run in no fixed order after a given number of sweeps. No order lets an element of the error grow beyond the
 * largest error of the start x = 0. So |r_i| is at most 2 a_ii max|x|: about 75 for the sources' matrices, where the
 * root of the mean square of b is 29. */
static void judge_chaotic(const struct judged *judged)
{
    const double MOST = 3;
    struct verdict *verdict = judged->verdict;
    verdict->bound = MOST;
    verdict->error = judged->norm / judged->reference->norm_b;
    if (verdict->error <= MOST)
        return;
    if (judged->rule->omega > 1 || judged->reference->fault[0])
        blame_method(judged, STATUS_DIVERGED);
    else if (x_is_finite(judged))
        verdict_refuse(verdict, "the residual is %.6g, but no order of the rows can make it more than %.6g",
                       judged->norm, MOST * judged->reference->norm_b);
}

static void judge(struct judged *judged)
{
    static const enum status blamed[SOLVER_ENDS] = {
        [SOLVER_LIMIT] = STATUS_LIMIT, [SOLVER_STALLED] = STATUS_STALLED, [SOLVER_DIVERGED] = STATUS_DIVERGED};
    const struct solver_log *log = judged->log;
    const struct path *path = judged->path;
    const bool diverges = path && !(path->log.residual <= GROWN * path->log.history[0]);
    if (log->end == SOLVER_COUNTED && diverges) {
        blame_method(judged, STATUS_DIVERGED);
        return;
    }
    if (path && log->end != SOLVER_COUNTED && !solver_verify_log_end(judged))
        return;
    if (path && log->end != SOLVER_DIVERGED && !solver_verify_log_follows(judged))
        return;
    if (blamed[log->end])
        blame_method(judged, blamed[log->end]);
    else if (log->end == SOLVER_CONVERGED)
        judge_converged(judged);
    else if (path)
        judge_iterate(judged);
    else
        judge_chaotic(judged);
    if (judged->verdict->ok && judged->verdict->status == STATUS_OK)
        solver_verify_log_is_finite(judged);
}

void solver_verify(const void *memory, const struct solver_rule *rule, bool chaotic, const void *x,
                   const struct solver_log *log, struct verdict *verdict)
{
    const struct reference *reference = memory;
    struct judged judged = {.reference = reference,
                            .rule = rule,
                            .x = x,
                            .log = log,
                            .u = reference->of.precision == F32 ? 0x1p-24 : 0x1p-53,
                            .verdict = verdict};
    *verdict = (struct verdict){.ok = true, .error = NAN, .bound = NAN, .norm2 = NAN, .residual = NAN, .radius = NAN};
    if (!solver_verify_log_is_sane(&judged))
        return;
    struct path *path = path_of(reference, rule);
    if (!path || !(chaotic || follow(reference, rule, path)) || !measure_x(&judged)) {
        verdict_no_memory(verdict);
        return;
    }
    verdict->radius = path->radius;
    if (!chaotic)
        judged.path = path;
    judge(&judged);
}
