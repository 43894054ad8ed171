import type { Assumption } from './path-models.ts'

/** Seconds between blocks, of chains whose protocol fixes them. */
const blockSecondsByChain: ReadonlyMap<number, number> = new Map([
  [1, 12],
  [10, 2],
  [100, 5],
  [8453, 2],
])

/** Nezlobin and Tassy, 2025: of the loss without a fee, what equal steps leave to arbitrage after its fees. */
const bandFactor = 1.7164
const million = 1_000_000

/**
 * Arbitrage comes once a step, and in a pool with a fee it takes the more the longer a step is. Where the chain
 * tells its block time, a study says how much of the loss is left at its steps and how much would be at blocks.
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
  const sharePips = (seconds: number) => {
    const deviation = volatility * Math.sqrt(seconds)
    if (deviation === 0) return 0
    return Math.round(million / (1 + (bandFactor * (feePips / million)) / deviation))
  }
  const share = (code: string, seconds: number): Assumption => ({
    ...{ code, value: `${sharePips(seconds)}`, source: 'DEFAULT' },
  })
  return [
    { code: 'BLOCK_SECONDS', value: `${blockSeconds}`, source: 'DEFAULT' },
    share('ARBITRAGE_LOSS_PIPS_AT_STEP', stepSeconds),
    share('ARBITRAGE_LOSS_PIPS_AT_BLOCK', blockSeconds),
  ]
}
