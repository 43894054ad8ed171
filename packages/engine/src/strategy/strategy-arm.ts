import type { Rat } from '../arithmetic/integer.ts'
import { DAY_SECONDS } from '../arithmetic/time-units.ts'
import { quoteValue } from '../depth/value.ts'
import type { ArmDesk } from '../montecarlo/arm-desk.ts'
import { shareOfBase } from '../montecarlo/arm-recorder.ts'
import type { MonteCarloArm, StepView } from '../montecarlo/arms.ts'
import type { MarketSession } from '../montecarlo/market-session.ts'
import type { Holdings, StudyCapital } from '../study/arm.ts'
import { type ActionScript, carryOut, type NamedPosition, planAction } from './action-script.ts'
import type { Action, Guards, PositionPlan, Rule, StrategyDefinition } from './definition.ts'
import type { Place } from './lay-ranges.ts'
import { lnOf, PriceMemory } from './price-memory.ts'
import { layAll, shareOut, totalOf, type WeighedRange, wantsOf } from './share-out.ts'
import { holds, lookBackOf, type Sight } from './triggers.ts'

/** How a strategy is run. */
export interface StrategyTerms {
  /** Between a trigger and its action; the action comes at a later step in any case. */
  readonly actionLatencySeconds: number
  /** Standard deviation of ln price per root of a second, until the strategy has seen enough; null when unknown. */
  readonly volatility: number | null
}

interface Pending {
  readonly rule: Rule | null
  readonly action: Action
  readonly due: number
}

const MILLION = 1_000_000n
const MINIMUM_MEMORY_SECONDS = 1800

/**
 * Wraps a compiled strategy as an arm of a run. Triggers see the end of a step. The action follows
 * at the first step after the latency, in the state at that time. The guards can reject it, like
 * they reject a keeper on chain.
 */
export function strategyArm(
  armId: string,
  definition: StrategyDefinition,
  terms: StrategyTerms,
): MonteCarloArm {
  return new StrategyArm(armId, definition, terms)
}

class StrategyArm implements MonteCarloArm {
  readonly armId: string
  readonly usesMarket = true
  readonly targetBaseSharePips: number
  readonly #definition: StrategyDefinition
  readonly #terms: StrategyTerms
  readonly #memory: PriceMemory
  readonly #inRangeAt = new Map<string, number>()
  readonly #doneAt = new Map<string, number>()
  readonly #doneOn = new Map<string, { day: number; times: number }>()
  #positions: NamedPosition[] = []
  #plans: readonly PositionPlan[]
  #anchor = 0
  #startBase = 0n
  #lastActionAt = Number.NEGATIVE_INFINITY
  #turnover = { day: -1, quote: 0n }
  #pending: Pending | null = null
  #hasEnded = false

  constructor(armId: string, definition: StrategyDefinition, terms: StrategyTerms) {
    this.armId = armId
    this.targetBaseSharePips = definition.inventory.targetBaseSharePips
    this.#definition = definition
    this.#terms = terms
    this.#plans = definition.positions
    this.#memory = new PriceMemory(longestWindow(definition))
  }

