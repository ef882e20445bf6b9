/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* LSTM, GRU and RNN as ONNX defines them, without peepholes, clipping or sequence lengths.
 * a: 0 T, 1 B, 2 I, 3 H, 4 directions, 5 first direction is reversed, 6 batch first, 7 linear before reset (GRU) or
 *   activation (RNN: 0 tanh, 1 relu), 8 gates (rows of W / H).
 * Forward in: 0 X, 1 W, 2 R, 3 B, 4 lengths, 5 h0, 6 c0, 7 P, then sides (LSTM: 8 gates, 9 cells; GRU: 8 gates).
 * Backward in: 0 dY, 1 X, 2 W, 3 R, 4 B, 5 lengths, 6 h0, 7 c0, 8 P, 9 Y, then sides (10, 11), 12 dY_h, 13 dY_c.
 * Gates after activation: LSTM i o f c; GRU z r h and the hidden part of h.
 * Work: gates 2H floats; backward: gradients of the gates (T D B gates H; GRU one more) and 2H. */

typedef struct poet_rnn {
    int32_t T, B, I, H, D, G;
    const int32_t *a;
    const float *x, *w, *r, *b, *h0, *c0;
} poet_rnn;

POET_FN poet_rnn poet_rnn_of(const poet_call *c, int32_t first)
{
    poet_rnn n;
    n.a = c->a;
    n.T = c->a[0];
    n.B = c->a[1];
    n.I = c->a[2];
    n.H = c->a[3];
    n.D = c->a[4];
    n.G = c->a[8];
    n.x = (const float *)c->in[first];
    n.w = (const float *)c->in[first + 1];
    n.r = (const float *)c->in[first + 2];
    n.b = (const float *)c->in[first + 3];
    n.h0 = (const float *)c->in[first + 5];
    n.c0 = (const float *)c->in[first + 6];
    return n;
}
/* Time of step `k` of direction `d`. */
POET_FN int32_t poet_rnn_time(const poet_rnn *n, int32_t d, int32_t k)
{
    return (d == 1 || n->a[5] != 0) ? n->T - 1 - k : k;
}
/* Row of a per-step tensor, in rows. */
POET_FN int32_t poet_rnn_row(const poet_rnn *n, int32_t t, int32_t d, int32_t b)
{
    return n->a[6] != 0 ? (b * n->T + t) * n->D + d : (t * n->D + d) * n->B + b;
}
POET_FN const float *poet_rnn_x(const poet_rnn *n, int32_t t, int32_t b)
{
    return n->x + (n->a[6] != 0 ? b * n->T + t : t * n->B + b) * n->I;
}
POET_FN int32_t poet_rnn_state(const poet_rnn *n, int32_t d, int32_t b)
{
    return (n->a[6] != 0 ? b * n->D + d : d * n->B + b) * n->H;
}
/* Input part and hidden part of row `j` of direction `d`, with their biases. */
POET_FN float poet_rnn_input(const poet_rnn *n, int32_t d, int32_t j, const float *x)
{
    const int32_t rows = n->G * n->H;
    const float *w = n->w + (d * rows + j) * n->I;
    float sum = n->b != 0 ? n->b[2 * d * rows + j] : 0.0f;
    int32_t i;
    for (i = 0; i < n->I; ++i)
        sum += w[i] * x[i];
    return sum;
}
POET_FN float poet_rnn_hidden(const poet_rnn *n, int32_t d, int32_t j, const float *h)
{
    const int32_t rows = n->G * n->H;
    const float *r = n->r + (d * rows + j) * n->H;
    float sum = n->b != 0 ? n->b[(2 * d + 1) * rows + j] : 0.0f;
    int32_t i;
    if (h != 0)
        for (i = 0; i < n->H; ++i)
            sum += r[i] * h[i];
    return sum;
}

