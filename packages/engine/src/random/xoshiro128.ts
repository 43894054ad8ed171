/** Draws from a seeded stream. Same seed, same numbers, on every machine. */
export interface RandomStream {
  /** A uniform integer in [0, 2^32). */
  word(): number
  /** A uniform integer in [0, bound), bound in [1, 2^32]. */
  below(bound: number): number
  /** A uniform integer of at most `bits` bits, bits in [1, 4096]. */
  bits(bits: number): bigint
}

/**
 * The xoshiro128** generator of Blackman and Vigna, seeded from four words.
 *
 * @param seed four unsigned 32-bit words, not all zero
 * @throws RangeError if the four words are all zero, the one state that the generator cannot leave
 * @see Blackman and Vigna, “Scrambled linear pseudorandom number generators”, 2021
 */
export function xoshiro128(seed: readonly [number, number, number, number]): RandomStream {
  let [s0, s1, s2, s3] = seed.map((word) => word | 0) as [number, number, number, number]
  if ((s0 | s1 | s2 | s3) === 0)
    throw new RangeError('xoshiro128 requires a seed that is not all zeros')

  function word(): number {
    const scrambled = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9) >>> 0
    const shifted = s1 << 9
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = rotateLeft(s3, 11)
    return scrambled
  }

  return {
    word,
    // The product has 52 bits, so it is exact in a double. The bias is below bound / 2^32.
    below: (bound) => Math.floor((word() * bound) / 2 ** 32),
    bits: (bits) => {
      let drawn = 0n
      for (let taken = 0; taken < bits; taken += 32) drawn = (drawn << 32n) | BigInt(word())
      return BigInt.asUintN(bits, drawn)
    },
  }
}

/**
 * A stream for a small whole number, for tests and generated sequences.
 *
 * The four words are consecutive outputs of SplitMix32, so neighbouring seeds give unrelated streams.
 *
 * @param seed an integer, taken modulo 2^32
 */
export function randomStream(seed: number): RandomStream {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return mixed ^ (mixed >>> 15)
  }
  return xoshiro128([next(), next(), next(), next() | 1])
}

function rotateLeft(word: number, places: number): number {
  return (word << places) | (word >>> (32 - places))
}
