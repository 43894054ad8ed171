import type { Depth } from '@liquidity-os/engine/depth'
import { type PlanLimits, simulatePlan, type World } from '@liquidity-os/engine/migration'
import { hasPrice } from './target-worlds.ts'

type Worlds = Readonly<Record<string, World>>

/** Combined depth of all markets at the bands of the depth minimums. */
export function depthOf(worlds: Worlds, limits: PlanLimits): readonly Depth[] {
  const nothing = { base: 0n, quote: 0n }
  return simulatePlan(worlds, nothing, [{ kind: 'VERIFY' }], limits)[0]?.depth ?? []
}

/** Descriptions of violated depth minimums. */
export function brokenFloors(depth: readonly Depth[], { minDepth }: PlanLimits): string[] {
  return minDepth.flatMap(({ bandPips, side, quote }) => {
    const found = depth.find((rung) => rung.bandPips === bandPips && rung.side === side)
    const observed = found?.quote ?? 0n
    return observed >= quote
      ? []
      : [`depth within ${bandPips} pips (${side}) is ${observed}, floor ${quote}`]
  })
}

/** Markets with a price. A market without liquidity may have no price yet. */
export const pricedWorlds = (worlds: Worlds): [string, World][] =>
  Object.entries(worlds).filter(([, world]) => hasPrice(world))