POET_FN int poet_k_lstm_gates(void *user, const poet_call *c)
{
    const poet_rnn n = poet_rnn_of(c, 0);
    float *h = (float *)c->work, *cell = h + n.H, *out = (float *)c->out[0];
    int32_t d, b, k, j;
    (void)user;
    for (d = 0; d < n.D; ++d)
        for (b = 0; b < n.B; ++b) {
            for (j = 0; j < n.H; ++j) {
                h[j] = n.h0 != 0 ? n.h0[poet_rnn_state(&n, d, b) + j] : 0.0f;
                cell[j] = n.c0 != 0 ? n.c0[poet_rnn_state(&n, d, b) + j] : 0.0f;
            }
            for (k = 0; k < n.T; ++k) {
                const int32_t t = poet_rnn_time(&n, d, k);
                float *g = out + poet_rnn_row(&n, t, d, b) * 4 * n.H;
                for (j = 0; j < 4 * n.H; ++j) {
                    const float v = poet_rnn_input(&n, d, j, poet_rnn_x(&n, t, b)) + poet_rnn_hidden(&n, d, j, h);
                    g[j] = j < 3 * n.H ? poet_sigmoid(v) : poet_tanh(v);
                }
                for (j = 0; j < n.H; ++j) {
                    cell[j] = g[2 * n.H + j] * cell[j] + g[j] * g[3 * n.H + j];
                    h[j] = g[n.H + j] * poet_tanh(cell[j]);
                }
            }
        }
    return 0;
}
POET_FN int poet_k_lstm_cells(void *user, const poet_call *c)
{
    const poet_rnn n = poet_rnn_of(c, 0);
    float *out = (float *)c->out[0];
    int32_t d, b, k, j;
    (void)user;
    for (d = 0; d < n.D; ++d)
        for (b = 0; b < n.B; ++b)
            for (j = 0; j < n.H; ++j) {
                float cell = n.c0 != 0 ? n.c0[poet_rnn_state(&n, d, b) + j] : 0.0f;
                for (k = 0; k < n.T; ++k) {
                    const int32_t row = poet_rnn_row(&n, poet_rnn_time(&n, d, k), d, b);
                    const float *g = (const float *)c->in[8] + row * 4 * n.H;
                    cell = g[2 * n.H + j] * cell + g[j] * g[3 * n.H + j];
                    out[row * n.H + j] = cell;
                }
            }
    return 0;
}
POET_FN int poet_k_lstm(void *user, const poet_call *c)
{
    const poet_rnn n = poet_rnn_of(c, 0);
    const int32_t rows = n.T * n.D * n.B;
    int32_t i, j;
    (void)user;
    for (i = 0; i < rows; ++i)
        for (j = 0; j < n.H; ++j)
            ((float *)c->out[0])[i * n.H + j] =
                ((const float *)c->in[8])[i * 4 * n.H + n.H + j] * poet_tanh(((const float *)c->in[9])[i * n.H + j]);
    return 0;
}

/* h before step `k`; null at the start without an initial state. */
POET_FN const float *poet_rnn_before(const poet_rnn *n, const float *y, int32_t d, int32_t b, int32_t k)
{
    if (k == 0)
        return n->h0 != 0 ? n->h0 + poet_rnn_state(n, d, b) : 0;
    return y + poet_rnn_row(n, poet_rnn_time(n, d, k - 1), d, b) * n->H;
}

/* Gradients of inputs and weights from those of the gates. `di` goes with the input part, `dh` with the hidden part. */
POET_FN void poet_rnn_weights(const poet_call *c, const poet_rnn *n, const float *y, const float *di, const float *dh)
{
    const int32_t rows = n->G * n->H;
    int32_t d, b, t, k, j, i;
    if (c->grad[0].mode != POET_PUT_NONE)
        for (t = 0; t < n->T; ++t)
            for (b = 0; b < n->B; ++b)
                for (i = 0; i < n->I; ++i) {
                    float sum = 0.0f;
                    for (d = 0; d < n->D; ++d)
                        for (j = 0; j < rows; ++j)
                            sum += n->w[(d * rows + j) * n->I + i] * di[poet_rnn_row(n, t, d, b) * rows + j];
                    poet_put(&c->grad[0], (int32_t)(poet_rnn_x(n, t, b) - n->x) + i, sum);
                }
    for (d = 0; d < n->D; ++d)
        for (j = 0; j < rows; ++j) {
            float input = 0.0f, hidden = 0.0f;
            for (i = 0; i < n->I && c->grad[1].mode != POET_PUT_NONE; ++i) {
                float sum = 0.0f;
                for (b = 0; b < n->B; ++b)
                    for (k = 0; k < n->T; ++k)
                        sum += di[poet_rnn_row(n, k, d, b) * rows + j] * poet_rnn_x(n, k, b)[i];
                poet_put(&c->grad[1], (d * rows + j) * n->I + i, sum);
            }
            for (i = 0; i < n->H && c->grad[2].mode != POET_PUT_NONE; ++i) {
                float sum = 0.0f;
                for (b = 0; b < n->B; ++b)
                    for (k = 0; k < n->T; ++k) {
                        const float *h = poet_rnn_before(n, y, d, b, k);
                        if (h != 0)
                            sum += dh[poet_rnn_row(n, poet_rnn_time(n, d, k), d, b) * rows + j] * h[i];
                    }
                poet_put(&c->grad[2], (d * rows + j) * n->H + i, sum);
            }
            for (b = 0; b < n->B; ++b)
                for (k = 0; k < n->T; ++k) {
                    input += di[poet_rnn_row(n, k, d, b) * rows + j];
                    hidden += dh[poet_rnn_row(n, k, d, b) * rows + j];
                }
            poet_put(&c->grad[3], 2 * d * rows + j, input);
            poet_put(&c->grad[3], (2 * d + 1) * rows + j, hidden);
        }
}

