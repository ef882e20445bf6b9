// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/firmware/sha256.h"

#include <bit>
#include <cmath>
#include <string>

namespace poet::firmware {
namespace {

/// First 32 bits of the fractional part of the root of a prime, as the standard defines its constants.
std::uint32_t fraction(long double root)
{
    return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

struct Constants {
    std::array<std::uint32_t, 64> k{};
    std::array<std::uint32_t, 8> start{};
    Constants()
    {
        std::size_t found = 0;
        for (int candidate = 2; found < k.size(); ++candidate) {
            bool isPrime = true;
            for (int divisor = 2; divisor * divisor <= candidate; ++divisor)
                isPrime = isPrime && candidate % divisor != 0;
            if (!isPrime)
                continue;
            k[found] = fraction(std::cbrt(static_cast<long double>(candidate)));
            if (found < start.size())
                start[found] = fraction(std::sqrt(static_cast<long double>(candidate)));
            ++found;
        }
    }
};

void addBlock(std::array<std::uint32_t, 8>& state, const unsigned char* block, const Constants& constants)
{
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = static_cast<std::uint32_t>(block[4 * i]) << 24 | static_cast<std::uint32_t>(block[4 * i + 1]) << 16 |
               static_cast<std::uint32_t>(block[4 * i + 2]) << 8 | block[4 * i + 3];
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants.k[i] + w[i];
        const std::uint32_t t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const std::array<std::uint32_t, 8> add{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < 8; ++i)
        state[i] += add[i];
}

}  // namespace

std::array<std::uint8_t, 32> sha256(std::string_view bytes)
{
    static const Constants constants;
    std::string padded(bytes);
    padded += '\x80';
    padded.resize((padded.size() + 8 + 63) / 64 * 64, '\0');
    const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
    for (std::size_t i = 0; i < 8; ++i)
        padded[padded.size() - 1 - i] = static_cast<char>(bits >> (8 * i) & 0xFF);
    auto state = constants.start;
    for (std::size_t at = 0; at < padded.size(); at += 64)
        addBlock(state, reinterpret_cast<const unsigned char*>(padded.data()) + at, constants);
    std::array<std::uint8_t, 32> digest{};
    for (std::size_t i = 0; i < 32; ++i)
        digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)) & 0xFF);
    return digest;
}

std::uint32_t crc32(std::string_view bytes)
{
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
    }
    return ~crc;
}

}  // namespace poet::firmware
