// The workload's pool in C++: `plain` is the contract's loop written down, `memo` adds what the engine's fast
// path does. Reads a pool and swaps from standard input, prints swaps per second and the end state.
//
//     pool plain|memo seconds
#include "integers.hpp"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <unordered_map>
#include <vector>

static const int MIN_TICK = -887272, MAX_TICK = 887272;
static U256 roots[20], minRatio, maxRatio, maxU256;
static const double Q96 = 79228162514264337593543950336.0;

static U256 sqrtRatioAtTick(int tick) {
  const unsigned distance = unsigned(std::abs(tick));
  U256 ratio;
  ratio.w[2] = 1;
  for (int bit = 0; distance >> bit; bit++)
    if ((distance >> bit) & 1) ratio = shiftRight(low(multiply(ratio, roots[bit])), 128);
  if (tick > 0) ratio = divideDown(maxU256, ratio);
  const bool cut = (ratio.w[0] & 0xffffffff) != 0;
  ratio = shiftRight(ratio, 32);
  return cut ? ratio + U256(1) : ratio;
}

/// The contract's way: the logarithm digit by digit, then a comparison.
static int tickByDigits(const U256 &price) {
  const U256 ratio = shiftLeft(price, 32);
  const int top = ratio.words() - 1, msb = 64 * top + 63 - __builtin_clzll(ratio.w[top]);
  U256 r = msb >= 128 ? shiftRight(ratio, msb - 127) : shiftLeft(ratio, 127 - msb);
  __int128 log2 = (__int128)(msb - 128) << 64;
  for (int bit = 63; bit >= 50; bit--) {
    r = shiftRight(low(multiply(r, r)), 127);
    const u64 f = r.w[2] & 1;
    log2 |= (__int128)f << bit;
    if (f) r = shiftRight(r, 1);
  }
  // log base √1.0001 is log2 times 1 / log2(√1.0001), here in Q64; the digits left out are the margin.
  const double position = (double)log2 / 18446744073709551616.0 * 13863.636746827591;
  int high = int(std::floor(position + 0.9)), lowest = int(std::floor(position - 0.01));
  if (lowest == high) return lowest;
  return price < sqrtRatioAtTick(high) ? lowest : high;
}

static int tickByFloat(const U256 &price) {
  const double position = (std::log2(price.toDouble()) - 96) * 13863.636746827591;
  const int tick = int(std::floor(position));
  const double fraction = position - tick;
  if (fraction > 1e-4 && fraction < 1 - 1e-4) return tick;
  const int boundary = fraction < 0.5 ? tick : tick + 1;
  return price < sqrtRatioAtTick(boundary) ? boundary - 1 : boundary;
}

struct Segment {
  U256 liquidity, paid, out, growth;
  int start = INT32_MIN;
};
struct Tick {
  int index;
  U256 net, price, outside[2];
  bool falls;
  Segment kept[2];
};
struct Edge {
  U256 price;
  Segment kept;
};
struct Pool {
  U256 price, liquidity, growth[2];
  int tick, spacing, cursor;
  u64 fee;
  std::vector<Tick> ticks;
  std::unordered_map<int, Edge> edges[2];
};
struct Swap {
  bool down;
  U256 amount;
};
struct Step {
  U256 next, in, out, fee;
};

static U256 amount0(const U256 &a, const U256 &b, const U256 &l, bool up) {
  const U256 q = mulDiv(shiftLeft(l, 96), b - a, b, up);
  return up ? divideUp(q, a) : divideDown(q, a);
}
static U256 amount1(const U256 &a, const U256 &b, const U256 &l, bool up) {
  const U512 p = multiply(l, b - a);
  const U256 q = low(shiftRight(p, 96));
  const bool cut = p.w[0] != 0 || (p.w[1] & 0xffffffff) != 0;
  return up && cut ? q + U256(1) : q;
}
static U256 priceAfter0(const U256 &p, const U256 &l, const U256 &x) {
  const U256 n = shiftLeft(l, 96);
  return mulDiv(n, p, n + low(multiply(x, p)), true);
}

static Step stepPlain(const U256 &p, const U256 &target, const U256 &l, const U256 &left, u64 fee, bool down) {
  Step s;
  const U256 spend = mulDiv(left, U256(1000000 - fee), U256(1000000));
  s.in = down ? amount0(target, p, l, true) : amount1(p, target, l, true);
  const bool whole = !(spend < s.in);
  if (whole) s.next = target;
  else {
    s.next = down ? priceAfter0(p, l, spend) : p + divideDown(shiftLeft(spend, 96), l);
    s.in = down ? amount0(s.next, p, l, true) : amount1(p, s.next, l, true);
  }
  s.out = down ? amount1(s.next, p, l, false) : amount0(p, s.next, l, false);
  s.fee = whole ? mulDiv(s.in, U256(fee), U256(1000000 - fee), true) : left - s.in;
  return s;
}

/// token0 by one division: rounding the same way twice is rounding once.
static U256 amount0Once(const U256 &a, const U256 &b, const U256 &l, bool up) {
  const U512 d = multiply(a, b);
  if (d.words() > 4) return amount0(a, b, l, up);
  return mulDiv(shiftLeft(l, 96), b - a, low(d), up);
}

