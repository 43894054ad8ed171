import { contract } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import {
  findProvider,
  type ProviderPayload,
  type ProviderRecord,
} from '../../../integrations/providers/chain-providers.ts'
import { queuedJob } from '../../../jobs/job.ts'
import type { Change, JobInsert } from '../../../store/records/change.ts'
import { newId } from '../../../store/records/ids.ts'
import type { Current, TenantRecords } from '../../../store/records/tenant-records.ts'
import { heldPartner } from './brand.ts'
import {
  requireBindings,
  requireBrandAndReports,
  requireClaims,
  requireFresh,
  requireVault,
} from './check-claims.ts'
import { refuse, requireForm, requireReceipt, requireSignature } from './check-form.ts'
import { claimEvidenceArtifact, claimEvidenceOf } from './claim-evidence.ts'
import { evaluatedExecutions, ownedPositions } from './claims.ts'
import type { MeasuredDepth } from './depth-task.ts'
import { markSources, requireUnmoved } from './guards.ts'
import { measuredDepth } from './measure-depth.ts'
import { positionsArtifact } from './positions.ts'
import { artifactsJob, liveName, passports } from './records.ts'
import { slugHolder, takeSlug } from './slugs.ts'
import { type PassportSources, readSources } from './sources.ts'

const operation = contract.publishLiquidityPassport
type Request = HandlerRequest<typeof operation>
type Known = Current<contract.LiquidityPassport> | null

/**
 * Publishes a passport signed by the issuer if every claim equals the service's own computation.
 * Checks run in the documented order of errors. Sources must not change until the commit.
 */
export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, services, now } = request
  const { payload } = body
  requireForm(payload)
  const mark = await markSources(records)
  const signer = await providerNamed(records, payload.signerProviderId)
  const generation = await generationOf(records, signer, payload.signerKeyResourceVersion)
  requireSignature(payload, signer, generation)
  await requireGenerations(request, signer)
  const known = await findPublishedPassport(request)
  const vault = await records.current<contract.QualifiedVault>('QualifiedVault', payload.vaultId)
  if (!vault) {
    refuse('LIQUIDITY_PASSPORT_VAULT_UNQUALIFIED', {
      'payload.vaultId': [`must be a vault of this organization, got ${payload.vaultId}`],
    })
    throw new Error('A refusal was thrown.')
  }
  const sources = await readSources(records, services, {
    vault: vault.record,
    generatedAt: Math.floor(Date.parse(payload.generatedAt) / 1000),
    signerProviderId: payload.signerProviderId,
    registryProviderId: payload.resultsRegistryProviderId ?? null,
    reportHashes: payload.reportHashes,
    brandPartnerId: payload.reportBrand?.partnerId ?? null,
  })
  requireVault(payload, sources)
  requireFresh(payload, sources, now)
  requireBindings(payload, sources)
  const depth = await measuredDepth(records, services.awaited, sources)
  requireClaims(payload, sources, depth)
  requireBrandAndReports(payload, sources)
  requireReceipt(payload, sources.registry)
  return publish(request, known, buildExtraArtifacts(payload, sources, depth), {
    expects: expectsOf(sources),
    otherTenants: heldPartner(sources, now),
    statements: [requireUnmoved(records.organizationId, mark)],
  })
})

/** Fields of the publication event outside the payload, whose schema is closed. */
interface ExtraArtifacts {
  readonly executions: contract.JudgedExecutions
  readonly claims: ReturnType<typeof claimEvidenceArtifact>
  /** Null if the passport does not show the treasury. */
  readonly positions: ReturnType<typeof positionsArtifact> | null
}

function buildExtraArtifacts(
  { disclosure }: contract.LiquidityPassport,
  sources: PassportSources,
  depth: MeasuredDepth | null,
): ExtraArtifacts {
  if (!depth) throw new Error('A passport claims depth, but its states are missing.')
  const executions = evaluatedExecutions(sources)
  const claims = claimEvidenceArtifact(claimEvidenceOf(sources, depth, disclosure))
  if (!disclosure.showTreasuryOwnership) return { executions, claims, positions: null }
  const positions = ownedPositions(sources)
  if (!positions) throw new Error('A passport claims positions, but its positions are missing.')
  return { executions, claims, positions: positionsArtifact(positions) }
}

async function providerNamed(
  records: TenantRecords,
  providerId: string,
): Promise<ProviderRecord | null> {
  const id = await findProvider(records, providerId)
  return id === null
    ? null
    : ((await records.current<ProviderPayload>('Provider', id))?.record ?? null)
}

async function generationOf(
  records: TenantRecords,
  provider: ProviderRecord | null,
  resourceVersion: string,
): Promise<ProviderRecord | null> {
  if (provider?.payload.kind !== 'SIGNER_ED25519') return null
  const found = await records.version<ProviderPayload>('Provider', provider.id, resourceVersion)
  return found?.record ?? null
}

/**
 * Checks that signer and registry are active in the stated versions.
 *
 * @throws Failure 409
 */
