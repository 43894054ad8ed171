import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type ArmOutcome, netVsHoldByArm } from '@liquidity-os/engine/montecarlo'

/** Outcomes of some paths as bytes, and beside them what decides whether there are enough paths. */
export interface PathPart {
  /** Outcomes by path and arm; read with `outcomesOf`. */
  encoded: Uint8Array
  /** Net vs hold per arm, in path order. */
  netVsHold: { armId: string; values: Float64Array }[]
}

/** Samples are mostly digits that repeat: the fastest level halves them. */
const level = 1

/** Packs the outcomes of consecutive paths. */
export function partOf(outcomes: ArmOutcome[][]): PathPart {
  const encoded = deflateRawSync(serialize(outcomes), { level })
  return { encoded, netVsHold: netVsHoldByArm(outcomes) }
}

/** The outcomes that `partOf` packed. */
export function outcomesOf({ encoded }: Pick<PathPart, 'encoded'>): ArmOutcome[][] {
  return deserialize(inflateRawSync(encoded)) as ArmOutcome[][]
}