static Step stepMemo(const U256 &p, const U256 &target, const U256 &l, const U256 &left, u64 fee, bool down) {
  bool rest;
  const U256 spend = low(divide(multiply(left, U256(1000000 - fee)), U256(1000000), rest));
  const double area = l.toDouble() * (down ? p - target : target - p).toDouble();
  const double cost = down ? area * Q96 / (p.toDouble() * target.toDouble()) : area / Q96;
  const double budget = spend.toDouble();
  if (cost > budget * (1 + 1e-9) && l.w[1] >> 32 == 0) {
    Step s;
    if (down) {
      s.next = priceAfter0(p, l, spend);
      const double next = s.next.toDouble();
      s.in = l.toDouble() * Q96 < next * next * 0.999 ? spend : amount0Once(s.next, p, l, true);
      s.out = amount1(s.next, p, l, false);
    } else {
      s.next = p + divideDown(shiftLeft(spend, 96), l);
      s.in = spend;
      s.out = amount0Once(p, s.next, l, false);
    }
    s.fee = left - s.in;
    return s;
  }
  if (!(cost < budget * (1 - 1e-9))) return stepPlain(p, target, l, left, fee, down);
  Step s;
  s.next = target;
  s.in = down ? amount0Once(target, p, l, true) : amount1(p, target, l, true);
  s.out = down ? amount1(target, p, l, false) : amount0Once(p, target, l, false);
  s.fee = mulDiv(s.in, U256(fee), U256(1000000 - fee), true);
  return s;
}

static int floorDivide(int a, int b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

template <bool MEMO> static U256 runSwap(Pool &pool, const Swap &swap) {
  const bool down = swap.down;
  U256 left = swap.amount, total, &growth = pool.growth[down ? 0 : 1];
  const U256 &other = pool.growth[down ? 1 : 0];
  int at = INT32_MIN;
  while (!left.isZero()) {
    const int word = (floorDivide(pool.tick, pool.spacing) + (down ? 0 : 1)) >> 8;
    const int edge = down ? std::max(word * 256 * pool.spacing, MIN_TICK)
                          : std::min((word * 256 + 255) * pool.spacing, MAX_TICK);
    const int place = down ? pool.cursor - 1 : pool.cursor;
    Tick *tick = place >= 0 && place < int(pool.ticks.size()) ? &pool.ticks[place] : nullptr;
    if (tick && (down ? tick->index < edge : tick->index > edge)) tick = nullptr;
    const int index = tick ? tick->index : edge;
    U256 target;
    Segment *kept = nullptr;
    if (MEMO) {
      if (tick) {
        target = tick->price;
        kept = &tick->kept[down];
      } else {
        Edge &e = pool.edges[down][edge];
        if (e.price.isZero()) e.price = sqrtRatioAtTick(edge);
        target = e.price;
        kept = &e.kept;
      }
    } else target = sqrtRatioAtTick(index);
    if (MEMO && kept && at != INT32_MIN && kept->start == at && kept->liquidity == pool.liquidity &&
        !(left < kept->paid)) {
      left = left - kept->paid;
      total = total + kept->out;
      growth = growth + kept->growth;
      pool.price = target;
    } else {
      const U256 before = pool.price;
      const Step s = (MEMO ? stepMemo : stepPlain)(before, target, pool.liquidity, left, pool.fee, down);
      const U256 paid = s.in + s.fee, grown = divideDown(shiftLeft(s.fee, 128), pool.liquidity);
      left = left - paid;
      total = total + s.out;
      growth = growth + grown;
      pool.price = s.next;
      if (MEMO && at != INT32_MIN && s.next == target) {
        kept->liquidity = pool.liquidity;
        kept->start = at;
        kept->paid = paid;
        kept->out = s.out;
        kept->growth = grown;
      }
      if (!(pool.price == target)) {
        if (!(pool.price == before)) pool.tick = MEMO ? tickByFloat(pool.price) : tickByDigits(pool.price);
        at = INT32_MIN;
        continue;
      }
    }
    at = index;
    pool.tick = down ? index - 1 : index;
    if (!tick) continue;
    tick->outside[down ? 0 : 1] = growth - tick->outside[down ? 0 : 1];
    tick->outside[down ? 1 : 0] = other - tick->outside[down ? 1 : 0];
    pool.cursor += down ? -1 : 1;
    pool.liquidity = tick->falls != down ? pool.liquidity - tick->net : pool.liquidity + tick->net;
  }
  return total;
}

int main(int, char **arguments) {
  const bool memo = std::string(arguments[1]) == "memo";
  const double seconds = std::atof(arguments[2]);
  std::string a, b, c;
  auto read = [&] {
    std::cin >> a;
    return parse(a);
  };
  for (int i = 0; i < 4; i++) maxU256.w[i] = ~u64(0);
  for (auto &root : roots) root = read();
  Pool start;
  std::cin >> start.fee >> start.spacing >> start.tick;
  start.price = read();
  start.liquidity = read();
  int count;
  std::cin >> count;
  for (int i = 0; i < count; i++) {
    Tick tick;
    std::cin >> tick.index >> tick.falls;
    tick.net = read();
    tick.price = sqrtRatioAtTick(tick.index);
    start.ticks.push_back(tick);
  }
  start.cursor = 0;
  while (start.cursor < count && start.ticks[start.cursor].index <= start.tick) start.cursor++;
  std::cin >> count;
  std::vector<Swap> swaps(count);
  for (auto &swap : swaps) {
    std::cin >> swap.down;
    swap.amount = read();
  }
  Pool pool;
  U256 sum;
  long done = 0;
  double elapsed = 0;
  do {
    // A fresh pool each time, so that what is kept is worked out within the measured time.
    pool = start;
    sum = U256();
    const auto began = std::chrono::steady_clock::now();
    for (const auto &swap : swaps) sum = sum + (memo ? runSwap<true> : runSwap<false>)(pool, swap);
    elapsed += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    done += count;
  } while (elapsed < seconds);
  std::cout << done / elapsed << ' ' << print(sum) << ' ' << print(pool.price) << ' ' << pool.tick << ' '
            << print(pool.liquidity) << ' ' << print(pool.growth[0]) << ' ' << print(pool.growth[1]) << '\n';
}
