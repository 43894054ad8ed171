import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../../failure.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../../http/handler.ts'
import { limits } from '../../../../limits.ts'
import { textOf } from '../../../../store/database/row.ts'
import { sql, values } from '../../../../store/database/sql.ts'
import { recordReply } from '../../../record-reply.ts'
import { consentKind, consentNames, consents } from '../records.ts'
import { expireConsentsOf } from './consent-expiry.ts'
import { findStandingPartner } from './find-partner.ts'
import { countGrantsOf, openGrant } from './grant-row.ts'
import { notifyPartner } from './notify-partner.ts'
import { revealedScope, signConsentReceipt } from './receipt.ts'

const operation = contract.grantPartnerConsent
type Request = HandlerRequest<typeof operation>
type Partner = VersionedRecord<contract.PartnerTenant>

export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, services, organizationId, now, fail } = request
  requireTime(request)
  const partner = await findStandingPartner(services, body.payload.partnerId)
  if (!partner) {
    throw fail('LIQUIDITY_PARTNER_UNKNOWN', {
      fieldErrors: {
        'payload.partnerId': [`must be the ID of a partner, got ${body.payload.partnerId}`],
      },
    })
  }
  requireConfiguration(request, partner)
  request.requireRecentAuthentication()
  requireTerms(request, partner)
  await requireVaults(request)
  await requireFree(request)
  const open = await countGrantsOf(services, partner.organizationId, partner.id, now)
  if (open >= limits.partnerConsentsLive) throw fail('LIQUIDITY_PARTNER_CONSENT_LIMIT')
  const id = records.newId('PartnerConsent')
  const payload = await consentOf(request, partner, id)
  const { sealed, change } = consents.first(
    records,
    {
      status: 'ACTIVE',
      payload,
      reason: body.reason,
      event: 'partner_consent.granted',
      evidenceHashes: body.evidenceHashes ?? [],
      eventPayload: { partnerId: partner.id, scopes: payload.scopes, vaultIds: payload.vaultIds },
    },
    id,
  )
  const notice = { consent: payload, kind: 'partner_consent.granted' as const }
  return {
    ...recordReply(
      sealed,
      {
        ...change,
        statements: [openGrant(organizationId, id, payload)],
        otherTenants: await notifyPartner(services, organizationId, id, notice),
      },
      201,
    ),
    claimTaken: () => takenOf(request),
  }
})

/** @throws Failure 400 */
function requireTime({ body, now, fail }: Request): void {
  const { expiresAt } = body.payload
  const at = Date.parse(expiresAt)
  if (at > now && at <= now + limits.partnerConsentMilliseconds) return
  const latest = new Date(now + limits.partnerConsentMilliseconds).toISOString()
  throw fail('LIQUIDITY_INVALID_REQUEST', {
    fieldErrors: {
      'payload.expiresAt': [`must be in the future and by ${latest}, got ${expiresAt}`],
    },
  })
}

/**
 * @throws Failure 412 if the partner configuration differs from the one that the issuer reviewed
 */
function requireConfiguration({ body, fail }: Request, { resourceVersion, payload }: Partner) {
  const read = body.payload.partnerConfiguration
  const fieldErrors: Record<string, string[]> = {}
  const compare = (member: keyof typeof read, present: string) => {
    if (read[member] === present) return
    fieldErrors[`payload.partnerConfiguration.${member}`] = [
      `must be ${present}, got ${read[member]}`,
    ]
  }
  compare('resourceVersion', resourceVersion)
  compare('artifactHash', payload.configurationArtifactHash)
  if (Object.keys(fieldErrors).length === 0) return
  throw fail('LIQUIDITY_PARTNER_CONFIGURATION_MOVED', { fieldErrors })
}

