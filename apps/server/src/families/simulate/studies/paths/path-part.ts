import { deserialize, serialize } from 'node:v8'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  type ArmFigures,
  type ArmOutcome,
  figuresByArm,
  type PathFigure,
} from '@liquidity-os/engine/montecarlo'

/** Outcomes of some paths as bytes, and beside them what is told while more are run, and decides whether there are enough. */
export interface PathPart {
  /** Outcomes by path and arm; read with `outcomesOf`. */
  encoded: Uint8Array
  /** Main figures per arm, in path order. */
  figures: ArmFigures[]
}

/** How parts are packed; another way of it needs another name, so that no release reads what another one packed. */
export const packing = 'zstd-1'

/** Samples are mostly digits that repeat: the fastest level leaves a third of them. */
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

/** A figure of the arm at a place over consecutive parts; every part has the same arms in the same order. */
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
