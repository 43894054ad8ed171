import { divideRoundingUp } from '../arithmetic/integer.ts'
import { sellFor } from './convert.ts'
import {
  CERTAINTIES,
  type Certainty,
  DAYS_OF_MONTH,
  type Level,
  MILLION,
  ONE_X36,
  type Tier,
  type TreasuryTerms,
} from './terms.ts'

/** An obligation of a month. */
export interface DueItem {
  readonly id: string
  readonly asset: number
  readonly certainty: Certainty
  readonly dueAt: number
  readonly amount: bigint
}

/** Inflows and obligations by month. */
export interface MonthlyFlows {
  /** Atoms by month and asset. */
  readonly inflows: readonly (readonly bigint[])[]
  readonly due: readonly (readonly DueItem[])[]
}

/** A holding over one month: closing = opening + inflow − outflow + received − sold. */
export interface HoldingMonth {
  readonly opening: bigint
  inflow: bigint
  outflow: bigint
  received: bigint
  sold: bigint
  closing: bigint
}

/** A sale of one holding in a month for another. */
export interface Conversion {
  readonly from: number
  readonly to: number
  readonly sold: bigint
  readonly received: bigint
  /** Sale cost against the prices of the month, rounded up. */
  readonly costQuote: bigint
}

/** One month. Quote figures leave out what has no price. */
export interface CourseMonth {
  readonly month: number
  readonly holdings: readonly Readonly<HoldingMonth>[]
  readonly conversions: readonly Conversion[]
  readonly inflowQuote: bigint
  /** Owed for the first time, and carried over from before; rounded up. */
  readonly dueQuote: bigint
  readonly arrearsQuote: bigint
  readonly paidQuote: bigint
  readonly unmetQuote: bigint
  /** Holdings of the tiers 0 and 1, rounded down. */
  readonly cashQuote: bigint
  /** Tiers 0 to 3 after haircuts, rounded down. */
  readonly liquidQuote: bigint
  /** Paid share of COMMITTED obligations, including arrears; exact. */
  readonly committedPaid: Share
}

/** An exact share in [0, 1]. */
export interface Share {
  readonly paid: bigint
  readonly due: bigint
}

const rank: Readonly<Record<Certainty, number>> = { COMMITTED: 0, EXPECTED: 1, UNCERTAIN: 2 }

/**
 * Simulates a treasury month by month. Returns and inflows of a month are available first. Then
 * obligations are paid in order of certainty, due date and name. Payment uses the obligation's
 * asset, then sales of other holdings tier by tier. Unpaid amounts become arrears; no holding falls
 * below zero.
 *
 * @param pricesX36 by month and asset; null without a price
 */
export const treasuryCourse = (
  terms: TreasuryTerms,
  flows: MonthlyFlows,
  pricesX36: readonly (readonly (bigint | null)[])[],
  level: Level,
): CourseMonth[] => [
  ...run(terms, flows, pricesX36, level, (step, { fresh, arrears, unpaid }) =>
    step.told(fresh, arrears, unpaid),
  ),
]

/**
 * Only the paid share of COMMITTED obligations, month by month, for runway queries. It computes no
 * quote values, and it is lazy: months after the caller stops are not simulated.
 */
export const committedCourse = (
  terms: TreasuryTerms,
  flows: MonthlyFlows,
  pricesX36: readonly (readonly (bigint | null)[])[],
  level: Level,
): Iterable<Share> =>
  run(terms, flows, pricesX36, level, (step, { fresh, arrears, unpaid }) =>
    // Without unpaid COMMITTED items no division is needed.
    unpaid.some(({ certainty }) => certainty === 'COMMITTED')
      ? step.committedShare([...arrears, ...fresh], unpaid)
      : { paid: 0n, due: 0n },
  )

/** Obligations of a month, and the unpaid rest. */
interface Owed {
  readonly fresh: readonly DueItem[]
  readonly arrears: readonly DueItem[]
  readonly unpaid: readonly DueItem[]
}

function* run<Told>(
  terms: TreasuryTerms,
  flows: MonthlyFlows,
  pricesX36: readonly (readonly (bigint | null)[])[],
  level: Level,
  tell: (step: Month, owed: Owed) => Told,
): Generator<Told, void> {
  const { holdings, elapsed, months } = terms
  let closing = holdings.map(({ opening }) => opening)
  let arrears: readonly DueItem[] = []
  const places = placesOf(terms, level)
  for (let month = elapsed; month < months; month++) {
    const step = new Month(terms, { month, places, prices: pricesX36[month]!, opening: closing })
    step.receive(flows.inflows[month]!)
    const fresh = flows.due[month]!
    const unpaid = step.pay([...arrears, ...fresh].toSorted(inPaymentOrder))
    yield tell(step, { fresh, arrears, unpaid })
    closing = step.closing()
    arrears = unpaid
  }
}

