import type { contract } from '@liquidity-os/contract'
import { sha256Hex, type VersionedRecord } from '@liquidity-os/evidence'
import { publishedKeys } from '../../../access/signing-keys.ts'
import {
  findProvider,
  type ProviderRecord,
} from '../../../integrations/providers/chain-providers.ts'
import type { ObservationRecord } from '../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import type { RecordReading, Services } from '../../../services.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { activeScoreOf, type ScoreRecord } from '../../intelligence/scores/api.ts'
import { policiesOf } from '../../operate/autonomy-policies/api.ts'
import { type Mandate, mandatesOf } from '../../operate/market-maker-mandates/api.ts'
import { type BrandConsent, brandConsentOf } from '../../platform/partners/api.ts'
import { controlProofOf, type Vault } from '../vaults/api.ts'
import { type Incident, incidentsOf, v1IncidentsOf } from './incidents.ts'
import { type BoundLedger, readLedger } from './ledger.ts'
import { type BoundReport, readReports } from './reports.ts'

type Policy = VersionedRecord<contract.AutonomyPolicy>
type Reconciliation = VersionedRecord<contract.TreasuryLedgerReconciliation>
type Receipt = VersionedRecord<contract.ExecutionReceipt>

/** Lookback period of receipts and incidents. */
export const lookbackSeconds = 90 * daySeconds
const reconciliationSeconds = 7 * daySeconds

export interface PassportQuestion {
  readonly vault: Vault
  /** Unix seconds. */
  readonly generatedAt: number
  readonly signerProviderId: string | null
  readonly registryProviderId: string | null
  /** Content hashes in order. Default: the newest usable one. */
  readonly reportHashes: readonly string[] | null
  /** Partner of the requested brand; null without a brand. */
  readonly brandPartnerId: string | null
}

export interface PassportSources {
  readonly vault: Vault
  readonly generatedAt: number
  readonly issuerName: string
  readonly proof: VersionedRecord<contract.ProjectControlProof> | null
  readonly score: ScoreRecord | null
  /** One per venue of the score, in order; null if the score's observation is no longer valid. */
  readonly observations: readonly (ObservationRecord | null)[]
  readonly venues: readonly VenueRecord[]
  readonly policy: Policy | null
  readonly reconciliation: Reconciliation | null
  /** Ordered by createdAt and id. */
  readonly receipts: readonly Receipt[]
  readonly incidents: readonly Incident[]
  /** Incidents of wrapped v1 strategies, by hash. */
  readonly v1Incidents: readonly contract.LegacyIncident[]
  readonly ledger: BoundLedger
  readonly reports: readonly BoundReport[]
  readonly signer: ProviderRecord | null
  readonly registry: ProviderRecord | null
  /** Null without a requested brand; a string with the reason if the brand is not permitted. */
  readonly brand: BrandConsent | string | null
  /** In force for the pair, ordered by createdAt and id. */
  readonly mandates: readonly Mandate[]
  readonly custodianNames: readonly string[]
  readonly keys: contract.LiquidityPassportSourceBindings['keys']
}

export async function readSources(
  records: TenantRecords,
  services: RecordReading & Pick<Services, 'logKeys' | 'signingKeys'>,
  requested: PassportQuestion,
): Promise<PassportSources> {
  const { vault, generatedAt, brandPartnerId } = requested
  const { pair, chainId, safeAddress } = vault.payload
  const score = (await activeScoreOf(records, pair))?.record ?? null
  const venues = score ? await venuesOf(records, score) : []
  const venueIds = venues.map(({ id }) => id)
  const window = { from: generatedAt - lookbackSeconds, to: generatedAt }
  const [
    names,
    proof,
    observations,
    policies,
    reconciliations,
    receipts,
    incidents,
    v1Incidents,
    providers,
    mandates,
  ] = await Promise.all([
    services.database.global([
      sql`select name from organizations where id = ${records.organizationId}`,
    ]),
    controlProofOf(records, { chainId, safe: safeAddress }),
    score ? boundObservations(records, score) : [],
    policiesOf(records, vault.id),
    records.find<contract.TreasuryLedgerReconciliation>('TreasuryReconciliation', {
      order: 'NEWEST',
      limit: 50,
    }),
    receiptsOf(records, vault.id, window),
    incidentsOf(records, { venueIds, pair }, window),
    v1IncidentsOf(records, pair, window),
    records.find<ProviderRecord['payload']>('Provider', { status: ['ACTIVE'], order: 'OLDEST' }),
    mandatesOf(records, pair),
  ])
  const signerName = requested.signerProviderId ?? onlySigner(providers)
  const [signer, registry, ledger, reports, brand, keys] = await Promise.all([
    signerName === null ? null : providerOf(records, signerName),
    requested.registryProviderId === null
      ? null
      : providerOf(records, requested.registryProviderId),
    readLedger(records, vault.payload, venues),
    readReports(records, pair, requested.reportHashes),
    brandPartnerId === null
      ? null
      : brandConsentOf(services, records, { partnerId: brandPartnerId, vaultId: vault.id }),
    keysOf(services, records.now),
  ])
  return {
    vault,
    generatedAt,
    issuerName: textOf(names[0]?.[0] ?? {}, 'name'),
    proof,
    score,

    observations,
    venues,
    receipts,
    incidents,
    v1Incidents,
    ledger,
    reports,
    signer,
    registry,
    brand,
    mandates: inOrder(mandates.filter((one) => runs(one, generatedAt))),
    policy: policies.find((one) => isInForce(one, generatedAt)) ?? null,
    reconciliation: newestReconciliation(reconciliations, generatedAt),
    custodianNames: providers
      .filter(({ payload }) => payload.kind === 'CUSTODIAN')
      .map(({ payload }) => payload.displayName)
      .toSorted((a, b) => (a < b ? -1 : 1)),
    keys: { ...keys, registry: registry && fingerprintOf(registry) },
  }
}

