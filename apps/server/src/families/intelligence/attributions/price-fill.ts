import type { contract } from '@liquidity-os/contract'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import { branchSize } from '@liquidity-os/engine/attribution'
import { type Address, isAddressEqual } from 'viem'
import type { Header } from '../../../integrations/chain/header.ts'
import { gasCost, type Receipt } from '../../../integrations/chain/receipts.ts'
import type { PoolTerms } from '../../../integrations/chain/verify-pool.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { FillAnswer, TaskFill, TaskPool } from './attribute-task.ts'
import { type FoundSandwich, type OwnParties, sandwichesOn } from './block-sandwiches.ts'
import type { ChainView } from './chain-view.ts'
import type { FillLeg } from './fill-legs.ts'
import { type PreState, preStateOf } from './pre-state.ts'
import { routePriceAt } from './prices.ts'
import type { ReadFill } from './read-order.ts'
import { netNative, netTransfers, wrapsOrUnwraps } from './wallet.ts'

type Input = contract.AttributionInput

/** How gas becomes quote. */
export type NativePrice =
  | { readonly source: 'DECLARED'; readonly price: Rat }
  | { readonly source: 'QUOTE_IS_NATIVE' | 'BASE_IS_NATIVE' }

/** Facts about an order that do not depend on its fills. */
export interface OrderTerms {
  readonly input: Input
  readonly own: OwnParties
  /** Block whose final state gives the arrival price. */
  readonly arrival: Header
  readonly decisionPrice: Rat | null
  readonly nativePrice: NativePrice | null
  /** The pair token that is the wrapped native asset. */
  readonly wrapped: { readonly base: boolean; readonly quote: boolean }
}

export interface PricedOrderFill {
  readonly fill: ReadFill
  readonly branches: readonly (readonly FillLeg[])[]
  readonly preStates: ReadonlyMap<string, PreState>
  readonly sandwiches: readonly FoundSandwich[]
  readonly task: TaskFill
  /** Missing data other than market data. */
  readonly reasons: readonly string[]
}

/** A fill without a cost, because its markets are insufficient. */
export interface UnpricedFill {
  readonly fill: ReadFill
  readonly branches: readonly (readonly FillLeg[])[]
  readonly reason: string
}

/** Collects the inputs of one fill: pool states before it, sandwich attacks, wallet, and gas. */
export async function priceFill(
  view: ChainView,
  records: TenantRecords,
  order: OrderTerms,
  fill: ReadFill & { traded: { branches: readonly (readonly FillLeg[])[] } },
): Promise<PricedOrderFill | UnpricedFill> {
  const { branches } = fill.traded
  const { side } = order.input
  const pools = [...new Map(branches.flat().map(({ terms }) => [terms.address, terms])).values()]
  const arrivalPrices = await Promise.all(
    branches.map((route) => routePriceAt(view, side, route, order.arrival)),
  )
  if (arrivalPrices.some((price) => price === null)) {
    return { fill, branches, reason: 'ARRIVAL_PRICE_UNAVAILABLE' }
  }
  const read = await Promise.all(
    pools.map((terms) => readPool(view, records, { order, fill, terms, legs: branches.flat() })),
  )
  const known = read.filter((pool) => pool !== null)
  if (known.length < read.length) return { fill, branches, reason: 'STATE_UNAVAILABLE' }
  const byPool = new Map(known.map((pool) => [pool.terms.address as string, pool]))
  const { wallet, reasons } = await walletOf(view, order, fill)
  return {
    fill,
    branches,
    reasons,
    preStates: new Map([...byPool].map(([name, { preState }]) => [name, preState])),
    sandwiches: known.flatMap(({ sandwich }) => (sandwich ? [sandwich] : [])),
    task: {
      side,
      decisionPrice: order.decisionPrice,
      wallet,
      isSearched: known.every(({ isSearched }) => isSearched),
      arrivalPrices: arrivalPrices.filter((price) => price !== null),
      ...gasTerms(order.nativePrice, fill.receipt),
      pools: new Map(
        [...byPool].map(([name, { preState }]): [string, TaskPool] => [name, preState.pool]),
      ),
      branches: branches.map((route) =>
        route.map(({ pool, from, to, amountIn, amountOut, logIndex }) => ({
          pool,
          from,
          to,
          amountIn,
          amountOut,
          // The code above has read every pool of a leg.
          event: byPool.get(pool)!.eventAt(logIndex),
        })),
      ),
    },
  }
}

interface ReadPool {
  readonly terms: PoolTerms
  readonly preState: PreState
  readonly sandwich: FoundSandwich | null
  /** True if the block was searched for sandwich attacks. */
  readonly isSearched: boolean
  /** Position of a log among the replayed events. */
  readonly eventAt: (logIndex: number) => number
}

