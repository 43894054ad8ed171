import { contract } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { daySeconds, minuteMilliseconds } from '../../../units.ts'
import { bindingsOf } from './bindings.ts'
import { brandEnd, reportBrandOf } from './brand.ts'
import { claimsOf } from './claims.ts'
import { measuredDepth } from './measure-depth.ts'
import { liveName, passports } from './records.ts'
import { type PassportSources, readSources } from './sources.ts'

const operation = contract.preparePassport
type Request = HandlerRequest<typeof operation>

/** Maximum validity of a passport. */
export const maxSeconds = 30 * daySeconds

export default handle(operation, async (request): Promise<Outcome> => {
  const { params, query, records, services, now, fail } = request
  const vault = await records.current<contract.QualifiedVault>('QualifiedVault', params.id)
  if (!vault) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const generatedAt = generatedAtOf(request)
  const sources = await readSources(records, services, {
    vault: vault.record,
    generatedAt,
    signerProviderId: query.signerProviderId ?? null,
    registryProviderId: query.resultsRegistryProviderId ?? null,
    reportHashes: query.reports?.split(',') ?? null,
    brandPartnerId: query.brandPartnerId ?? null,
  })
  if (query.signerProviderId !== undefined)
    requireProvider(request, sources.signer, 'signerProviderId')
  if (query.resultsRegistryProviderId !== undefined) {
    requireProvider(request, sources.registry, 'resultsRegistryProviderId')
  }
  const unusable = sources.reports.filter(({ fault }) => fault !== null)
  if (unusable.length > 0) {
    throw fail('LIQUIDITY_PASSPORT_REPORT_UNUSABLE', {
      fieldErrors: { 'query.reports': unusable.map(({ hash, fault }) => `${hash} ${fault}`) },
    })
  }
  if (typeof sources.brand === 'string') {
    throw fail('LIQUIDITY_PASSPORT_BRAND_CONSENT', {
      fieldErrors: { 'query.brandPartnerId': [sources.brand] },
    })
  }
  const disclosure = disclosureOf(request)
  const depth = await measuredDepth(records, services.awaited, sources)
  const { claims, blockers } = claimsOf(sources, depth, disclosure)
  const current = await currentOf(request, vault.record.id)
  return {
    data: {
      vaultId: vault.record.id,
      generatedAt: new Date(generatedAt * 1000).toISOString(),
      latestValidUntil: latestOf(sources, disclosure),
      claims,
      sourceBindings: claims && bindingsOf(sources),
      reportBrand: sources.brand && reportBrandOf(sources.brand),
      claimBlockers: blockers.map((blocker) => ({ ...blocker })),
      supersedesPassportHash: current?.payload.contentHash ?? null,
      current: current && {
        id: current.id,
        resourceVersion: current.resourceVersion,
        slug: current.payload.slug,
      },
      executionAuthorityGranted: false,
    } satisfies contract.PassportPreparation,
  }

  function disclosureOf({ query: requested }: Request): contract.PassportDisclosure {
    return {
      showTreasuryOwnership: requested.showTreasuryOwnership === 'true',
      showExternalManagerNames: requested.showExternalManagerNames === 'true',
      showIncidentDetails: requested.showIncidentDetails === 'true',
      showPolicyLimits: requested.showPolicyLimits === 'true',
    }
  }

  function generatedAtOf({ query: requestedValue }: Request): number {
    if (requestedValue.generatedAt === undefined) return Math.floor(now / 1000)
    const at = Date.parse(requestedValue.generatedAt) / 1000
    if (
      Number.isFinite(at) &&
      at * 1000 <= now + minuteMilliseconds &&
      at * 1000 >= now - 10 * minuteMilliseconds
    )
      return at
    throw fail('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        'query.generatedAt': [
          `must be from 600 s before to 60 s after now, ${new Date(now).toISOString()}, got ${requestedValue.generatedAt}`,
        ],
      },
    })
  }
})

function requireProvider(
  { fail }: Request,
  provider: PassportSources['signer'],
  name: 'signerProviderId' | 'resultsRegistryProviderId',
): void {
  const kind = name === 'signerProviderId' ? 'SIGNER_ED25519' : 'RESULTS_REGISTRY'
  if (provider?.status === 'ACTIVE' && provider.payload.kind === kind) return
  throw fail('LIQUIDITY_PASSPORT_PROVIDER_GENERATION', {
    fieldErrors: { [`query.${name}`]: [`must name an active provider of kind ${kind}`] },
  })
}

/**
 * The passport that the next publication supersedes: that of the stated slug, otherwise the active
 * one of the vault.
 */
async function currentOf({ query, records }: Request, vaultId: string) {
  const id = query.slug
    ? await records.holder({ kind: 'passport-slug', name: query.slug })
    : await records.holder({ kind: liveName, name: vaultId })
  return id === null ? null : ((await passports.current(records, id))?.record ?? null)
}

/** Latest possible expiry of a passport from these sources; null without score or proof. */
export function latestOf(
  sources: PassportSources,
  { showPolicyLimits }: contract.PassportDisclosure,
): string | null {
  const { generatedAt, score, proof, policy } = sources
  if (!score || !proof) return null
  const consentEnd = brandEnd(sources)
  const ends = [
    (generatedAt + maxSeconds) * 1000,
    Date.parse(score.payload.validUntil),
    Date.parse(proof.payload.validUntil),
    ...(showPolicyLimits && policy ? [Date.parse(policy.payload.expiresAt)] : []),
    ...(consentEnd === null ? [] : [consentEnd]),
  ]
  return new Date(Math.floor(Math.min(...ends) / 1000) * 1000).toISOString()
}
