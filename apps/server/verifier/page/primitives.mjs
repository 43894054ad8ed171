/**
 * What verify.mjs takes from Node, for browsers: SHA-256, and whether a signature is of Ed25519 (RFC 8032). WebCrypto has both, but
 * answers later and, in pages that came over plain HTTP, not at all. Nothing here is secret, so nothing needs constant time.
 */

// FIPS 180-4: the constants are the first bits of the fractions of roots of primes.
const primes = Array.from({ length: 410 }, (_, n) => n).filter(
  (n) => n > 1 && !Array.from({ length: n - 2 }, (_, d) => d + 2).some((d) => n % d === 0),
)
/** The first 64 bits of the fraction of the root of a prime: ⌊√[degree](prime · 2^(64 · degree))⌋ mod 2^64. */
function rootFraction(prime, degree) {
  const square = BigInt(prime) << BigInt(64 * degree)
  let [low, high] = [0n, 1n << 70n]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle ** BigInt(degree) <= square) low = middle
    else high = middle
  }
  return BigInt.asUintN(64, low)
}
const roundConstants = primes.slice(0, 80).map((prime) => rootFraction(prime, 3))
const initialState = primes.slice(0, 8).map((prime) => rootFraction(prime, 2))
const upperHalf = (word) => Number(word >> 32n)

/** The message with a one, zeros and its length in bits, in whole blocks. */
function padded(parts, blockBytes) {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const blocks = Math.ceil((length + 1 + blockBytes / 8) / blockBytes)
  const bytes = new Uint8Array(blocks * blockBytes)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  bytes[length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setBigUint64(bytes.length - 8, 8n * BigInt(length))
  return view
}

const constants256 = Int32Array.from(roundConstants.slice(0, 64), upperHalf)
const turn32 = (x, n) => (x >>> n) | (x << (32 - n))

/** @param parts bytes, hashed one behind the other */
export function sha256(...parts) {
  const view = padded(parts, 64)
  const state = Int32Array.from(initialState, upperHalf)
  const w = new Int32Array(64)
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i)
    for (let i = 16; i < 64; i++) {
      const early = turn32(w[i - 15], 7) ^ turn32(w[i - 15], 18) ^ (w[i - 15] >>> 3)
      const late = turn32(w[i - 2], 17) ^ turn32(w[i - 2], 19) ^ (w[i - 2] >>> 10)
      w[i] = w[i - 16] + early + w[i - 7] + late
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 64; i++) {
      const chosen = (e & f) ^ (~e & g)
      const first =
        (h + (turn32(e, 6) ^ turn32(e, 11) ^ turn32(e, 25)) + chosen + constants256[i] + w[i]) | 0
      const most = (a & b) ^ (a & c) ^ (b & c)
      const second = ((turn32(a, 2) ^ turn32(a, 13) ^ turn32(a, 22)) + most) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] += word
  }
  const out = new DataView(new ArrayBuffer(32))
  for (const [i, word] of state.entries()) out.setInt32(4 * i, word)
  return new Uint8Array(out.buffer)
}

const word64 = (x) => BigInt.asUintN(64, x)
const turn64 = (x, n) => word64((x >> n) | (x << (64n - n)))

