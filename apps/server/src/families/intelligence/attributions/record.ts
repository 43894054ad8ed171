import type { contract, Evidence } from '@liquidity-os/contract'
import { toJsonSafe } from '@liquidity-os/engine/amm'
import { type OrderCosts, sumCosts } from '@liquidity-os/engine/attribution'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { engineVersion } from '@liquidity-os/engine/version'
import { canonicalize, H, sha256Hex } from '@liquidity-os/evidence'
import type { Header } from '../../../integrations/chain/header.ts'
import { required } from '../../../required.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type Attribution, defaultHorizonSeconds } from './attribute.ts'
import { gasOnly, orderAmounts, orderPips } from './cost-record.ts'
import {
  answeredRecord,
  blockRecord,
  reasonsOf,
  revertedGas,
  sandwichRecord,
  shownPrice,
  unpricedRecord,
} from './fill-record.ts'
import { validatedVenue } from './pre-state.ts'
import { againstLaw } from './prices.ts'

type Payload = contract.ExecutionAttribution
type Blob = Omit<ArtifactInsert, 'producer'>

export async function sealAttribution(
  records: TenantRecords,
  attribution: Attribution,
): Promise<{ payload: Payload; blobs: Blob[] }> {
  const { order, view, fills } = attribution
  const venues = await venuesOf(records, attribution)
  const priced = fills.filter((fill) => 'answer' in fill)
  const costs = priced.length === 0 ? null : orderCosts(attribution)
  const reasons = orderReasons(attribution)
  const state = !costs ? 'ABSTAINED' : reasons.length > 0 ? 'PARTIAL' : 'COMPLETED'
  const readings = Buffer.from(canonicalize(toJsonSafe(await view.readings())))
  const blobs = [
    blobOf(readings),
    ...priced.flatMap(({ answer }) => [...answer.starts.values()].map(blobOf)),
  ]
  const { decision } = order.input
  const payload: Payload = {
    request: {
      ...order.input,
      horizonSeconds: order.input.horizonSeconds ?? defaultHorizonSeconds,
    },
    state,
    reasons,
    decision: {
      source: order.decisionPrice === null ? null : decision.block ? 'CHAIN' : 'DECLARED',
      priceX18: shownPrice(order.decisionPrice),
      block: decision.block
        ? blockRecord(view.chainId, await view.header(decision.block.number))
        : null,
    },
    arrival: {
      block: blockRecord(view.chainId, order.arrival),
      priceX18: shownPrice(attribution.arrivalPrice),
    },
    filledBase: attribution.filledBase.toString(),
    unfilledBase: attribution.unfilledBase.toString(),
    horizon: attribution.horizon && {
      block: blockRecord(view.chainId, attribution.horizon.block),
      priceX18: shownPrice(attribution.horizon.price),
    },
    nativePrice: nativeRecord(attribution),
    decided: costs?.decided.toString() ?? null,
    components: costs && orderAmounts(costs),
    componentsPips: costs && orderPips(costs),
    ...(attribution.outside ? { reference: { source: attribution.outside.source } } : {}),
    fills: fills.map((fill) =>
      'answer' in fill
        ? answeredRecord(attribution, fill, venues)
        : unpricedRecord(attribution, fill, venues),
    ),
    sandwiches: sandwichesOf(attribution),
    benchmark: benchmarkOf(attribution, costs),
    evidence: await evidenceOf(attribution, reasons, blobs),
  }
  return { payload, blobs: distinct(blobs) }
}

/** The validated venues of the organization among the pools of an order. */
async function venuesOf(
  records: TenantRecords,
  { fills, view }: Attribution,
): Promise<ReadonlyMap<string, string>> {
  const pools = [
    ...new Set(fills.flatMap(({ branches }) => branches.flat().map(({ terms }) => terms.address))),
  ]
  const found = await Promise.all(
    pools.map(async (pool) => [pool, await validatedVenue(records, view.chainId, pool)] as const),
  )
  return new Map(found.flatMap(([pool, venue]) => (venue ? [[pool as string, venue]] : [])))
}

