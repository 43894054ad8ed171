import { PoolRevertError } from '../amm/pool-revert.ts'
import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'
import type { ArmDesk } from '../montecarlo/arm-desk.ts'
import type { ActionKind } from '../montecarlo/gas-table.ts'
import type { MarketSession, TickRange } from '../montecarlo/market-session.ts'
import type { Holdings } from '../study/arm.ts'
import { balanceSwap } from './balance-swap.ts'
import type { Action, PositionPlan, RangeTemplate, TokenRole } from './definition.ts'
import { layRanges, type Place } from './lay-ranges.ts'
import { layAll, shareOut, type WeighedRange, wantsOf } from './share-out.ts'

/** One transaction of an action. */
export type ScriptStep =
  | { readonly do: 'COLLECT'; readonly id: string }
  | { readonly do: 'CLOSE'; readonly id: string; readonly liquidity: bigint }
  | { readonly do: 'COMPOUND' }
  | { readonly do: 'SWAP'; readonly buysBase: boolean; readonly amountIn: bigint }
  | {
      readonly do: 'OPEN'
      readonly positionId: string
      readonly range: TickRange
      readonly liquidity: bigint
    }
  | { readonly do: 'INCREASE'; readonly id: string; readonly liquidity: bigint }

/** Exact effect of an action, computed on a copy of the market. */
export interface ActionScript {
  readonly steps: readonly ScriptStep[]
  readonly gas: readonly ActionKind[]
  /** All-in slippage of the action's swap in pips, rounded up; zero without a swap. */
  readonly slippagePips: number
  readonly turnoverQuote: bigint
  /** Inventory afterwards, fees included. */
  readonly inventory: Holdings
}

/** A position of the desk under the name that the strategy gave it. */
export interface NamedPosition {
  readonly id: string
  readonly positionId: string
}

export interface ActionScene {
  readonly desk: ArmDesk
  readonly session: MarketSession
  readonly positions: readonly NamedPosition[]
  readonly plans: readonly PositionPlan[]
  /** Null where liquidity has no range. */
  readonly place: Place | null
}

const NOTHING: Holdings = { base: 0n, quote: 0n }
const MILLION = 1_000_000n

/**
 * Computes the effect of an action without executing it.
 *
 * @returns a reason if it is impossible (VOLATILITY_UNKNOWN, POOL_REFUSED); null if no step is
 * needed
 */
export function planAction(action: Action, scene: ActionScene): ActionScript | string | null {
  const trial = new Trial(scene)
  try {
    const isKnown = act(action, scene, trial)
    if (!isKnown) return 'VOLATILITY_UNKNOWN'
  } catch (error) {
    // A pool that is full, or a template that is no range where the price is now.
    if (error instanceof PoolRevertError || error instanceof RangeError) return 'POOL_REFUSED'
    throw error
  }
  return trial.script.steps.length === 0 ? null : trial.script
}

/** Carries a script out. @returns the new positions by their names */
export function carryOut(desk: ArmDesk, script: ActionScript): NamedPosition[] {
  const opened: NamedPosition[] = []
  for (const step of script.steps) {
    switch (step.do) {
      case 'COLLECT':
        desk.collect(step.id)
        break
      case 'CLOSE':
        desk.close(step.id, step.liquidity)
        break
      case 'COMPOUND':
        desk.compound()
        break
      case 'SWAP':
        desk.swap(step.buysBase, step.amountIn)
        break
      case 'INCREASE':
        desk.increase(step.id, step.liquidity)
        break
      case 'OPEN': {
        const id = desk.open(step.range, step.liquidity)
        if (id !== null) opened.push({ id, positionId: step.positionId })
      }
    }
  }
  for (const kind of script.gas) desk.payGas(kind)
  return opened
}

/** @returns false where a width is not known */
function act(action: Action, scene: ActionScene, trial: Trial): boolean {
  switch (action.kind) {
    case 'HOLD':
      return true
    case 'WITHDRAW':
      for (const { id } of scene.positions) trial.close(id, action.sharePips)
      return true
    case 'COLLECT_TO_IDLE':
      collectToIdle(action.side, scene, trial)
      return true
    case 'COMPOUND':
      compound(scene, trial)
      return true
    case 'TO_SINGLE_SIDED':
      toSingleSided(scene, trial)
      return true
    case 'RECENTER':
      return lay(scene.plans, action.swap, scene, trial)
    case 'RESHAPE':
      return lay(reshaped(action.templates), false, scene, trial)
  }
}

