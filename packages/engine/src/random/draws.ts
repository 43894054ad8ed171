import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'
import type { DrawStream } from './streams.ts'

/** Largest mean drawn from one uniform: e^−30 is far above the smallest uniform, 2^−54. */
const LARGEST_CHUNK = 30

/**
 * Poisson count by inversion: the smallest n whose distribution function reaches a uniform. Means above 30
 * are the sum of equal independent chunks, each of at most 30.
 *
 * @param mean 0..10^7
 * @throws RangeError outside
 */
export function poisson(stream: DrawStream, mean: number): number {
  if (!(mean >= 0 && mean <= 1e7)) {
    throw new RangeError(`a Poisson mean of ${mean}; expected a value in 0..10^7`)
  }
  if (mean === 0) return 0
  const chunks = Math.ceil(mean / LARGEST_CHUNK)
  const none = exp(-mean / chunks)
  let count = 0
  for (let chunk = 0; chunk < chunks; chunk++) count += invertPoisson(stream, mean / chunks, none)
  return count
}

/** @param none probability of no event, e^−mean */
function invertPoisson(stream: DrawStream, mean: number, none: number): number {
  const u = stream.uniform()
  let n = 0
  let probability = none
  let total = none
  // Beyond the last digit of one, the sum can no longer grow.
  while (u > total) {
    n += 1
    probability *= mean / n
    const next = total + probability
    if (next === total) return n
    total = next
  }
  return n
}

/** Exponential waiting time. @param rate events per unit of time, above zero */
export function exponential(stream: DrawStream, rate: number): number {
  return -ln(stream.uniform()) / rate
}

/** Lognormal size: e^(m + s·Z). @param logMean m  @param logDeviation s, not below zero */
export function lognormal(stream: DrawStream, logMean: number, logDeviation: number): number {
  return exp(logMean + logDeviation * stream.normal())
}

/** A whole number in 0..count − 1, all equally likely. @param count 1..2^32 */
export function indexBelow(stream: DrawStream, count: number): number {
  return Math.floor(stream.uniform() * count)
}

/**
 * Indices of a stationary bootstrap. Blocks of geometric length start anywhere and wrap around the
 * end, so the resampled series is stationary.
 *
 * @param length size of the original series, above zero
 * @param count number of indices to draw
 * @param meanBlock expected block length, at least 1; exactly 1 is the bootstrap of independent
 * data
 * @see Politis and Romano, “The stationary bootstrap”, JASA 89 (1994)
 */
export function stationaryBootstrapIndices(
  stream: DrawStream,
  length: number,
  count: number,
  meanBlock: number,
): Uint32Array {
  if (!(meanBlock >= 1)) throw new RangeError(`a mean block of ${meanBlock}; expected at least 1`)
  const restart = 1 / meanBlock
  const indices = new Uint32Array(count)
  let index = 0
  for (let i = 0; i < count; i++) {
    const isNew = i === 0 || meanBlock === 1 || stream.uniform() < restart
    index = isNew ? indexBelow(stream, length) : (index + 1) % length
    indices[i] = index
  }
  return indices
}

/**
 * Scale that makes a standard normal a Student t of four degrees of freedom and unit variance: √(2/χ²₄), from four normals.
 * One scale for several normals of a moment lets them be large together.
 */
export function studentT4Scale(stream: DrawStream): number {
  let chiSquare = 0
  for (let i = 0; i < 4; i++) {
    const z = stream.normal()
    chiSquare += z * z
  }
  return Math.sqrt(2 / chiSquare)
}
