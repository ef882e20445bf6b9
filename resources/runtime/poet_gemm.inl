/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Matrix products.
 * gemm a: 0 rows, 1 inner, 2 columns, 3 transA, 4 transB, 5 alpha, 6 beta, 7 row stride of C, 8 column stride of C,
 *   9 rows of C, 10 columns of C. Forward in: A B C. Backward in: dY A B C.
 * matmul a: 0 rows, 1 inner, 2 columns, 3 rank of the batch, 4.. batch dims, strides of A, strides of B (elements).
 *   Forward in: A B. Backward in: dY A B. */

POET_FN int poet_k_gemm(void *user, const poet_call *c)
{
    const int32_t *a = c->a;
    const float *x = (const float *)c->in[0], *w = (const float *)c->in[1], *b = (const float *)c->in[2];
    const int32_t rx = a[3] != 0 ? 1 : a[1], kx = a[3] != 0 ? a[0] : 1, kw = a[4] != 0 ? 1 : a[2], cw = a[4] != 0 ? a[1] : 1;
    const float alpha = POET_F(a, 5), beta = POET_F(a, 6);
    float *y = (float *)c->out[0];
    int32_t r, k, j;
    (void)user;
    for (r = 0; r < a[0]; ++r)
        for (j = 0; j < a[2]; ++j) {
            float sum = 0.0f;
            for (k = 0; k < a[1]; ++k)
                sum += x[r * rx + k * kx] * w[k * kw + j * cw];
            sum *= alpha;
            y[r * a[2] + j] = b != 0 ? sum + beta * b[r * a[7] + j * a[8]] : sum;
        }
    return 0;
}

/* Gradients of A and B: one product each, element by element in the order of their memory. */
POET_FN void poet_gemm_grad_a(const int32_t *a, const float *dy, const float *w, const poet_grad *g, float alpha)
{
    const int32_t kw = a[4] != 0 ? 1 : a[2], cw = a[4] != 0 ? a[1] : 1;
    const int32_t rx = a[3] != 0 ? 1 : a[1], kx = a[3] != 0 ? a[0] : 1;
    int32_t r, k, j;
    for (r = 0; r < a[0]; ++r)
        for (k = 0; k < a[1]; ++k) {
            float sum = 0.0f;
            for (j = 0; j < a[2]; ++j)
                sum += dy[r * a[2] + j] * w[k * kw + j * cw];
            poet_put(g, r * rx + k * kx, alpha * sum);
        }
}

POET_FN void poet_gemm_grad_b(const int32_t *a, const float *dy, const float *x, const poet_grad *g, float alpha)
{
    const int32_t kw = a[4] != 0 ? 1 : a[2], cw = a[4] != 0 ? a[1] : 1;
    const int32_t rx = a[3] != 0 ? 1 : a[1], kx = a[3] != 0 ? a[0] : 1;
    int32_t r, k, j;
    for (k = 0; k < a[1]; ++k)
        for (j = 0; j < a[2]; ++j) {
            float sum = 0.0f;
            for (r = 0; r < a[0]; ++r)
                sum += x[r * rx + k * kx] * dy[r * a[2] + j];
            poet_put(g, k * kw + j * cw, alpha * sum);
        }
}

POET_FN void poet_gemm_grad_c(const int32_t *a, const float *dy, const poet_grad *g, float beta)
{
    const int32_t rows = a[9], columns = a[10];
    int32_t r, j, p, q;
    for (p = 0; p < rows; ++p)
        for (q = 0; q < columns; ++q) {
            float sum = 0.0f;
            for (r = rows == 1 ? 0 : p; r < (rows == 1 ? a[0] : p + 1); ++r)
                for (j = columns == 1 ? 0 : q; j < (columns == 1 ? a[2] : q + 1); ++j)
                    sum += dy[r * a[2] + j];
            poet_put(g, p * columns + q, beta * sum);
        }
}

POET_FN int poet_k_gemm_grad(void *user, const poet_call *c)
{
    const float *dy = (const float *)c->in[0];
    const float alpha = POET_F(c->a, 5), beta = POET_F(c->a, 6);
    (void)user;
    if (c->grad[0].mode != POET_PUT_NONE)
        poet_gemm_grad_a(c->a, dy, (const float *)c->in[2], &c->grad[0], alpha);
    if (c->grad[1].mode != POET_PUT_NONE)
        poet_gemm_grad_b(c->a, dy, (const float *)c->in[1], &c->grad[1], alpha);
    if (c->grad[2].mode != POET_PUT_NONE)
        poet_gemm_grad_c(c->a, dy, &c->grad[2], beta);
    return 0;
}

POET_FN int poet_k_matmul(void *user, const poet_call *c)
{
    const int32_t *a = c->a, rank = a[3];
    const float *x = (const float *)c->in[0], *w = (const float *)c->in[1];
    float *y = (float *)c->out[0];
    poet_walk at;
    (void)user;
    poet_walk_begin(&at, rank, a + 4, a + 4 + rank, a + 4 + 2 * rank, 0, 0);
    do {
        int32_t r, j, k;
        for (r = 0; r < a[0]; ++r)
            for (j = 0; j < a[2]; ++j) {
                float sum = 0.0f;
                for (k = 0; k < a[1]; ++k)
                    sum += x[at.pos[0] + r * a[1] + k] * w[at.pos[1] + k * a[2] + j];
                *y++ = sum;
            }
    } while (poet_walk_next(&at));
    return 0;
}

/* One element of a gradient: over all batches that read the matrix at `base` (broadcast ones several times). */
POET_FN float poet_matmul_sum(const poet_call *c, int32_t side, int32_t base, int32_t p, int32_t q)
{
    const int32_t *a = c->a, rank = a[3], other = 1 - side;
    const float *dy = (const float *)c->in[0], *z = (const float *)c->in[side == 0 ? 2 : 1];
    float sum = 0.0f;
    int32_t batch = 0, i;
    poet_walk at;
    poet_walk_begin(&at, rank, a + 4, a + 4 + rank, a + 4 + 2 * rank, 0, 0);
    do {
        if (at.pos[side] == base) {
            const float *d = dy + batch * a[0] * a[2], *m = z + at.pos[other];
            if (side == 0)
                for (i = 0; i < a[2]; ++i)
                    sum += d[p * a[2] + i] * m[q * a[2] + i];
            else
                for (i = 0; i < a[0]; ++i)
                    sum += m[i * a[1] + p] * d[i * a[2] + q];
        }
        ++batch;
    } while (poet_walk_next(&at));
    return sum;
}

POET_FN int poet_k_matmul_grad(void *user, const poet_call *c)
{
    const int32_t *a = c->a, rank = a[3];
    int32_t side, p, q, d;
    (void)user;
    for (side = 0; side < 2; ++side) {
        const int32_t *stride = a + 4 + rank + side * rank;
        const int32_t rows = side == 0 ? a[0] : a[1], columns = side == 0 ? a[1] : a[2];
        int32_t matrices = 1, base;
        if (c->grad[side].mode == POET_PUT_NONE)
            continue;
        for (d = 0; d < rank; ++d)
            if (stride[d] != 0)
                matrices *= a[4 + d];
        for (base = 0; base < matrices * rows * columns; base += rows * columns)
            for (p = 0; p < rows; ++p)
                for (q = 0; q < columns; ++q)
                    poet_put(&c->grad[side], base + p * columns + q, poet_matmul_sum(c, side, base, p, q));
    }
    return 0;
}
