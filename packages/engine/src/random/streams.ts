import { normalQuantileAt } from '../numerics/normal-distribution.ts'
import { sha256 } from './sha256.ts'
import { xoshiro128 } from './xoshiro128.ts'

/**
 * Random streams of a path. Each is an independent sequence, so a change of one model leaves the
 * others unchanged.
 */
export type StreamName =
  | 'price'
  | 'flow'
  | 'exit'
  | 'gas'
  | 'bootstrap'
  | 'treasury-price'
  | 'treasury-line'
  | 'launch-demand'

/** A sequence of independent draws. */
export interface DrawStream {
  /** Uniform in (0, 1): (k + ½) / 2^53 as a double, the largest k cut to the double below one. */
  uniform(): number
  /** Standard normal by inversion: one uniform, one normal. */
  normal(): number
}

const DOMAIN = ascii('liquidity-engine/prng/v1')

/**
 * State of a stream: the first four big-endian words from
 *
 *     SHA-256("liquidity-engine/prng/v1" ‖ seed ‖ u32be(pairIndex) ‖ streamName)
 *
 * @param seed 32 bytes
 * @param pairIndex 0..2^32 − 1; paths 2k and 2k + 1 share the index k
 * @throws RangeError for another shape
 */
export function streamState(
  seed: Uint8Array,
  pairIndex: number,
  name: StreamName,
): [number, number, number, number] {
  if (seed.length !== 32) throw new RangeError(`a seed of ${seed.length} bytes; expected 32`)
  if (!Number.isInteger(pairIndex) || pairIndex < 0 || pairIndex > 0xffffffff) {
    throw new RangeError(`a pair index of ${pairIndex}; expected an integer in 0..2^32 − 1`)
  }
  const label = ascii(name)
  const message = new Uint8Array(DOMAIN.length + 36 + label.length)
  message.set(DOMAIN)
  message.set(seed, DOMAIN.length)
  new DataView(message.buffer).setUint32(DOMAIN.length + 32, pairIndex)
  message.set(label, DOMAIN.length + 36)
  const digest = new DataView(sha256(message).buffer)
  return [digest.getUint32(0), digest.getUint32(4), digest.getUint32(8), digest.getUint32(12)]
}

/**
 * The stream of a path. The antithetic member of a pair mirrors every uniform about ½. Normals
 * change their sign bit-exactly; counts and choices change sides.
 *
 * @param antithetic whether the path is the second of its pair
 */
export function pathStream(
  seed: Uint8Array,
  pairIndex: number,
  name: StreamName,
  antithetic: boolean,
): DrawStream {
  return drawStream(streamState(seed, pairIndex, name), antithetic)
}

/** A stream from a state with four words. @see pathStream */
export function drawStream(
  state: readonly [number, number, number, number],
  antithetic = false,
): DrawStream {
  const generator = xoshiro128(state)
  const numerator = (): number => {
    const a = generator.word() >>> 5
    const b = generator.word() >>> 6
    const k = a * 67108864 + b
    return antithetic ? LARGEST - k : k
  }
  return {
    uniform() {
      const u = (numerator() + 0.5) / TWO_53
      return u < 1 ? u : LARGEST / TWO_53
    },
    normal() {
      // k − 2^52 and the distance to the nearer end are exact with their half, and mirror exactly.
      const k = numerator()
      const q = (k - TWO_52 + 0.5) / TWO_53
      return normalQuantileAt(q, ((k < TWO_52 ? k : LARGEST - k) + 0.5) / TWO_53)
    },
  }
}

const TWO_52 = 4503599627370496
const TWO_53 = 9007199254740992
const LARGEST = 9007199254740991

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
