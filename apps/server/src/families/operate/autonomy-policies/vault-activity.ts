import type { contract, SourceRef } from '@liquidity-os/contract'
import type { Release } from '../../../market/adapters/release.ts'
import { legsOfVault, type PlanLeg } from '../../../market/plan-legs.ts'
import { pricesOfPair } from '../../../market/prices/prices-of-pair.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { type OpenAllowance, openAllowances } from './open-allowances.ts'

type Pair = contract.QualifiedVault['pair']
type Net = contract.ExecutionReceipt['effects']['net']

export interface NewestPrice {
  readonly priceX36: bigint
  /** Unix seconds. */
  readonly at: number
  readonly evidence: readonly SourceRef[]
}

const x36 = 10n ** 36n

/** Newest feed price of the last day at a moment, or null. */
export async function newestPrice(
  records: TenantRecords,
  pair: Pair,
  at: number,
): Promise<NewestPrice | null> {
  const series = await pricesOfPair(records, pair, { from: at - daySeconds, to: at })
  const newest = series
    .flatMap(({ course, versions }) => {
      const point = course.points.findLast((one) => one.at <= at)
      return point ? [{ point, versions }] : []
    })
    .toSorted((a, b) => b.point.at - a.point.at)[0]
  if (!newest) return null
  const { point, versions } = newest
  const evidence = versions.map((version) => ({ resourceType: 'PriceSeries', ...version }))
  return { priceX36: point.priceX36, at: point.at, evidence }
}

/** Value in quote atoms, rounded up; null for a token without a price. */
export function quoteValue(
  pair: Pair,
  asset: string,
  amount: bigint,
  price: NewestPrice | null,
): bigint | null {
  const same = (other: string) => other.toLowerCase() === asset.toLowerCase()
  if (amount === 0n) return 0n
  if (same(pair.quote)) return amount
  if (!same(pair.base) || price === null) return null
  return (amount * price.priceX36 + x36 - 1n) / x36
}

/** Recent activity of a vault, from its execution receipts. */
export interface Activity {
  /**
   * Turnover of the last 86,400 s in quote atoms, rounded up, with open allowances; null if an asset
   * has no value.
   */
  readonly turnoverQuote: bigint | null
  /** Allowances of the last 86,400 s that no execution used. */
  readonly openAllowances: readonly OpenAllowance[]
  /** `Infinity` without earlier actions. */
  readonly secondsSinceLast: number
  readonly evidence: readonly SourceRef[]
}

type Settled = Omit<Activity, 'openAllowances'>
type Vault = { readonly id: string; readonly payload: contract.QualifiedVault }

/** A receipt; `ref` is null for one that is not stored yet. */
interface Known {
  readonly payload: ActivityReceipt
  readonly ref: SourceRef | null
}

/** Facts of a receipt that count as activity. */
export type ActivityReceipt = Pick<
  contract.ExecutionReceipt,
  'block' | 'logIndex' | 'transactionHash' | 'outcome' | 'calls' | 'effects' | 'leg' | 'safeAddress'
>

/** An execution, and those that the same observation read before it. */
export interface ExecutionPlace extends Pick<ActivityReceipt, 'block' | 'logIndex'> {
  readonly earlier: readonly ActivityReceipt[]
}

interface Moment {
  /** Unix seconds. */
  readonly at: number
  readonly price: NewestPrice | null
  /** Null without a trusted release: then allowances cannot be decoded. */
  readonly release: Release | null
  /** For an execution: its place in the chain decides which receipts precede it. */
  readonly place?: ExecutionPlace | undefined
}

/**
 * Turnover counts outflows of the Safe only, because inflows belong to the same trades. A failed
 * execution can pay a gas refund. An open allowance counts when it is given, because its use by the
 * spender has no receipt.
 */
export async function activityOf(
  records: TenantRecords,
  { id: vaultId, payload: { pair, chainId } }: Vault,
  { at, price, release, place }: Moment,
): Promise<Activity> {
  const stored = await records.find<contract.ExecutionReceipt>('ExecutionReceipt', {
    where: sql`${member('payload.vault.id')} = ${vaultId}`,
  })
  const all: Known[] = [
    ...stored.map(({ payload, resourceType, id, resourceVersion }) => ({
      payload,
      ref: { resourceType, id, resourceVersion },
    })),
    ...(place?.earlier ?? []).map((payload) => ({ payload, ref: null })),
  ].filter(({ payload }) => (place ? inOrder(payload, place) < 0 : timeOf(payload) < at))
  const receipts = all.filter(({ payload }) => payload.outcome === 'SUCCESS')
  const executed = new Set(receipts.map(({ payload }) => payload.transactionHash))
  // A leg and its receipt are the same turnover.
  const agreed = agreedAt(receipts)
  const legs = await legsOfVault(records, vaultId)
  const underWay = legs.flatMap((leg) => {
    const { sent, isVoid, planId, planned } = leg
    if (isVoid || (sent && executed.has(sent.transactionHash))) return []
    const agreedBefore = (agreed.get(`${planId} ${planned.legIndex}`) ?? []).filter(
      (one) => one < at,
    )
    const since = Math.min(...agreedBefore, ...(sent && sent.at <= at ? [sent.at] : []))
    return since === Number.POSITIVE_INFINITY ? [] : [{ ...leg, since }]
  })
  const done = activityFrom(
    all.filter(({ payload }) => moves(payload.effects.net)),
    { pair, at, price },
  )
  const recent = receipts
    .map(({ payload }) => payload)
    .filter((one) => at - timeOf(one) <= daySeconds)
    .toSorted(inOrder)
  const open = openAllowances(recent, { release, chainId, pair, legs, counted: underWay })
  return withOpen(withLegs(done, underWay, { pair, at, price }), open, { pair, price })
}

