import type { Market, Orientation } from '../amm/market.ts'
import { midPrice } from '../amm/swap.ts'
import type { Rat } from '../arithmetic/integer.ts'
import { baseFor, quoteValue } from '../depth/value.ts'
import { type BaseShareTarget, type TradedVolume, targetOf } from '../measures/inventory-course.ts'
import { MARKOUT_SECONDS, type Markout } from '../measures/markout-ledger.ts'
import { SHOCK_BAND_PIPS, type ShockRecovery, ShockWatch } from '../measures/shock-recovery.ts'
import type { Holdings, StudyCapital } from '../study/arm.ts'
import type { HolderWaterfall, MakerWaterfall } from '../study/waterfall.ts'
import { type ActionCounts, ArmDesk } from './arm-desk.ts'
import { ArmRecorder, type ArmSamples, type SampleTerms, sampleDesk } from './arm-recorder.ts'
import type { MonteCarloArm } from './arms.ts'
import type { FailureRule } from './failure.ts'
import {
  drawExits,
  drawNoise,
  type NoiseFlow,
  type NoiseTrade,
  type OtherLps,
  rateFactor,
} from './flow-draws.ts'
import { type GasModel, gasAlong } from './gas.ts'
import type { ActionKind } from './gas-table.ts'
import type { MarketSession, PlannedSwap } from './market-session.ts'
import { openSession } from './open-session.ts'
import type { MarketPath } from './price-model.ts'
import { referencePrices } from './reference-price.ts'
import { type Scenario, type ScenarioStep, scenarioSteps } from './scenario.ts'

/** Everything of a run that is not a path, a market or an arm. */
export interface RunConfig {
  /** 32 bytes. */
  readonly seed: Uint8Array
  readonly orientation: Orientation
  readonly stepSeconds: number
  /** Sample interval in steps. */
  readonly sampleEverySteps: number
  readonly capital: StudyCapital
  readonly bandsPips: readonly number[]
  /** Sizes whose slippage is sampled on both sides, quote atoms; default none. */
  readonly tradeSizesQuote?: readonly bigint[]
  readonly failure: readonly FailureRule[]
  readonly gas: GasModel
  /** An arbitrage happens if it gains at least this above its gas, quote atoms. */
  readonly minProfitQuote: bigint
  /** Target base share of arms without their own target. */
  readonly targetBaseShare?: BaseShareTarget
  /** Points of the fan charts, default 50. */
  readonly fanPoints?: number
}

/** One path to be run. */
export interface PathRun {
  readonly s0: Market
  readonly path: MarketPath
  /** New arm instances per path, because a strategy has state. */
  readonly arms: readonly MonteCarloArm[]
  readonly flow: NoiseFlow | null
  readonly others: OtherLps
  readonly scenario?: Scenario
  readonly cfg: RunConfig
  /** Number of the path; 2k and 2k + 1 are an antithetic pair. */
  readonly index: number
}

/** Trades of a path in one arm's market. */
export interface FlowTotals {
  arbitrages: number
  arbitrageVolumeQuote: bigint
  /** What arbitrage gained at the reference price, gas not taken off. */
  arbitrageProfitQuote: bigint
  noiseTrades: number
  noiseVolumeQuote: bigint
  /** Trades the market could not take. */
  refusedTrades: number
}

/** What became of one arm on one path. */
export interface ArmOutcome {
  readonly armId: string
  readonly index: number
  readonly net: bigint
  readonly netVsHold: bigint
  readonly holder: HolderWaterfall
  readonly maker: MakerWaterfall
  readonly flow: FlowTotals
  /** Markouts of all trades by others; empty for an arm without a market. */
  readonly markouts: readonly Markout[]
  readonly actions: ActionCounts
  readonly ownVolumeQuote: bigint
  /** Base at the end less base at the start, atoms. */
  readonly baseChange: bigint
  readonly samples: ArmSamples
  /** Depth after shocks; null for an arm without a market. */
  readonly recovery: ShockRecovery | null
}

/** Inputs shared by all arms on one path. */
export interface Weather {
  readonly prices: readonly Rat[]
  readonly trades: readonly (readonly NoiseTrade[])[] | null
  readonly exits: ReadonlySet<number>
  readonly scenario: readonly ScenarioStep[] | null
  readonly gasOf: ReturnType<typeof gasAlong>
  readonly steps: number
}