async function requireGenerations(
  { body: { payload }, records }: Request,
  signer: ProviderRecord | null,
): Promise<void> {
  const faults: Record<string, string[]> = {}
  const hold = (at: string, provider: ProviderRecord | null, kind: string, version = '') => {
    const isActive = provider?.status === 'ACTIVE' && provider.payload.kind === kind
    if (!isActive) faults[`payload.${at}Id`] = [`must be an active provider of kind ${kind}`]
    else if (provider.resourceVersion !== version) {
      const member = at === 'signerProvider' ? 'signerKeyResourceVersion' : `${at}ResourceVersion`
      faults[`payload.${member}`] = [`expected ${provider.resourceVersion}, got ${version}`]
    }
  }
  hold('signerProvider', signer, 'SIGNER_ED25519', payload.signerKeyResourceVersion)
  const { resultsRegistryProviderId, resultsRegistryProviderResourceVersion } = payload
  if (resultsRegistryProviderId !== undefined) {
    const registry = await providerNamed(records, resultsRegistryProviderId)
    const version = resultsRegistryProviderResourceVersion
    hold('resultsRegistryProvider', registry, 'RESULTS_REGISTRY', version)
  }
  refuse('LIQUIDITY_PASSPORT_PROVIDER_GENERATION', faults)
}

/**
 * Existing passport under the slug, which the request must name exactly. @throws Failure 428, 412,
 * 409
 */
async function findPublishedPassport(request: Request): Promise<Known> {
  const { body, records, services, precondition, organizationId, fail } = request
  const { slug, vaultId, supersedesPassportHash: superseded } = body.payload
  const holder = await slugHolder(services.database, slug)
  const isOwn = holder?.organizationId === organizationId
  const known = isOwn ? await passports.current(records, holder.passportId) : null
  if (known) {
    const { resourceVersion, payload } = known.record
    if (precondition === null) {
      throw fail('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED', {
        fieldErrors: {
          'headers.if-match': [`must name the version to supersede: "${resourceVersion}"`],
        },
      })
    }
    if (precondition !== resourceVersion) {
      throw fail('LIQUIDITY_PRECONDITION_FAILED', {
        message: `The passport is now at version ${resourceVersion}, not ${precondition}.`,
      })
    }
    if (superseded !== payload.contentHash) {
      throw fail('LIQUIDITY_PRECONDITION_FAILED', {
        fieldErrors: {
          'payload.supersedesPassportHash': [
            `must be ${payload.contentHash}, got ${superseded ?? 'nothing'}`,
          ],
        },
      })
    }
  } else if (precondition !== null || superseded !== undefined) {
    const message = `This organization has no publication as ${slug} to supersede.`
    throw fail('LIQUIDITY_PRECONDITION_FAILED', {
      message,
      fieldErrors: { 'payload.slug': [message] },
    })
  }
  if (holder && !isOwn) {
    throw fail('LIQUIDITY_PASSPORT_SLUG_TAKEN', {
      fieldErrors: { 'payload.slug': [`must not be taken`] },
    })
  }
  const live = await records.holder({ kind: liveName, name: vaultId })
  if (live !== null && live !== known?.record.id) {
    throw fail('LIQUIDITY_PASSPORT_VAULT_PUBLISHED', {
      fieldErrors: { 'payload.vaultId': [`has a live passport under another slug: ${live}`] },
    })
  }
  return known
}

/** Expected sequences of all records behind the passport, at their read versions. */
function expectsOf(sources: PassportSources): Change['expects'] {
  const {
    vault,
    score,
    proof,
    policy,
    reconciliation,
    signer,
    registry,
    observations,
    ledger,
    brand,
  } = sources
  const consent = brand === null || typeof brand === 'string' ? null : brand.consent
  const providers = [signer, registry]
  const named = [
    vault,
    score,
    proof,
    policy,
    reconciliation,
    ...providers,
    consent,
    ...observations,
  ]
  return [
    ...named.flatMap((one) => (one ? [{ id: one.id, sequence: one.sequence }] : [])),
    ...ledger.expects,
  ]
}

function publish(
  { body: { payload, reason }, records, organizationId, services, now, fail }: Request,
  known: Known,
  { executions, claims, positions }: ExtraArtifacts,
  guards: Pick<Change, 'expects' | 'statements' | 'otherTenants'>,
): Outcome {
  const { slug, contentHash, vaultId, validUntil, supersedesPassportHash = null } = payload
  const version = {
    status: 'ACTIVE',
    payload,
    reason,
    event: 'passport.published',
    eventPayload: {
      slug,
      contentHash,
      vaultId,
      validUntil,
      supersedesPassportHash,
      executions,
      claimsHash: claims.contentHash,
      ...(positions ? { positionsHash: positions.contentHash } : {}),
    },
  }
  const { sealed, change } = known
    ? passports.next(records, known, version)
    : passports.first(records, version)
  const { id, resourceType, resourceVersion } = sealed.record
  const job: JobInsert = {
    id: newId('job', now),
    kind: artifactsJob,
    subject: { resourceType, id, resourceVersion },
    input: { contentHash },
  }
  const taken = known ? [] : [takeSlug(slug, { organizationId, passportId: id })]
  return {
    status: 201,
    data: {
      passport: sealed.record,
      reportJob: queuedJob(job, now),
      signedFormatsReady: ['json'],
      artifactState: 'PENDING_IMMUTABLE_OBJECT_REGISTRATION',
      executionAuthorityGranted: false,
    },
    change: {
      ...change,
      expects: [...change.expects, ...guards.expects],
      otherTenants: [...change.otherTenants, ...guards.otherTenants],
      artifacts: [claims, ...(positions ? [positions] : [])].map((artifact) => ({
        ...artifact,
        producer: { id, resourceType, resourceVersion },
      })),
      jobs: [job],
      statements: [...guards.statements, ...taken],
    },
    claimTaken: async () => {
      const holder = await slugHolder(services.database, slug)
      // A concurrent publication of the same organization: the retry evaluates the request against
      // the new state.
      if (!holder || holder.organizationId === organizationId) return null
      return fail('LIQUIDITY_PASSPORT_SLUG_TAKEN', {
        fieldErrors: { 'payload.slug': ['must not be taken'] },
      })
    },
  }
}
