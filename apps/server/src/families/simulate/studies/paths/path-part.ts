import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  type ArmFigures,
  type ArmOutcome,
  figuresByArm,
  type PathFigure,
} from '@liquidity-os/engine/montecarlo'

/** Packed outcomes of some paths, plus the metrics for interim results and the stopping rule. */
export interface PathPart {
  /** Outcomes by path and arm; read with `outcomesOf`. */
  encoded: Uint8Array
  /** Main figures per arm, in path order. */
  figures: ArmFigures[]
}

/**
 * Format name of packed parts. A format change needs a new name, so that no release reads an
 * incompatible format.
 */
export const packing = 'zstd-1'

/** Samples consist mostly of repeated digits: the fastest level reduces them to a third. */
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Packs the outcomes of consecutive paths. */
export function partOf(outcomes: ArmOutcome[][]): PathPart {
  const encoded = zstdCompressSync(serialize(outcomes), fastest)
  return { encoded, figures: figuresByArm(outcomes) }
}

/** The outcomes that `partOf` packed. */
export function outcomesOf({ encoded }: Pick<PathPart, 'encoded'>): ArmOutcome[][] {
  return deserialize(zstdDecompressSync(encoded)) as ArmOutcome[][]
}

/**
 * A figure of the candidate at an index, over consecutive parts; all parts have the same candidates
 * in the same order.
 */
export function joinedFigure(
  parts: readonly Pick<PathPart, 'figures'>[],
  index: number,
  figure: PathFigure,
): Float64Array {
  const all = parts.map(({ figures }) => figures[index]?.values[figure] ?? new Float64Array())
  const values = new Float64Array(all.reduce((sum, { length }) => sum + length, 0))
  let filled = 0
  for (const some of all) {
    values.set(some, filled)
    filled += some.length
  }
  return values
}
