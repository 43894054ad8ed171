import { feeFactor } from '@liquidity-os/engine/capital'
import type { BlockTime } from '../../../../market/block-time.ts'
import { minuteSeconds, yearSeconds } from '../../../../units.ts'
import { studyDefaults } from '../study-defaults.ts'
import type { StudySpec } from '../validate-spec.ts'
import type { Assumption } from './path-models.ts'

const million = 1_000_000

/**
 * Candidate steps of a study, finest first: the requested one; otherwise the block time, one minute
 * and five minutes, as far as they are not below the block time. Horizon and sample interval must be
 * multiples of the step. Resampled returns use five minutes.
 *
 * @param blockTime null if unknown
 * @throws UnknownBlockTimeError if neither step nor block time is known and returns are not
 * resampled, because any default would decide the loss to arbitrage
 */
export function stepCandidates(spec: StudySpec, blockTime: BlockTime | null): number[] {
  const { stepSeconds, horizonSeconds = 0, sampleSeconds = studyDefaults.sampleSeconds } = spec
  if (stepSeconds !== undefined) return [stepSeconds]
  const coarsest = studyDefaults.stepSeconds
  if (spec.price?.kind === 'BLOCK_BOOTSTRAP') return [coarsest]
  if (blockTime === null) throw new UnknownBlockTimeError(spec.pair.chainId)
  const block = Math.max(1, Math.round(blockTime.seconds))
  const finer = [block, minuteSeconds].filter(
    (step, index) =>
      step >= block &&
      step < coarsest &&
      (index === 0 || step > block) &&
      horizonSeconds % step === 0 &&
      sampleSeconds % step === 0,
  )
  return [...finer, coarsest]
}

/** A study without a step, on a chain without a known block time. */
export class UnknownBlockTimeError extends Error {
  constructor(chainId: number) {
    super(
      `must be set, because the block time of chain ${chainId} is unknown: it has no published one, and the events of the observations have too few headers`,
    )
  }
}

/**
 * Arbitrage happens once per step, and in a pool with a fee its gain grows with the step. If the
 * block time is known, the study states the share of LVR that remains at its steps, the share at
 * blocks, and their ratio.
 *
 * @param volatility standard deviation of ln price per square root of a second
 */
export function stepAssumptions(
  blockTime: BlockTime | null,
  stepSeconds: number,
  { feePips, volatility }: { feePips: number; volatility: number },
): Assumption[] {
  if (blockTime === null) return [{ code: 'BLOCK_SECONDS', value: 'UNKNOWN', source: 'DEFAULT' }]
  const shareAt = (seconds: number) =>
    feeFactor(volatility * Math.sqrt(yearSeconds), feePips / million, seconds)
  const [atStep, atBlock] = [shareAt(stepSeconds), shareAt(blockTime.seconds)]
  const read = blockTime.source === 'HEADERS' ? 'CALIBRATED' : 'DEFAULT'
  const assume = (
    code: string,
    value: string,
    source: Assumption['source'] = 'DEFAULT',
  ): Assumption => ({ code, value, source })
  const share = (value: number) => `${Math.round(value * million)}`
  const shown = (seconds: number) => `${Math.round(seconds * 1000) / 1000}`
  return [
    assume('BLOCK_SECONDS', shown(blockTime.seconds), read),
    ...(blockTime.interval
      ? [assume('BLOCK_SECONDS_INTERVAL_95', blockTime.interval.map(shown).join(' to '), read)]
      : []),
    assume('ARBITRAGE_LOSS_PIPS_AT_STEP', share(atStep)),
    assume('ARBITRAGE_LOSS_PIPS_AT_BLOCK', share(atBlock)),
    // A constant price loses zero at both.
    assume('ARBITRAGE_LOSS_STEP_OVER_BLOCK_PIPS', share(atBlock === 0 ? 1 : atStep / atBlock)),
  ]
}