/**
 * Runs every arm on one path. All arms meet the same prices, traders, exits and gas. Each arm has a
 * separate market that includes its own liquidity. Paths share no state, so any worker can run any
 * path.
 *
 * @throws WaterfallError if an arm's ledger does not balance
 */
export function runPath(run: PathRun): ArmOutcome[] {
  const weather = drawWeather(run)
  return run.arms.map((arm) => runArm(run, arm, weather))
}

/** Draws what every arm meets alike on one path. */
export function drawWeather({ s0, path, flow, others, scenario, cfg, index }: PathRun): Weather {
  const steps = path.price.length - 1
  const pairIndex = index >>> 1
  const antithetic = index % 2 === 1
  const told = scenario === undefined ? null : scenarioSteps(scenario, steps, cfg.stepSeconds)
  const priceAt = referencePrices(midPrice(s0, cfg.orientation))
  const { seed, stepSeconds } = cfg
  const volume = volumeAlong(path, told)
  return {
    steps,
    prices: Array.from(ratiosAlong(path, told), priceAt),
    trades:
      flow === null
        ? null
        : drawNoise(flow, seed, pairIndex, antithetic, volume, steps, stepSeconds),
    exits: drawExits(others, seed, pairIndex, antithetic, steps, stepSeconds),
    scenario: told,
    gasOf: gasAlong(cfg.gas, seed, pairIndex, antithetic, steps),
  }
}

/** Prices of a path over the start's, a scenario in them. */
export function ratiosAlong(path: MarketPath, told: readonly ScenarioStep[] | null): Float64Array {
  return path.price.map((ratio, step) => ratio * (told?.[step]?.priceFactor ?? 1))
}

/** Volume per step relative to the usual volume. Every series of a path has an entry per step. */
export function volumeAlong(
  path: MarketPath,
  told: readonly ScenarioStep[] | null,
): (step: number) => number {
  return (step) => (path.volume?.[step - 1] ?? 1) * (told?.[step]?.volumeFactor ?? 1)
}

/** An arm with its desk, open positions and a separate market. */
export function openArm(
  { s0, cfg }: Pick<PathRun, 's0' | 'cfg'>,
  arm: MonteCarloArm,
  price: Rat,
  gasOf: (action: ActionKind, step: number) => bigint,
): { desk: ArmDesk; start: Holdings } {
  const { capital, orientation } = cfg
  const session = arm.usesMarket ? openSession(s0, orientation) : null
  const start = arm.start(session, capital, price)
  const desk = new ArmDesk(session, capital, start, price, gasOf)
  arm.open(desk)
  return { desk, start }
}

/** Runs one arm on one path. @throws WaterfallError when its books do not balance */
export function runArm(run: PathRun, arm: MonteCarloArm, weather: Weather): ArmOutcome {
  const { cfg, flow } = run
  const { capital, stepSeconds } = cfg
  const startPrice = weather.prices[0]!
  const { desk, start } = openArm(run, arm, startPrice, weather.gasOf)
  const { session } = desk
  const worth = quoteValue(capital.base, startPrice) + capital.quote
  const recorder = new ArmRecorder(sampleTerms(cfg, weather.steps, arm), worth)
  recorder.sample(sampleDesk(desk), 0, 0)
  const traffic = session === null ? null : new Traffic(run, session, weather)
  for (let step = 1; step <= weather.steps; step++) {
    const price = weather.prices[step]!
    desk.moveTo(price, step)
    traffic?.trade(step, price, flow)
    desk.book()
    traffic?.moveOthers(step)
    arm.onStep?.({ step, seconds: step * stepSeconds, reference: price }, desk)
    traffic?.endStep(step)
    if (step % cfg.sampleEverySteps === 0 || step === weather.steps) {
      recorder.sample(sampleDesk(desk), step, step * stepSeconds)
    }
  }
  const netVsHold = desk.netVsHold()
  return {
    armId: arm.armId,
    index: run.index,
    ...desk.finish(),
    netVsHold,
    flow: traffic?.totals ?? noTraffic(),
    markouts: traffic?.markouts() ?? [],
    actions: desk.counts,
    ownVolumeQuote: desk.ownVolumeQuote,
    baseChange: desk.inventory.base - start.base,
    samples: recorder.finish(
      start,
      desk.withoutFees,
      traffic?.traded ?? { base: 0n, quote: 0n },
      weather.steps * stepSeconds,
    ),
    recovery: traffic?.recovery() ?? null,
  }
}

