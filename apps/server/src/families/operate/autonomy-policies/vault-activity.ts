import type { contract, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { legsOfVault, type PlanLeg } from '../../../market/plan-legs.ts'
import { pricesOfPair } from '../../../market/prices/prices-of-pair.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'

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
  /** Turnover of the last 86,400 s in quote atoms, rounded up; null if an asset has no value. */
  readonly turnoverQuote: bigint | null
  /** `Infinity` without earlier actions. */
  readonly secondsSinceLast: number
  readonly evidence: readonly SourceRef[]
}

/** Turnover counts outflows of the Safe only, because inflows belong to the same trades. */
export async function activityOf(
  records: TenantRecords,
  vaultId: string,
  pair: Pair,
  at: number,
  price: NewestPrice | null,
): Promise<Activity> {
  const receipts = await records.find<contract.ExecutionReceipt>('ExecutionReceipt', {
    where: sql`${member('payload.vault.id')} = ${vaultId} and ${member('payload.outcome')} = 'SUCCESS'`,
  })
  const executed = new Set(receipts.map(({ payload }) => payload.transactionHash))
  // A leg and its receipt are the same turnover.
  const agreed = agreedAt(receipts)
  const underWay = (await legsOfVault(records, vaultId)).flatMap((leg) => {
    const { sent, isVoid, planId, planned } = leg
    if (isVoid || (sent && executed.has(sent.transactionHash))) return []
    const agreedBefore = (agreed.get(`${planId} ${planned.legIndex}`) ?? []).filter(
      (one) => one < at,
    )
    const since = Math.min(...agreedBefore, ...(sent && sent.at <= at ? [sent.at] : []))
    return since === Number.POSITIVE_INFINITY ? [] : [{ ...leg, since }]
  })
  const done = activityFrom(
    receipts.filter(({ payload }) => moves(payload.effects.net)),
    { pair, at, price },
  )
  return withLegs(done, underWay, { pair, at, price })
}

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
            at: Math.floor(Date.parse(block.timestamp) / 1000),
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
  activity: Activity,
  legs: readonly SentLeg[],
  { pair, at, price }: { pair: Pair; at: number; price: NewestPrice | null },
): Activity {
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
): Activity {
  const timeOf = ({ payload }: (typeof receipts)[number]) =>
    Math.floor(Date.parse(payload.block.timestamp) / 1000)
  const before = receipts.filter((one) => timeOf(one) < at)
  const recent = before.filter((one) => at - timeOf(one) <= daySeconds)
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
    (latest, one) => Math.max(latest, timeOf(one)),
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
