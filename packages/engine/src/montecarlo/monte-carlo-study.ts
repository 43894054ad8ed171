import { midPrice } from '../amm/swap.ts'
import { quoteValue } from '../depth/value.ts'
import { BATCH } from '../statistics/stopping-rule.ts'
import { type AggregateTerms, aggregate, judgeStop, type StudyStatistics } from './aggregate.ts'
import { compilePaths } from './compiled/compiled-paths.ts'
import type { MonteCarloSpec } from './monte-carlo-spec.ts'
import { generateMarketPath } from './price-model.ts'
import { type ArmOutcome, type PathRun, runPath } from './run-path.ts'

/** Runs paths `from` to `to` (exclusive). A worker runs any part; the parts put in order are the whole. */
export function runPaths(spec: MonteCarloSpec, from: number, to: number): ArmOutcome[][] {
  const compiled = compilePaths(spec)
  return runPathsOn(spec, from, to, compiled === null ? runPath : (run) => compiled.run(run))
}

/** Like `runPaths`, but only on the TypeScript engine, which is the reference. */
export function runPathsReadably(spec: MonteCarloSpec, from: number, to: number): ArmOutcome[][] {
  return runPathsOn(spec, from, to, runPath)
}

/** Runs paths, each by a function of the caller. */
export function runPathsOn(
  spec: MonteCarloSpec,
  from: number,
  to: number,
  runOne: (run: PathRun) => ArmOutcome[],
): ArmOutcome[][] {
  const { s0, price, flow, others, scenario, cfg, steps } = spec
  const outcomes: ArmOutcome[][] = []
  for (let index = from; index < to; index++) {
    const pair = index >>> 1
    const path = generateMarketPath(price, cfg.seed, pair, index % 2 === 1, steps, cfg.stepSeconds)
    const told = scenario === undefined ? {} : { scenario }
    outcomes.push(runOne({ s0, path, arms: spec.arms(), flow, others, ...told, cfg, index }))
  }
  return outcomes
}

/** What aggregation needs to know of a study. */
export function aggregateTerms(spec: MonteCarloSpec): AggregateTerms {
  const { cfg, s0, steps, paths, halfWidthPips, stopArmId } = spec
  const price = midPrice(s0, cfg.orientation)
  return {
    seed: cfg.seed,
    horizonSeconds: steps * cfg.stepSeconds,
    failure: cfg.failure,
    capitalQuote: quoteValue(cfg.capital.base, price) + cfg.capital.quote,
    paths,
    ...(halfWidthPips === undefined ? {} : { halfWidthPips }),
    ...(stopArmId === undefined ? {} : { stopArmId }),
  }
}

/** Runs a study in batches of 200 until the stop metric is precise or the paths are used up. */
export function runMonteCarlo(spec: MonteCarloSpec): StudyStatistics {
  const terms = aggregateTerms(spec)
  const outcomes: ArmOutcome[][] = []
  while (outcomes.length < spec.paths) {
    const next = Math.min(outcomes.length + BATCH, spec.paths)
    outcomes.push(...runPaths(spec, outcomes.length, next))
    if (judgeStop(netVsHoldByArm(outcomes), terms) !== 'CONTINUE') break
  }
  return aggregate(outcomes, terms)
}

/** Net vs hold per arm in path order, the metric that decides when to stop. */
export function netVsHoldByArm(
  outcomes: readonly (readonly ArmOutcome[])[],
): { armId: string; values: Float64Array }[] {
  const first = outcomes[0] ?? []
  return first.map(({ armId }, place) => ({
    armId,
    // Every path has the same arms in the same order.
    values: Float64Array.from(outcomes, (arms) => Number(arms[place]!.netVsHold)),
  }))
}

/** Factor with a mean result of zero, or the reason why it was not found. */
export type Breakeven =
  | { readonly found: true; readonly factor: number; readonly evaluations: number }
  | { readonly found: false; readonly reason: 'ALWAYS_ABOVE' | 'ALWAYS_BELOW' }

/**
 * The parameter factor with a mean result of zero, by bisection of its logarithm with common random
 * numbers. Breakeven volume scales the rate of noise trades, breakeven volatility scales σ.
 *
 * @param meanAt mean result with the parameter times a factor, monotone in it
 * @param low smallest factor
 * @param high largest factor
 */
export function findBreakeven(
  meanAt: (factor: number) => number,
  low: number,
  high: number,
  rounds = 12,
): Breakeven {
  const [atLow, atHigh] = [meanAt(low), meanAt(high)]
  if (atLow > 0 && atHigh > 0) return { found: false, reason: 'ALWAYS_ABOVE' }
  if (atLow < 0 && atHigh < 0) return { found: false, reason: 'ALWAYS_BELOW' }
  const rises = atHigh > atLow
  let [from, to] = [low, high]
  for (let round = 0; round < rounds; round++) {
    const middle = Math.sqrt(from * to)
    if (meanAt(middle) < 0 === rises) from = middle
    else to = middle
  }
  return { found: true, factor: Math.sqrt(from * to), evaluations: rounds + 2 }
}

/** The same study with other traders or another volatility, for breakeven and sensitivity. */
export function scaled(
  spec: MonteCarloSpec,
  factors: { readonly volume?: number; readonly volatility?: number; readonly gas?: number },
): MonteCarloSpec {
  const { volume = 1, volatility = 1, gas = 1 } = factors
  const { price, flow, cfg } = spec
  const scaledPrice =
    price.kind === 'BLOCK_BOOTSTRAP'
      ? { ...price, logReturns: Float64Array.from(price.logReturns, (r) => r * volatility) }
      : { ...price, annualVolatility: price.annualVolatility * volatility }
  const nativePriceX18 = BigInt(Math.round(gas * 1000)) * cfg.gas.nativePriceX18
  return {
    ...spec,
    price: scaledPrice,
    flow: flow === null ? null : { ...flow, tradesPerDay: flow.tradesPerDay * volume },
    cfg: { ...cfg, gas: { ...cfg.gas, nativePriceX18: nativePriceX18 / 1000n } },
  }
}