const isInForce = ({ status, payload }: Policy, at: number) =>
  status === 'ACTIVE' && Date.parse(payload.expiresAt) / 1000 > at

/** True if a mandate is in force at a time, Unix seconds. */
const runs = ({ status, payload: { period } }: Mandate, at: number) =>
  status === 'ACTIVE' && Date.parse(period.from) / 1000 <= at && Date.parse(period.to) / 1000 > at

/** Default signer, if exactly one exists. */
function onlySigner(providers: readonly ProviderRecord[]): string | null {
  const signers = providers.filter(({ payload }) => payload.kind === 'SIGNER_ED25519')
  return signers.length === 1 ? (signers[0]?.payload.providerId ?? null) : null
}

async function providerOf(
  records: TenantRecords,
  providerId: string,
): Promise<ProviderRecord | null> {
  const id = await findProvider(records, providerId)
  const current = id && (await records.current<ProviderRecord['payload']>('Provider', id))
  return current ? current.record : null
}

/** SHA-256 of the raw key of a provider, or null if it lacks a key. */
export function fingerprintOf({ payload }: Pick<ProviderRecord, 'payload'>): string | null {
  const [key] = payload.publicKeys
  return key === undefined ? null : fingerprint(key)
}

export const fingerprint = (publicKey: string): string =>
  sha256Hex(Buffer.from(publicKey, 'base64'))

async function keysOf(
  services: Pick<Services, 'database' | 'logKeys' | 'signingKeys'>,
  now: number,
) {
  const service = await services.signingKeys.current(now)
  // The first append creates the log key; this code only reads it.
  const [log] = await publishedKeys(services.database, 'log')
  const logKey = log?.publicKey ?? (await services.logKeys.current(now)).publicKey.raw
  return { service: fingerprint(service.publicKey.raw), log: fingerprint(logKey) }
}

async function venuesOf(records: TenantRecords, { payload }: ScoreRecord): Promise<VenueRecord[]> {
  const ids = payload.request.venues.map(({ id }) => id)
  const found = await records.find<VenueRecord['payload']>('VenueProfile', { ids })
  const byId = new Map(found.map((venue) => [venue.id, venue]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/**
 * Last observation per venue behind the score. The score refers to them by the hash of a list
 * artifact.
 */
async function boundObservations(
  records: TenantRecords,
  { payload }: ScoreRecord,
): Promise<(ObservationRecord | null)[]> {
  const listed = payload.evidence.inputs.find(({ name }) => name === 'observations')
  if (!listed) return payload.request.venues.map(() => null)
  const bytes = await records.artifact(listed.hash)
  const measured = JSON.parse(bytes.toString('utf8')) as {
    venueId: string
    observations: { id: string; resourceVersion: string }[]
  }[]
  return Promise.all(
    payload.request.venues.map(async ({ id }) => {
      const last = measured.find(({ venueId }) => venueId === id)?.observations.at(-1)
      if (!last) return null
      const current = await records.current<ObservationRecord['payload']>(
        'VenueObservation',
        last.id,
      )
      const isSame = current?.record.resourceVersion === last.resourceVersion
      return isSame && current.record.status === 'COMPLETED' ? current.record : null
    }),
  )
}

export async function receiptsOf(
  records: TenantRecords,
  vaultId: string,
  { from, to }: { from: number; to: number },
): Promise<Receipt[]> {
  const found = await records.find<contract.ExecutionReceipt>('ExecutionReceipt', {
    where: sql`(r.body::jsonb #>> '{payload,vault,id}') = ${vaultId}`,
    order: 'OLDEST',
  })
  return inOrder(
    found.filter(({ payload }) => {
      const at = Date.parse(payload.block.timestamp) / 1000
      return at > from && at <= to
    }),
  )
}

/** Sorts by `createdAt` and id, the order of Merkle roots. */
export function inOrder<R extends { readonly createdAt: string; readonly id: string }>(
  found: readonly R[],
): R[] {
  const key = ({ createdAt, id }: R) => `${createdAt} ${id}`
  return found.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Newest reconciliation within the maximum age, or null. */
function newestReconciliation(
  found: readonly Reconciliation[],
  generatedAt: number,
): Reconciliation | null {
  const asOf = ({ payload }: Reconciliation) => snapshotSeconds(payload)
  const ofNow = found.filter((one) => {
    const at = asOf(one)
    return at !== null && at <= generatedAt && at >= generatedAt - reconciliationSeconds
  })
  return ofNow.toSorted((a, b) => Number(asOf(b)) - Number(asOf(a)))[0] ?? null
}

export function snapshotSeconds({
  computation,
}: contract.TreasuryLedgerReconciliation): number | null {
  return computation.snapshot ? Math.floor(Date.parse(computation.snapshot.asOf) / 1000) : null
}