function reshaped(
  templates: readonly { weightPips: number; template: RangeTemplate }[],
): PositionPlan[] {
  return templates.map((plan, index) => ({ positionId: `reshaped-${index + 1}`, ...plan }))
}

function lay(
  plans: readonly PositionPlan[],
  swaps: boolean,
  { positions, place }: ActionScene,
  trial: Trial,
): boolean {
  const ranges = place === null ? wholeCurve(plans) : layAll(plans, place)
  if (ranges === null) return false
  for (const { id } of positions) trial.close(id, 1_000_000)
  if (swaps) {
    const swap = balanceSwap(trial.market, ranges, trial.idle)
    if (swap) trial.swap(swap.buysBase, swap.amountIn)
  }
  trial.fill(ranges)
  return true
}

/** In a market without ranges every position is a share of the whole. */
function wholeCurve(plans: readonly PositionPlan[]): WeighedRange[] {
  const range = { tickLower: 0, tickUpper: 0 }
  return plans.map(({ positionId, weightPips }) => ({ positionId, weightPips, range, rungs: 1 }))
}

function collectToIdle(side: TokenRole, { positions }: ActionScene, trial: Trial): void {
  for (const { id } of positions) {
    const { base, quote } = trial.market.principal(id)
    const [own, other] = side === 'BASE' ? [base, quote] : [quote, base]
    if (own > 0n && other === 0n) trial.close(id, 1_000_000)
    else trial.collect(id)
  }
}

/** Each position gets the fees that it earned, as far as they fit its proportion; the rest is idle. */
function compound({ positions, desk }: ActionScene, trial: Trial): void {
  const earned = positions.map(({ id }) => ({ id, fees: trial.collect(id) }))
  trial.compound()
  for (const { id, fees } of earned) {
    const range = desk.positions.get(id)
    if (range === undefined) continue
    trial.increase(id, range, trial.market.liquidityFor(range, atMost(fees, trial.idle)))
  }
}

/**
 * Splits the whole inventory into ranges next to the price, on both sides, once per width of the
 * previous positions.
 */
function toSingleSided({ positions, place, desk }: ActionScene, trial: Trial): void {
  if (place === null) return
  // A repeated action finds both sides of the first one; equal widths count once.
  const widths = new Map<string, { positionId: string; width: number }>()
  for (const { id, positionId } of positions) {
    const { tickLower, tickUpper } = desk.positions.get(id) ?? { tickLower: 0, tickUpper: 0 }
    const width = tickUpper - tickLower
    widths.set(`${positionId} ${width}`, { positionId, width })
  }
  for (const { id } of positions) trial.close(id, 1_000_000)
  const count = BigInt(widths.size)
  const { idle } = trial
  for (const side of ['BASE', 'QUOTE'] as const) {
    for (const { positionId, width } of widths.values()) {
      const range = nextTo(side, width, place)
      const funds =
        side === 'BASE'
          ? { base: idle.base / count, quote: 0n }
          : { base: 0n, quote: idle.quote / count }
      trial.open(positionId, range, trial.market.liquidityFor(range, funds))
    }
  }
}

/** A range of `width` ticks directly next to the price. */
function nextTo(side: TokenRole, width: number, place: Place): TickRange {
  const template = { kind: 'SINGLE_SIDED', side, offsetPips: 0, widthPips: 0 } as const
  // One spacing wide; its near edge is what counts.
  const near = layRanges(template, place)?.[0] ?? { tickLower: 0, tickUpper: 0 }
  return near.tickLower > place.tick
    ? { tickLower: near.tickLower, tickUpper: near.tickLower + width }
    : { tickLower: near.tickUpper - width, tickUpper: near.tickUpper }
}

/** Does an action on a copy of the market and writes down what it did. */
class Trial {
  readonly market: MarketSession
  readonly #desk: ArmDesk
  readonly #steps: ScriptStep[] = []
  readonly #gas: ActionKind[] = []
  #idle: Holdings
  #pocket: Holdings = NOTHING
  #inventory: Holdings
  #slippagePips = 0
  #turnover = 0n
  #opened = 0

  constructor({ desk, session }: ActionScene) {
    this.#desk = desk
    this.market = session.fork()
    this.#idle = desk.idle
    this.#inventory = desk.inventory
  }

  get idle(): Holdings {
    return this.#idle
  }

