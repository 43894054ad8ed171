// Fixed-width unsigned integers in linear memory, little-endian: as 64-bit words for sums and
// comparisons, as 32-bit limbs for products and quotients. The same bytes serve both.

/** Sets 256 bits to zero. */
export function clear256(to: usize): void {
  store<u64>(to, 0)
  store<u64>(to, 0, 8)
  store<u64>(to, 0, 16)
  store<u64>(to, 0, 24)
}

/** Copies 256 bits. */
export function copy256(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from))
  store<u64>(to, load<u64>(from, 8), 8)
  store<u64>(to, load<u64>(from, 16), 16)
  store<u64>(to, load<u64>(from, 24), 24)
}

/** Copies 192 bits, which hold a root price. */
export function copy192(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from))
  store<u64>(to, load<u64>(from, 8), 8)
  store<u64>(to, load<u64>(from, 16), 16)
}

/** Copies 128 bits. */
export function copy128(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from))
  store<u64>(to, load<u64>(from, 8), 8)
}

/** to = a + b modulo 2^256. */
export function add256(to: usize, a: usize, b: usize): void {
  const x0 = load<u64>(a)
  const s0 = x0 + load<u64>(b)
  const x1 = load<u64>(a, 8)
  const y1 = x1 + load<u64>(b, 8)
  const s1 = y1 + u64(s0 < x0)
  const carry1 = u64(y1 < x1) | u64(s1 < y1)
  const x2 = load<u64>(a, 16)
  const y2 = x2 + load<u64>(b, 16)
  const s2 = y2 + carry1
  const carry2 = u64(y2 < x2) | u64(s2 < y2)
  store<u64>(to, load<u64>(a, 24) + load<u64>(b, 24) + carry2, 24)
  store<u64>(to, s0)
  store<u64>(to, s1, 8)
  store<u64>(to, s2, 16)
}

/** to = a − b modulo 2^256. */
export function subtract256(to: usize, a: usize, b: usize): void {
  const x0 = load<u64>(a)
  const y0 = load<u64>(b)
  const borrow0 = u64(x0 < y0)
  const x1 = load<u64>(a, 8)
  const y1 = load<u64>(b, 8)
  const d1 = x1 - y1
  const borrow1 = u64(x1 < y1) | u64(d1 < borrow0)
  const x2 = load<u64>(a, 16)
  const y2 = load<u64>(b, 16)
  const d2 = x2 - y2
  const borrow2 = u64(x2 < y2) | u64(d2 < borrow1)
  store<u64>(to, load<u64>(a, 24) - load<u64>(b, 24) - borrow2, 24)
  store<u64>(to, x0 - y0)
  store<u64>(to, d1 - borrow0, 8)
  store<u64>(to, d2 - borrow1, 16)
}

/** to += a, where a has 128 bits, modulo 2^256. */
export function accumulate128(to: usize, a: usize): void {
  const x0 = load<u64>(to)
  const x1 = load<u64>(to, 8)
  const s0 = x0 + load<u64>(a)
  const y1 = x1 + load<u64>(a, 8)
  const carry0 = u64(s0 < x0)
  const s1 = y1 + carry0
  store<u64>(to, s0)
  store<u64>(to, s1, 8)
  if (y1 < x1 || s1 < y1) carryInto(to + 16)
}

function carryInto(word: usize): void {
  const next = load<u64>(word) + 1
  store<u64>(word, next)
  if (next === 0) store<u64>(word, load<u64>(word, 8) + 1, 8)
}

/** to −= a. The 128-bit a must not exceed the 256 bits of `to`. */
export function reduce128(to: usize, a: usize): void {
  const x0 = load<u64>(to)
  const x1 = load<u64>(to, 8)
  const y0 = load<u64>(a)
  const y1 = load<u64>(a, 8)
  const borrow0 = u64(x0 < y0)
  const d1 = x1 - y1
  store<u64>(to, x0 - y0)
  store<u64>(to, d1 - borrow0, 8)
  if (x1 < y1 || d1 < borrow0) borrowFrom(to + 16)
}

function borrowFrom(word: usize): void {
  const before = load<u64>(word)
  store<u64>(word, before - 1)
  if (before === 0) store<u64>(word, load<u64>(word, 8) - 1, 8)
}

/** Whether a 256-bit number is zero. */
export function isZero256(a: usize): bool {
  return (load<u64>(a) | load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) === 0
}

/** Whether a < b, 256 bits. */
export function isBelow256(a: usize, b: usize): bool {
  for (let at: usize = 24; at > 0; at -= 8) {
    const x = load<u64>(a + at)
    const y = load<u64>(b + at)
    if (x !== y) return x < y
  }
  return load<u64>(a) < load<u64>(b)
}

/** Whether the 256 bits at `a` are at least the 128 bits at `b`. */
export function reaches128(a: usize, b: usize): bool {
  if ((load<u64>(a, 16) | load<u64>(a, 24)) !== 0) return true
  const x = load<u64>(a, 8)
  const y = load<u64>(b, 8)
  return x === y ? load<u64>(a) >= load<u64>(b) : x > y
}

/** Whether a < b, 192 bits. */
export function isBelow192(a: usize, b: usize): bool {
  const x2 = load<u64>(a, 16)
  const y2 = load<u64>(b, 16)
  if (x2 !== y2) return x2 < y2
  const x1 = load<u64>(a, 8)
  const y1 = load<u64>(b, 8)
  return x1 === y1 ? load<u64>(a) < load<u64>(b) : x1 < y1
}

/** Whether a = b, 192 bits. */
export function isEqual192(a: usize, b: usize): bool {
  return (
    ((load<u64>(a) ^ load<u64>(b)) |
      (load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16))) ===
    0
  )
}

/** Whether a = b, 256 bits. */
export function isEqual256(a: usize, b: usize): bool {
  return isEqual192(a, b) && load<u64>(a, 24) === load<u64>(b, 24)
}

/** Number of 32-bit limbs up to the highest that is not zero, at most `most`. */
export function countLimbs(a: usize, most: i32): i32 {
  let count = most
  while (count > 0 && load<u32>(a + (usize(count - 1) << 2)) === 0) count -= 1
  return count
}
