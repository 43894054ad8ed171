import { quoteValue } from '../depth/value.ts'
import type { ArmDesk } from '../montecarlo/arm-desk.ts'
import { shareOfBase } from '../montecarlo/arm-recorder.ts'
import type { MarketSession } from '../montecarlo/market-session.ts'
import type { NamedPosition } from './action-script.ts'
import type { Trigger } from './definition.ts'
import type { PriceMemory } from './price-memory.ts'

/** What triggers look at: the present and the past of one strategy, never what comes after. */
export interface Sight {
  readonly seconds: number
  readonly desk: ArmDesk
  readonly session: MarketSession
  readonly positions: readonly NamedPosition[]
  readonly memory: PriceMemory
  /** ln price where the ranges were last laid. */
  readonly anchor: number
  /** When each named position was last seen in range. */
  readonly inRangeAt: ReadonlyMap<string, number>
  readonly startBase: bigint
  /** When the rule was last carried out, or the start. */
  readonly lastDoneAt: number
}

const MILLION = 1_000_000

export function holds(trigger: Trigger, sight: Sight): boolean {
  const { desk, session, seconds, memory } = sight
  switch (trigger.kind) {
    case 'EVERY':
      return seconds - sight.lastDoneAt >= trigger.seconds
    case 'OUT_OF_RANGE': {
      const seen = sight.inRangeAt.get(trigger.positionId)
      return seen !== undefined && seconds - seen >= Math.max(1, trigger.seconds)
    }
    case 'MOVE': {
      const move = memory.latest - sight.anchor
      return (move < 0 ? -move : move) * MILLION >= trigger.pips
    }
    case 'BASE_SHARE': {
      const { base, quote } = desk.inventory
      const share = shareOfBase(base, quote, session.mid())
      return share > (trigger.above ?? MILLION) || share < (trigger.below ?? 0)
    }
    case 'VOL_RATIO': {
      const short = memory.volatility(trigger.shortSeconds)
      const long = memory.volatility(trigger.longSeconds)
      if (short === null || long === null || long === 0) return false
      return short * 1000 > trigger.aboveMilli * long
    }
    case 'DEPTH_BELOW': {
      const found = session
        .depth([trigger.bandPips])
        .find(({ side, bandPips }) => side === trigger.side && bandPips === trigger.bandPips)
      return found !== undefined && found.quote < trigger.quote
    }
    case 'FEES_ABOVE': {
      const price = session.mid()
      let worth = 0n
      for (const { id } of sight.positions) {
        const { base, quote } = session.accrued(id)
        worth += quoteValue(base, price) + quote
      }
      return worth > trigger.quote
    }
    case 'SOLD_BASE':
      return sight.startBase - desk.inventory.base >= trigger.amount
  }
}

/** Longest look back that a trigger needs, seconds. */
export function lookBackOf(trigger: Trigger): number {
  return trigger.kind === 'VOL_RATIO' ? Math.max(trigger.shortSeconds, trigger.longSeconds) : 0
}
