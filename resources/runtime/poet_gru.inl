/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* GRU and RNN. Operands and attributes: poet_recurrent.inl. */

POET_FN int poet_k_gru_gates(void *user, const poet_call *c)
{
    const poet_rnn n = poet_rnn_of(c, 0);
    float *h = (float *)c->work, *rh = h + n.H, *out = (float *)c->out[0];
    int32_t d, b, k, j;
    (void)user;
    for (d = 0; d < n.D; ++d)
        for (b = 0; b < n.B; ++b) {
            for (j = 0; j < n.H; ++j)
                h[j] = n.h0 != 0 ? n.h0[poet_rnn_state(&n, d, b) + j] : 0.0f;
            for (k = 0; k < n.T; ++k) {
                const int32_t t = poet_rnn_time(&n, d, k);
                const float *x = poet_rnn_x(&n, t, b);
                float *g = out + poet_rnn_row(&n, t, d, b) * 4 * n.H;
                for (j = 0; j < 2 * n.H; ++j)
                    g[j] = poet_sigmoid(poet_rnn_input(&n, d, j, x) + poet_rnn_hidden(&n, d, j, h));
                for (j = 0; j < n.H; ++j)
                    rh[j] = g[n.H + j] * h[j];
                for (j = 0; j < n.H; ++j) {
                    const float hidden = poet_rnn_hidden(&n, d, 2 * n.H + j, n.a[7] != 0 ? h : rh);
                    g[3 * n.H + j] = hidden;
                    g[2 * n.H + j] = poet_tanh(poet_rnn_input(&n, d, 2 * n.H + j, x) + (n.a[7] != 0 ? g[n.H + j] * hidden : hidden));
                }
                for (j = 0; j < n.H; ++j)
                    h[j] = (1.0f - g[j]) * g[2 * n.H + j] + g[j] * h[j];
            }
        }
    return 0;
}
POET_FN int poet_k_gru(void *user, const poet_call *c)
{
    const poet_rnn n = poet_rnn_of(c, 0);
    float *y = (float *)c->out[0];
    int32_t d, b, k, j;
    (void)user;
    for (d = 0; d < n.D; ++d)
        for (b = 0; b < n.B; ++b)
            for (k = 0; k < n.T; ++k) {
                const int32_t row = poet_rnn_row(&n, poet_rnn_time(&n, d, k), d, b);
                const float *g = (const float *)c->in[8] + row * 4 * n.H, *h = poet_rnn_before(&n, y, d, b, k);
                for (j = 0; j < n.H; ++j)
                    y[row * n.H + j] = (1.0f - g[j]) * g[2 * n.H + j] + g[j] * (h != 0 ? h[j] : 0.0f);
            }
    return 0;
}

/* One step back through a GRU: `q` input side, `p` hidden side gate gradients; `dh` becomes that of the step before. */
POET_FN void poet_gru_step(const poet_rnn *n, int32_t d, const float *g, const float *h, const float *dy, float *dh, float *q,
                           float *p, float *rh)
{
    const int32_t H = n->H;
    int32_t j, i;
    for (j = 0; j < H; ++j) {
        const float z = g[j], r = g[H + j], u = g[2 * H + j], before = h != 0 ? h[j] : 0.0f, total = (dy != 0 ? dy[j] : 0.0f) + dh[j];
        const float du = total * (1.0f - z) * (1.0f - u * u);
        q[j] = p[j] = total * (before - u) * z * (1.0f - z);
        q[2 * H + j] = du;
        p[2 * H + j] = n->a[7] != 0 ? du * r : du;
        q[H + j] = p[H + j] = n->a[7] != 0 ? du * g[3 * H + j] * r * (1.0f - r) : 0.0f;
        dh[j] = total * z;
        rh[j] = 0.0f;
    }
    if (n->a[7] != 0) {
        poet_rnn_back(n, d, p, dh);
        return;
    }
    for (i = 0; i < H; ++i) /* through r * h */
        for (j = 0; j < H; ++j)
            rh[i] += n->r[(d * 3 * H + 2 * H + j) * H + i] * p[2 * H + j];
    for (j = 0; j < H; ++j) {
        const float r = g[H + j];
        q[H + j] = p[H + j] = rh[j] * (h != 0 ? h[j] : 0.0f) * r * (1.0f - r);
        dh[j] += rh[j] * r;
    }
    for (i = 0; i < H; ++i)
        for (j = 0; j < 2 * H; ++j)
            dh[i] += n->r[(d * 3 * H + j) * H + i] * p[j];
}

