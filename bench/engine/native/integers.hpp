// Unsigned integers of 256 and 512 bits on 64-bit words.
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

using u64 = uint64_t;
using u128 = unsigned __int128;

template <int N> struct Wide {
  u64 w[N] = {};
  Wide() = default;
  Wide(u64 low) { w[0] = low; }
  bool isZero() const {
    u64 any = 0;
    for (int i = 0; i < N; i++) any |= w[i];
    return any == 0;
  }
  int words() const {
    int n = N;
    while (n > 0 && w[n - 1] == 0) n--;
    return n;
  }
  double toDouble() const {
    double value = 0;
    for (int i = N - 1; i >= 0; i--) value = value * 18446744073709551616.0 + double(w[i]);
    return value;
  }
};
using U256 = Wide<4>;
using U512 = Wide<8>;

template <int N> inline int compare(const Wide<N> &a, const Wide<N> &b) {
  for (int i = N - 1; i >= 0; i--)
    if (a.w[i] != b.w[i]) return a.w[i] < b.w[i] ? -1 : 1;
  return 0;
}
template <int N> inline bool operator<(const Wide<N> &a, const Wide<N> &b) { return compare(a, b) < 0; }
template <int N> inline bool operator==(const Wide<N> &a, const Wide<N> &b) {
  return compare(a, b) == 0;
}
template <int N> inline Wide<N> operator+(const Wide<N> &a, const Wide<N> &b) {
  Wide<N> r;
  u128 carry = 0;
  for (int i = 0; i < N; i++) {
    carry += u128(a.w[i]) + b.w[i];
    r.w[i] = u64(carry);
    carry >>= 64;
  }
  return r;
}
template <int N> inline Wide<N> operator-(const Wide<N> &a, const Wide<N> &b) {
  Wide<N> r;
  u64 borrow = 0;
  for (int i = 0; i < N; i++) {
    u128 d = u128(a.w[i]) - b.w[i] - borrow;
    r.w[i] = u64(d);
    borrow = u64(d >> 64) & 1;
  }
  return r;
}

inline U512 multiply(const U256 &a, const U256 &b) {
  U512 r;
  const int an = a.words(), bn = b.words();
  for (int i = 0; i < an; i++) {
    u64 carry = 0;
    for (int j = 0; j < bn; j++) {
      u128 t = u128(a.w[i]) * b.w[j] + r.w[i + j] + carry;
      r.w[i + j] = u64(t);
      carry = u64(t >> 64);
    }
    r.w[i + bn] = carry;
  }
  return r;
}

inline U256 low(const U512 &a) {
  U256 r;
  std::memcpy(r.w, a.w, sizeof r.w);
  return r;
}
inline U512 widen(const U256 &a) {
  U512 r;
  std::memcpy(r.w, a.w, sizeof a.w);
  return r;
}

template <int N> inline Wide<N> shiftLeft(const Wide<N> &a, int bits) {
  Wide<N> r;
  const int words = bits >> 6, rest = bits & 63;
  for (int i = N - 1; i >= words; i--) {
    r.w[i] = a.w[i - words] << rest;
    if (rest && i - words > 0) r.w[i] |= a.w[i - words - 1] >> (64 - rest);
  }
  return r;
}
template <int N> inline Wide<N> shiftRight(const Wide<N> &a, int bits) {
  Wide<N> r;
  const int words = bits >> 6, rest = bits & 63;
  for (int i = 0; i + words < N; i++) {
    r.w[i] = a.w[i + words] >> rest;
    if (rest && i + words + 1 < N) r.w[i] |= a.w[i + words + 1] << (64 - rest);
  }
  return r;
}

/// ⌊a / b⌋ and whether a remainder is left; Knuth's algorithm D on 64-bit digits.
inline U512 divide(U512 a, const U256 &b, bool &rest) {
  U512 q;
  const int n = a.words(), d = b.words();
  if (n < d) {
    rest = n > 0;
    return q;
  }
  if (d == 1) {
    u64 r = 0;
    for (int i = n - 1; i >= 0; i--) {
      u128 t = (u128(r) << 64) | a.w[i];
      q.w[i] = u64(t / b.w[0]);
      r = u64(t % b.w[0]);
    }
    rest = r != 0;
    return q;
  }
  const int shift = __builtin_clzll(b.w[d - 1]);
  const U256 v = shiftLeft(b, shift);
  u64 u[9] = {};
  for (int i = n; i > 0; i--)
    u[i] = shift ? ((i < 8 && i < n ? a.w[i] : 0) << shift) | (a.w[i - 1] >> (64 - shift))
                 : (i < n ? a.w[i] : 0);
  u[0] = a.w[0] << shift;
  for (int j = n - d; j >= 0; j--) {
    const u128 head = (u128(u[j + d]) << 64) | u[j + d - 1];
    u128 guess, left;
    if (u[j + d] >= v.w[d - 1]) {
      guess = ~u64(0);
      left = head - guess * v.w[d - 1];
    } else {
      guess = head / v.w[d - 1];
      left = head % v.w[d - 1];
    }
    while (left >> 64 == 0 && guess * v.w[d - 2] > ((left << 64) | u[j + d - 2])) {
      guess--;
      left += v.w[d - 1];
    }
    u64 carry = 0, borrow = 0;
    for (int i = 0; i < d; i++) {
      const u128 p = guess * v.w[i] + carry;
      carry = u64(p >> 64);
      const u128 t = u128(u[i + j]) - u64(p) - borrow;
      u[i + j] = u64(t);
      borrow = u64(t >> 64) & 1;
    }
    const u128 t = u128(u[j + d]) - carry - borrow;
    u[j + d] = u64(t);
    if (u64(t >> 64) & 1) {
      guess--;
      u128 c = 0;
      for (int i = 0; i < d; i++) {
        c += u128(u[i + j]) + v.w[i];
        u[i + j] = u64(c);
        c >>= 64;
      }
      u[j + d] += u64(c);
    }
    q.w[j] = u64(guess);
  }
  u64 any = 0;
  for (int i = 0; i < d; i++) any |= u[i];
  rest = any != 0;
  return q;
}

inline U256 mulDiv(const U256 &a, const U256 &b, const U256 &c, bool up = false) {
  bool rest;
  U256 q = low(divide(multiply(a, b), c, rest));
  return up && rest ? q + U256(1) : q;
}
inline U256 divideUp(const U256 &a, const U256 &b) {
  bool rest;
  U256 q = low(divide(widen(a), b, rest));
  return rest ? q + U256(1) : q;
}
inline U256 divideDown(const U256 &a, const U256 &b) {
  bool rest;
  return low(divide(widen(a), b, rest));
}

inline U256 parse(const std::string &text) {
  U256 r;
  for (char c : text) r = low(multiply(r, U256(10))) + U256(u64(c - '0'));
  return r;
}
inline std::string print(U256 a) {
  std::string text;
  do {
    u64 r = 0;
    for (int i = 3; i >= 0; i--) {
      u128 t = (u128(r) << 64) | a.w[i];
      a.w[i] = u64(t / 10);
      r = u64(t % 10);
    }
    text.insert(text.begin(), char('0' + r));
  } while (!a.isZero());
  return text;
}
