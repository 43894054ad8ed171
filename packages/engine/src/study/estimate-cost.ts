import type { Market } from '../amm/market.ts'
import { DAY_SECONDS, YEAR_SECONDS } from '../arithmetic/time-units.ts'
import { benchmarkArmIds, type MonteCarloData } from '../montecarlo/monte-carlo-data.ts'
import type { PriceModel } from '../montecarlo/price-model.ts'
import { meanOf } from '../numerics/compensated-sum.ts'

/** How large a study is. Every number is zero or more. */
export type StudySize =
  | {
      readonly kind: 'REPLAY'
      readonly events: number
      readonly arms: number
      readonly flowModels: number
      readonly samples: number
      /** Swaps computed per sample of an arm and flow model: both sides per band and size. */
      readonly quotesPerSample: number
    }
  | {
      readonly kind: 'MONTE_CARLO'
      readonly market: 'UNISWAP_V3' | 'UNISWAP_V2' | 'STABLESWAP'
      readonly paths: number
      readonly steps: number
      /** Arms that use the market, the benchmark among them. */
      readonly arms: number
      readonly stepSeconds: number
      /** σ per √year, jumps included. */
      readonly annualVolatility: number
      readonly feePips: number
      readonly noiseTradesPerDay: number
      readonly samples: number
      /** Swaps computed per sample: both sides per size. */
      readonly quotesPerSample: number
      /** Depths computed per sample: both sides per band. */
      readonly depthsPerSample: number
    }

export interface StudyCost {
  /** Exact swaps, carried out or only quoted; rounded up. */
  readonly swaps: bigint
  /** Time of one core of the reference machine, rounded up. */
  readonly milliseconds: number
}

/**
 * Microseconds of one core, as `node packages/engine/bin/measure-cost.ts` printed them on a loaded
 * EPYC 9005, rounded up. `event` is one event of the unchanged pool. `run` is the same for an arm
 * under a flow model, including its ledger. `step` is one step of one arm without a trade. `depth`
 * is the depth of one side of one band, which markets without ticks find by bisection.
 */
export const COST_MICROSECONDS = {
  replay: { event: 2, run: 3, quote: 3 },
  UNISWAP_V3: { step: 3, swap: 2, depth: 7 },
  UNISWAP_V2: { step: 5, swap: 2, depth: 35 },
  STABLESWAP: { step: 40, swap: 340, depth: 1200 },
} as const

/**
 * Swaps and time of a study from its sizes alone, so that a user can decide whether to wait. The
 * result grows with every size.
 *
 *     replay:      events·(1 + arms·models) swaps, and the quotes of the samples
 *     Monte Carlo: paths·arms·(steps·(a + n + min(1, n)) + samples·(quotes + depths)) swaps,
 *                  n noise trades per step, each with a possible arbitrage; a is the share of steps
 *                  with an arbitrage due to the price alone: σ√Δ/(σ√Δ + √2·γ)
 *
 * @throws RangeError for a size that is no number, or below zero
 * @see Milionis, Moallemi, Roughgarden, “Automated market making and arbitrage profits in the
 * presence of fees” (2023), for a
 */
export function estimateCost(size: StudySize): StudyCost {
  for (const [name, value] of Object.entries(size)) {
    if (typeof value === 'number' && !(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`${name} of ${value}; expected a finite number of zero or more`)
    }
  }
  return size.kind === 'REPLAY' ? replayCost(size) : monteCarloCost(size)
}

function replayCost(size: Extract<StudySize, { kind: 'REPLAY' }>): StudyCost {
  const { events, arms, flowModels, samples, quotesPerSample } = size
  const { event, run, quote } = COST_MICROSECONDS.replay
  const runs = arms * flowModels
  const quotes = runs * samples * quotesPerSample
  return costOf(events + events * runs + quotes, events * (event + runs * run) + quotes * quote)
}