/** @throws CostIdentityError if the parts do not add up; no record is written */
function orderCosts(attribution: Attribution): OrderCosts {
  const costs = attribution.fills.flatMap((fill) => {
    if ('answer' in fill) return [fill.answer.costs]
    const isReverted = fill.reason === 'TRANSACTION_REVERTED'
    return isReverted ? [gasOnly(revertedGas(attribution, fill.fill.receipt))] : []
  })
  return sumCosts(costs, attribution.opportunity)
}

function orderReasons({ fills, opportunity }: Attribution): string[] {
  const reasons = fills.flatMap((fill) => ('answer' in fill ? reasonsOf(fill) : [fill.reason]))
  const isPriced = fills.some((fill) => 'answer' in fill)
  if (isPriced && opportunity === null) reasons.push('HORIZON_PRICE_MISSING')
  return [...new Set(reasons)].sort()
}

function nativeRecord({ order, arrivalPrice }: Attribution): Payload['nativePrice'] {
  const native = order.nativePrice
  if (!native) return null
  const { source } = native
  const price =
    source === 'DECLARED'
      ? native.price
      : source === 'QUOTE_IS_NATIVE'
        ? { num: 1n, den: 1n }
        : arrivalPrice
  return { source, priceX18: shownPrice(price) }
}

function sandwichesOf(attribution: Attribution): Payload['sandwiches'] {
  const seen = new Set<string>()
  return attribution.fills.flatMap((fill) => {
    if (!('answer' in fill)) return []
    return fill.sandwiches.flatMap((sandwich) => {
      const key = `${sandwich.terms.address}|${sandwich.blockNumber}|${sandwich.front.position}`
      if (seen.has(key)) return []
      seen.add(key)
      return [sandwichRecord(attribution, sandwich, fill.answer.before)]
    })
  })
}

function benchmarkOf(
  { benchmark, reference, view, fills }: Attribution,
  costs: OrderCosts | null,
): Payload['benchmark'] {
  const [leg] = reference ?? []
  if (!benchmark || !leg || !costs) return null
  const worth = fills.reduce(
    (sum, fill) => ('answer' in fill ? sum + (fill.answer.costs.totals[2] ?? 0n) : sum),
    0n,
  )
  const { actualPips, ratioPips } = againstLaw(costs.impact, worth, benchmark.expectedPips)
  return {
    pool: leg.terms.address,
    from: blockRecord(view.chainId, benchmark.from),
    to: blockRecord(view.chainId, benchmark.to),
    dailyVolatilityPips: benchmark.dailyVolatilityPips,
    dailyVolumeBase: benchmark.dailyVolumeBase.toString(),
    expectedPips: benchmark.expectedPips,
    actualPips: actualPips === null ? null : Number(actualPips),
    ratioPips: ratioPips === null ? null : Number(ratioPips),
  }
}

const details: Readonly<Record<string, string>> = {
  ARRIVAL_PRICE_UNAVAILABLE: 'A pool of the route had no price when the order arrived.',
  COUNTERFACTUAL_UNKNOWN:
    'The market without the attacker is unknown. Impact and sandwich are reported together.',
  DECISION_PRICE_MISSING: 'Without a decision price, costs are measured from order arrival.',
  HORIZON_PRICE_MISSING: 'The unfilled part has no price at the horizon.',
  MARKET_NOT_REPRODUCED:
    'The trades do not match the pool code, so impact and sandwich are reported together.',
  NATIVE_FLOW_UNRESOLVED:
    'Native asset moved, but the balances around the block do not show the amount.',
  NATIVE_PRICE_MISSING: 'Gas has no price in quote. Set nativePriceX18.',
  POOL_UNKNOWN: 'A swap of the transaction used a contract that is not a genuine Uniswap pool.',
  ROUTE_UNRESOLVED:
    'The swaps of the transaction do not form complete routes between the two tokens.',
  SANDWICHES_NOT_SEARCHED: 'A block exceeds the swap limit of the sandwich search.',
  STATE_UNAVAILABLE: 'No provider has the state before the fill, and its swap crossed ticks.',
  TOO_MANY_LEGS: 'The transaction exceeds the limit of analyzed swaps.',
  TRANSACTION_REVERTED: 'The transaction reverted; only its gas counts.',
  WALLET_FAR_FROM_POOLS: 'The wallet and pool amounts differ by more than 20 %.',
}