/** Lookups computed once for all months of a course. */
interface Places {
  /** Indexes of holdings in selling order. */
  readonly order: readonly number[]
  /** Place of the holding that is the asset itself. */
  readonly direct: ReadonlyMap<number, number>
  /** What becomes free, by month. */
  readonly returns: ReadonlyMap<number, readonly { place: number; quantity: bigint }[]>
}

function placesOf(terms: TreasuryTerms, level: Level): Places {
  const returns = terms.holdings.flatMap((holding, place) =>
    holding.returns.map(({ month, quantity }) => ({ month, place, quantity })),
  )
  return {
    order: sellingOrder(terms, level),
    direct: new Map(
      terms.holdings.flatMap(({ asset, isDirect }, place) =>
        isDirect ? [[asset, place] as const] : [],
      ),
    ),
    returns: Map.groupBy(returns, ({ month }) => month),
  }
}

/** By certainty, due date and name. */
export const inPaymentOrder = (a: DueItem, b: DueItem): number =>
  rank[a.certainty] - rank[b.certainty] ||
  a.dueAt - b.dueAt ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Indexes of holdings in the selling order of a level. */
function sellingOrder(terms: TreasuryTerms, level: Level): number[] {
  const named = terms.conversionOrder
  const tiers: readonly Tier[] = named.includes(0) ? named : [0, ...named]
  const cash: readonly Tier[] = named.includes(1) ? tiers : [...tiers, 1]
  const allowed = (tier: Tier) =>
    level === 'cash' ? tier <= 1 : tier < 4 || (level === 'withOwnToken' && terms.ownToken !== null)
  return (level === 'cash' ? cash : tiers)
    .filter(allowed)
    .flatMap((tier) =>
      terms.holdings.flatMap((holding, place) => (holding.tier === tier ? [place] : [])),
    )
}

/** A month while it runs. */
class Month {
  readonly #terms: TreasuryTerms
  readonly #month: number
  readonly #places: Places
  readonly #prices: readonly (bigint | null)[]
  readonly #rows: HoldingMonth[]
  readonly #conversions: Conversion[] = []
  /** Atoms sold in the month, by asset. */
  readonly #sold = new Map<number, bigint>()
  #inflowQuote = 0n
  readonly #paid: { readonly asset: number; readonly atoms: bigint }[] = []