/** Maximum samples per path with stored depth and slippage: enough for a study of many paths. */
const MEASURED_SAMPLES = 48

/** Depth updates per path without a triggering trade. */
const DEPTH_REFRESHES = 12

/** Steps between depth updates. */
export function depthRefreshSteps(steps: number): number {
  return Math.max(1, Math.ceil(steps / DEPTH_REFRESHES))
}

/** Shocks of a path whose depth is followed. */
export const FOLLOWED_SHOCKS = 16

/** The last sample is the end. Stored moments are spread evenly over the samples. */
export function sampleTerms(cfg: RunConfig, steps: number, arm: MonteCarloArm): SampleTerms {
  const points = cfg.fanPoints ?? 50
  const samples = sampledSteps(cfg, steps)
  const stride = Math.max(1, Math.ceil(samples.length / points))
  const measured = Math.max(1, Math.ceil(samples.length / MEASURED_SAMPLES))
  return {
    horizonSeconds: steps * cfg.stepSeconds,
    target: targetOf(arm, cfg.targetBaseShare ?? null),
    bandsPips: cfg.bandsPips,
    tradeSizesQuote: cfg.tradeSizesQuote ?? [],
    failure: cfg.failure,
    measuredSteps: new Set([
      0,
      ...samples.filter((_, i) => (samples.length - 1 - i) % measured === 0),
    ]),
    keptSteps: samples.filter((_, i) => (samples.length - 1 - i) % stride === 0),
  }
}

/** Steps after which a sample is taken, the start apart. */
export function sampledSteps({ sampleEverySteps: every }: RunConfig, steps: number): number[] {
  const samples = Array.from({ length: Math.floor(steps / every) }, (_, i) => (i + 1) * every)
  if (samples.at(-1) !== steps) samples.push(steps)
  return samples
}

function noTraffic(): FlowTotals {
  return {
    arbitrages: 0,
    arbitrageVolumeQuote: 0n,
    arbitrageProfitQuote: 0n,
    noiseTrades: 0,
    noiseVolumeQuote: 0n,
    refusedTrades: 0,
  }
}

/** Everyone but the arm in the arm's market. */
class Traffic {
  readonly totals = noTraffic()
  readonly #run: PathRun
  readonly #session: MarketSession
  readonly #weather: Weather
  readonly #startDepth: number
  readonly #swapAction: ActionKind
  /** Tokens that the market took in per step, less what it paid. */
  readonly #taken: { step: number; base: bigint; quote: bigint }[] = []
  readonly #shocks: ShockWatch
  /** Steps between depth updates. */
  readonly #refreshSteps: number
  /** Both sides of every trade. */
  readonly traded: TradedVolume = { base: 0n, quote: 0n }

  constructor(run: PathRun, session: MarketSession, weather: Weather) {
    this.#run = run
    this.#session = session
    this.#weather = weather
    this.#swapAction = session.grid() === null ? 'V2_SWAP' : 'SWAP'
    this.#startDepth = (run.flow?.depthElasticity ?? 0) === 0 ? 1 : this.#depth()
    this.#shocks = new ShockWatch(() => this.#thinnerSide(), FOLLOWED_SHOCKS)
    this.#refreshSteps = depthRefreshSteps(weather.steps)
  }

