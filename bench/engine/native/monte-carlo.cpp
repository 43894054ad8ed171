// The fast estimate in C++ with SSE2, the same operations in the same order as
// packages/engine/assembly/montecarlo: the limit of 128-bit lanes, and a third witness of the bytes.
//
//     g++ -O3 -ffp-contract=off -o monte-carlo monte-carlo.cpp
//
// Reads lines of 18 numbers (seed words, constants, first path, paths, threads) and answers each with
// seconds and an FNV-1a hash of all results.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <emmintrin.h>
#include <limits>
#include <thread>
#include <vector>

namespace {

struct Terms {
  uint32_t base[4];
  int steps;
  double drift, deviation, jumpRate, jumpMean, jumpDeviation;
  double rootKept, inverseRootKept, feeFactor, rootLower, rootUpper;
};

using v2 = __m128d;
const double MAGIC = 6755399441055744.0;
const double ONE_LESS = 0.9999999999999999;
const double ANGLE = 3.657291636058042e-10;

inline v2 all(double x) { return _mm_set1_pd(x); }
inline v2 add(v2 a, v2 b) { return _mm_add_pd(a, b); }
inline v2 sub(v2 a, v2 b) { return _mm_sub_pd(a, b); }
inline v2 mul(v2 a, v2 b) { return _mm_mul_pd(a, b); }
inline v2 quo(v2 a, v2 b) { return _mm_div_pd(a, b); }
inline v2 neg(v2 a) { return _mm_xor_pd(a, all(-0.0)); }

inline v2 ln(v2 x) {
  const __m128i half = _mm_set1_epi64x(0x3fe6a09e667f3bcdLL);
  const __m128i moved = _mm_sub_epi64(_mm_castpd_si128(x), half);
  // SSE2 shifts 64 bits without a sign only, so the sign is carried by a bias.
  const __m128i bias = _mm_set1_epi64x((long long)1 << 62);
  const __m128i k = _mm_sub_epi64(_mm_srli_epi64(_mm_add_epi64(moved, bias), 52),
                                  _mm_set1_epi64x((long long)1 << 10));
  const v2 m = _mm_castsi128_pd(_mm_sub_epi64(_mm_castpd_si128(x), _mm_slli_epi64(k, 52)));
  const v2 kd = sub(_mm_castsi128_pd(_mm_add_epi64(k, _mm_castpd_si128(all(MAGIC)))), all(MAGIC));
  const v2 f = sub(m, all(1));
  const v2 s = quo(f, add(all(2), f));
  const v2 z = mul(s, s);
  const v2 w = mul(z, z);
  v2 odd = add(all(0.22222198432149784), mul(w, all(0.15313837699209373)));
  odd = mul(w, add(all(0.3999999999940942), mul(w, odd)));
  v2 even = add(all(0.1818357216161805), mul(w, all(0.14798198605116586)));
  even = add(all(0.2857142874366239), mul(w, even));
  even = mul(z, add(all(0.6666666666666735), mul(w, even)));
  const v2 square = mul(mul(all(0.5), f), f);
  const v2 inner = add(mul(s, add(square, add(odd, even))), mul(kd, all(1.9082149292705877e-10)));
  return sub(mul(kd, all(0.6931471803691238)), sub(sub(square, inner), f));
}

inline v2 exponential(v2 x) {
  const v2 shifted = add(mul(x, all(1.4426950408889634)), all(MAGIC));
  const v2 k = sub(shifted, all(MAGIC));
  const v2 high = sub(x, mul(k, all(0.6931471803691238)));
  const v2 low = mul(k, all(1.9082149292705877e-10));
  const v2 r = sub(high, low);
  const v2 z = mul(r, r);
  v2 p = add(all(-1.6533902205465252e-6), mul(z, all(4.1381367970572385e-8)));
  p = add(all(6.613756321437934e-5), mul(z, p));
  p = add(all(-2.7777777777015593e-3), mul(z, p));
  p = mul(z, add(all(0.16666666666666602), mul(z, p)));
  const v2 c = sub(r, p);
  const v2 value = sub(all(1), sub(sub(low, quo(mul(r, c), sub(all(2), c))), high));
  return _mm_castsi128_pd(
      _mm_add_epi64(_mm_castpd_si128(value), _mm_slli_epi64(_mm_castpd_si128(shifted), 52)));
}

inline v2 sine(v2 x, v2 z) {
  v2 p = add(all(-2.5050760253406863e-8), mul(z, all(1.58969099521155e-10)));
  p = add(all(2.7557313707070068e-6), mul(z, p));
  p = add(all(-1.984126982985795e-4), mul(z, p));
  p = add(all(8.33333333332249e-3), mul(z, p));
  p = add(all(-0.16666666666666632), mul(z, p));
  return add(x, mul(mul(x, z), p));
}

inline v2 cosine(v2 z) {
  v2 p = add(all(2.087572321298175e-9), mul(z, all(-1.1359647557788195e-11)));
  p = add(all(-2.7557314351390663e-7), mul(z, p));
  p = add(all(2.480158728947673e-5), mul(z, p));
  p = add(all(-1.388888888887411e-3), mul(z, p));
  p = add(all(0.0416666666666666), mul(z, p));
  return sub(all(1), sub(mul(all(0.5), z), mul(mul(z, z), p)));
}

inline uint32_t rotate(uint32_t x, int places) { return (x << places) | (x >> (32 - places)); }

uint32_t mix(uint32_t x) {
  uint32_t z = (x ^ (x >> 16)) * 0x21f0aaadu;
  z = (z ^ (z >> 15)) * 0x735a2d97u;
  return z ^ (z >> 15);
}

void seedState(const Terms &t, uint32_t path, uint32_t stream, uint32_t state[4]) {
  for (uint32_t j = 0; j < 4; j++) {
    state[j] = mix(t.base[j] + (path * 8 + stream * 4 + j + 1) * 0x9e3779b9u);
  }
  state[0] |= 1;
}

uint32_t nextWord(uint32_t s[4]) {
  const uint32_t out = rotate(s[1] * 5, 7) * 9;
  const uint32_t shifted = s[1] << 9;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate(s[3], 11);
  return out;
}

double unitOf(uint32_t a, uint32_t b) {
  const uint64_t bits = ((uint64_t)((a >> 12) | 0x3ff00000u) << 32) | b;
  double x;
  std::memcpy(&x, &bits, 8);
  return x - ONE_LESS;
}

struct Jumps {
  uint32_t state[4];
  double next;

