import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { ResourceType } from '../../../../store/records/resource-types.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { countedOf } from '../bindings.ts'
import { incidentsOf } from '../incidents.ts'
import { readLedger } from '../ledger.ts'
import type { OpenPassport } from '../open-passport.ts'
import { signedTime } from '../signed-time.ts'
import { inOrder, lookbackSeconds, receiptsOf, snapshotSeconds } from '../sources.ts'

const maxVersions = 1000

type Files = (readonly [string, unknown])[]
type Bindings = contract.LiquidityPassportSourceBindings

/**
 * Records behind the claims: complete if disclosed, otherwise only the leaves of their Merkle root.
 * If the original set cannot be reconstructed, the passport contains only the root and the file is
 * omitted.
 */
export async function sourceFiles(passport: OpenPassport): Promise<Files> {
  const { record, records } = passport
  const { sourceBindings: bound, disclosure } = record.payload
  const whole: [ResourceType, { id: string; resourceVersion: string }][] = [
    ['QualifiedVault', bound.vault],
    ['MarketQualityScore', bound.marketQualityScore],
    ['Provider', bound.signerProvider],
    ...bound.venueObservations.map((ref): [ResourceType, typeof ref] => ['VenueObservation', ref]),
    ...(disclosure.showPolicyLimits && bound.policy
      ? [['AutonomyPolicy', bound.policy] as [ResourceType, typeof bound.policy]]
      : []),
  ]
  const found = await Promise.all(
    whole.map(async ([type, { id, resourceVersion }]) => {
      const version = await records.version(type, id, resourceVersion)
      if (!version) throw new Error(`The ${type} ${id} of a passport is not stored.`)
      return [`sources/${id}.json`, version.record] as const
    }),
  )
  const venues = await Promise.all(
    found
      .filter(([, one]) => one.resourceType === 'VenueObservation')
      .map(async ([, one]) => {
        const { venue } = one.payload as contract.VenueObservation
        const version = await records.version('VenueProfile', venue.id, venue.resourceVersion)
        if (!version) throw new Error(`The venue ${venue.id} of an observation is not stored.`)
        return [`sources/${venue.id}.json`, version.record] as const
      }),
  )
  return [
    ...found,
    ...venues,
    [
      'sources/freshness.json',
      await freshnessOf(
        passport,
        found.map(([, one]) => one),
      ),
    ],
    ...(await sets(passport, bound, disclosure)),
  ]
}

/** Whole records if they are disclosed; otherwise their hashes, in the order of the root. */
async function sets(
  { record, records, vault, publishedAt }: OpenPassport,
  bound: Bindings,
  { showIncidentDetails, showTreasuryOwnership, showPolicyLimits }: contract.PassportDisclosure,
): Promise<Files> {
  const to = Math.floor(Date.parse(record.payload.generatedAt) / 1000)
  const window = { from: to - lookbackSeconds, to }
  const score = await records.version<contract.MarketQualityScore>(
    'MarketQualityScore',
    bound.marketQualityScore.id,
    bound.marketQualityScore.resourceVersion,
  )
  const venueIds = score?.record.payload.request.venues.map(({ id }) => id) ?? []
  const [receipts, incidents, ledger] = await Promise.all([
    receiptsOf(records, record.payload.vaultId, window),
    incidentsOf(records, { venueIds, pair: vault.pair }, window),
    readLedger(records, vault, []),
  ])
  const asOf = Date.parse(publishedAt)
  const [thenReceipts, thenIncidents, thenEntries] = await Promise.all([
    asPublished(records, receipts, asOf),
    asPublished(records, incidents, asOf),
    asPublished(records, ledger.entries, asOf),
  ])
  return [
    ...setFile('receipts/receipts.json', thenReceipts, bound.receipts, showPolicyLimits),
    ...setFile('sources/anomalies.json', thenIncidents, bound.anomalies, showIncidentDetails),
    ...setFile(
      'sources/ledgerEntries.json',
      thenEntries,
      bound.ledgerEntries,
      showTreasuryOwnership,
    ),
  ]
}

/** Records in their versions at a moment, in root order, without later ones. */
async function asPublished(
  records: TenantRecords,
  found: readonly VersionedRecord[],
  asOf: number,
): Promise<VersionedRecord[]> {
  const isThere = ({ createdAt }: VersionedRecord) => Date.parse(createdAt) <= asOf
  const then = found.map(async (one) => {
    if (isThere(one)) return [one]
    const { resourceType, id } = one
    const versions = await records.versions(resourceType as ResourceType, id, {
      limit: maxVersions,
      order: 'NEWEST',
    })
    const last = versions.find(isThere)
    return last ? [last] : []
  })
  return inOrder((await Promise.all(then)).flat())
}

function setFile(
  path: string,
  found: readonly VersionedRecord[],
  { count, root }: { count: number; root: string },
  isDisclosed: boolean,
): Files {
  // An incomplete set cannot reproduce the root.
  if (found.length !== count || countedOf(found).root !== root) return []
  return [
    [
      path,
      found.map((record) =>
        isDisclosed
          ? record
          : { artifactHash: record.artifactHash, createdAt: record.createdAt, id: record.id },
      ),
    ],
  ]
}

async function freshnessOf(
  { record, records, vault }: OpenPassport,
  found: readonly VersionedRecord[],
) {
  const { reconciliation, marketQualityScore } = record.payload.sourceBindings
  const score = found.find(({ id }) => id === marketQualityScore.id)
  if (!score) throw new Error('A passport has a score that is not stored.')
  const { window } = score.payload as contract.MarketQualityScore
  const bound =
    reconciliation &&
    (await records.version<contract.TreasuryLedgerReconciliation>(
      'TreasuryReconciliation',
      reconciliation.id,
      reconciliation.resourceVersion,
    ))
  const asOf = bound && snapshotSeconds(bound.record.payload)
  return {
    scoreWindowEnd: signedTime(window.to),
    vaultSnapshot: signedTime(vault.snapshot.timestamp),
    ...(asOf == null ? {} : { reconciliation: signedTime(new Date(asOf * 1000).toISOString()) }),
  }
}
