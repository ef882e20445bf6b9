/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Elementary functions in plain float32 operations, the same bits on every IEEE machine.
 * Polynomials: Cephes Mathematical Library (Moshier), single precision. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#if defined(__GNUC__)
#define POET_FN static __attribute__((unused))
#else
#define POET_FN static
#endif

POET_FN float poet_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}
POET_FN uint32_t poet_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}
/* Attribute `i` as a float. */
#define POET_F(a, i) poet_float((uint32_t)(a)[i])

POET_FN float poet_abs(float x) { return poet_float(poet_bits(x) & 0x7FFFFFFFu); }
POET_FN float poet_max(float a, float b) { return a > b ? a : b; }
POET_FN float poet_min(float a, float b) { return a < b ? a : b; }

/* x * 2^n, n in [-300, 300]. */
POET_FN float poet_scale(float x, int32_t n)
{
    while (n > 127) {
        x *= 1.7014118e38f;
        n -= 127;
    }
    while (n < -126) {
        x *= 1.17549435e-38f;
        n += 126;
    }
    return x * poet_float((uint32_t)(n + 127) << 23);
}

POET_FN float poet_floor(float x)
{
    float y;
    if (poet_abs(x) >= 8388608.0f || x != x)
        return x;
    y = (float)(int32_t)x;
    return y > x ? y - 1.0f : y;
}

POET_FN float poet_exp(float x)
{
    float n, y;
    if (x != x)
        return x;
    if (x > 88.72284f)
        return poet_float(0x7F800000u);
    if (x < -103.97208f)
        return 0.0f;
    n = poet_floor(1.44269504f * x + 0.5f);
    x -= n * 0.693359375f;
    x -= n * -2.12194440e-4f;
    y = 1.9875691500e-4f;
    y = y * x + 1.3981999507e-3f;
    y = y * x + 8.3334519073e-3f;
    y = y * x + 4.1665795894e-2f;
    y = y * x + 1.6666665459e-1f;
    y = y * x + 5.0000001201e-1f;
    y = y * (x * x) + x + 1.0f;
    return poet_scale(y, (int32_t)n);
}

POET_FN float poet_log(float x)
{
    uint32_t bits;
    int32_t e;
    float y, z, n;
    if (x != x || x < 0.0f)
        return poet_float(0x7FC00000u);
    if (x == 0.0f)
        return poet_float(0xFF800000u);
    if (poet_bits(x) == 0x7F800000u)
        return x;
    e = 0;
    if (x < 1.17549435e-38f) {
        x *= 16777216.0f;
        e = -24;
    }
    bits = poet_bits(x);
    e += (int32_t)(bits >> 23) - 126;
    x = poet_float((bits & 0x007FFFFFu) | 0x3F000000u); /* [0.5, 1) */
    if (x < 0.707106781f) {
        e -= 1;
        x = x + x - 1.0f;
    } else {
        x = x - 1.0f;
    }
    z = x * x;
    y = 7.0376836292e-2f;
    y = y * x - 1.1514610310e-1f;
    y = y * x + 1.1676998740e-1f;
    y = y * x - 1.2420140846e-1f;
    y = y * x + 1.4249322787e-1f;
    y = y * x - 1.6668057665e-1f;
    y = y * x + 2.0000714765e-1f;
    y = y * x - 2.4999993993e-1f;
    y = y * x + 3.3333331174e-1f;
    y = y * x * z;
    n = (float)e;
    y += -2.12194440e-4f * n;
    y += -0.5f * z;
    z = x + y;
    return z + 0.693359375f * n;
}

/* log(1 + x) for x >= 0, accurate for small x. */
POET_FN float poet_log1p(float x)
{
    const float u = 1.0f + x;
    if (u == 1.0f)
        return x;
    return poet_log(u) * (x / (u - 1.0f));
}

POET_FN float poet_tanh(float x)
{
    const float m = poet_abs(x);
    float z;
    if (m >= 0.625f) {
        if (m > 9.1f)
            return x < 0.0f ? -1.0f : 1.0f;
        z = 1.0f - 2.0f / (poet_exp(m + m) + 1.0f);
        return x < 0.0f ? -z : z;
    }
    z = x * x;
    return ((((-5.70498872745e-3f * z + 2.06390887954e-2f) * z - 5.37397155531e-2f) * z + 1.33314422036e-1f) * z -
            3.33332819422e-1f) * z * x + x;
}

POET_FN float poet_sigmoid(float x)
{
    float e;
    if (x >= 0.0f)
        return 1.0f / (1.0f + poet_exp(-x));
    e = poet_exp(x);
    return e / (1.0f + e);
}