  constructor(
    terms: TreasuryTerms,
    at: {
      month: number
      places: Places
      prices: readonly (bigint | null)[]
      opening: readonly bigint[]
    },
  ) {
    this.#terms = terms
    this.#month = at.month
    this.#places = at.places
    this.#prices = at.prices
    this.#rows = at.opening.map((opening) => ({
      opening,
      inflow: 0n,
      outflow: 0n,
      received: 0n,
      sold: 0n,
      closing: opening,
    }))
  }

  receive(inflows: readonly bigint[]): void {
    for (const { place, quantity } of this.#places.returns.get(this.#month) ?? []) {
      this.#rows[place]!.inflow += quantity
      this.#rows[place]!.closing += quantity
      this.#inflowQuote += this.#value(this.#terms.holdings[place]!.asset, quantity) ?? 0n
    }
    for (const [asset, quantity] of inflows.entries()) {
      if (quantity === 0n) continue
      const row = this.#rows[this.#directOf(asset)]!
      row.inflow += quantity
      row.closing += quantity
      this.#inflowQuote += this.#value(asset, quantity) ?? 0n
    }
  }

  /** Pays in order. @returns unpaid rest of the items, by name */
  pay(items: readonly DueItem[]): DueItem[] {
    const unpaid = new Map<string, DueItem>()
    for (const item of items) {
      const own = this.#directOf(item.asset)
      const row = this.#rows[own]!
      if (row.closing < item.amount) this.#raise(own, item.asset, item.amount - row.closing)
      const paid = row.closing < item.amount ? row.closing : item.amount
      row.outflow += paid
      row.closing -= paid
      this.#paid.push({ asset: item.asset, atoms: paid })
      const left = item.amount - paid
      if (left === 0n) continue
      const before = unpaid.get(item.id)
      unpaid.set(
        item.id,
        before ? { ...before, amount: before.amount + left } : { ...item, amount: left },
      )
    }
    return [...unpaid.values()]
  }

  /**
   * Sells other holdings until the required amount of an asset is available, or no more can be
   * sold.
   */
  #raise(own: number, asset: number, need: bigint): void {
    const target = this.#prices[asset]
    if (!target) return
    let open = need
    for (const place of this.#places.order) {
      if (open === 0n) return
      if (place === own || this.#rows[place]!.closing === 0n) continue
      const { sold, received } = sellFor(open, target, this.#saleOf(place))
      if (sold === 0n) continue
      const [from, to] = [this.#rows[place]!, this.#rows[own]!]
      from.sold += sold
      const { asset: given } = this.#terms.holdings[place]!
      this.#sold.set(given, (this.#sold.get(given) ?? 0n) + sold)
      from.closing -= sold
      to.received += received
      to.closing += received
      open -= received
      const worth = sold * this.#prices[given]! - received * target
      const costQuote = worth > 0n ? divideRoundingUp(worth, ONE_X36) : 0n
      this.#conversions.push({ from: place, to: own, sold, received, costQuote })
    }
  }

  #saleOf(place: number) {
    const { asset, tier } = this.#terms.holdings[place]!
    const { market } = this.#terms.assets[asset]!
    const priceX36 = this.#prices[asset] ?? 0n
    const soldBefore = this.#sold.get(asset) ?? 0n
    const { closing } = this.#rows[place]!
    const bound = tier === 4 ? this.#ownTokenBound(priceX36, soldBefore, asset) : closing
    const haircut = BigInt(this.#terms.haircutPips[tier]!)
    // A haircut of 100 % excludes the own token from money. If it is sold anyway, only its market
    // impact counts.
    const haircutPips = tier === 4 && haircut === MILLION ? 0n : haircut
    return {
      available: priceX36 === 0n ? 0n : bound < closing ? bound : closing,
      // Avoids a division by zero; without a price no sale happens.
      priceX36: priceX36 === 0n ? 1n : priceX36,
      haircutPips,
      market,
      soldBefore,
    }
  }

  /**
   * Limits sales of the own token to a share of the observed monthly volume, and to zero below
   * `floorPriceX36`.
   */
  #ownTokenBound(priceX36: bigint, sold: bigint, asset: number): bigint {
    const { ownToken, assets } = this.#terms
    const market = assets[asset]!.market
    if (ownToken === null || market === null || priceX36 < ownToken.floorPriceX36) return 0n
    const share = BigInt(ownToken.maximumParticipationPips)
    const most = (share * market.dailyVolume * DAYS_OF_MONTH) / MILLION
    return most > sold ? most - sold : 0n
  }

  closing(): bigint[] {
    return this.#rows.map((row) => row.closing)
  }

  told(
    fresh: readonly DueItem[],
    arrears: readonly DueItem[],
    unpaid: readonly DueItem[],
  ): CourseMonth {
    return {
      month: this.#month,
      holdings: this.#rows,
      conversions: this.#conversions,
      inflowQuote: this.#inflowQuote,
      paidQuote: this.#paid.reduce(
        (sum, { asset, atoms }) => sum + (this.#value(asset, atoms) ?? 0n),
        0n,
      ),
      dueQuote: this.#owed(fresh),
      arrearsQuote: this.#owed(arrears),
      unmetQuote: this.#owed(unpaid),
      cashQuote: this.#held((tier) => (tier <= 1 ? MILLION : 0n)),
      liquidQuote: this.#held((tier) =>
        tier === 4 ? 0n : MILLION - BigInt(this.#terms.haircutPips[tier]!),
      ),
      committedPaid: this.committedShare([...arrears, ...fresh], unpaid),
    }
  }

  /**
   * Priced assets count by value, each unpriced asset by atoms. The lowest share counts, so that a
   * payment in one asset cannot compensate a missing one in another.
   */
  committedShare(items: readonly DueItem[], unpaid: readonly DueItem[]): Share {
    const [due, left] = [this.#committed(items), this.#committed(unpaid)]
    let least: Share = { paid: 0n, due: 0n }
    for (const [name, amount] of due) {
      if (amount === 0n) continue
      const share = { paid: amount - (left.get(name) ?? 0n), due: amount }
      if (least.due === 0n || share.paid * least.due < least.paid * share.due) least = share
    }
    return least
  }

  /** COMMITTED sums: priced assets in quote times 10³⁶ under −1, each other asset in atoms. */
  #committed(items: readonly DueItem[]): Map<number, bigint> {
    const sums = new Map<number, bigint>()
    for (const { asset, amount, certainty } of items) {
      if (certainty !== 'COMMITTED') continue
      const price = this.#prices[asset]
      const [name, value] = price ? [-1, amount * price] : [asset, amount]
      sums.set(name, (sums.get(name) ?? 0n) + value)
    }
    return sums
  }

  #owed(items: readonly DueItem[]): bigint {
    const sum = items.reduce(
      (all, item) => all + item.amount * (this.#prices[item.asset] ?? 0n),
      0n,
    )
    return divideRoundingUp(sum, ONE_X36)
  }

  #held(keptPips: (tier: Tier) => bigint): bigint {
    let sum = 0n
    for (const [place, { asset, tier }] of this.#terms.holdings.entries()) {
      sum += this.#rows[place]!.closing * (this.#prices[asset] ?? 0n) * keptPips(tier)
    }
    return sum / (ONE_X36 * MILLION)
  }

  #value(asset: number, quantity: bigint): bigint | null {
    const price = this.#prices[asset]
    return price == null ? null : (quantity * price) / ONE_X36
  }

  #directOf(asset: number): number {
    const place = this.#places.direct.get(asset)
    if (place === undefined) throw new RangeError(`No holding uses asset ${asset}.`)
    return place
  }
}

/** Certainties that a view pays. */
export const paidCertainties = (isNet: boolean): readonly Certainty[] =>
  isNet ? CERTAINTIES : ['COMMITTED', 'EXPECTED']
