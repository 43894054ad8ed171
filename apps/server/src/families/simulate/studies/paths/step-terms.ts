import { feeFactor } from '@liquidity-os/engine/capital'
import { minuteSeconds, yearSeconds } from '../../../../units.ts'
import { studyDefaults } from '../study-defaults.ts'
import type { StudySpec } from '../validate-spec.ts'
import type { Assumption } from './path-models.ts'

/** Seconds between blocks, of chains that make them at a steady pace. */
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
 * Steps that a study may take, the finest first: the one that was asked for; else the block time of the chain, a minute and
 * five, as far as horizon and samples are whole numbers of them. Returns that are resampled are read at five minutes.
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
 * Arbitrage comes once a step, and in a pool with a fee it takes the more the longer a step is. Where the chain
 * tells its block time, a study says how much of the loss is left at its steps, how much would be at blocks, and how many
 * times the one is the other.
 *
 * @param volatility standard deviation of ln price per root of a second
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
  const told = (code: string, share: number): Assumption => ({
    code,
    value: `${Math.round(share * million)}`,
    source: 'DEFAULT',
  })
  return [
    { code: 'BLOCK_SECONDS', value: `${blockSeconds}`, source: 'DEFAULT' },
    told('ARBITRAGE_LOSS_PIPS_AT_STEP', atStep),
    told('ARBITRAGE_LOSS_PIPS_AT_BLOCK', atBlock),
    // A price that stands still loses nothing at either.
    told('ARBITRAGE_LOSS_STEP_OVER_BLOCK_PIPS', atBlock === 0 ? 1 : atStep / atBlock),
  ]
}
