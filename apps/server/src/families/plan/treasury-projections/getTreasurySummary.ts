import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'
import { tokenStandings } from '../../../market/treasury/token-statuses.ts'
import { type LiveCustody, liveCustody } from '../../prove/treasury-custody/api.ts'
import { activeEntries, unprovenGap } from '../treasury-entries/api.ts'
import { findActiveHoldings } from './active-holdings.ts'
import type { Entry } from './read-sources.ts'
import { freshnessOf, readControlStatus, readCustodyStatus } from './summary-freshness.ts'
import type { SummaryHolding } from './summary-holding.ts'
import { latestOfTreasury } from './summary-latest.ts'
import {
  coveredOf,
  encumberedOf,
  expiringEvidence,
  liveProofs,
  snapshotsOf,
  summarizeControl,
} from './summary-status.ts'
import { obligationLadders, purposeTotals, tierTotals, totalsByAsset } from './summary-totals.ts'

type Summary = contract.TreasurySummary

export default handle(contract.getTreasurySummary, async ({ records, now }) => {
  const active = await activeEntries(records)
  const custody = await liveCustody(records)
  const standings = await tokenStandings(records)
  const [held, expired] = partition(active, custody)
  const holdings = held.flatMap((entry) =>
    findActiveHoldings(entry, { custody, now, standings }).map((holding) => ({ entry, holding })),
  )
  const counted = holdings.filter(({ holding }) => holding.tier !== 'T4')
  const countedHoldings = counted.map(({ holding }) => holding)
  const assets = active.filter(({ payload }) => payload.entryKind === 'ASSET')
  const latest = await latestOfTreasury(records, new Set(assets.map(({ id }) => id)))
  const proofs = await liveProofs(records)
  const status = {
    custody: await readCustodyStatus(records, custody),
    control: await readControlStatus(records, proofs),
  }
  const data: Summary = {
    asOf: new Date(now).toISOString(),
    snapshots: snapshotsOf(held),
    holdings: countedHoldings,
    byTier: tierTotals(countedHoldings),
    byPurpose: purposeTotals(countedHoldings),
    byAsset: totalsByAsset(countedHoldings),
    ownToken: holdings.flatMap(({ holding }) => (holding.tier === 'T4' ? [holding] : [])),
    encumbered: encumberedOf(countedHoldings),
    obligations: obligationLadders(active, now),
    latest,
    custody: {
      covered: coveredOf(counted, custody),
      expiringIn7d: await expiringEvidence(records),
    },
    control: summarizeControl(proofs),
    freshness: freshnessOf(latest, oldestOf(countedHoldings), status, now),
    gaps: [
      ...expired.map(buildExpiredGap),
      ...unprovenGaps(countedHoldings),
      ...gapsOf(active),
    ].slice(0, 1000),
    currentSpendabilityEstablished: false,
  }
  return { data }
})

const oldestOf = (holdings: readonly SummaryHolding[]): number | null =>
  holdings.length === 0 ? null : Math.max(...holdings.map(({ ageSeconds }) => ageSeconds))

/** Splits entries into valid ones and entries whose only evidence expired. */
function partition(entries: readonly Entry[], custody: readonly LiveCustody[]): [Entry[], Entry[]] {
  const isExpired = ({ payload }: Entry) =>
    payload.entryKind === 'ASSET' &&
    !('address' in payload.container) &&
    !custody.some(
      ({ container, assetKey }) =>
        container === containerKeyOf(payload.container) && assetKey === payload.asset,
    )
  return [entries.filter((entry) => !isExpired(entry)), entries.filter(isExpired)]
}

const buildExpiredGap = ({ id }: Entry): Summary['gaps'][number] => ({
  code: 'CUSTODY_NOT_LIVE',
  subject: id,
  effect: 'EXCLUDED',
  detail: 'No live evidence shows the quantity. All sums exclude the holding.',
})

/** Gaps for self-reported holdings that count. */
const unprovenGaps = (holdings: readonly SummaryHolding[]): Summary['gaps'] => {
  const asserted = holdings.filter(({ control }) => control.status === 'ASSERTED')
  return [...new Set(asserted.map(({ entry }) => entry.id))].map(unprovenGap)
}

const gapsOf = (entries: readonly Entry[]): Summary['gaps'] =>
  entries.flatMap(({ id, payload }) =>
    payload.computation.gaps.map((gap) => ({ ...gap, subject: `${id} ${gap.subject}` })),
  )