/* erfc(x) for x >= 1. */
POET_FN float poet_erfc_tail(float x)
{
    const float q = 1.0f / x, y = q * q;
    float p;
    if (x < 2.0f) {
        p = 2.326819970068386e-2f;
        p = p * y - 1.387039388740657e-1f;
        p = p * y + 3.687424674597105e-1f;
        p = p * y - 5.824733027278666e-1f;
        p = p * y + 6.210004621745983e-1f;
        p = p * y - 4.944515323274145e-1f;
        p = p * y + 3.404879937665872e-1f;
        p = p * y - 2.741127028184656e-1f;
        p = p * y + 5.638259427472472e-1f;
    } else {
        p = -1.047766399936249e+1f;
        p = p * y + 1.297719955372516e+1f;
        p = p * y - 7.495518717768503e+0f;
        p = p * y + 2.921019019210786e+0f;
        p = p * y - 1.015265279202700e+0f;
        p = p * y + 4.218463358204948e-1f;
        p = p * y - 2.820767439740514e-1f;
        p = p * y + 5.641895067754075e-1f;
    }
    return poet_exp(-x * x) * q * p;
}

POET_FN float poet_erf(float x)
{
    const float m = poet_abs(x);
    float z;
    if (m >= 1.0f) {
        z = m > 4.0f ? 1.0f : 1.0f - poet_erfc_tail(m);
        return x < 0.0f ? -z : z;
    }
    z = x * x;
    return x * ((((((7.853861353153693e-5f * z - 8.010193625184903e-4f) * z + 5.188327685732524e-3f) * z -
                   2.685381193529856e-2f) * z + 1.128358514861418e-1f) * z - 3.761262582423300e-1f) * z +
                1.128379165726710e+0f);
}

/* Correctly rounded square root, one bit of the result at a time. */
POET_FN float poet_sqrt(float x)
{
    uint32_t bits = poet_bits(x), m, root = 0, rest = 0;
    int32_t e, i;
    if (x == 0.0f || bits == 0x7F800000u || x != x)
        return x;
    if (x < 0.0f)
        return poet_float(0x7FC00000u);
    e = 0;
    if (bits < 0x00800000u) {
        bits = poet_bits(x * 16777216.0f);
        e = -24;
    }
    e += (int32_t)(bits >> 23) - 127;
    m = (bits & 0x007FFFFFu) | 0x00800000u;
    if ((e & 1) != 0) {
        m <<= 1;
        e -= 1;
    }
    /* 25 bits of sqrt(m * 2^25); the pairs of m come from the top */
    for (i = 24; i >= 0; --i) {
        const int32_t shift = 2 * i - 25;
        const uint32_t pair = shift >= 0 ? (m >> shift) & 3u : shift == -1 ? (m << 1) & 3u : 0u;
        rest = (rest << 2) | pair;
        root <<= 1;
        if (rest >= 2u * root + 1u) {
            rest -= 2u * root + 1u;
            root += 1u;
        }
    }
    root = (root >> 1) + ((root & 1u) != 0 ? 1u : 0u); /* never a tie: a square root has no 25-bit half */
    if (root == 0x01000000u) {
        root >>= 1;
        e += 2;
    }
    return poet_float(((uint32_t)(e / 2 + 127) << 23) | (root & 0x007FFFFFu));
}

/* sin and cos by reduction to [-pi/4, pi/4]; |x| below 8192. */
POET_FN float poet_sin_cos(float x, int32_t wants_cos)
{
    const float m = poet_abs(x);
    int32_t j = (int32_t)(1.27323954f * m);
    float y, z;
    int32_t negative = wants_cos == 0 && x < 0.0f;
    j += j & 1;
    y = (float)j;
    z = ((m - y * 0.78515625f) - y * 2.4187564849853515625e-4f) - y * 3.77489497744594108e-8f;
    j &= 7;
    if (j > 3) {
        j -= 4;
        negative = !negative;
    }
    if (wants_cos != 0 && j > 1)
        negative = !negative;
    y = z * z;
    if ((j == 1 || j == 2) != (wants_cos != 0))
        z = ((2.443315711809948e-5f * y - 1.388731625493765e-3f) * y + 4.166664568298827e-2f) * y * y - 0.5f * y + 1.0f;
    else
        z = ((-1.9515295891e-4f * y + 8.3321608736e-3f) * y - 1.6666654611e-1f) * y * z + z;
    return negative ? -z : z;
}
POET_FN float poet_sin(float x) { return poet_sin_cos(x, 0); }
POET_FN float poet_cos(float x) { return poet_sin_cos(x, 1); }

/* x^y for any x; a whole y takes repeated products. */
POET_FN float poet_pow(float x, float y)
{
    const float whole = poet_floor(y);
    float r;
    if (whole == y && poet_abs(y) <= 64.0f) {
        int32_t n = (int32_t)poet_abs(y);
        r = 1.0f;
        for (; n > 0; n >>= 1) {
            if ((n & 1) != 0)
                r *= x;
            x *= x;
        }
        return y < 0.0f ? 1.0f / r : r;
    }
    if (y == 0.5f)
        return poet_sqrt(x);
    return x == 0.0f ? (y > 0.0f ? 0.0f : poet_float(0x7F800000u)) : poet_exp(y * poet_log(x));
}
