import { randomV2Sequence, randomV3Sequence } from '@liquidity-os/engine/parity'
import {
  type Apply,
  type Comparison,
  compareTrial,
  type Divergence,
  type Trial,
} from './compare.ts'
import type { Stage } from './stage.ts'

/** Operations of one generated sequence. */
export const sequenceLength = 40

/**
 * The trial of a seed: four of five are v3 sequences, on the pools of the stage in turn.
 *
 * @param seed any whole number from 0; the same seed always gives the same trial
 */
export function trialOfSeed(stage: Stage, seed: number): Trial {
  const length = sequenceLength
  if (seed % 5 === 4) {
    return { kind: 'v2', operations: randomV2Sequence({ seed, length }) }
  }
  const pool = Math.floor(seed / 5) % stage.pools.length
  const { tickSpacing } = stage.pools[pool]!
  return { kind: 'v3', pool, operations: randomV3Sequence({ seed, length, tickSpacing }) }
}

/** Sums over many comparisons. */
export type Tally = {
  sequences: { v2: number; v3: number }
  operations: number
  events: number
  reverts: number
  fields: number
  outcomes: Map<string, number>
  divergences: { seed: number; divergence: Divergence; smallest: Trial }[]
}

export function emptyTally(): Tally {
  return {
    sequences: { v2: 0, v3: 0 },
    operations: 0,
    events: 0,
    reverts: 0,
    fields: 0,
    outcomes: new Map(),
    divergences: [],
  }
}

/** Compares one trial, adds it to the tally, and shrinks it when it diverges. */
export async function tallyTrial(
  stage: Stage,
  seed: number,
  tally: Tally,
  apply?: Apply,
): Promise<void> {
  const trial = trialOfSeed(stage, seed)
  const comparison = await compareTrial(stage, trial, apply)
  add(tally, trial, comparison)
  if (comparison.divergence === null) return
  const smallest = await shrinkTrial(stage, trial, apply)
  const { divergence } = await compareTrial(stage, smallest, apply)
  tally.divergences.push({ seed, divergence: divergence ?? comparison.divergence, smallest })
}

function add(tally: Tally, trial: Trial, comparison: Comparison): void {
  tally.sequences[trial.kind] += 1
  tally.operations += comparison.operations
  tally.events += comparison.events
  tally.reverts += comparison.reverts
  tally.fields += comparison.fields
  for (const [outcome, times] of comparison.outcomes) {
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + times)
  }
}

/** Leaves out operations one by one, from the end, as long as the trial still diverges. */
export async function shrinkTrial(stage: Stage, trial: Trial, apply?: Apply): Promise<Trial> {
  let smallest = trial
  for (let index = trial.operations.length - 1; index >= 0; index--) {
    if (smallest.operations.length === 1) break
    const operations = smallest.operations.filter((_, itemIndex) => itemIndex !== index)
    // Filtering preserves the type of the operations, which the union type hides.
    const candidate = { ...smallest, operations } as Trial
    const { divergence } = await compareTrial(stage, candidate, apply)
    if (divergence !== null) smallest = candidate
  }
  return smallest
}