/* Without linear before reset the candidate's recurrent weight meets r * h. */
POET_FN void poet_gru_candidate(const poet_call *c, const poet_rnn *n, const float *y, const float *gates, const float *p)
{
    int32_t d, j, i, b, k;
    for (d = 0; d < n->D; ++d)
        for (j = 0; j < n->H; ++j)
            for (i = 0; i < n->H; ++i) {
                float sum = 0.0f;
                for (b = 0; b < n->B; ++b)
                    for (k = 0; k < n->T; ++k) {
                        const float *h = poet_rnn_before(n, y, d, b, k);
                        const int32_t row = poet_rnn_row(n, poet_rnn_time(n, d, k), d, b);
                        if (h != 0) /* what the common sum lacks: (r - 1) h */
                            sum += p[row * 3 * n->H + 2 * n->H + j] * ((gates[row * 4 * n->H + n->H + i] - 1.0f) * h[i]);
                    }
                if (c->grad[2].mode == POET_PUT_WRITE)
                    c->grad[2].p[(d * 3 * n->H + 2 * n->H + j) * n->H + i] += sum;
                else
                    poet_put(&c->grad[2], (d * 3 * n->H + 2 * n->H + j) * n->H + i, sum);
            }
}

POET_FN int poet_k_gru_grad(void *user, const poet_call *c)
{
    const poet_rnn n = poet_rnn_of(c, 1);
    const float *dy = (const float *)c->in[0], *y = (const float *)c->in[9], *gates = (const float *)c->in[10];
    const int32_t size = n.T * n.D * n.B * 3 * n.H;
    float *q = (float *)c->work, *p = q + size, *dh = p + size;
    int32_t d, b, k, j;
    (void)user;
    for (d = 0; d < n.D; ++d)
        for (b = 0; b < n.B; ++b) {
            poet_rnn_last(&n, c->in[12], d, b, dh);
            for (k = n.T - 1; k >= 0; --k) {
                const int32_t row = poet_rnn_row(&n, poet_rnn_time(&n, d, k), d, b);
                poet_gru_step(&n, d, gates + row * 4 * n.H, poet_rnn_before(&n, y, d, b, k), dy != 0 ? dy + row * n.H : 0, dh,
                              q + row * 3 * n.H, p + row * 3 * n.H, dh + n.H);
            }
            for (j = 0; j < n.H; ++j)
                poet_put(&c->grad[5], poet_rnn_state(&n, d, b) + j, dh[j]);
        }
    poet_rnn_weights(c, &n, y, q, p);
    if (n.a[7] == 0 && c->grad[2].mode != POET_PUT_NONE)
        poet_gru_candidate(c, &n, y, gates, p);
    return 0;
}

POET_FN int poet_k_rnn(void *user, const poet_call *c)
{
    const poet_rnn n = poet_rnn_of(c, 0);
    float *y = (float *)c->out[0];
    int32_t d, b, k, j;
    (void)user;
    for (d = 0; d < n.D; ++d)
        for (b = 0; b < n.B; ++b)
            for (k = 0; k < n.T; ++k) {
                const int32_t t = poet_rnn_time(&n, d, k), row = poet_rnn_row(&n, t, d, b);
                const float *h = poet_rnn_before(&n, y, d, b, k);
                for (j = 0; j < n.H; ++j) {
                    const float v = poet_rnn_input(&n, d, j, poet_rnn_x(&n, t, b)) + poet_rnn_hidden(&n, d, j, h);
                    y[row * n.H + j] = n.a[7] != 0 ? (v > 0.0f ? v : 0.0f) : poet_tanh(v);
                }
            }
    return 0;
}
POET_FN int poet_k_rnn_grad(void *user, const poet_call *c)
{
    const poet_rnn n = poet_rnn_of(c, 1);
    const float *dy = (const float *)c->in[0], *y = (const float *)c->in[9];
    float *q = (float *)c->work, *dh = q + n.T * n.D * n.B * n.H;
    int32_t d, b, k, j;
    (void)user;
    for (d = 0; d < n.D; ++d)
        for (b = 0; b < n.B; ++b) {
            poet_rnn_last(&n, c->in[12], d, b, dh);
            for (k = n.T - 1; k >= 0; --k) {
                const int32_t row = poet_rnn_row(&n, poet_rnn_time(&n, d, k), d, b);
                for (j = 0; j < n.H; ++j) {
                    const float v = y[row * n.H + j], total = (dy != 0 ? dy[row * n.H + j] : 0.0f) + dh[j];
                    q[row * n.H + j] = n.a[7] != 0 ? (v > 0.0f ? total : 0.0f) : total * (1.0f - v * v);
                    dh[j] = 0.0f;
                }
                poet_rnn_back(&n, d, q + row * n.H, dh);
            }
            for (j = 0; j < n.H; ++j)
                poet_put(&c->grad[5], poet_rnn_state(&n, d, b) + j, dh[j]);
        }
    poet_rnn_weights(c, &n, y, q, q);
    return 0;
}