  get script(): ActionScript {
    return {
      steps: this.#steps,
      gas: this.#gas,
      slippagePips: this.#slippagePips,
      turnoverQuote: this.#turnover,
      inventory: this.#inventory,
    }
  }

  /** @returns the fees that were paid out */
  collect(id: string): Holdings {
    const { paidOut } = this.market.settleFees(id)
    this.#pocket = plus(this.#pocket, paidOut)
    this.#note({ do: 'COLLECT', id }, 'COLLECT')
    return paidOut
  }

  close(id: string, sharePips: number): void {
    const whole = this.#desk.positions.get(id)?.liquidity ?? 0n
    const liquidity = (whole * BigInt(sharePips)) / MILLION
    if (liquidity === 0n) return
    const { paidOut } = this.market.settleFees(id)
    this.#pocket = plus(this.#pocket, paidOut)
    const isWhole = liquidity === whole
    this.#idle = plus(this.#idle, this.market.close(id, liquidity))
    this.#note({ do: 'CLOSE', id, liquidity }, isWhole ? 'DECREASE_ALL' : 'DECREASE', 'COLLECT')
  }

  compound(): void {
    this.#idle = plus(this.#idle, this.#pocket)
    this.#pocket = NOTHING
    this.#note({ do: 'COMPOUND' })
  }

  swap(buysBase: boolean, amountIn: bigint): void {
    const plan = this.market.planInput(buysBase, amountIn)
    if (plan === null) return
    const { amountOut } = plan
    this.#slippagePips = Math.max(this.#slippagePips, slippageOf(plan, this.market.mid()))
    this.market.carryOut(plan)
    const traded = buysBase
      ? { base: amountOut, quote: -amountIn }
      : { base: -amountIn, quote: amountOut }
    this.#idle = plus(this.#idle, traded)
    this.#inventory = plus(this.#inventory, traded)
    this.#turnover += buysBase ? amountIn : amountOut
    this.#note({ do: 'SWAP', buysBase, amountIn }, 'SWAP')
  }

  /**
   * Fills ranges from idle tokens. Each range gets its share of the total inventory, in ranges and
   * idle.
   */
  fill(ranges: readonly WeighedRange[]): void {
    const price = this.market.mid()
    const worth = quoteValue(this.#idle.base, price) + this.#idle.quote
    const wants = wantsOf(this.market, ranges, worth, price)
    const funds = shareOut(this.#idle, wants)
    for (const [index, { positionId, range }] of ranges.entries()) {
      this.open(positionId, range, this.market.liquidityFor(range, funds[index] ?? NOTHING))
    }
  }

  open(positionId: string, range: TickRange, liquidity: bigint): void {
    if (liquidity <= 0n) return
    this.#opened += 1
    this.#idle = minus(this.#idle, this.market.open(`trial${this.#opened}`, range, liquidity))
    this.#note({ do: 'OPEN', positionId, range, liquidity }, 'MINT')
  }

  increase(id: string, range: TickRange, liquidity: bigint): void {
    if (liquidity <= 0n) return
    this.#idle = minus(this.#idle, this.market.open(id, range, liquidity))
    this.#note({ do: 'INCREASE', id, liquidity }, 'INCREASE')
  }

  #note(step: ScriptStep, ...gas: ActionKind[]): void {
    this.#steps.push(step)
    this.#gas.push(...gas)
  }
}

/** Slippage against the prior marginal price, including fee and impact, as in `slippageTable`. */
function slippageOf(
  plan: { buysBase: boolean; amountIn: bigint; amountOut: bigint },
  mid: Rat,
): number {
  const { buysBase, amountIn, amountOut } = plan
  const given = buysBase ? amountIn : quoteValue(amountIn, mid)
  const got = buysBase ? quoteValue(amountOut, mid) : amountOut
  if (got >= given) return 0
  if (got === 0n) return 1_000_000
  const pips = buysBase
    ? divideRoundingUp(given * MILLION, got) - MILLION
    : MILLION - (got * MILLION) / given
  return Number(pips > MILLION ? MILLION : pips)
}

function atMost(a: Holdings, b: Holdings): Holdings {
  return { base: a.base < b.base ? a.base : b.base, quote: a.quote < b.quote ? a.quote : b.quote }
}

function plus(a: Holdings, b: Holdings): Holdings {
  return { base: a.base + b.base, quote: a.quote + b.quote }
}

function minus(a: Holdings, b: Holdings): Holdings {
  return { base: a.base - b.base, quote: a.quote - b.quote }
}
