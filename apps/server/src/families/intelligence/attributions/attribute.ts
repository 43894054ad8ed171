import type { contract } from '@liquidity-os/contract'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import { opportunityCost } from '@liquidity-os/engine/attribution'
import type { Address } from 'viem'
import { Failure } from '../../../failure.ts'
import type { ChainClient } from '../../../integrations/chain/client.ts'
import { inSlices } from '../../../integrations/chain/contract-call.ts'
import { agreeOnFinalizedHead } from '../../../integrations/chain/finalized.ts'
import type { Header } from '../../../integrations/chain/header.ts'
import { isWrappedNative } from '../../../integrations/chain/wrapped-native.ts'
import { anyChainProviders } from '../../../integrations/providers/chain-providers.ts'
import { limits } from '../../../limits.ts'
import type { ReferenceCourse } from '../../../market/prices/named-reference.ts'
import type { ProviderAccess, Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { hourSeconds } from '../../../units.ts'
import { attributeInThread } from './attribute-in-thread.ts'
import { ChainView } from './chain-view.ts'
import type { FillLeg } from './fill-legs.ts'
import type { Mark } from './mark.ts'
import { markoutAt, outsidePrices } from './markouts.ts'
import {
  type AnsweredFill,
  largestBranch,
  type NativePrice,
  type OrderTerms,
  priceFill,
  sizeOf,
  type UnpricedFill,
} from './price-fill.ts'
import { benchmarkBefore, type MeasuredBenchmark, marksAfter, routePriceAt } from './prices.ts'
import { type ReadFill, readFills, requireOrderInTime, requireTokens } from './read-order.ts'
import { requireVenues } from './references.ts'
import { netTransfers } from './wallet.ts'

type Input = contract.AttributionInput

export interface Attribution {
  readonly order: OrderTerms
  readonly view: ChainView
  readonly limitations: readonly string[]
  /** In chain order. */
  readonly fills: readonly ((AnsweredFill & { readonly marks: readonly Mark[] }) | UnpricedFill)[]
  readonly reference: readonly FillLeg[] | null
  readonly arrivalPrice: Rat | null
  readonly unfilledBase: bigint
  readonly filledBase: bigint
  readonly opportunity: bigint | null
  readonly horizon: { readonly block: Header; readonly price: Rat | null } | null
  readonly benchmark: MeasuredBenchmark | null
  /** Reference prices for the markouts of the order, or null. */
  readonly outside: ReferenceCourse | null
}

/** Reads an order from the chain and computes its costs. */
export async function attribute(
  records: TenantRecords,
  services: ProviderAccess & Pick<Services, 'awaited'>,
  input: Input,
): Promise<Attribution> {
  const { view, limitations } = await openView(records, services, input)
  await requireTokens(view, input)
  const read = await readFills(view, input)
  // The schema requires at least one fill.
  const [first] = read as [ReadFill]
  await requireOrderInTime(view, input, first.block)
  await requireVenues(records, input, read)
  const filledBase = requireNotOverfilled(input, read)
  const reference = referenceRoute(input, read)
  const order = await orderTerms(view, input, read, reference)
  const outside = await outsidePrices(records, input, read)
  const fills = await answerFills(view, records, services, { order, outside }, read)
  const rest = unfilled(input, read, filledBase)
  const arrivalPrice = reference && (await routePriceAt(view, input.side, reference, order.arrival))
  const isPriced = fills.some((fill) => 'answer' in fill)
  const horizon = isPriced && rest > 0n ? await horizonOf(view, input, read, reference) : null
  const from = order.decisionPrice ?? arrivalPrice
  const opportunity =
    rest === 0n
      ? 0n
      : horizon?.price && from
        ? opportunityCost(input.side, rest, from, horizon.price)
        : null
  const [only, ...others] = reference ?? []
  const benchmark =
    isPriced && only && others.length === 0
      ? await benchmarkBefore(view, input.side, only, order.arrival, filledBase)
      : null
  return {
    order,
    view,
    limitations,
    fills,
    reference,
    arrivalPrice,
    filledBase,
    benchmark,
    unfilledBase: rest,
    opportunity,
    horizon,
    outside,
  }
}

async function openView(records: TenantRecords, services: ProviderAccess, { pair }: Input) {
  const providers = await anyChainProviders(records, services, pair.chainId)
  const clients = providers.map(({ client }) => client) as [ChainClient, ...ChainClient[]]
  const finalized = await agreeOnFinalizedHead(clients, providers[0].configuration.finality)
  const view = new ChainView(pair.chainId, clients, finalized.head)
  return { view, limitations: finalized.limitations }
}

/**
 * Base amount filled according to the pools.
 *
 * @throws Failure 422 LIQUIDITY_ATTRIBUTION_OVERFILLED
 */
function requireNotOverfilled(input: Input, read: readonly ReadFill[]): bigint {
  const filled = read.reduce((sum, { traded }) => {
    return 'branches' in traded ? sum + sizeOf(input.side, traded.branches).base : sum
  }, 0n)
  if (filled <= BigInt(input.intended.base)) return filled
  throw new Failure('LIQUIDITY_ATTRIBUTION_OVERFILLED', {
    fieldErrors: { 'payload.intended.base': [`must be at least ${filled}, the filled amount`] },
  })
}

/** The branch with the most base over all fills. Its price represents the pair. */
function referenceRoute({ side }: Input, read: readonly ReadFill[]): readonly FillLeg[] | null {
  const routes = read.flatMap(({ traded }) => ('branches' in traded ? traded.branches : []))
  return routes.length === 0 ? null : largestBranch(side, routes)
}

async function orderTerms(
  view: ChainView,
  input: Input,
  read: readonly ReadFill[],
  reference: readonly FillLeg[] | null,
): Promise<OrderTerms> {
  const { decision, arrivalBlock, pair } = input
  const [first] = read as [ReadFill]
  const arrival = await view.header(Math.max(0, (arrivalBlock ?? first.block.number) - 1))
  const isNative = (token: string) =>
    isWrappedNative(view.clients[0], view.head, pair.chainId, token as Address)
  const [base, quote] = await Promise.all([isNative(pair.base), isNative(pair.quote)])
  return {
    input,
    arrival,
    wrapped: { base, quote },
    own: { trader: input.trader as Address, receipts: read.map(({ receipt }) => receipt) },
    decisionPrice: decision.block
      ? reference &&
        (await routePriceAt(view, input.side, reference, await view.header(decision.block.number)))
      : decision.priceX18 === undefined
        ? null
        : { num: BigInt(decision.priceX18), den: 10n ** 18n },
    nativePrice: nativePriceOf(input, { base, quote }),
  }
}

function nativePriceOf(
  { nativePriceX18 }: Input,
  wrapped: { base: boolean; quote: boolean },
): NativePrice | null {
  if (nativePriceX18 !== undefined) {
    return { source: 'DECLARED', price: { num: BigInt(nativePriceX18), den: 10n ** 18n } }
  }
  if (wrapped.quote) return { source: 'QUOTE_IS_NATIVE' }
  return wrapped.base ? { source: 'BASE_IS_NATIVE' } : null
}

async function answerFills(
  view: ChainView,
  records: TenantRecords,
  services: Pick<Services, 'awaited'>,
  { order, outside }: { readonly order: OrderTerms; readonly outside: ReferenceCourse | null },
  read: readonly ReadFill[],
): Promise<Attribution['fills']> {
  const prepared = await inSlices(read, limits.attributionFillsAtOnce, async (fill) => {
    const { traded } = fill
    return 'branches' in traded
      ? priceFill(view, records, order, { ...fill, traded })
      : { fill, branches: [], reason: traded.reason }
  })
  const priced = prepared.filter((fill) => 'task' in fill)
  const answers = await attributeInThread(
    services.awaited,
    priced.map(({ task }) => task),
  )
  const { side } = order.input
  return inSlices(prepared, limits.attributionFillsAtOnce, async (fill) => {
    if (!('task' in fill)) return fill
    // One result per task, in order.
    const answer = answers[priced.indexOf(fill)]!
    const route = largestBranch(side, fill.branches)
    const { before, after } = answer
    const marks = await marksAfter(view, side, { route, block: fill.fill.block, before, after })
    if (!outside) return { ...fill, answer, marks }
    const { branches, fill: read } = fill
    const filled = { branches, timestamp: read.block.timestamp }
    const marked = marks.map((mark) => ({
      ...mark,
      markout: markoutAt(outside, side, filled, mark),
    }))
    return { ...fill, answer, marks: marked }
  })
}

/** Unfilled base. For an unresolved transaction the wallet's balance change counts. */
function unfilled(input: Input, read: readonly ReadFill[], filledBase: bigint): bigint {
  const sign = input.side === 'BUY' ? 1n : -1n
  const elsewhere = read.reduce((sum, { traded, receipt }) => {
    if ('branches' in traded) return sum
    return sum + sign * netTransfers(receipt, input.pair.base as Address, input.trader as Address)
  }, 0n)
  const rest = BigInt(input.intended.base) - filledBase - elsewhere
  return rest > 0n ? rest : 0n
}

export const defaultHorizonSeconds = hourSeconds / 2

/** @throws Failure 409 LIQUIDITY_ATTRIBUTION_NOT_FINAL while the chain has not come so far */
async function horizonOf(
  view: ChainView,
  input: Input,
  read: readonly ReadFill[],
  reference: readonly FillLeg[] | null,
): Promise<Attribution['horizon']> {
  const last = read.at(-1)
  if (!last || !reference) return null
  const time = last.block.timestamp + (input.horizonSeconds ?? defaultHorizonSeconds)
  if (view.head.timestamp < time) {
    const until = new Date(time * 1000).toISOString()
    throw new Failure('LIQUIDITY_ATTRIBUTION_NOT_FINAL', {
      fieldErrors: {
        'payload.horizonSeconds': [`must end by the last finalized block, but ends at ${until}`],
      },
    })
  }
  const block = await view.blockAt(last.block, time)
  return block && { block, price: await routePriceAt(view, input.side, reference, block) }
}