async function evidenceOf(
  attribution: Attribution,
  reasons: readonly string[],
  blobs: readonly Blob[],
): Promise<Evidence> {
  const { order, view, fills, limitations, benchmark, horizon, outside } = attribution
  const { input, arrival } = order
  const headers = await Promise.all(
    fills.flatMap(({ fill }) => [
      view.header(Math.max(0, fill.block.number - 1)),
      view.header(fill.block.number),
    ]),
  )
  const { decision } = input
  if (decision.block) headers.push(await view.header(decision.block.number))
  const [readings, ...states] = blobs
  const swaps = fills.flatMap((fill) => ('answer' in fill ? fill.sandwiches : []))
  const gaps = [...reasons]
  const isMarked = fills.every(
    (fill) => !('marks' in fill) || fill.marks.every(({ price }) => price),
  )
  // A missing mark is already reported separately.
  const isMarkedOut = fills.every(
    (fill) =>
      !('marks' in fill) || fill.marks.every(({ block, markout }) => !block || markout !== null),
  )
  return {
    engineVersion,
    engineBuildHash: engineBuildHash(),
    specHash: H('execution-attribution-spec/v1', { request: input }),
    inputs: [
      { name: 'receipts and logs', hash: required(readings, 'blob of the receipts').contentHash },
      {
        name: 'pre-states',
        hash: H('pre-states/v1', { states: states.map(({ contentHash }) => contentHash) }),
      },
      {
        name: 'sandwich transactions',
        hash: H('sandwich-transactions/v1', {
          hashes: swaps.flatMap(({ front, back }) => [front.transactionHash, back.transactionHash]),
        }),
      },
      ...(outside?.inputs ?? []),
    ],
    blocks: uniqueBlocks(view.chainId, [
      ...headers,
      arrival,
      ...(horizon ? [horizon.block] : []),
      ...(benchmark ? [benchmark.from, benchmark.to] : []),
    ]),
    seed: null,
    assumptions: assumptionsOf(attribution),
    gaps: [
      ...gaps.map((code) => ({ code, detail: details[code] ?? code })),
      ...limitations.map((code) => ({
        code,
        detail: 'Only one provider of the chain was queried. No second source confirms the data.',
      })),
      ...(isMarked ? [] : [{ code: 'MARK_MISSING', detail: 'No later price is available yet.' }]),
      ...(isMarkedOut
        ? []
        : [
            {
              code: 'REFERENCE_PRICE_MISSING',
              detail: 'The reference has no recent price at or before a markout.',
            },
          ]),
      ...(benchmark
        ? []
        : [
            {
              code: 'BENCHMARK_UNAVAILABLE',
              detail:
                'The square-root law requires one pool with 6 h of data and 20 trades before arrival.',
            },
          ]),
    ],
  }
}

function assumptionsOf({ order, fills }: Attribution): Evidence['assumptions'] {
  const assumptions: Evidence['assumptions'] = []
  const { decision, nativePriceX18, trader } = order.input
  if (decision.priceX18 !== undefined && !decision.block) {
    const value = decision.priceX18
    assumptions.push({ code: 'DECISION_PRICE', value, source: 'DECLARED' })
  }
  if (nativePriceX18 !== undefined) {
    assumptions.push({ code: 'NATIVE_PRICE', value: nativePriceX18, source: 'DECLARED' })
  }
  const payers = new Set<string>(fills.map(({ fill }) => fill.receipt.from))
  payers.delete(trader)
  for (const value of payers) {
    assumptions.push({ code: 'GAS_COUNTED_FOR_SENDER', value, source: 'DEFAULT' })
  }
  return assumptions
}

function uniqueBlocks(chainId: number, headers: readonly Header[]): Evidence['blocks'] {
  const byNumber = new Map(headers.map((header) => [header.number, header]))
  return [...byNumber.values()]
    .sort((a, b) => a.number - b.number)
    .map((header) => blockRecord(chainId, header))
}

const blobOf = (content: Uint8Array): Blob => ({
  contentHash: `0x${sha256Hex(content)}`,
  mediaType: 'application/json',
  content,
})

const distinct = (blobs: readonly Blob[]): Blob[] => [
  ...new Map(blobs.map((blob) => [blob.contentHash, blob])).values(),
]
