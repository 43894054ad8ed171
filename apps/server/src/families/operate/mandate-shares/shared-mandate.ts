import type { contract } from '@liquidity-os/contract'
import { simulatedMarketOf, testNetworksIn } from '@liquidity-os/contract/test-networks'
import { limits } from '../../../limits.ts'
import { assetKeyOf } from '../../../market/prices/prices-of-pair.ts'
import type { Services } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { knownAssets } from '../../intelligence/assets/api.ts'
import { RecentResults } from '../../recent-results.ts'
import {
  evaluateKpis,
  gapsOf,
  lastNumber,
  type Mandate,
  type MandateHour,
  mandates,
  readHours,
} from '../market-maker-mandates/api.ts'
import { shareLinks } from './records.ts'

type SharedMandate = contract.SharedMandate
type Disclosed = Omit<SharedMandate, 'expiresAt'>

const recent = new RecentResults<Disclosed>(limits.sharedMandates)

/** Content of a slug for readers; null if it is unknown, revoked or expired. */
export async function openMandate(
  services: Pick<Services, 'artifacts' | 'awaited' | 'database' | 'verified'>,
  slug: string,
  now: number,
): Promise<SharedMandate | null> {
  const opened = await shareLinks.open(services, slug, now)
  if (!opened) return null
  const { records, share } = opened
  const current = await mandates.current(records, share.payload.mandate.id)
  if (!current) throw new Error(`${share.id} refers to a mandate that is not stored.`)
  const { id, resourceVersion } = current.record
  const number = await lastNumber(records, id)
  // Time passes without evidence: gaps grow, and windows begin.
  const minute = Math.floor(now / limits.sharedMandateMilliseconds)
  const key = JSON.stringify([resourceVersion, number, minute])
  const disclosed = await recent.get(key, () => disclose(records, services, current.record))
  return { ...disclosed, expiresAt: share.payload.expiresAt }
}

/**
 * Fields for readers, selected by name: no loan coverage, compensation, wallets, keys, feeds, hashes
 * of evidence or record IDs.
 */
async function disclose(
  records: TenantRecords,
  { awaited }: Pick<Services, 'awaited'>,
  mandate: Mandate,
): Promise<Disclosed> {
  const { title, marketMaker, pair, period, venues, kpis, exclusions } = mandate.payload
  if (mandate.status === 'DRAFT') throw new Error(`${mandate.id} was shared as a draft.`)
  const asOf = Math.floor(records.now / 1000)
  const at = Math.min(asOf, Math.floor(Date.parse(period.to) / 1000) - 1)
  const shared = kpis.flatMap((kpi, index) => {
    const terms = sharedTerms(kpi)
    return terms === null ? [] : [{ terms, place: index }]
  })
  const places = shared.map(({ place: itemIndex }) => itemIndex)
  const [evaluations, hours, tokens] = await Promise.all([
    evaluateKpis(records, awaited, mandate, { asOf, at, places }),
    readHours(records, mandate, limits.mandateSharedDays),
    knownAssets(records, { chainId: pair.chainId }),
  ])
  const symbolOf = (address: string) =>
    tokens.find(({ assetKey }) => assetKey === assetKeyOf(pair, address))?.symbol ?? null
  const simulated = simulatedMarketOf(testNetworksIn(JSON.stringify(pair)))
  return {
    title,
    marketMaker: marketMaker.name,
    status: mandate.status as SharedMandate['status'],
    pair,
    symbols: { base: symbolOf(pair.base), quote: symbolOf(pair.quote) },
    period,
    venues: venues.map(({ venueKey, kind, name }) => ({ venueKey, kind, name })),
    kpis: shared.map(({ terms }) => terms),
    evaluations: evaluations.map(sharedResult),
    exclusions: exclusions.map(({ from, to, reason }) => ({ from, to, reason })),
    days: daysOf(hours),
    gaps: gapsOf(hours)
      .slice(-400)
      .map(({ from, to, knownSeconds }) => ({
        from: timeOf(from),
        to: timeOf(to),
        reason: knownSeconds === 0 ? 'NO_SAMPLE' : 'COVERAGE_BELOW_MINIMUM',
      })),
    ...(simulated ? { simulated } : {}),
    asOf: timeOf(asOf),
  }
}

/** Terms of a KPI for readers; null for loan coverage, which would reveal a loan. */
function sharedTerms({
  kpiId,
  metric,
  venueKey,
  side,
  bandPips,
  sizeQuote,
  comparator,
  threshold,
  window,
}: contract.MandateKpi): SharedMandate['kpis'][number] | null {
  if (metric === 'LOAN_COVERAGE_PIPS') return null
  return {
    kpiId,
    metric,
    venueKey,
    side,
    ...(bandPips === undefined ? {} : { bandPips }),
    ...(sizeQuote === undefined ? {} : { sizeQuote }),
    comparator,
    threshold,
    window,
  }
}

const sharedResult = ({
  kpiId,
  window,
  observed,
  pessimistic,
  optimistic,
  gapSeconds,
  excludedSeconds,
  verdict,
  reason,
  trust,
}: contract.KpiEvaluation): SharedMandate['evaluations'][number] => ({
  kpiId,
  window,
  observed,
  pessimistic,
  optimistic,
  gapSeconds,
  excludedSeconds,
  verdict,
  reason,
  trust,
})

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

function daysOf(hours: readonly MandateHour[]): SharedMandate['days'] {
  const byDay = Map.groupBy(hours, ({ day }) => day)
  return [...byDay].map(([day, own]) => {
    const side = (name: 'ask' | 'bid') =>
      Array.from(
        { length: 24 },
        (_, hour) => own.find((one) => one.hour === hour)?.[name] ?? ('AHEAD' as const),
      )
    return { day: timeOf(day).slice(0, 10), bid: side('bid'), ask: side('ask') }
  })
}