  start(session: MarketSession | null, capital: StudyCapital, price: Rat): Holdings {
    const { base, quote, normalization } = capital
    if (normalization === 'AS_GIVEN' || session === null) return { base, quote }
    const worth = quoteValue(base, price) + quote
    const wanted = totalOf(wantsOf(session, this.#ranges(session), worth, price))
    const { idlePips, inventory } = this.#definition
    const idleBase =
      (worth * BigInt(idlePips) * BigInt(inventory.targetBaseSharePips) * price.den) /
      (MILLION * MILLION * price.num)
    const held = wanted.base + idleBase
    return { base: held, quote: worth - quoteValue(held, price) }
  }

  open(desk: ArmDesk): void {
    const session = marketOf(desk)
    const price = session.mid()
    const worth = quoteValue(desk.idle.base, price) + desk.idle.quote
    const ranges = this.#ranges(session)
    const funds = shareOut(desk.idle, wantsOf(session, ranges, worth, price))
    for (const [index, { positionId, range }] of ranges.entries()) {
      const own = funds[index] ?? { base: 0n, quote: 0n }
      const id = desk.open(range, session.liquidityFor(range, own))
      if (id === null) continue
      this.#positions.push({ id, positionId })
      desk.payGas('MINT')
    }
    this.#startBase = desk.inventory.base
    this.#anchor = lnOf(price)
    this.#memory.note(0, price)
    this.#seeRanges(session, 0)
  }

  onStep(view: StepView, desk: ArmDesk): void {
    const session = marketOf(desk)
    const { seconds } = view
    this.#memory.note(seconds, session.mid())
    this.#seeRanges(session, seconds)
    if (this.#hasEnded) return
    const { due = Number.POSITIVE_INFINITY } = this.#pending ?? {}
    if (this.#pending !== null) {
      if (seconds < due) return
      this.#execute(this.#pending, seconds, desk, session)
      this.#pending = null
      return
    }
    this.#pending = this.#match(seconds, desk, session)
  }

  /** The first rule that holds, to be carried out after the latency; the end before all others. */
  #match(seconds: number, desk: ArmDesk, session: MarketSession): Pending | null {
    const { end, rules, guards } = this.#definition
    const due = seconds + Math.max(1, this.#terms.actionLatencySeconds)
    const sight = (lastDoneAt: number): Sight => ({
      seconds,
      desk,
      session,
      positions: this.#positions,
      memory: this.#memory,
      anchor: this.#anchor,
      inRangeAt: this.#inRangeAt,
      startBase: this.#startBase,
      lastDoneAt,
    })
    if (end !== undefined && holds(end.when, sight(0))) {
      const action: Action =
        end.do === 'HOLD' ? { kind: 'HOLD' } : { kind: 'WITHDRAW', sharePips: 1_000_000 }
      return { rule: null, action, due }
    }
    if (seconds - this.#lastActionAt < guards.minSecondsBetweenActions) return null
    const day = Math.floor(seconds / DAY_SECONDS)
    for (const rule of rules) {
      const doneAt = this.#doneAt.get(rule.ruleId)
      if (doneAt !== undefined && seconds - doneAt < rule.cooldownSeconds) continue
      const done = this.#doneOn.get(rule.ruleId)
      if (done?.day === day && done.times >= rule.maxPerDay) continue
      const seen = sight(doneAt ?? 0)
      if ([rule.when, ...(rule.all ?? [])].every((trigger) => holds(trigger, seen))) {
        return { rule, action: rule.do, due }
      }
    }
    return null
  }

  #execute(pending: Pending, seconds: number, desk: ArmDesk, session: MarketSession): void {
    const { rule, action } = pending
    const script = planAction(action, {
      desk,
      session,
      positions: this.#positions,
      plans: this.#plans,
      place: this.#place(session),
    })
    if (typeof script === 'string') {
      desk.refuse(script)
      return
    }
    const isEnd = rule === null
    const refusal = script === null || isEnd ? null : this.#refusal(script, seconds, desk, session)
    if (refusal !== null) {
      desk.refuse(refusal)
      return
    }
    if (isEnd) this.#hasEnded = true
    else this.#noteDone(rule, seconds)
    if (script === null) return
    const opened = carryOut(desk, script)
    this.#positions = [...this.#positions.filter(({ id }) => desk.positions.has(id)), ...opened]
    this.#lastActionAt = seconds
    this.#spend(seconds, script.turnoverQuote)
    if (opened.length > 0) this.#noteLaid(action, session, seconds)
  }

  /** The guard that forbids a script now, or null. */
  #refusal(
    script: ActionScript,
    seconds: number,
    desk: ArmDesk,
    session: MarketSession,
  ): string | null {
    const { guards, inventory } = this.#definition
    const gas = script.gas.reduce((sum, kind) => sum + desk.gasOf(kind), 0n)
    if (exceeds(gas, guards.maxGasQuotePerAction)) return 'GAS'
    if (script.turnoverQuote === 0n) return null
    if (this.#strayPips(guards) > (guards.maxTwapDeviationPips ?? Number.POSITIVE_INFINITY)) {
      return 'TWAP_DEVIATION'
    }
    if (script.slippagePips > (guards.maxSwapSlippagePips ?? Number.POSITIVE_INFINITY)) {
      return 'SWAP_SLIPPAGE'
    }
    const today =
      this.#turnover.day === Math.floor(seconds / DAY_SECONDS) ? this.#turnover.quote : 0n
    if (exceeds(today + script.turnoverQuote, guards.maxTurnoverQuotePerDay)) return 'TURNOVER'
    const share = shareOfBase(script.inventory.base, script.inventory.quote, session.mid())
    const isWithin = share >= inventory.minBaseSharePips && share <= inventory.maxBaseSharePips
    return isWithin ? null : 'INVENTORY_BOUNDS'
  }

  /** ln distance of the pool's price from its time-weighted average, pips. */
  #strayPips({ twapWindowSeconds }: Guards): number {
    const distance = this.#memory.latest - this.#memory.average(twapWindowSeconds)
    return (distance < 0 ? -distance : distance) * 1_000_000
  }

  #noteDone(rule: Rule, seconds: number): void {
    const day = Math.floor(seconds / DAY_SECONDS)
    const before = this.#doneOn.get(rule.ruleId)
    this.#doneAt.set(rule.ruleId, seconds)
    this.#doneOn.set(rule.ruleId, { day, times: before?.day === day ? before.times + 1 : 1 })
  }

