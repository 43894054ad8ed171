import { midPrice } from '../../amm/swap.ts'
import type { Rat } from '../../arithmetic/integer.ts'
import { pathStream } from '../../random/streams.ts'
import type { MonteCarloArm } from '../arms.ts'
import { drawEachNoise, drawExits } from '../flow-draws.ts'
import { gasAlong } from '../gas.ts'
import type { ActionKind } from '../gas-table.ts'
import type { MonteCarloSpec } from '../monte-carlo-spec.ts'
import { isRatioKnown, referencePrices, startPrice } from '../reference-price.ts'
import {
  type ArmOutcome,
  drawWeather,
  type PathRun,
  ratiosAlong,
  runArm,
  runPath,
  volumeAlong,
  type Weather,
} from '../run-path.ts'
import { type ScenarioStep, scenarioSteps } from '../scenario.ts'
import { ArmImages, type PathTerms } from './arm-images.ts'
import { type OpenedArm, openForPaths, readOutcome } from './compiled-arm.ts'
import { MovingOthers } from './moving-others.ts'
import { UnheldNumberError } from './path-memory.ts'
import { areSamplesHeld } from './sample-layout.ts'
import { TRADE, TradeList } from './trade-list.ts'

/** Initial capacity for trades. */
const FIRST_CAPACITY = 2048
/** Maximum shift of a start price for which products and quotients fit their fields. */
const LARGEST_SHIFT = 300

/** Path data for the module, without prices and trades. */
interface PathTold {
  readonly ratios: Float64Array
  readonly exits: ReadonlySet<number>
  readonly gasOf: (action: ActionKind, step: number) => bigint
}

/** The compiled engine for a study's paths; null for a study that it does not take. */
export function compilePaths(spec: MonteCarloSpec): CompiledPaths | null {
  const { s0, cfg, steps } = spec
  if (s0.kind !== 'UNISWAP_V3' || s0.sqrtPriceX96 === 0n) return null
  const { shift } = startPrice(midPrice(s0, cfg.orientation))
  const isHeld =
    Number.isInteger(steps) &&
    steps > 0 &&
    Number.isInteger(cfg.stepSeconds) &&
    cfg.stepSeconds > 0 &&
    cfg.stepSeconds < 2 ** 31 &&
    shift >= 0 &&
    shift <= LARGEST_SHIFT &&
    areSamplesHeld(cfg)
  return isHeld ? new CompiledPaths({ ...spec, s0 }) : null
}

/**
 * Runs paths in WebAssembly with one call per path: prices, arbitrage, traders, ledgers and
 * samples. Passive arms and the rebalancing portfolio run there. Strategies run on the TypeScript
 * engine, like any arm whose numbers exceed the fixed fields. Both engines give bit-exact results.
 */
export class CompiledPaths {
  /**
   * Arms per path by execution: in WebAssembly, copied from an equal arm, or on the TypeScript
   * engine.
   */
  readonly counts = { compiled: 0, same: 0, readable: 0 }
  readonly #terms: PathTerms
  readonly #told: readonly ScenarioStep[] | null
  readonly #priceAt: (ratio: number) => Rat
  readonly #trades = new TradeList()
  #images: ArmImages | null = null
  /** By place among the arms; null for one that runs on the readable engine. */
  #opened: readonly (OpenedArm | null)[] | null = null

  constructor(terms: PathTerms) {
    const { s0, cfg, scenario, steps } = terms
    this.#terms = terms
    this.#told = scenario === undefined ? null : scenarioSteps(scenario, steps, cfg.stepSeconds)
    this.#priceAt = referencePrices(midPrice(s0, cfg.orientation))
  }

  /**
   * Runs every arm on one path, like `runPath`. The arms must be new instances of the same arms for
   * every path.
   */
  run(run: PathRun): ArmOutcome[] {
    const ratios = ratiosAlong(run.path, this.#told)
    if (!ratios.every(isRatioKnown)) return runPath(run)
    const told = this.#tell(run, ratios)
    const opened = this.#open(run, told)
    const images = this.#write(told, opened)
    const known = new Map<string, ArmOutcome>()
    let weather: Weather | null = null
    return run.arms.map((arm, place) => {
      const ready = opened[place] ?? null
      const outcome =
        images === null || ready === null
          ? null
          : (this.#copyOf(known, ready, arm) ?? this.#runArm(images, ready, told, run.index))
      if (outcome !== null && ready !== null) known.set(ready.key, outcome)
      if (outcome !== null) return outcome
      this.counts.readable += 1
      weather ??= drawWeather(run)
      return runArm(run, arm, weather)
    })
  }

  /** The outcome of an arm with the same initial state; null if none exists. */
  #copyOf(
    known: ReadonlyMap<string, ArmOutcome>,
    { key }: OpenedArm,
    { armId }: MonteCarloArm,
  ): ArmOutcome | null {
    const same = known.get(key)
    if (same === undefined) return null
    this.counts.same += 1
    return { ...same, armId }
  }

  /** Draws what every arm meets alike. */
  #tell({ path, index }: PathRun, ratios: Float64Array): PathTold {
    const { cfg, flow, others, steps } = this.#terms
    const { seed, stepSeconds } = cfg
    const pair = index >>> 1
    const antithetic = index % 2 === 1
    const told = this.#told
    const trades = this.#trades
    trades.clear()
    let sold = 1
    const sellUntil = (step: number) => {
      for (; sold <= step; sold++) {
        if ((told?.[sold]?.saleBase ?? 0n) > 0n) trades.add(sold, TRADE.sellsBase, 0, -1)
      }
    }
    if (flow !== null) {
      const stream = pathStream(seed, pair, 'flow', antithetic)
      const volume = volumeAlong(path, told)
      drawEachNoise(flow, stream, volume, steps, stepSeconds, (step, buys, size, threshold) => {
        sellUntil(step - 1)
        trades.add(step, buys ? TRADE.buys : TRADE.sells, size, threshold)
      })
    }
    sellUntil(steps)
    return {
      ratios,
      exits: drawExits(others, seed, pair, antithetic, steps, stepSeconds),
      gasOf: gasAlong(cfg.gas, seed, pair, antithetic, steps),
    }
  }

