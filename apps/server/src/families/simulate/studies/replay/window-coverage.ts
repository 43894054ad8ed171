import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../../failure.ts'
import { follows } from '../../../../market/observed-spans.ts'

export type Observation = VersionedRecord<Static<typeof contract.VenueObservation>>
export interface BlockWindow {
  fromBlock: number
  toBlock: number
}

export interface WindowCoverage {
  /** Contiguous observations in chain order; the replay runs on them. */
  stretch: readonly Observation[]
  /** The part of the window inside the stretch. */
  window: BlockWindow
  /** Blocks of the window. */
  blocks: number
  /** Number of observed blocks in the stretch. */
  observedBlocks: number
  /** Blocks outside of the stretch. */
  missing: readonly BlockWindow[]
}

/**
 * The longest contiguous part of a window. After a data gap the pool's state no longer follows from
 * earlier events, so a replay never crosses a gap.
 *
 * @param observations in chain order
 * @throws Failure 422 LIQUIDITY_STUDY_WINDOW_UNCOVERED if the first or last block was not observed
 */
export function coverWindow(
  { fromBlock, toBlock }: BlockWindow,
  observations: readonly Observation[],
): WindowCoverage {
  const isObserved = (block: number) =>
    observations.some(({ payload: { range } }) => isInside(range, block))
  const outside = [fromBlock, toBlock].filter((block) => !isObserved(block))
  if (outside.length > 0) {
    throw new Failure('LIQUIDITY_STUDY_WINDOW_UNCOVERED', {
      fieldErrors: {
        'payload.window': uncovered({ fromBlock, toBlock }, stretchesOf(observations)).map(
          (part) => `blocks ${part.fromBlock} to ${part.toBlock} have no observation`,
        ),
      },
    })
  }
  const parts = stretchesOf(observations).map((stretch) => ({
    stretch,
    window: intersection({ fromBlock, toBlock }, rangeOf(stretch)),
  }))
  const longest = parts.reduce((a, b) => (sizeOf(b.window) > sizeOf(a.window) ? b : a))
  return {
    ...longest,
    blocks: sizeOf({ fromBlock, toBlock }),
    observedBlocks: sizeOf(longest.window),
    missing: uncovered({ fromBlock, toBlock }, [longest.stretch]),
  }
}

const isInside = (range: Observation['payload']['range'], block: number) =>
  range.from.number <= block && block <= range.to.number

const sizeOf = ({ fromBlock, toBlock }: BlockWindow) => Math.max(0, toBlock - fromBlock + 1)

const intersection = (a: BlockWindow, b: BlockWindow): BlockWindow => ({
  fromBlock: Math.max(a.fromBlock, b.fromBlock),
  toBlock: Math.min(a.toBlock, b.toBlock),
})

function rangeOf(stretch: readonly Observation[]): BlockWindow {
  const [first, last] = [stretch[0], stretch.at(-1)]
  if (!first || !last) throw new Error('The stretch has no observation.')
  return { fromBlock: first.payload.range.from.number, toBlock: last.payload.range.to.number }
}

/** Groups of contiguous observations: each one begins at the end block of the previous one. */
function stretchesOf(observations: readonly Observation[]): Observation[][] {
  const stretches: Observation[][] = []
  for (const observation of observations) {
    const current = stretches.at(-1)
    const last = current?.at(-1)
    if (current && last && follows(observation.payload, last.payload)) current.push(observation)
    else stretches.push([observation])
  }
  return stretches
}

/** Blocks of a window outside of all stretches. Stretches must be in chain order. */
function uncovered(window: BlockWindow, stretches: readonly (readonly Observation[])[]) {
  const missing: BlockWindow[] = []
  let next = window.fromBlock
  for (const stretch of stretches) {
    const { fromBlock, toBlock } = rangeOf(stretch)
    if (fromBlock > next) {
      missing.push({ fromBlock: next, toBlock: Math.min(fromBlock - 1, window.toBlock) })
    }
    next = Math.max(next, toBlock + 1)
    if (next > window.toBlock) return missing
  }
  missing.push({ fromBlock: next, toBlock: window.toBlock })
  return missing
}