  /** One step: arbitrage to the edge of the band, noise and forced sales, and arbitrage again. */
  trade(step: number, price: Rat, flow: NoiseFlow | null): void {
    const session = this.#session
    session.passTime(this.#run.cfg.stepSeconds)
    if (step % this.#refreshSteps === 0) this.#shocks.refresh()
    this.#arbitrage(step, price)
    const trades = this.#weather.trades?.[step] ?? []
    const sale = this.#weather.scenario?.[step]?.saleBase ?? 0n
    if (trades.length === 0 && sale === 0n) return
    const factor =
      flow === null || trades.length === 0 || (flow.depthElasticity ?? 0) === 0
        ? 1
        : rateFactor(flow, this.#depth() / this.#startDepth)
    for (const { buysBase, sizeQuote, threshold } of trades) {
      if (threshold >= factor) continue
      const amountIn = buysBase ? sizeQuote : baseFor(sizeQuote, price)
      this.#noise(session.planInput(buysBase, amountIn), price, step)
    }
    if (sale > 0n) this.#noise(session.planInput(false, sale), price, step)
    this.#arbitrage(step, price)
  }

  /** Others leave or follow, after the trades of the step. */
  moveOthers(step: number): void {
    const { others } = this.#run
    const told = this.#weather.scenario?.[step]?.lpExitPips ?? 0
    if (told > 0) this.#session.exitOthers(Math.round(told))
    if (others.kind === 'EXIT_HAZARD' && this.#weather.exits.has(step)) {
      this.#session.exitOthers(others.sharePips)
    }
    if (others.kind === 'FOLLOW_PRICE') this.#session.followPrice()
  }

  #arbitrage(step: number, price: Rat): void {
    const plan = this.#session.planArbitrage(price)
    if (plan === null) return
    const [spent, gained] = valueSides(plan, price)
    const cost = this.#weather.gasOf(this.#swapAction, step) + this.#run.cfg.minProfitQuote
    if (gained - spent < cost) return
    this.#carryOut(plan, step)
    this.totals.arbitrages += 1
    this.totals.arbitrageVolumeQuote += spent
    this.totals.arbitrageProfitQuote += gained - spent
  }

  /** Ends a step after all trades. Measures depth for recent shocks now. */
  endStep(step: number): void {
    this.#shocks.passTo(step * this.#run.cfg.stepSeconds)
  }

  recovery(): ShockRecovery {
    return this.#shocks.finish()
  }

  /** Markouts per horizon, without trades whose horizon exceeds the path; see MARKOUT_SECONDS. */
  markouts(): Markout[] {
    const { prices, steps } = this.#weather
    return MARKOUT_SECONDS.map((seconds) => {
      const later = Math.ceil(seconds / this.#run.cfg.stepSeconds)
      let quote = 0n
      for (const taken of this.#taken) {
        // No price exists beyond the end of the path.
        if (taken.step + later > steps) continue
        quote += quoteValue(taken.base, prices[taken.step + later]!) + taken.quote
      }
      return { seconds, quote }
    })
  }

  #carryOut(plan: PlannedSwap, step: number): void {
    const { amountIn, amountOut } = plan
    const [baseSide, quoteSide] = plan.buysBase ? [amountOut, amountIn] : [amountIn, amountOut]
    this.#shocks.before(quoteSide)
    this.#session.carryOut(plan)
    this.#shocks.after(step * this.#run.cfg.stepSeconds)
    this.traded.base += baseSide
    this.traded.quote += quoteSide
    const base = plan.buysBase ? -baseSide : baseSide
    const quote = plan.buysBase ? quoteSide : -quoteSide
    const last = this.#taken.at(-1)
    if (last?.step === step) {
      last.base += base
      last.quote += quote
    } else this.#taken.push({ step, base, quote })
  }

  #noise(plan: PlannedSwap | null, price: Rat, step: number): void {
    if (plan === null) {
      this.totals.refusedTrades += 1
      return
    }
    this.#carryOut(plan, step)
    this.totals.noiseTrades += 1
    this.totals.noiseVolumeQuote += valueSides(plan, price)[0]
  }

  #depth(): number {
    return Number(this.#thinnerSide())
  }

  #thinnerSide(): bigint {
    const sides = this.#session.depth([SHOCK_BAND_PIPS]).map(({ quote }) => quote)
    return sides.reduce((least, quote) => (quote < least ? quote : least))
  }
}

/** Input and output of a swap in quote at a price. */
function valueSides(
  { buysBase, amountIn, amountOut }: PlannedSwap,
  price: Rat,
): [spent: bigint, gained: bigint] {
  return buysBase
    ? [amountIn, quoteValue(amountOut, price)]
    : [quoteValue(amountIn, price), amountOut]
}
