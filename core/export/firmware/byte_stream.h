// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace poet::firmware {

/// Little-endian bytes and base-128 varints, written.
class ByteWriter {
public:
    void byte(std::uint32_t value) { m_bytes += static_cast<char>(value & 0xFF); }
    void fixed(std::uint64_t value, int bytes)
    {
        for (int i = 0; i < bytes; ++i)
            byte(static_cast<std::uint32_t>(value >> (8 * i)));
    }
    void varint(std::uint32_t value)
    {
        for (; value >= 0x80; value >>= 7)
            byte(value | 0x80);
        byte(value);
    }
    void zigzag(std::int32_t value) { varint(static_cast<std::uint32_t>(value) << 1 ^ static_cast<std::uint32_t>(value >> 31)); }
    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }
    void append(const ByteWriter& other) { m_bytes += other.m_bytes; }

private:
    std::string m_bytes;
};

/// The same, read. After a read beyond the end, or of an overlong varint, `isBroken` stays true and all reads give 0.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes, std::size_t at = 0) : m_bytes(bytes), m_at(at) {}
    std::uint32_t byte()
    {
        if (m_isBroken || m_at >= m_bytes.size()) {
            m_isBroken = true;
            return 0;
        }
        return static_cast<unsigned char>(m_bytes[m_at++]);
    }
    std::uint64_t fixed(int bytes)
    {
        std::uint64_t value = 0;
        for (int i = 0; i < bytes; ++i)
            value |= static_cast<std::uint64_t>(byte()) << (8 * i);
        return value;
    }
    std::uint32_t varint()
    {
        std::uint32_t value = 0;
        for (int i = 0; i < 5; ++i) {
            const std::uint32_t now = byte();
            if (i == 4 && now > 0x0F)
                break;
            value |= (now & 0x7F) << (7 * i);
            if (now < 0x80) {
                if (now == 0 && i > 0)
                    break;  // overlong
                return value;
            }
        }
        m_isBroken = true;
        return 0;
    }
    std::int32_t zigzag()
    {
        const std::uint32_t raw = varint();
        return static_cast<std::int32_t>(raw >> 1 ^ (0U - (raw & 1)));
    }
    [[nodiscard]] bool isBroken() const { return m_isBroken; }
    [[nodiscard]] std::size_t at() const { return m_at; }

private:
    std::string_view m_bytes;
    std::size_t m_at = 0;
    bool m_isBroken = false;
};

/// Bits, most significant first, with exponential Golomb codes: small numbers take few bits.
class BitWriter {
public:
    void bit(bool value)
    {
        m_held = m_held << 1 | (value ? 1U : 0U);
        if (++m_count == 8) {
            m_out.byte(m_held);
            m_held = m_count = 0;
        }
    }
    void golomb(std::uint32_t value, int order)
    {
        const std::uint64_t shifted = std::uint64_t{value} + (std::uint64_t{1} << order);
        const int width = static_cast<int>(std::bit_width(shifted));
        for (int i = 0; i < width - 1 - order; ++i)
            bit(false);
        for (int i = width - 1; i >= 0; --i)
            bit((shifted >> i & 1) != 0);
    }
    void signedGolomb(std::int32_t value, int order) { golomb(static_cast<std::uint32_t>(value) << 1 ^ static_cast<std::uint32_t>(value >> 31), order); }
    /// The bits so far, filled up to a whole byte with zeros.
    [[nodiscard]] const ByteWriter& finish()
    {
        while (m_count != 0)
            bit(false);
        return m_out;
    }

private:
    ByteWriter m_out;
    std::uint32_t m_held = 0, m_count = 0;
};

/// The same, read; broken as its reader is.
class BitReader {
public:
    explicit BitReader(ByteReader in) : m_in(in) {}
    bool bit()
    {
        if (m_count == 0) {
            m_held = m_in.byte();
            m_count = 8;
        }
        return (m_held >> --m_count & 1) != 0;
    }
    std::uint32_t golomb(int order)
    {
        int zeros = 0;
        while (!bit())
            if (++zeros > 32 || m_in.isBroken()) {
                m_isBroken = true;
                return 0;
            }
        std::uint64_t value = 1;
        for (int i = 0; i < zeros + order; ++i)
            value = value << 1 | (bit() ? 1U : 0U);
        value -= std::uint64_t{1} << order;
        m_isBroken = m_isBroken || value > 0xFFFFFFFFU;
        return static_cast<std::uint32_t>(value);
    }
    std::int32_t signedGolomb(int order)
    {
        const std::uint32_t raw = golomb(order);
        return static_cast<std::int32_t>(raw >> 1 ^ (0U - (raw & 1)));
    }
    [[nodiscard]] bool isBroken() const { return m_isBroken || m_in.isBroken(); }

private:
    ByteReader m_in;
    std::uint32_t m_held = 0, m_count = 0;
    bool m_isBroken = false;
};

}  // namespace poet::firmware
