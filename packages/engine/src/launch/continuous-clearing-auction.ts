import { divideRoundingUp, Q96, type Rat } from '../arithmetic/integer.ts'
import { type Bid, inOrder, type Sale, type SalePoint } from './demand.ts'

/** A continuous clearing auction: a supply that is released block by block and cleared at one price in each. */
export interface ClearingAuction {
  /** Token atoms. */
  readonly tokens: bigint
  readonly blocks: number
  /** Share of the supply that each block of a step releases, in ten-millionths. */
  readonly steps: readonly { readonly mps: number; readonly blocks: number }[]
  /** Quote atoms per token atom, Q96. */
  readonly floorPriceX96: bigint
  /** Bid prices are the reserve price plus multiples of the tick spacing, Q96. */
  readonly tickSpacing: bigint
  /**
   * Minimum proceeds in quote atoms. Below this amount the auction fails and refunds all bidders.
   */
  readonly requiredCurrencyRaised: bigint
  readonly blockSeconds: number
}

/** The whole supply in the unit of releases. */
export const MPS = 10_000_000

/** An active bid: spending per ten-millionth of the supply, and its limit. */
interface Active {
  readonly index: number
  readonly maximumX96: bigint
  /** Quote atoms for each ten-millionth of the supply, Q96, rounded down. */
  readonly rateX96: bigint
}

/**
 * Clears an auction against a book of bids. Each bid spreads its budget evenly over the supply not
 * yet released at its arrival. Its limit is rounded down to a tick. Between two changes, the
 * clearing price is the lowest price with supply equal to spending,
 *
 *     p = Σ rate_i (maximum_i ≥ p) / s,   s = supply / 10^7,   at least `floorPriceX96`
 *
 * Bids with a limit above the price get rate/p each. Bids at their limit share the rest in
 * proportion to their rates. All other bids end. The price never falls. At `floorPriceX96`, demand
 * can be below supply; then the sold amount equals demand.
 *
 * Rates and tokens are rounded down and payments up, per bid and interval: at most an atom each.
 *
 * @throws RangeError for steps that do not release the whole supply over all blocks
 * @see Uniswap Labs, “Continuous Clearing Auctions” (2025)
 */
export function clearAuction(auction: ClearingAuction, bids: readonly Bid[]): Sale {
  const { tokens, floorPriceX96, blockSeconds } = auction
  const stretches = stretchesOf(auction, bids)
  const waiting = inOrder(bids).map((bid, index) => ({ bid, index }))
  /** Those with the highest limit first. */
  let active: Active[] = []
  let priceX96 = floorPriceX96
  const filled = new Set<number>()
  let [sold, raised, released] = [0n, 0n, 0n]
  const path: SalePoint[] = []
  for (const { fromBlock, mps, blocks } of stretches) {
    while (waiting[0] && blockOf(waiting[0].bid, blockSeconds) <= fromBlock) {
      const { bid, index } = waiting.shift()!
      const left = BigInt(MPS) - released
      const maximumX96 = tickBelow(auction, bid.maximumPrice)
      if (left > 0n && maximumX96 >= floorPriceX96) {
        active.push({ index, maximumX96, rateX96: (bid.budget * Q96) / left })
      }
    }
    active.sort((a, b) =>
      a.maximumX96 === b.maximumX96 ? 0 : a.maximumX96 < b.maximumX96 ? 1 : -1,
    )
    const cleared = clearingPrice(active, tokens, floorPriceX96)
    priceX96 = cleared > priceX96 ? cleared : priceX96
    const units = BigInt(mps) * BigInt(blocks)
    for (const { index, bought, paid } of filledAt(active, priceX96, tokens, units)) {
      if (bought > 0n) filled.add(index)
      sold += bought
      raised += paid
    }
    active = active.filter(({ maximumX96 }) => maximumX96 >= priceX96)
    released += units
    path.push({
      atSeconds: fromBlock * blockSeconds,
      price: { num: priceX96, den: Q96 },
      sold,
      raised,
    })
  }
  const isSuccessful = raised >= auction.requiredCurrencyRaised
  return { sold, raised, filled: filled.size, isSuccessful, path }
}

interface Stretch {
  readonly fromBlock: number
  readonly blocks: number
  readonly mps: number
}

/** Steps, cut where a bid comes. */
function stretchesOf(
  { steps, blocks, blockSeconds }: ClearingAuction,
  bids: readonly Bid[],
): Stretch[] {
  const all = steps.reduce((sum, step) => sum + step.blocks, 0)
  const whole = steps.reduce((sum, step) => sum + step.mps * step.blocks, 0)
  if (all !== blocks || whole !== MPS) {
    throw new RangeError(`steps of ${all} blocks and ${whole} units; expected ${blocks} and ${MPS}`)
  }
  const arrivals = new Set(bids.map((bid) => blockOf(bid, blockSeconds)))
  const stretches: Stretch[] = []
  let at = 0
  for (const step of steps) {
    const end = at + step.blocks
    const cuts = [...arrivals].filter((block) => block > at && block < end).sort((a, b) => a - b)
    for (const cut of [...cuts, end]) {
      if (cut > at) stretches.push({ fromBlock: at, blocks: cut - at, mps: step.mps })
      at = cut
    }
  }
  return stretches
}

/** First block of a bid: the first that begins at or after its arrival. */
const blockOf = ({ atSeconds }: Bid, blockSeconds: number) => Math.ceil(atSeconds / blockSeconds)

function tickBelow({ floorPriceX96, tickSpacing }: ClearingAuction, { num, den }: Rat): bigint {
  const priceX96 = (num * Q96) / den
  if (priceX96 < floorPriceX96) return 0n
  return floorPriceX96 + ((priceX96 - floorPriceX96) / tickSpacing) * tickSpacing
}

/** Price with supply equal to spending, Q96, rounded up; `floorX96` if spending is lower. */
function clearingPrice(active: readonly Active[], tokens: bigint, floorX96: bigint): bigint {
  let spentX96 = 0n
  for (const [place, { maximumX96, rateX96 }] of active.entries()) {
    spentX96 += rateX96
    const next = active[place + 1]?.maximumX96 ?? floorX96
    if (next === maximumX96 && place + 1 < active.length) continue
    // Price if only these bids bought the whole supply; each must respect its limit.
    const meetsX96 = divideRoundingUp(spentX96 * BigInt(MPS), tokens)
    if (meetsX96 >= maximumX96) return maximumX96
    if (meetsX96 >= next) return meetsX96
  }
  return floorX96
}

/** Tokens and payment per bid in an interval that releases some units of the supply. */
function filledAt(active: readonly Active[], priceX96: bigint, tokens: bigint, units: bigint) {
  const sumOf = (bids: readonly Active[]) => bids.reduce((sum, { rateX96 }) => sum + rateX96, 0n)
  const above = active.filter(({ maximumX96 }) => maximumX96 > priceX96)
  const at = active.filter(({ maximumX96 }) => maximumX96 === priceX96)
  // Bids at their limit share the value of a supply unit that higher bids leave.
  const left = (tokens * priceX96) / BigInt(MPS) - sumOf(above)
  const wanted = sumOf(at)
  const [part, whole] = left >= wanted ? [1n, 1n] : left <= 0n ? [0n, 1n] : [left, wanted]
  const fill = (bids: readonly Active[], num: bigint, den: bigint) =>
    bids.map(({ index, rateX96 }) => {
      const spentX96 = (rateX96 * units * num) / den
      return { index, bought: spentX96 / priceX96, paid: divideRoundingUp(spentX96, Q96) }
    })
  return [...fill(above, 1n, 1n), ...fill(at, part, whole)]
}