  double wait(const Terms &t) {
    const uint32_t a = nextWord(state);
    return -_mm_cvtsd_f64(ln(all(unitOf(a, nextWord(state))))) / t.jumpRate;
  }

  double normal() {
    const uint32_t a = nextWord(state);
    const v2 radius = _mm_sqrt_pd(neg(ln(all(unitOf(a, nextWord(state))))));
    const v2 angle = all(((double)(int32_t)nextWord(state) + 0.5) * ANGLE);
    const v2 z = mul(angle, angle);
    const double plain = _mm_cvtsd_f64(mul(radius, sub(cosine(z), sine(angle, z))));
    return a & 0x800 ? -plain : plain;
  }
};

inline __m128i step128(__m128i &s0, __m128i &s1, __m128i &s2, __m128i &s3) {
  __m128i m = _mm_add_epi32(_mm_slli_epi32(s1, 2), s1);
  m = _mm_or_si128(_mm_slli_epi32(m, 7), _mm_srli_epi32(m, 25));
  const __m128i out = _mm_add_epi32(_mm_slli_epi32(m, 3), m);
  const __m128i shifted = _mm_slli_epi32(s1, 9);
  s2 = _mm_xor_si128(s2, s0);
  s3 = _mm_xor_si128(s3, s1);
  s1 = _mm_xor_si128(s1, s2);
  s0 = _mm_xor_si128(s0, s3);
  s2 = _mm_xor_si128(s2, shifted);
  s3 = _mm_or_si128(_mm_slli_epi32(s3, 11), _mm_srli_epi32(s3, 21));
  return out;
}

/** Two of the four paths of a pass. */
struct Pair {
  v2 log, root, pool, held, inverse, loss, fees, inside;
};

inline void advance(Pair &p, v2 change, const Terms &t) {
  p.log = add(p.log, change);
  p.root = exponential(p.log);
  p.pool = _mm_min_pd(_mm_max_pd(mul(p.root, all(t.rootKept)), p.pool),
                      mul(p.root, all(t.inverseRootKept)));
  const v2 now = _mm_min_pd(_mm_max_pd(p.pool, all(t.rootLower)), all(t.rootUpper));
  const v2 over = quo(all(1), now);
  const v2 quote = sub(now, p.held);
  const v2 base = mul(sub(over, p.inverse), mul(p.root, p.root));
  p.loss = sub(p.loss, add(base, quote));
  p.fees = add(p.fees, mul(all(t.feeFactor), _mm_max_pd(base, quote)));
  p.inside = add(p.inside, _mm_and_pd(_mm_cmpeq_pd(now, p.pool), all(1)));
  p.held = now;
  p.inverse = over;
}

inline v2 low(__m128i a, __m128i b) { return _mm_castsi128_pd(_mm_unpacklo_epi32(a, b)); }
inline v2 high(__m128i a, __m128i b) { return _mm_castsi128_pd(_mm_unpackhi_epi32(a, b)); }

void write(const Pair &p, double *out) {
  const v2 price = mul(p.root, p.root);
  const v2 lines[4] = {price, p.loss, p.fees, p.inside};
  for (int line = 0; line < 4; line++) {
    _mm_storel_pd(out + line, lines[line]);
    _mm_storeh_pd(out + 4 + line, lines[line]);
  }
}

void runFour(const Terms &t, uint32_t path, double *out) {
  alignas(16) uint32_t seeds[4][4];
  Jumps jumps[4];
  for (uint32_t lane = 0; lane < 4; lane++) {
    uint32_t state[4];
    seedState(t, path + lane, 0, state);
    for (int j = 0; j < 4; j++) seeds[j][lane] = state[j];
    seedState(t, path + lane, 1, jumps[lane].state);
    jumps[lane].next =
        t.jumpRate > 0 ? jumps[lane].wait(t) : std::numeric_limits<double>::infinity();
  }
  __m128i s0 = _mm_load_si128((__m128i *)seeds[0]), s1 = _mm_load_si128((__m128i *)seeds[1]);
  __m128i s2 = _mm_load_si128((__m128i *)seeds[2]), s3 = _mm_load_si128((__m128i *)seeds[3]);
  const __m128i zero = _mm_setzero_si128();
  const v2 first = _mm_min_pd(_mm_max_pd(all(1), all(t.rootLower)), all(t.rootUpper));
  Pair a{all(0), all(1), all(1), first, quo(all(1), first), all(0), all(0), all(0)};
  Pair b = a;
  for (int step = 0; step < t.steps; step += 2) {
    const __m128i wa = step128(s0, s1, s2, s3);
    const __m128i wb = step128(s0, s1, s2, s3);
    const __m128i wc = step128(s0, s1, s2, s3);
    const __m128i mantissa = _mm_or_si128(_mm_srli_epi32(wa, 12), _mm_set1_epi32(0x3ff00000));
    const __m128i sign = _mm_set1_epi32((int)0x80000000u);
    const __m128i sign1 = _mm_and_si128(_mm_slli_epi32(wa, 20), sign);
    const __m128i sign2 = _mm_and_si128(_mm_slli_epi32(wa, 21), sign);
    const v2 radiusA = _mm_sqrt_pd(neg(ln(sub(low(wb, mantissa), all(ONE_LESS)))));
    const v2 radiusB = _mm_sqrt_pd(neg(ln(sub(high(wb, mantissa), all(ONE_LESS)))));
    const v2 cA = _mm_cvtepi32_pd(wc);
    const v2 cB = _mm_cvtepi32_pd(_mm_shuffle_epi32(wc, 0xee));
    const v2 angleA = mul(add(cA, all(0.5)), all(ANGLE));
    const v2 angleB = mul(add(cB, all(0.5)), all(ANGLE));
    const v2 zA = mul(angleA, angleA), zB = mul(angleB, angleB);
    const v2 sinA = sine(angleA, zA), sinB = sine(angleB, zB);
    const v2 cosA = cosine(zA), cosB = cosine(zB);
    const v2 z1A = _mm_xor_pd(mul(radiusA, sub(cosA, sinA)), low(zero, sign1));
    const v2 z1B = _mm_xor_pd(mul(radiusB, sub(cosB, sinB)), high(zero, sign1));
    const v2 z2A = _mm_xor_pd(mul(radiusA, add(cosA, sinA)), low(zero, sign2));
    const v2 z2B = _mm_xor_pd(mul(radiusB, add(cosB, sinB)), high(zero, sign2));
    v2 d1A = add(all(t.drift), mul(all(t.deviation), z1A));
    v2 d1B = add(all(t.drift), mul(all(t.deviation), z1B));
    v2 d2A = add(all(t.drift), mul(all(t.deviation), z2A));
    v2 d2B = add(all(t.drift), mul(all(t.deviation), z2B));
    const double limit = step + 2;
    if (jumps[0].next <= limit || jumps[1].next <= limit || jumps[2].next <= limit ||
        jumps[3].next <= limit) {
      alignas(16) double sums[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
      for (int lane = 0; lane < 4; lane++) {
        while (jumps[lane].next <= limit) {
          const int when = jumps[lane].next <= step + 1 ? 0 : 1;
          sums[when][lane] += t.jumpMean + t.jumpDeviation * jumps[lane].normal();
          jumps[lane].next += jumps[lane].wait(t);
        }
      }
      d1A = add(d1A, _mm_load_pd(sums[0]));
      d1B = add(d1B, _mm_load_pd(sums[0] + 2));
      d2A = add(d2A, _mm_load_pd(sums[1]));
      d2B = add(d2B, _mm_load_pd(sums[1] + 2));
    }
    advance(a, d1A, t);
    advance(b, d1B, t);
    advance(a, d2A, t);
    advance(b, d2B, t);
  }
  write(a, out);
  write(b, out + 8);
}

}  // namespace

int main() {
  Terms t;
  uint32_t from;
  int paths, threads;
  while (std::scanf("%u %u %u %u %d %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %u %d %d", &t.base[0],
                    &t.base[1], &t.base[2], &t.base[3], &t.steps, &t.drift, &t.deviation,
                    &t.jumpRate, &t.jumpMean, &t.jumpDeviation, &t.rootKept, &t.inverseRootKept,
                    &t.feeFactor, &t.rootLower, &t.rootUpper, &from, &paths, &threads) == 18) {
    std::vector<double> out(4 * (size_t)paths);
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    for (int worker = 0; worker < threads; worker++) {
      workers.emplace_back([&, worker] {
        const int size = paths / threads;
        for (int i = worker * size; i < (worker + 1) * size; i += 4) {
          runFour(t, from + i, out.data() + 4 * (size_t)i);
        }
      });
    }
    for (auto &worker : workers) worker.join();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    uint32_t hash = 2166136261u;
    const unsigned char *bytes = (const unsigned char *)out.data();
    for (size_t i = 0; i < 8 * out.size(); i++) hash = (hash ^ bytes[i]) * 16777619u;
    std::printf("%.9f %u\n", taken.count(), hash);
    std::fflush(stdout);
  }
}
