import { serialize } from 'node:v8'
import { benchmarkArmIds, type MonteCarloData } from '@liquidity-os/engine/montecarlo'
import { sha256Hex } from '@liquidity-os/evidence'

/** What the paths of a study are drawn from and measured by, and which arms meet them: equal names, equal outcomes. */
export interface StudyGround {
  /** Of everything but the arms and how many paths there may be. */
  ground: string
  /** Of each arm, benchmarks last, as in the outcomes of a path. */
  arms: string[]
}

const nameOf = (value: unknown) => sha256Hex(Uint8Array.from(serialize(value)))

/**
 * Names the ground and the arms of a study. Arms never meet each other: each has a market of its own, so what an arm comes to on a
 * path follows from the ground and the arm alone.
 */
export function groundOf({
  arms,
  paths: _,
  halfWidthPips: __,
  ...ground
}: MonteCarloData): StudyGround {
  return {
    ground: nameOf(ground),
    arms: [...arms.map(nameOf), ...benchmarkArmIds],
  }
}

/** Where each arm stands among those of an earlier study; null for one that it does not have. */
export function placesIn(earlier: readonly string[], arms: readonly string[]): (number | null)[] {
  return arms.map((arm) => {
    const place = earlier.indexOf(arm)
    return place < 0 ? null : place
  })
}
