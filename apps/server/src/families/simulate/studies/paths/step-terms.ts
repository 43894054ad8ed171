import { feeFactor } from '@liquidity-os/engine/capital'
import { minuteSeconds, yearSeconds } from '../../../../units.ts'
import { studyDefaults } from '../study-defaults.ts'
import type { StudySpec } from '../validate-spec.ts'
import type { Assumption } from './path-models.ts'

/** Seconds between blocks, for chains with a steady block time. */
const blockSecondsByChain: ReadonlyMap<number, number> = new Map([
  [1, 12],
  [10, 2],
  [100, 5],
  [130, 1],
  [8453, 2],
  [42_161, 0.25],
])

const million = 1_000_000

/**
 * Candidate steps of a study, finest first: the requested one; otherwise the chain's block time,
 * one minute and five minutes. Horizon and sample interval must be multiples of the step. Resampled
 * returns use five minutes.
 */
export function stepCandidates(spec: StudySpec): number[] {
  const { stepSeconds, horizonSeconds = 0, sampleSeconds = studyDefaults.sampleSeconds } = spec
  if (stepSeconds !== undefined) return [stepSeconds]
  const blockSeconds = blockSecondsByChain.get(spec.pair.chainId)
  const coarsest = studyDefaults.stepSeconds
  if (blockSeconds === undefined || spec.price?.kind === 'BLOCK_BOOTSTRAP') return [coarsest]
  const finer = [Math.ceil(blockSeconds), minuteSeconds].filter(
    (step) => horizonSeconds % step === 0 && sampleSeconds % step === 0,
  )
  return [...finer, coarsest]
}

/**
 * Arbitrage happens once per step, and in a pool with a fee its gain grows with the step. If the
 * block time is known, the study states the share of LVR that remains at its steps, the share at
 * blocks, and their ratio.
 *
 * @param volatility standard deviation of ln price per square root of a second
 */
export function stepAssumptions(
  chainId: number,
  stepSeconds: number,
  { feePips, volatility }: { feePips: number; volatility: number },
): Assumption[] {
  const blockSeconds = blockSecondsByChain.get(chainId)
  if (blockSeconds === undefined) {
    return [{ code: 'BLOCK_SECONDS', value: 'UNKNOWN', source: 'DEFAULT' }]
  }
  const shareAt = (seconds: number) =>
    feeFactor(volatility * Math.sqrt(yearSeconds), feePips / million, seconds)
  const [atStep, atBlock] = [shareAt(stepSeconds), shareAt(blockSeconds)]
  const assumeDefault = (code: string, share: number): Assumption => ({
    code,
    value: `${Math.round(share * million)}`,
    source: 'DEFAULT',
  })
  return [
    { code: 'BLOCK_SECONDS', value: `${blockSeconds}`, source: 'DEFAULT' },
    assumeDefault('ARBITRAGE_LOSS_PIPS_AT_STEP', atStep),
    assumeDefault('ARBITRAGE_LOSS_PIPS_AT_BLOCK', atBlock),
    // A constant price loses zero at both.
    assumeDefault('ARBITRAGE_LOSS_STEP_OVER_BLOCK_PIPS', atBlock === 0 ? 1 : atStep / atBlock),
  ]
}
