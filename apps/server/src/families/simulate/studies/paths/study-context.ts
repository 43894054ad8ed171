import { serialize } from 'node:v8'
import { benchmarkArmIds, type MonteCarloData } from '@liquidity-os/engine/montecarlo'
import { sha256Hex } from '@liquidity-os/evidence'

/** Content hashes of a study's inputs and its arms: equal hashes give equal outcomes. */
export interface StudyHashes {
  /** Hash of the specification without the candidates and the number of paths. */
  ground: string
  /** Hash per arm, benchmarks last, in the order of a path's outcomes. */
  arms: string[]
}

const nameOf = (value: unknown) => sha256Hex(Uint8Array.from(serialize(value)))

/**
 * Computes the hashes of a study. Each arm has a separate market, so its outcome on a path depends
 * only on the ground and the arm.
 */
export function hashStudy({
  arms,
  paths: _,
  halfWidthPips: __,
  ...inputs
}: MonteCarloData): StudyHashes {
  return {
    ground: nameOf(inputs),
    arms: [...arms.map(nameOf), ...benchmarkArmIds],
  }
}

/** Indexes of the arms in an earlier study; null if missing. */
export function placesIn(earlier: readonly string[], arms: readonly string[]): (number | null)[] {
  return arms.map((arm) => {
    const index = earlier.indexOf(arm)
    return index < 0 ? null : index
  })
}
