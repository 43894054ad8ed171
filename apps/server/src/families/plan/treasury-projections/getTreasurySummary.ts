import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { handle } from '../../../http/handler.ts'
import { containerKeyOf } from '../../../market/treasury/asset-keys.ts'
import { idPrefixes, type ResourceType } from '../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import {
  custodyEvidence,
  isLive,
  type LiveCustody,
  liveCustody,
} from '../../prove/treasury-custody/face.ts'
import { activeEntries } from '../treasury-entries/face.ts'
import { type Entry, refOf } from './read-sources.ts'
import { treasuryProjections } from './records.ts'
import { obligationLadders, purposeTotals, tierTotals, totalsByAsset } from './summary-totals.ts'

type Summary = contract.TreasurySummary
export type SummaryHolding = Summary['holdings'][number]
type Latest = Summary['latest']['projection']

export default handle(contract.getTreasurySummary, async ({ records, now }) => {
  const active = await activeEntries(records)
  const [held, lapsed] = partition(active, await liveCustody(records))
  const holdings = held.flatMap((entry) => summaryHolding(entry, now))
  const counted = holdings.filter(({ tier }) => tier !== 'T4')
  const [projection] = await treasuryProjections.find(records, { order: 'NEWEST', limit: 1 })
  const data: Summary = {
    asOf: new Date(now).toISOString(),
    holdings: counted,
    byTier: tierTotals(counted),
    byPurpose: purposeTotals(counted),
    byAsset: totalsByAsset(counted),
    ownToken: holdings.filter(({ tier }) => tier === 'T4'),
    obligations: obligationLadders(active, now),
    latest: {
      projection: latestOf(projection, now),
      runways:
        projection?.payload.scenarios.map(({ scenarioId, runway }) => ({ scenarioId, runway })) ??
        [],
      reconciliation: await latest(records, 'TreasuryReconciliation', now),
      custody: await latestCustody(records, now),
      control: await latest(records, 'ProjectControlProof', now),
    },
    gaps: [...lapsed.map(lapsedGap), ...gapsOf(active)].slice(0, 1000),
    currentSpendabilityEstablished: false,
  }
  return { data }
})

function summaryHolding(entry: Entry, now: number): SummaryHolding[] {
  const { payload } = entry
  if (payload.entryKind !== 'ASSET' || payload.observed === null || payload.split === null)
    return []
  const { asset: assetKey, tier, purpose, observed, split, value, computation } = payload
  const observedAt = computation.snapshot?.asOf ?? entry.createdAt
  return [
    {
      ...{ entry: refOf(entry), assetKey, tier, purpose, quantity: observed.quantity, value },
      ...{ unrestricted: split.unrestricted, restricted: split.restricted },
      ...{ reserved: split.reserved, proof: observed.proof, evidenceHash: observed.evidenceHash },
      ...{ observedAt, ageSeconds: ageOf(observedAt, now) },
    },
  ]
}

const ageOf = (at: string, now: number) => Math.max(0, Math.floor((now - Date.parse(at)) / 1000))

const isServed = (type: string): type is ResourceType => Object.hasOwn(idPrefixes, type)

/** Entries that count, and those that only evidence vouched for which holds no more. */
function partition(entries: readonly Entry[], custody: readonly LiveCustody[]): [Entry[], Entry[]] {
  const isLapsed = ({ payload }: Entry) =>
    payload.entryKind === 'ASSET' &&
    !('address' in payload.container) &&
    !custody.some(
      ({ container, assetKey }) =>
        container === containerKeyOf(payload.container) && assetKey === payload.asset,
    )
  return [entries.filter((entry) => !isLapsed(entry)), entries.filter(isLapsed)]
}

const lapsedGap = ({ id }: Entry): Summary['gaps'][number] => ({
  ...{ code: 'CUSTODY_NOT_LIVE', subject: id, effect: 'EXCLUDED' },
  detail: 'No evidence that holds now says what is there: the holding is in no sum.',
})

/** The newest evidence; what its time is over for is told as that, swept or not. */
async function latestCustody(records: TenantRecords, now: number): Promise<Latest> {
  const [evidence] = await custodyEvidence.find(records, { order: 'NEWEST', limit: 1 })
  const told = latestOf(evidence, now)
  const isOver = evidence?.status === 'ACTIVE' && !isLive(evidence, now)
  return isOver ? { ...told, status: 'EXPIRED' } : told
}

/** The newest record of a kind, where this version of the service makes such records. */
async function latest(records: TenantRecords, type: string, now: number): Promise<Latest> {
  if (!isServed(type)) {
    return { availability: 'NOT_SERVED', source: null, status: null, ageSeconds: null }
  }
  const [record] = await records.find(type, { order: 'NEWEST', limit: 1 })
  return latestOf(record, now)
}

function latestOf(record: VersionedRecord | undefined, now: number): Latest {
  return record
    ? {
        ...{ availability: 'FOUND', source: refOf(record), status: record.status },
        ageSeconds: ageOf(record.createdAt, now),
      }
    : { availability: 'NONE', source: null, status: null, ageSeconds: null }
}

/** What entries lack, as each of them says it. */
const gapsOf = (entries: readonly Entry[]): Summary['gaps'] =>
  entries.flatMap(({ id, payload }) =>
    payload.computation.gaps.map((gap) => ({ ...gap, subject: `${id} ${gap.subject}` })),
  )