  #noteLaid(action: Action, session: MarketSession, seconds: number): void {
    if (action.kind === 'RESHAPE') {
      this.#plans = action.templates.map((plan, index) => ({
        positionId: `reshaped-${index + 1}`,
        ...plan,
      }))
    }
    this.#anchor = lnOf(session.mid())
    this.#inRangeAt.clear()
    for (const { positionId } of this.#positions) this.#inRangeAt.set(positionId, seconds)
  }

  #spend(seconds: number, quote: bigint): void {
    const day = Math.floor(seconds / DAY_SECONDS)
    const before = this.#turnover.day === day ? this.#turnover.quote : 0n
    this.#turnover = { day, quote: before + quote }
  }

  #seeRanges(session: MarketSession, seconds: number): void {
    for (const { id, positionId } of this.#positions) {
      if (!this.#inRangeAt.has(positionId) || session.isInRange(id)) {
        this.#inRangeAt.set(positionId, seconds)
      }
    }
  }

  #ranges(session: MarketSession): WeighedRange[] {
    const place = this.#place(session)
    if (place === null) {
      const range = { tickLower: 0, tickUpper: 0 }
      return this.#plans.map((plan) => ({ ...plan, range, rungs: 1 }))
    }
    const ranges = layAll(this.#plans, place)
    if (ranges === null) throw new UnknownVolatilityError({ armId: this.armId })
    return ranges
  }

  #place(session: MarketSession): Place | null {
    const grid = session.grid()
    if (grid === null) return null
    const volatility = (window: number) => this.#memory.volatility(window) ?? this.#terms.volatility
    return { ...grid, orientation: session.orientation, volatility }
  }
}

function marketOf({ session }: ArmDesk): MarketSession {
  // The arm declares that it uses a market, so its desk has a session.
  if (session === null) throw new RangeError('a strategy requires a market')
  return session
}

const exceeds = (amount: bigint, limit: bigint | null) => limit !== null && amount > limit

function longestWindow({ guards, rules, positions, end }: StrategyDefinition): number {
  const triggers = rules.flatMap((rule) => [rule.when, ...(rule.all ?? [])])
  if (end) triggers.push(end.when)
  const templates = [
    ...positions.map(({ template }) => template),
    ...rules.flatMap((rule) =>
      rule.do.kind === 'RESHAPE' ? rule.do.templates.map(({ template }) => template) : [],
    ),
  ]
  const windows = templates.map((t) => (t.kind === 'VOL_SCALED' ? t.volWindowSeconds : 0))
  return Math.max(
    MINIMUM_MEMORY_SECONDS,
    guards.twapWindowSeconds,
    ...triggers.map(lookBackOf),
    ...windows,
  )
}

/** The range width depends on volatility, which is unknown at the start. */
export class UnknownVolatilityError extends Error {
  constructor(facts: { armId: string }) {
    super(
      `candidate ${facts.armId}: a volatility-scaled range at the start requires a known volatility`,
    )
    this.name = 'UnknownVolatilityError'
  }
}