/* back <- back_scale part is the caller's; adds R^T of one step's gate gradients to `to`. */
POET_FN void poet_rnn_back(const poet_rnn *n, int32_t d, const float *gates, float *to)
{
    int32_t j, i;
    for (i = 0; i < n->H; ++i) {
        float sum = 0.0f;
        for (j = 0; j < n->G * n->H; ++j)
            sum += n->r[(d * n->G * n->H + j) * n->H + i] * gates[j];
        to[i] += sum;
    }
}

/* Gradient of the state after the last step: what came with the last state, or zero. */
POET_FN void poet_rnn_last(const poet_rnn *n, const void *given, int32_t d, int32_t b, float *to)
{
    int32_t j;
    for (j = 0; j < n->H; ++j)
        to[j] = given != 0 ? ((const float *)given)[poet_rnn_state(n, d, b) + j] : 0.0f;
}

POET_FN int poet_k_lstm_grad(void *user, const poet_call *c)
{
    const poet_rnn n = poet_rnn_of(c, 1);
    const float *dy = (const float *)c->in[0], *gates = (const float *)c->in[10], *cells = (const float *)c->in[11];
    float *dg = (float *)c->work, *dh = dg + n.T * n.D * n.B * 4 * n.H, *dc = dh + n.H;
    int32_t d, b, k, j;
    (void)user;
    for (d = 0; d < n.D; ++d)
        for (b = 0; b < n.B; ++b) {
            poet_rnn_last(&n, c->in[12], d, b, dh);
            poet_rnn_last(&n, c->in[13], d, b, dc);
            for (k = n.T - 1; k >= 0; --k) {
                const int32_t row = poet_rnn_row(&n, poet_rnn_time(&n, d, k), d, b);
                const float *g = gates + row * 4 * n.H;
                float *q = dg + row * 4 * n.H;
                for (j = 0; j < n.H; ++j) {
                    const float i = g[j], o = g[n.H + j], f = g[2 * n.H + j], u = g[3 * n.H + j];
                    const float tc = poet_tanh(cells[row * n.H + j]), h = (dy != 0 ? dy[row * n.H + j] : 0.0f) + dh[j];
                    const float cell = h * o * (1.0f - tc * tc) + dc[j];
                    float before = n.c0 != 0 ? n.c0[poet_rnn_state(&n, d, b) + j] : 0.0f;
                    if (k > 0)
                        before = cells[poet_rnn_row(&n, poet_rnn_time(&n, d, k - 1), d, b) * n.H + j];
                    q[j] = cell * u * i * (1.0f - i);
                    q[n.H + j] = h * tc * o * (1.0f - o);
                    q[2 * n.H + j] = cell * before * f * (1.0f - f);
                    q[3 * n.H + j] = cell * i * (1.0f - u * u);
                    dc[j] = cell * f;
                    dh[j] = 0.0f;
                }
                poet_rnn_back(&n, d, q, dh);
            }
            for (j = 0; j < n.H; ++j) {
                poet_put(&c->grad[5], poet_rnn_state(&n, d, b) + j, dh[j]);
                poet_put(&c->grad[6], poet_rnn_state(&n, d, b) + j, dc[j]);
            }
        }
    poet_rnn_weights(c, &n, (const float *)c->in[9], dg, dg);
    return 0;
}