function monteCarloCost(size: Extract<StudySize, { kind: 'MONTE_CARLO' }>): StudyCost {
  const { market, paths, steps, arms, stepSeconds, samples } = size
  const noise = (size.noiseTradesPerDay * stepSeconds) / DAY_SECONDS
  const trades = steps * (arbitrageShare(size) + noise + Math.min(1, noise))
  const quotes = samples * size.quotesPerSample
  const depths = samples * size.depthsPerSample
  const { step, swap, depth } = COST_MICROSECONDS[market]
  // Both sides of the shock band are measured periodically, independent of samples.
  const watched = 2 * Math.min(steps, DEPTH_REFRESHES)
  const microseconds = steps * step + (trades + quotes) * swap + (depths + watched) * depth
  return costOf(paths * arms * (trades + quotes + depths), paths * arms * microseconds)
}

/** Share of steps whose price move leaves the band of the fee. */
function arbitrageShare(size: {
  annualVolatility: number
  stepSeconds: number
  feePips: number
}): number {
  const move = size.annualVolatility * Math.sqrt(size.stepSeconds / YEAR_SECONDS)
  return move === 0 ? 0 : move / (move + (Math.SQRT2 * size.feePips) / 1_000_000)
}

function costOf(swaps: number, microseconds: number): StudyCost {
  return { swaps: BigInt(Math.ceil(swaps)), milliseconds: Math.ceil(microseconds / 1000) }
}

/** Most samples of a path that are measured, and looks at its depth between them, see `runPath`. */
const MEASURED_SAMPLES = 48
const DEPTH_REFRESHES = 12

/**
 * Sizes of a Monte Carlo study that is ready to run, including its benchmarks.
 *
 * @throws RangeError for a market type without a simulation
 */
export function monteCarloSize(data: MonteCarloData): StudySize {
  const { s0, steps, paths, cfg, flow, price, arms } = data
  if (s0.kind !== 'UNISWAP_V3' && s0.kind !== 'UNISWAP_V2' && s0.kind !== 'STABLESWAP') {
    throw new RangeError(`no simulation supports markets of kind ${s0.kind}`)
  }
  const samples = Math.ceil(steps / cfg.sampleEverySteps) + 1
  const sizes = cfg.tradeSizesQuote?.length ?? 0
  return {
    kind: 'MONTE_CARLO',
    market: s0.kind,
    paths,
    steps,
    // Holding and rebalancing use no market; the whole curve does.
    arms: arms.filter(({ kind }) => kind !== 'HOLD').length + benchmarkArmIds.length - 2,
    stepSeconds: cfg.stepSeconds,
    annualVolatility: volatilityOf(price),
    feePips: feePipsOf(s0),
    noiseTradesPerDay: flow?.tradesPerDay ?? 0,
    samples: Math.min(samples, MEASURED_SAMPLES + 1),
    quotesPerSample: 2 * sizes,
    depthsPerSample: 2 * cfg.bandsPips.length,
  }
}

/** σ per √year of everything that moves the price. */
function volatilityOf(model: PriceModel): number {
  if (model.kind === 'BLOCK_BOOTSTRAP') {
    const squares = Float64Array.from(model.logReturns, (r) => r * r)
    return Math.sqrt((meanOf(squares) * YEAR_SECONDS) / model.stepSeconds)
  }
  const { annualVolatility: sigma } = model
  if (model.kind === 'GBM') return sigma
  const { jumpsPerYear, jumpMean, jumpDeviation } = model
  const jump = jumpMean * jumpMean + jumpDeviation * jumpDeviation
  return Math.sqrt(sigma * sigma + jumpsPerYear * jump)
}

function feePipsOf(market: Market): number {
  switch (market.kind) {
    case 'UNISWAP_V3':
      return market.feePips
    case 'UNISWAP_V2':
      return Number((market.fee.numerator * 1_000_000n) / market.fee.denominator)
    case 'STABLESWAP':
      return Number(market.feeX10 / 10_000n)
    default:
      return 0
  }
}