/** @throws Failure 422 */
function requireTerms({ body, fail }: Request, { payload }: Partner): void {
  const { scopes, consentTextHash } = body.payload
  const itemIndex = scopes.findIndex((scope) => !payload.offers.includes(scope))
  if (itemIndex >= 0) {
    const offered = payload.offers.join(', ')
    throw fail('LIQUIDITY_PARTNER_SCOPE_NOT_OFFERED', {
      fieldErrors: {
        [`payload.scopes.${itemIndex}`]: [`must be one of ${offered}, got ${scopes[itemIndex]}`],
      },
    })
  }
  if (consentTextHash === payload.consentTextHash) return
  throw fail('LIQUIDITY_PARTNER_CONSENT_TEXT', {
    fieldErrors: {
      'payload.consentTextHash': [`must be ${payload.consentTextHash}, got ${consentTextHash}`],
    },
  })
}

/** @throws Failure 404 with every vault that this organization does not have */
async function requireVaults({ body, records, fail }: Request): Promise<void> {
  const { vaultIds } = body.payload
  const found = await records.find('QualifiedVault', { ids: vaultIds, exceptStatus: ['RETIRED'] })
  const known = new Set(found.map(({ id }) => id))
  const missing = vaultIds.flatMap((id, index) => (known.has(id) ? [] : [{ id, place: index }]))
  if (missing.length === 0) return
  throw fail('LIQUIDITY_PARTNER_VAULT_UNKNOWN', {
    fieldErrors: Object.fromEntries(
      missing.map(({ id, place }) => [
        `payload.vaultIds.${place}`,
        [`must be a vault that is not RETIRED, got ${id}`],
      ]),
    ),
  })
}

/** @throws Failure 409 */
async function requireFree(request: Request): Promise<void> {
  if ((await takenOf(request)) === null) return
  // Expires old consents first, because the sweep may not have run yet and names must be free.
  await expireConsentsOf(request.services, request.organizationId)
  const taken = await takenOf(request)
  if (taken) throw taken
}

/** Checks scopes and vaults for existing grants, in one query. */
async function takenOf({ body, records, organizationId }: Request): Promise<Failure | null> {
  const names = consentNames(body.payload).map(({ name }) => name)
  const [rows = []] = await records.query([
    sql`select name, record_id from names where organization_id = ${organizationId}
      and kind = ${consentKind} and name in ${values(names)} order by name limit ${limits.fieldErrors}`,
  ])
  if (rows.length === 0) return null
  const stated = rows.map((row) => {
    const [, vaultId, scope] = textOf(row, 'name').split('|')
    return `must not be granted twice: ${textOf(row, 'record_id')} already grants ${scope} for ${vaultId}`
  })
  return new Failure('LIQUIDITY_PARTNER_CONSENT_EXISTS', {
    fieldErrors: { 'payload.scopes': stated },
  })
}

async function consentOf(
  { body, actor, services, organizationId, now }: Request,
  partner: Partner,
  consentId: string,
): Promise<contract.PartnerConsent> {
  const { partnerId, consentTextHash, purpose } = body.payload
  const { resourceVersion, artifactHash } = body.payload.partnerConfiguration
  const partnerConfiguration = { resourceVersion, configurationArtifactHash: artifactHash }
  const { host, legalName, displayName, consentText } = partner.payload
  // Normalized as sets, so that the order in the request does not matter.
  const scopes = contract.consentScopes.filter((scope) => body.payload.scopes.includes(scope))
  const vaultIds = body.payload.vaultIds.toSorted()
  const expiresAt = new Date(body.payload.expiresAt).toISOString()
  const statement = {
    partnerId,
    partnerConfiguration,
    vaultIds,
    consentTextHash,
    expiresAt,
    purpose,
  }
  const receipt = signConsentReceipt(
    {
      receiptVersion: 'partner-consent-receipt-v1',
      consentId,
      ...statement,
      issuerOrganizationId: organizationId,
      partnerOrganizationId: partner.organizationId,
      grantedBy: { kind: actor.kind, id: actor.id },
      partnerName: legalName ?? displayName,
      partnerHost: host,
      consentText,
      scopes: scopes.map(revealedScope),
      grantedAt: new Date(now).toISOString(),
      howToEnd: `An owner or an operator ends it at once with POST /partner-consents/${consentId}/revoke.`,
      executionAuthorityGranted: false,
    },
    await services.signingKeys.current(now),
  )
  return {
    ...statement,
    scopes,
    partnerOrganizationId: partner.organizationId,
    pausedScopes: [],
    ended: null,
    receipt,
  }
}
