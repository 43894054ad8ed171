import type { contract, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
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

interface Moment {
  /** Unix seconds. */
  readonly at: number
  readonly price: NewestPrice | null
  /** Null without a trusted release: then allowances cannot be decoded. */
  readonly release: Release | null
}

/**
 * Turnover counts outflows of the Safe only, because inflows belong to the same trades. A failed
 * execution can pay a gas refund. An open allowance counts when it is given, because its use by the
 * spender has no receipt.
 */
export async function activityOf(
  records: TenantRecords,
  { id: vaultId, payload: { pair, chainId } }: Vault,
  { at, price, release }: Moment,
): Promise<Activity> {
  const all = await records.find<contract.ExecutionReceipt>('ExecutionReceipt', {
    where: sql`${member('payload.vault.id')} = ${vaultId}`,
  })
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
    .filter((one) => timeOf(one) < at && at - timeOf(one) <= daySeconds)
    .toSorted((a, b) => a.block.number - b.block.number || a.logIndex - b.logIndex)
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

const timeOf = ({ block }: Pick<contract.ExecutionReceipt, 'block'>) =>
  Math.floor(Date.parse(block.timestamp) / 1000)

interface SentLeg extends PlanLeg {
  /** Start time in Unix seconds: its transaction was reported, or the vault approved its order. */
  readonly since: number
}

/**
 * Approval times of order legs, from executions without outflows, in Unix seconds by plan and leg.
 */
function agreedAt(receipts: readonly VersionedRecord<contract.ExecutionReceipt>[]) {
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
  { effects, safeAddress }: contract.ExecutionReceipt,
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
  receipts: readonly VersionedRecord<contract.ExecutionReceipt>[],
  { pair, at, price }: { pair: Pair; at: number; price: NewestPrice | null },
): Settled {
  const before = receipts.filter(({ payload }) => timeOf(payload) < at)
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
    evidence: recent.slice(0, 32).map(({ resourceType, id, resourceVersion }) => ({
      resourceType,
      id,
      resourceVersion,
    })),
  }
}
