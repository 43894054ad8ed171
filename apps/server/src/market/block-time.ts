import { minuteSeconds } from '../units.ts'

/** Time between blocks of a chain, in seconds. */
export interface BlockTime {
  readonly seconds: number
  /** 95 % interval; null for a published constant. */
  readonly interval: readonly [low: number, high: number] | null
  readonly source: 'CHAIN' | 'HEADERS'
}

/** Published block times of chains with a steady one, in seconds. */
const secondsByChain: ReadonlyMap<number, number> = new Map([
  [1, 12],
  [10, 2],
  [100, 5],
  [130, 1],
  [8453, 2],
  [42_161, 0.25],
])

/** Headers have whole seconds, so a shorter stretch would measure their rounding. */
const minStretchSeconds = minuteSeconds
/** Fewer stretches have no 95 % interval of their median. */
const minStretches = 6

/** Published block time of a chain; null if none is published. */
export function publishedBlockTime(chainId: number): BlockTime | null {
  const seconds = secondsByChain.get(chainId)
  return seconds === undefined ? null : { seconds, interval: null, source: 'CHAIN' }
}

/**
 * Median block time of indexed headers. The headers are cut into stretches of a minute or more; the
 * interval is that of the order statistics around the median, which assumes no distribution.
 *
 * @param headers ascending; equal blocks may repeat
 * @returns null for fewer than six stretches
 */
export function blockTimeOf(
  headers: Iterable<{ readonly block: number; readonly timestamp: number }>,
): BlockTime | null {
  const ratios: number[] = []
  let start: { block: number; timestamp: number } | null = null
  for (const { block, timestamp } of headers) {
    start ??= { block, timestamp }
    const seconds = timestamp - start.timestamp
    if (seconds < minStretchSeconds || block === start.block) continue
    ratios.push(seconds / (block - start.block))
    start = { block, timestamp }
  }
  if (ratios.length < minStretches) return null
  const sorted = ratios.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const half = (1.96 * Math.sqrt(sorted.length)) / 2
  const at = (place: number) => sorted[Math.min(sorted.length - 1, Math.max(0, place))]!
  return {
    seconds: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    interval: [at(Math.floor(middle - half)), at(Math.ceil(middle + half))],
    source: 'HEADERS',
  }
}
