/** The first 32 bits of the fractional parts of the roots of the first primes, derived, not listed. */
const ROUND_WORDS = fractionWords(64, 3)
const INITIAL_WORDS = fractionWords(8, 2)

/**
 * SHA-256 of a message, for deriving random streams where no platform library may be called.
 *
 * @returns 32 bytes
 * @see FIPS 180-4, §6.2
 */
export function sha256(message: Uint8Array): Uint8Array {
  const padded = pad(message)
  const words = new DataView(padded.buffer)
  const state = INITIAL_WORDS.slice()
  const schedule = new Uint32Array(64)
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i++) schedule[i] = words.getUint32(offset + 4 * i)
    compress(state, schedule)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [i, word] of state.entries()) digest.setUint32(4 * i, word)
  return new Uint8Array(digest.buffer)
}

/** The message, one bit, zeros, and its length in bits, to a multiple of 64 bytes. */
function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((Math.floor((message.length + 8) / 64) + 1) * 64)
  padded.set(message)
  padded[message.length] = 0x80
  const length = new DataView(padded.buffer, padded.length - 8)
  length.setBigUint64(0, BigInt(message.length) * 8n)
  return padded
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  // Every index below is inside its array of 64 or 8 words.
  for (let i = 16; i < 64; i++) {
    const w15 = schedule[i - 15]!
    const w2 = schedule[i - 2]!
    const small0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const small1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    schedule[i] = schedule[i - 16]! + small0 + schedule[i - 7]! + small1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let i = 0; i < 64; i++) {
    const large1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + large1 + choice + ROUND_WORDS[i]! + schedule[i]!) | 0
    const large0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + large0 + majority) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + word
}

function rotate(word: number, places: number): number {
  return (word >>> places) | (word << (32 - places))
}

/** ⌊2^32 · frac(prime^(1/degree))⌋ of the first primes, with integers. */
function fractionWords(count: number, degree: 2 | 3): Uint32Array {
  const words = new Uint32Array(count)
  let found = 0
  for (let candidate = 2; found < count; candidate++) {
    let isPrime = true
    for (let d = 2; d * d <= candidate; d++) if (candidate % d === 0) isPrime = false
    if (isPrime)
      words[found++] = Number(
        rootBelow(BigInt(candidate) << BigInt(32 * degree), degree) & 0xffffffffn,
      )
  }
  return words
}

function rootBelow(value: bigint, degree: 2 | 3): bigint {
  let low = 0n
  let high = 1n << 40n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** BigInt(degree) <= value) low = middle
    else high = middle
  }
  return low
}
