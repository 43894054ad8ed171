import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import { type Hash, isHash } from '@liquidity-os/evidence'
import type {
  ProviderPayload,
  ProviderRecord,
} from '../../../integrations/providers/chain-providers.ts'
import type { Services } from '../../../services.ts'
import { TenantRecords } from '../../../store/records/tenant-records.ts'
import { type LoggedEvent, readLogged } from '../proof/api.ts'
import type { ClaimEvidence } from './claim-evidence.ts'
import { ownedLiquidityOf } from './owned-liquidity.ts'
import { type PassportState, readPassportState } from './passport-status.ts'
import type { OwnedPositions } from './positions.ts'
import { type Passport, passports } from './records.ts'
import { slugHolder } from './slugs.ts'

type Vault = contract.QualifiedVault

export interface SignedArtifact {
  readonly statement: {
    readonly passportContentHash: string
    readonly format: string
    readonly variant: string
    readonly mediaType: string
    readonly byteLength: number
    readonly sha256: string
    readonly rendererVersion: string
    readonly rendererBuildHash: string
  }
  readonly keyId: string
  readonly signature: string
}

/** Public data of a passport, read on every request. */
export interface OpenPassport {
  readonly records: TenantRecords
  readonly record: Passport
  readonly state: PassportState
  readonly publishedAt: string
  readonly history: contract.PublicLiquidityPassport['history']
  readonly revocation: NonNullable<contract.PublicLiquidityPassport['revocation']> | null
  /** All revocations under the slug, oldest first. */
  readonly revocations: readonly NonNullable<contract.PublicLiquidityPassport['revocation']>[]
  readonly published: OperatingSystemEvent
  readonly logged: LoggedEvent | null
  readonly artifacts: readonly SignedArtifact[]
  /** Stored chain proofs, by artifact hash; empty if none were read. */
  readonly chainProofs: readonly string[]
  readonly signer: ProviderRecord
  readonly vault: Vault
  /** Null if withheld, or if the publication names no evidence of it. */
  readonly ownedLiquidity: contract.OwnedLiquidity | null
}

const maxVersions = 1000

/** Null for an unknown slug. */
export async function openPassport(
  services: Pick<Services, 'artifacts' | 'database' | 'verified'>,
  slug: string,
  now: number,
): Promise<OpenPassport | null> {
  const { database, verified, artifacts } = services
  const holder = await slugHolder(database, slug)
  if (!holder) return null
  const { organizationId, passportId } = holder
  const actor = { kind: 'SYSTEM', id: 'public' } as const
  const records = new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now,
    database,
    verified,
    artifacts,
  })
  const current = await passports.current(records, passportId)
  if (!current || current.record.payload.slug !== slug) {
    throw new Error(`The slug ${slug} belongs to another passport, ${passportId}.`)
  }
  const { record } = current
  const { payload } = record
  const { signerProvider, vault: boundVault } = payload.sourceBindings
  const [state, versions, events, signer, vault] = await Promise.all([
    readPassportState(records, record),
    records.versions<contract.LiquidityPassport>('LiquidityPassport', passportId, {
      limit: maxVersions,
    }),
    records.events(passportId),
    records.version<ProviderPayload>('Provider', signerProvider.id, signerProvider.resourceVersion),
    records.version<Vault>('QualifiedVault', boundVault.id, boundVault.resourceVersion),
  ])
  const own = events.filter((event) => event.payload.contentHash === payload.contentHash)
  const published = own.findLast(({ kind }) => kind === 'passport.published')
  if (!published || !signer || !vault) throw new Error(`The passport ${passportId} lacks a source.`)
  const hash = published.evidenceHash
  if (!isHash(hash)) throw new Error('An event has no hash.')
  const logged = (await readLogged(database, [hash as Hash])).get(hash as Hash) ?? null
  const registered = own.findLast(({ kind }) => kind === 'passport.artifacts_registered')
  const revocations = events.filter(({ kind }) => kind === 'passport.revoked').map(revocationOf)
  return {
    records,
    record,
    state,
    published,
    logged,
    revocations,
    publishedAt: published.occurredAt,
    history: historyOf(versions, now),
    revocation: revocations.find(({ contentHash }) => contentHash === payload.contentHash) ?? null,
    artifacts: (registered?.payload.artifacts ?? []) as SignedArtifact[],
    chainProofs: (registered?.payload.chainProofs ?? []) as string[],
    signer: signer.record,
    vault: vault.record.payload,
    // A revocation must stay readable without the artifacts of the claims.
    ownedLiquidity: state === 'REVOKED' ? null : await readOwnedLiquidity(records, published),
  }
}

async function readOwnedLiquidity(
  records: TenantRecords,
  { payload: { claimsHash, positionsHash } }: OperatingSystemEvent,
): Promise<contract.OwnedLiquidity | null> {
  if (typeof claimsHash !== 'string' || typeof positionsHash !== 'string') return null
  const [claims, positions] = await Promise.all(
    [claimsHash, positionsHash].map(async (hash) => JSON.parse(`${await records.artifact(hash)}`)),
  )
  return ownedLiquidityOf(claims as ClaimEvidence, positions as OwnedPositions)
}

function revocationOf({ payload }: OperatingSystemEvent) {
  const { contentHash, code, revokedAt, keyId, signature } = payload
  return { contentHash, code, revokedAt, keyId, signature } as NonNullable<
    contract.PublicLiquidityPassport['revocation']
  >
}

/** Publications, newest first, each with its current state. */
function historyOf(versions: readonly Passport[], now: number): OpenPassport['history'] {
  const byHash = Map.groupBy(versions, ({ payload }) => payload.contentHash)
  const newest = versions.at(-1)?.payload.contentHash
  const publications = [...byHash].map(([contentHash, own]) => {
    const [first] = own
    const last = own.at(-1)
    if (!first || !last) throw new Error('A group has no member.')
    const isOver = Date.parse(first.payload.validUntil) <= now
    const state =
      last.status === 'REVOKED'
        ? ('REVOKED' as const)
        : contentHash !== newest
          ? ('SUPERSEDED' as const)
          : last.status === 'EXPIRED' || isOver
            ? ('EXPIRED' as const)
            : ('CURRENT' as const)
    return { contentHash, publishedAt: first.createdAt, state }
  })
  return publications.toReversed().slice(0, 200)
}