  /** Opens the arms once for all paths: their initial state does not depend on random draws. */
  #open({ arms }: PathRun, { ratios, gasOf }: PathTold): readonly (OpenedArm | null)[] {
    // A path has a first price.
    const price = this.#priceAt(ratios[0]!)
    this.#opened ??= arms.map((arm) => openForPaths(this.#terms, arm, price, gasOf))
    return this.#opened
  }

  /** Writes a path into the module. @returns null if the path does not fit */
  #write(told: PathTold, opened: readonly (OpenedArm | null)[]): ArmImages | null {
    const { count } = this.#trades
    try {
      let images = this.#images
      const isNew = images === null || images.capacity < count
      if (images === null || isNew) {
        images = new ArmImages(this.#terms, Math.max(FIRST_CAPACITY, 2 * count))
        this.#writeSales(images)
      }
      const { x, memory, capacity } = images
      memory.floats.set(told.ratios, x.ratios() >> 3)
      this.#trades.writeTo(x.memory.buffer, x.draws(), capacity)
      if (isNew || this.#terms.cfg.gas.baseFee.kind !== 'CONSTANT') this.#writeCosts(images, told)
      this.#writeStops(images, told)
      x.preparePath(count)
      if (x.isBeyond.value !== 0) return null
      if (isNew) {
        const price = this.#priceAt(told.ratios[0]!)
        for (const arm of opened) if (arm !== null) images.add(arm, price)
      }
      this.#images = images
      return images
    } catch (error) {
      if (error instanceof UnheldNumberError) return null
      throw error
    }
  }

  #writeSales({ x, memory }: ArmImages): void {
    for (const [step, { saleBase }] of (this.#told ?? []).entries()) {
      memory.writeSigned(x.sales() + 32 * step, saleBase)
    }
  }

  /** Writes the cost of an arbitrage and the exit gas per step. */
  #writeCosts({ x, memory }: ArmImages, { gasOf }: PathTold): void {
    const { cfg, steps } = this.#terms
    for (let step = 0; step <= steps; step++) {
      const at = x.costs() + 64 * step
      memory.writeSigned(at, gasOf('SWAP', step) + cfg.minProfitQuote)
      memory.writeSigned(at + 32, leavingGas(gasOf, step))
    }
  }

  /** Marks the steps when other LPs can move liquidity. */
  #writeStops({ x, memory }: ArmImages, { exits }: PathTold): void {
    const { others, steps } = this.#terms
    const stops = memory.bytes.subarray(x.stops(), x.stops() + steps + 1)
    stops.fill(others.kind === 'FOLLOW_PRICE' ? 1 : 0)
    for (const step of exits) stops[step] = 1
    for (const [step, { lpExitPips }] of (this.#told ?? []).entries()) {
      if (lpExitPips > 0) stops[step] = 1
    }
  }

  /** @returns null where a number has become too large, or the market has refused */
  #runArm(images: ArmImages, opened: OpenedArm, told: PathTold, index: number): ArmOutcome | null {
    const { x, memory } = images
    const { cfg, steps } = this.#terms
    const layout = images.open(opened)
    const others = new MovingOthers(x, memory, opened, cfg.stepSeconds)
    while (x.run() === 0) this.#moveOthers(others, x.step.value, told)
    if (x.isBeyond.value !== 0) return null
    this.counts.compiled += 1
    return readOutcome(x, memory, cfg, opened, layout, {
      index,
      // A path has a first and a last price.
      startPrice: this.#priceAt(told.ratios[0]!),
      endPrice: this.#priceAt(told.ratios[steps]!),
      exitGas: leavingGas(told.gasOf, steps),
    })
  }

  /** Others leave or follow, after the trades of the step, in the order of the readable engine. */
  #moveOthers(moving: MovingOthers, step: number, { exits }: PathTold): void {
    const { others } = this.#terms
    const lpExitPips = this.#told?.[step]?.lpExitPips ?? 0
    if (lpExitPips > 0) moving.exit(Math.round(lpExitPips))
    if (others.kind === 'EXIT_HAZARD' && exits.has(step)) moving.exit(others.sharePips)
    if (others.kind === 'FOLLOW_PRICE') moving.follow()
  }
}

/** Gas of taking one position out, quote atoms. */
function leavingGas(gasOf: PathTold['gasOf'], step: number): bigint {
  return gasOf('DECREASE_ALL', step) + gasOf('COLLECT', step)
}
