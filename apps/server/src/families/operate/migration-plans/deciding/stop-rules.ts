import type { contract } from '@liquidity-os/contract'
import { midPrice } from '@liquidity-os/engine/amm'
import { slippageTable } from '@liquidity-os/engine/depth'
import type { World } from '@liquidity-os/engine/migration'
import type { Static } from 'typebox'
import type { PlanPayload } from '../plan-types.ts'
import { depthOf, pricedWorlds } from '../planning/measured-depth.ts'
import { priceX18Of } from './price-checks.ts'

type FailureRule = Static<typeof contract.FailureRule>
type Worlds = Readonly<Record<string, World>>

/**
 * Descriptions of the stop rules that fired during a soak.
 *
 * @param seen the markets at the inspected blocks
 */
export function firedRules(plan: PlanPayload, seen: readonly Worlds[]): string[] {
  const rules = plan.request.pilot?.stop ?? []
  return rules.flatMap((rule) => {
    const times = seen.filter((worlds) => holds(rule, plan, worlds)).length
    const share = seen.length === 0 ? 0 : (times * 1_000_000) / seen.length
    const allowed = 'timeSharePips' in rule ? rule.timeSharePips : 0
    return share > allowed ? [`${rule.kind} at ${times} of ${seen.length} blocks`] : []
  })
}

function holds(rule: FailureRule, plan: PlanPayload, worlds: Worlds): boolean {
  const targets = plan.targets.flatMap((target) => {
    const world = worlds[target.venueId]
    return world ? [{ ...target, world }] : []
  })
  switch (rule.kind) {
    case 'DEPTH_BELOW': {
      const minDepth = [{ bandPips: rule.bandPips, side: 'BUY' as const, quote: 0n }]
      const depth = depthOf(worlds, { minDepth, priceBand: anyPrice, maxSlippagePips: 0 })
      return depth.some(({ quote }) => quote < BigInt(rule.minQuote))
    }
    case 'SLIPPAGE_ABOVE': {
      const best = pricedWorlds(worlds).flatMap(([, { market, orientation }]) =>
        slippageTable(market, orientation, [BigInt(rule.sizeQuote)])
          .filter(({ side }) => side === rule.side)
          .map(({ pips }) => pips),
      )
      return Math.min(...best, 1_000_000) > rule.maxPips
    }
    case 'OUT_OF_RANGE':
      return targets.some(
        ({ world: { market }, tickLower, tickUpper }) =>
          market.kind === 'UNISWAP_V3' &&
          tickLower !== null &&
          tickUpper !== null &&
          (market.tick < tickLower || market.tick >= tickUpper),
      )
    case 'PRICE_BELOW':
      return targets.some(
        ({ world: { market, orientation } }) =>
          priceX18Of(midPrice(market, orientation)) < BigInt(rule.priceX18),
      )
    default:
      // A request with any other rule is rejected.
      throw new Error(`The plan has the unsupported stop rule ${rule.kind}.`)
  }
}

const anyPrice = { lowest: { num: 0n, den: 1n }, highest: { num: 1n, den: 0n } }