async function readPool(
  view: ChainView,
  records: TenantRecords,
  facts: { order: OrderTerms; fill: ReadFill; terms: PoolTerms; legs: readonly FillLeg[] },
): Promise<ReadPool | null> {
  const { order, fill, terms } = facts
  const own = facts.legs.filter(({ pool }) => pool === terms.address)
  const all = (await view.blockEvents(terms, fill.block)).map(({ event }) => event)
  const placeOf = (logIndex: number) => all.findIndex((event) => event.logIndex === logIndex)
  const found = await sandwichesOn(view, terms, fill.block, order.own)
  const sandwich =
    found?.find(({ victims }) =>
      victims.some(({ position }) => own.some(({ logIndex }) => logIndex === position)),
    ) ?? null
  const places = own.map(({ logIndex }) => placeOf(logIndex))
  const preState = await preStateOf(view, records, terms, {
    block: fill.block,
    events: all.slice(0, Math.max(...places) + 1),
    firstLeg: Math.min(...places),
    front: sandwich ? placeOf(sandwich.front.position) : null,
  })
  if (!preState) return null
  const isSearched = found !== null
  return {
    terms,
    preState,
    sandwich,
    isSearched,
    eventAt: (logIndex) => placeOf(logIndex) - preState.offset,
  }
}

/**
 * A wallet can differ from the pools by a transfer fee. A larger difference means that another
 * market took part.
 */
const farShare = 5n

async function walletOf(
  view: ChainView,
  { input, wrapped }: OrderTerms,
  { receipt, traded }: ReadFill,
): Promise<{ wallet: TaskFill['wallet']; reasons: string[] }> {
  const { side } = input
  const trader = input.trader as Address
  const net = { base: 0n, quote: 0n }
  for (const token of ['base', 'quote'] as const) {
    const address = input.pair[token] as Address
    net[token] = netTransfers(receipt, address, trader)
    if (!wrapped[token] || !wrapsOrUnwraps(receipt, address)) continue
    const native = await netNative(view, receipt, trader)
    if (native === null) return { wallet: null, reasons: ['NATIVE_FLOW_UNRESOLVED'] }
    net[token] += native
  }
  const sign = side === 'BUY' ? 1n : -1n
  const wallet = { base: sign * net.base, quote: -sign * net.quote }
  const moved = 'branches' in traded ? sizeOf(side, traded.branches) : wallet
  const isFar = (a: bigint, b: bigint) => (a > b ? a - b : b - a) * farShare > b
  const isOdd = isFar(wallet.base, moved.base) || isFar(wallet.quote, moved.quote)
  return { wallet, reasons: isOdd ? ['WALLET_FAR_FROM_POOLS'] : [] }
}

/** Base and quote moved by the events of all branches. */
export function sizeOf(side: Input['side'], branches: readonly (readonly FillLeg[])[]) {
  const sizes = branches.map((route) => branchSize(side, route))
  return {
    base: sizes.reduce((sum, { base }) => sum + base, 0n),
    quote: sizes.reduce((sum, { quote }) => sum + quote, 0n),
  }
}

function gasTerms(native: NativePrice | null, receipt: Receipt) {
  if (native?.source === 'BASE_IS_NATIVE') {
    return { gasQuote: null, gasAtBasePrice: gasCost(receipt) }
  }
  return { gasQuote: gasQuoteOf(native, receipt, null), gasAtBasePrice: null }
}

/** Gas of a transaction in quote, rounded down; null if the native asset has no price. */
export function gasQuoteOf(
  native: NativePrice | null,
  receipt: Receipt,
  basePrice: Rat | null,
): bigint | null {
  return weiInQuote(native, gasCost(receipt), basePrice)
}

/** @param basePrice quote per base, if the base is the native asset */
export function weiInQuote(
  native: NativePrice | null,
  wei: bigint,
  basePrice: Rat | null,
): bigint | null {
  if (native === null) return null
  if (native.source === 'QUOTE_IS_NATIVE') return wei
  const price = native.source === 'DECLARED' ? native.price : basePrice
  return price && (wei * price.num) / price.den
}

/** The branch with the most base. */
export function largestBranch(
  side: Input['side'],
  branches: readonly (readonly FillLeg[])[],
): readonly FillLeg[] {
  const sized = branches.map((route) => ({ route, base: branchSize(side, route).base }))
  // A fill has at least one branch; the first of equal ones.
  return sized.reduce((largest, one) => (one.base > largest.base ? one : largest)).route
}

/** Side of a token in the pair; null if it is in neither. */
export function sideOf({ pair }: Input, token: Address): 'base' | 'quote' | null {
  if (isAddressEqual(token, pair.quote as Address)) return 'quote'
  return isAddressEqual(token, pair.base as Address) ? 'base' : null
}

/** Profit token (start and end of the attack) and the token in between. */
export function tokensOf({ terms, profitToken }: FoundSandwich): {
  profit: Address
  kept: Address
} {
  const { token0, token1 } = terms
  return profitToken === 0 ? { profit: token0, kept: token1 } : { profit: token1, kept: token0 }
}

export type AnsweredFill = PricedOrderFill & { readonly answer: FillAnswer }
