import type { contract } from '@liquidity-os/contract'
import type { MarkedAsset, StressFlow, StressObligation } from '@liquidity-os/engine/stress'
import { valueAt } from '../../../market/prices/price-of-asset.ts'
import { dueBetween } from '../../../market/treasury/schedule.ts'
import { dayMilliseconds } from '../../../units.ts'
import type { Entry } from '../../plan/treasury-projections/api.ts'

type AssumptionSet = contract.TreasuryAssumptionSet
type Gap = contract.TreasuryGap

/** Outflows and inflows, quote atoms. */
export interface Flows {
  readonly obligations: readonly StressObligation[]
  /** COMMITTED inflow of thirty days, rounded down each. */
  readonly inflows: readonly StressFlow[]
  /** Due amounts minus COMMITTED inflows within the simulation horizon; never below zero. */
  readonly needQuote: bigint
}

/** Days of the coverage. */
const coverageDays = 30
/**
 * Maximum distance of a payment that can be accelerated: unlimited for a single payment, one year
 * for recurring ones.
 */
const laterDays = { once: 36_500, again: 365 } as const

interface Due {
  readonly kind: string
  readonly assetKey: string
  readonly direction: 'INFLOW' | 'OUTFLOW'
  /** Days within which it counts as due later. */
  readonly laterDays: number
  /** Atoms between two moments. */
  readonly within: (from: number, to: number) => bigint
}

export const flowKeys = (entries: readonly Entry[], set: AssumptionSet | null): string[] =>
  dues(entries, set, 0).map(({ assetKey }) => assetKey)

/**
 * Flows from ledger obligations and assumption lines whose asset has a price. COMMITTED and
 * EXPECTED outflows count, and only COMMITTED inflows. A line linked to a ledger obligation
 * replaces it.
 *
 * @param at milliseconds since 1970
 */
export function readFlows(
  entries: readonly Entry[],
  set: AssumptionSet | null,
  assets: ReadonlyMap<string, MarkedAsset>,
  { at, horizonDays }: { readonly at: number; readonly horizonDays: number },
): { flows: Flows; gaps: Gap[] } {
  const all = dues(entries, set, at)
  const relevant = all.filter(({ assetKey }) => assets.has(assetKey))
  const until = (days: number) => at + days * dayMilliseconds
  const sum = (direction: Due['direction'], from: number, to: number) =>
    relevant
      .filter((one) => one.direction === direction)
      .reduce((total, one) => total + value(one, from, to), 0n)
  const value = ({ assetKey, direction, within }: Due, from: number, to: number) =>
    valueAt(
      within(from, to),
      `${assets.get(assetKey)?.priceX36 ?? 0n}`,
      direction === 'INFLOW' ? 'DOWN' : 'UP',
    )
  /** Payment asset; omitted for the quote, whose price is constant. */
  const paidIn = ({ assetKey }: Due) => {
    const asset = assets.get(assetKey)
    return asset && !asset.isQuote ? { asset } : {}
  }
  const obligations = relevant
    .filter(({ direction }) => direction === 'OUTFLOW')
    .flatMap((one): StressObligation[] => {
      const soon = value(one, 0, until(coverageDays))
      const later = value(one, until(coverageDays), until(one.laterDays))
      const due = (dueDays: number, quote: bigint): StressObligation[] =>
        quote > 0n ? [{ kind: one.kind, dueDays, quote, ...paidIn(one) }] : []
      return [...due(coverageDays, soon), ...due(one.laterDays, later)]
    })
  const inflows = relevant
    .filter(({ direction }) => direction === 'INFLOW')
    .map((one) => ({ quote: value(one, at, until(coverageDays)), ...paidIn(one) }))
    .filter(({ quote }) => quote > 0n)
  const need = sum('OUTFLOW', 0, until(horizonDays)) - sum('INFLOW', at, until(horizonDays))
  const lost = [
    ...new Set(all.filter((one) => !relevant.includes(one)).map(({ assetKey }) => assetKey)),
  ]
  return {
    flows: {
      obligations,
      inflows,
      needQuote: need > 0n ? need : 0n,
    },
    gaps: lost.map((subject) => ({
      code: 'FLOW_UNPRICED',
      subject,
      effect: 'EXCLUDED',
      detail:
        'Payments due or expected in it have no price in the quote and are not part of coverage.',
    })),
  }
}

function dues(entries: readonly Entry[], set: AssumptionSet | null, at: number): Due[] {
  const lines = set?.lines ?? []
  const linked = new Set(lines.map(({ obligation }) => obligation?.id))
  const owed = entries.flatMap(({ id, payload }): Due[] => {
    if (payload.entryKind !== 'OBLIGATION' || linked.has(id)) return []
    const { amount, schedule, certainty, obligationKind } = payload.obligation
    if (certainty === 'UNCERTAIN') return []
    const due = { amount: BigInt(amount), schedule }
    const settled = BigInt(payload.settled)
    // Settled amounts offset the earliest due amounts.
    const open = (to: number) => {
      const unsettled = dueBetween(due, 0, to) - settled
      return unsettled > 0n ? unsettled : 0n
    }
    const within = (from: number, to: number) => open(to) - (from === 0 ? 0n : open(from))
    const about = { kind: obligationKind, assetKey: payload.asset, direction: 'OUTFLOW' } as const
    return [{ ...about, laterDays: laterOf(schedule), within }]
  })
  const assumed = lines.flatMap((line): Due[] => {
    const { direction, certainty, assetKey, schedule } = line
    const counts = direction === 'INFLOW' ? certainty === 'COMMITTED' : certainty !== 'UNCERTAIN'
    if (!counts) return []
    const due = { amount: BigInt(line.amount), schedule }
    // Lines describe the future, so dates before the snapshot are ignored.
    const within = (from: number, to: number) => dueBetween(due, Math.max(from, at), to)
    return [{ kind: 'ASSUMED', assetKey, direction, laterDays: laterOf(schedule), within }]
  })
  return [...owed, ...assumed]
}

const laterOf = ({ kind }: contract.TreasurySchedule): number =>
  kind === 'RECURRING' ? laterDays.again : laterDays.once