/** @param parts bytes, hashed one behind the other */
export function sha512(...parts) {
  const view = padded(parts, 128)
  const state = [...initialState]
  const w = new Array(80).fill(0n)
  for (let at = 0; at < view.byteLength; at += 128) {
    for (let i = 0; i < 16; i++) w[i] = view.getBigUint64(at + 8 * i)
    for (let i = 16; i < 80; i++) {
      const early = turn64(w[i - 15], 1n) ^ turn64(w[i - 15], 8n) ^ (w[i - 15] >> 7n)
      const late = turn64(w[i - 2], 19n) ^ turn64(w[i - 2], 61n) ^ (w[i - 2] >> 6n)
      w[i] = word64(w[i - 16] + early + w[i - 7] + late)
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < 80; i++) {
      const chosen = (e & f) ^ (word64(~e) & g)
      const mixed = turn64(e, 14n) ^ turn64(e, 18n) ^ turn64(e, 41n)
      const first = h + mixed + chosen + roundConstants[i] + w[i]
      const most = (a & b) ^ (a & c) ^ (b & c)
      const second = (turn64(a, 28n) ^ turn64(a, 34n) ^ turn64(a, 39n)) + most
      ;[h, g, f, e, d, c, b, a] = [g, f, e, word64(d + first), c, b, a, word64(first + second)]
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = word64(state[i] + word)
  }
  const out = new DataView(new ArrayBuffer(64))
  for (const [i, word] of state.entries()) out.setBigUint64(8 * i, word)
  return new Uint8Array(out.buffer)
}

// Edwards25519: −x² + y² = 1 + d·x²·y² over the integers modulo 2^255 − 19.
const prime = 2n ** 255n - 19n
const order = 2n ** 252n + 27742317777372353535851937790883648493n
const inField = (x) => ((x % prime) + prime) % prime
function powerOf(base, exponent) {
  let [result, square] = [1n, inField(base)]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % prime
    square = (square * square) % prime
  }
  return result
}
const inverseOf = (x) => powerOf(x, prime - 2n)
const d = inField(-121665n * inverseOf(121666n))
const rootOfMinusOne = powerOf(2n, (prime - 1n) / 4n)

/** A point as X, Y, Z and T with x = X/Z, y = Y/Z and xy = T/Z. */
const neutral = [0n, 1n, 1n, 0n]
const fromAffine = (x, y) => [x, y, 1n, inField(x * y)]

/** The complete addition of Hisil, Wong, Carter and Dawson (2008) for a = −1. */
function sumOf([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = inField((y1 - x1) * (y2 - x2))
  const b = inField((y1 + x1) * (y2 + x2))
  const c = inField(2n * t1 * t2 * d)
  const e = inField(2n * z1 * z2)
  const [f, g, h, i] = [b - a, e - c, e + c, b + a]
  return [inField(f * g), inField(h * i), inField(g * h), inField(f * i)]
}
function multipleOf(point, scalar) {
  let [result, doubled] = [neutral, point]
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = sumOf(result, doubled)
    doubled = sumOf(doubled, doubled)
  }
  return result
}

const integerOf = (bytes) => bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)

/** The point of 32 bytes; null if invalid. Like OpenSSL, it accepts y at or above the prime. */
function pointOf(bytes) {
  const encoded = integerOf(bytes)
  const y = inField(BigInt.asUintN(255, encoded))
  const [over, under] = [inField(y * y - 1n), inField(d * y * y + 1n)]
  const square = inField(over * inverseOf(under))
  let x = powerOf(square, (prime + 3n) / 8n)
  if (inField(x * x) !== square) x = inField(x * rootOfMinusOne)
  if (inField(x * x) !== square) return null
  return fromAffine((x & 1n) === encoded >> 255n ? x : inField(-x), y)
}
function isEncoding(bytes, [x, y, z]) {
  const inverse = inverseOf(z)
  const parity = inField(x * inverse) & 1n
  return integerOf(bytes) === (inField(y * inverse) | (parity << 255n))
}
const basePoint = pointOf(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x58 : 0x66)))

/**
 * Whether S·B − k·A is encoded as R, with S below the order: the equation without the cofactor, which OpenSSL decides by too.
 *
 * @param publicKey 32 bytes
 * @param message   bytes, not hashed
 * @param signature 64 bytes, R and S
 */
export function isEd25519(publicKey, message, signature) {
  const [r, s] = [signature.subarray(0, 32), integerOf(signature.subarray(32))]
  const key = pointOf(publicKey)
  if (key === null || s >= order) return false
  const k = integerOf(sha512(r, publicKey, message)) % order
  const [x, y, z, t] = key
  const negative = [inField(-x), y, z, inField(-t)]
  return isEncoding(r, sumOf(multipleOf(basePoint, s), multipleOf(negative, k)))
}
