import { divideRoundingUp, type Rat } from '../arithmetic/integer.ts'
import { type Bid, inOrder, isAtMost, type Sale, type SalePoint } from './demand.ts'

/** A sale at one price, first come, first served. */
export interface FixedPriceSale {
  readonly price: Rat
  /** Token atoms for sale. */
  readonly tokens: bigint
  /** Quote atoms that end the sale. */
  readonly cap: bigint
}

/** A sale whose price falls from epoch to epoch in a straight line. */
export interface DutchSale {
  readonly startPrice: Rat
  readonly endPrice: Rat
  readonly epochSeconds: number
  readonly durationSeconds: number
  readonly tokens: bigint
  /** Quote atoms below which buyers are paid back. */
  readonly minimumProceeds: bigint
  /** Quote atoms that end the sale. */
  readonly maximumProceeds: bigint
}

/**
 * Sells at one price in order of arrival. Each bid at or above the price takes ⌊budget/price⌋
 * tokens and pays ⌈tokens·price⌉, until tokens or cap are exhausted.
 */
export function sellAtFixedPrice(
  { price, tokens, cap }: FixedPriceSale,
  bids: readonly Bid[],
): Sale {
  const counter = new Counter(tokens, cap)
  const path: SalePoint[] = [counter.point(0, price)]
  for (const bid of inOrder(bids)) {
    if (!isAtMost(price, bid.maximumPrice)) continue
    counter.sell(bid.budget, price)
    path.push(counter.point(bid.atSeconds, price))
  }
  return counter.sale(path, true)
}

/**
 * Price of an epoch: start − (start − end)·epoch/(epochs − 1), exact; of the first the start, of the last the end.
 *
 * @param epoch from 0
 */
export function dutchPrice(
  { startPrice, endPrice, epochSeconds, durationSeconds }: DutchSale,
  epoch: number,
): Rat {
  const last = BigInt(Math.max(1, Math.ceil(durationSeconds / epochSeconds) - 1))
  const at = BigInt(epoch) > last ? last : BigInt(epoch)
  return {
    num: startPrice.num * endPrice.den * (last - at) + endPrice.num * startPrice.den * at,
    den: startPrice.den * endPrice.den * last,
  }
}

/**
 * Sells at a falling price. In each epoch, all arrived bids at or above its price buy in order of
 * arrival. A bid waits until the price reaches it. The sale ends when tokens or maximum proceeds
 * are reached.
 *
 * This models only the descent of a dynamic Dutch auction. The price never rises again if sales are
 * ahead of schedule.
 *
 * @throws RangeError for a price that rises, or an epoch of no length
 */
export function sellByDutchAuction(sale: DutchSale, bids: readonly Bid[]): Sale {
  const { startPrice, endPrice, epochSeconds, durationSeconds, tokens } = sale
  if (!isAtMost(endPrice, startPrice)) throw new RangeError('a Dutch auction with a rising price')
  if (epochSeconds < 1 || durationSeconds < epochSeconds) {
    throw new RangeError('a Dutch auction without an epoch')
  }
  const counter = new Counter(tokens, sale.maximumProceeds)
  let waiting = inOrder(bids)
  const path: SalePoint[] = []
  for (let epoch = 0; epoch * epochSeconds < durationSeconds; epoch += 1) {
    const price = dutchPrice(sale, epoch)
    const [from, to] = [epoch * epochSeconds, (epoch + 1) * epochSeconds]
    waiting = waiting.filter((bid) => {
      const takes = bid.atSeconds < to && isAtMost(price, bid.maximumPrice)
      if (takes) counter.sell(bid.budget, price)
      return !takes
    })
    path.push(counter.point(from, price))
  }
  return counter.sale(path, counter.raised >= sale.minimumProceeds)
}

/** Remaining tokens and proceeds. */
class Counter {
  #left: bigint
  readonly #tokens: bigint
  readonly #cap: bigint
  #filled = 0
  raised = 0n

  constructor(tokens: bigint, cap: bigint) {
    this.#left = tokens
    this.#tokens = tokens
    this.#cap = cap
  }

  /** Sells what a budget buys, as far as tokens and cap go. */
  sell(budget: bigint, { num, den }: Rat): void {
    const room = this.#cap - this.raised
    const spendable = budget < room ? budget : room
    const wanted = (spendable * den) / num
    const bought = wanted < this.#left ? wanted : this.#left
    if (bought <= 0n) return
    this.#left -= bought
    this.raised += divideRoundingUp(bought * num, den)
    this.#filled += 1
  }

  point(atSeconds: number, price: Rat): SalePoint {
    return { atSeconds, price, sold: this.#tokens - this.#left, raised: this.raised }
  }

  sale(path: readonly SalePoint[], isSuccessful: boolean): Sale {
    const sold = this.#tokens - this.#left
    return { sold, raised: this.raised, filled: this.#filled, isSuccessful, path }
  }
}