function withOpen(
  activity: Settled,
  openAllowances: readonly OpenAllowance[],
  { pair, price }: { pair: Pair; price: NewestPrice | null },
): Activity {
  const open = valueOfOpen(openAllowances, pair, price)
  const { turnoverQuote } = activity
  return {
    ...activity,
    openAllowances,
    turnoverQuote: turnoverQuote === null || open === null ? null : turnoverQuote + open,
  }
}

/** Value of open allowances in quote atoms; null if a token has no value. */
export const valueOfOpen = (
  open: readonly OpenAllowance[],
  pair: Pair,
  price: NewestPrice | null,
): bigint | null =>
  open.reduce<bigint | null>((sum, { token, amount }) => {
    const value = quoteValue(pair, token, amount, price)
    return sum === null || value === null ? null : sum + value
  }, 0n)

type Place = Pick<ActivityReceipt, 'block' | 'logIndex'>
const inOrder = (a: Place, b: Place) => a.block.number - b.block.number || a.logIndex - b.logIndex

const timeOf = ({ block }: Pick<contract.ExecutionReceipt, 'block'>) =>
  Math.floor(Date.parse(block.timestamp) / 1000)

interface SentLeg extends PlanLeg {
  /** Start time in Unix seconds: its transaction was reported, or the vault approved its order. */
  readonly since: number
}

/**
 * Approval times of order legs, from executions without outflows, in Unix seconds by plan and leg.
 */
function agreedAt(receipts: readonly Known[]) {
  const agreed = receipts.flatMap(({ payload: { leg, effects, block } }) =>
    leg === null || moves(effects.net)
      ? []
      : [
          {
            key: `${leg.planId} ${leg.legIndex}`,
            at: timeOf({ block }),
          },
        ],
  )
  const byLeg = Map.groupBy(agreed, ({ key }) => key)
  return new Map([...byLeg].map(([key, some]) => [key, some.map((one) => one.at)]))
}

/**
 * Adds sent legs that have no receipt of the Safe. A solver settles such orders in another
 * account's transaction.
 */
function withLegs(
  activity: Settled,
  legs: readonly SentLeg[],
  { pair, at, price }: { pair: Pair; at: number; price: NewestPrice | null },
): Settled {
  const recent = legs.filter(({ since }) => at - since <= daySeconds)
  const turnoverQuote = recent.reduce<bigint | null>((sum, { sellToken, planned }) => {
    const value = quoteValue(pair, sellToken, BigInt(planned.sellAmount), price)
    return sum === null || value === null ? null : sum + value
  }, activity.turnoverQuote)
  const since = legs.map(({ since: began }) => at - began)
  return {
    ...activity,
    turnoverQuote,
    secondsSinceLast: Math.min(activity.secondsSinceLast, ...since),
  }
}

/**
 * Shares of a v2 pair that went back to the pair itself, whose contract is the token of its shares.
 * The proceeds of a redemption go to the Safe, so it is no turnover.
 */
function redeemed(
  { effects, safeAddress }: ActivityReceipt,
  asset: string,
  { base, quote }: Pair,
): bigint {
  if ([base, quote].some((token) => token.toLowerCase() === asset.toLowerCase())) return 0n
  return effects.transfers
    .filter((one) => one.asset === asset && one.to === asset && one.from === safeAddress)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
}

const moves = (net: Net) => net.some(({ delta }) => delta.startsWith('-'))

function activityFrom(
  before: readonly Known[],
  { pair, at, price }: { pair: Pair; at: number; price: NewestPrice | null },
): Settled {
  const recent = before.filter(({ payload }) => at - timeOf(payload) <= daySeconds)
  let turnover: bigint | null = 0n
  for (const { payload } of recent) {
    for (const { asset, delta } of payload.effects.net) {
      const out = -BigInt(delta) - redeemed(payload, asset, pair)
      if (out <= 0n) continue
      const value = quoteValue(pair, asset, out, price)
      turnover = turnover === null || value === null ? null : turnover + value
    }
  }
  const last = before.reduce(
    (latest, { payload }) => Math.max(latest, timeOf(payload)),
    Number.NEGATIVE_INFINITY,
  )
  return {
    turnoverQuote: turnover,
    secondsSinceLast: at - last,
    evidence: recent.flatMap(({ ref }) => ref ?? []).slice(0, 32),
  }
}
