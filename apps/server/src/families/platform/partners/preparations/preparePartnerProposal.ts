import { contract, type FieldErrors } from '@liquidity-os/contract'
import { header } from '../../../../access/headers.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../../http/handler.ts'
import { limits } from '../../../../limits.ts'
import { sql } from '../../../../store/database/sql.ts'
import { expectFound, member, type Question } from '../../../../store/records/find.ts'
import { releaseOrNull } from '../../../operate/autonomy-policies/api.ts'
import { preparations, submissionIdOf, submissions } from '../records.ts'
import { requireForm, requireSafe, requireShared } from './check-packet.ts'
import { type LiveConsent, liveConsents, refOf } from './live-consents.ts'
import { requireActivePartner } from './own-partner.ts'
import { keyHashOf, packetHashOf, signPreparationReceipt } from './packet-hash.ts'
import { contextHashOf, type VaultContext, vaultContext } from './vault-context.ts'

const operation = contract.preparePartnerProposal
type Request = HandlerRequest<typeof operation>

/**
 * Stores a partner's preparation for the issuer and for the partner, in one commit. It grants no
 * rights.
 */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, services } = request
  const partner = await requireActivePartner(records, params.partnerId)
  requireEnd(request, Number.POSITIVE_INFINITY)
  await requireForm(body.payload.packet)
  const live = await liveConsents(services, records, partner, body.payload.issuerOrganizationId)
  const consent = requireConsent(request, live)
  requireEnd(request, Date.parse(consent.consent.payload.expiresAt))
  const context = await requireContext(request, consent)
  requireSafe(body.payload.packet, context)
  await requireShared(body.payload.packet, live, services)
  const open = await requireQuota(request)
  const eventId = consent.issuer.newId('PartnerPreparation')
  const stated = await readStatement(request, { consent, context, eventId })
  const version = {
    status: 'ACTIVE',
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: 'partner_preparation.submitted',
  }
  const { displayName, legalName } = partner.record.payload
  const { change: theirs } = preparations.first(
    consent.issuer,
    {
      ...version,
      payload: { ...stated, partnerName: legalName ?? displayName, context, settled: null },
      eventPayload: summarizePreparation(stated),
    },
    eventId,
  )
  const { sealed, change } = submissions.first(
    records,
    {
      ...version,
      payload: { ...stated, settled: null },
      eventPayload: summarizePreparation(stated),
    },
    submissionIdOf(eventId),
  )
  const { organizationId } = records
  const { id, sequence } = partner.record
  const after = [...open, sealed.record]
  return {
    status: 201,
    data: {
      eventId,
      receipt: stated.receipt,
      executionAuthorityGranted: false,
      executionPerformed: false,
    },
    change: {
      ...change,
      // The transaction checks again that the partner is active and the count of open preparations
      // is unchanged.
      expects: [...change.expects, { id, sequence }],
      statements: expectFound(organizationId, 'PartnerSubmission', openOf(id), {
        key: `partner-submissions|${id}`,
        records: after,
      }),
      otherTenants: [
        {
          ...theirs,
          // Conflicts with a concurrent end of the consent, so one of the two retries.
          expects: [{ id: consent.consent.id, sequence: consent.consent.sequence }],
        },
      ],
    },
  }
})

const summarizePreparation = ({
  ...statement
}: Pick<
  contract.PartnerPreparation,
  | 'eventId'
  | 'partnerId'
  | 'issuerOrganizationId'
  | 'consent'
  | 'packetHash'
  | 'expiresAt'
  | 'packet'
>) => ({
  eventId: statement.eventId,
  partnerId: statement.partnerId,
  consentId: statement.consent.id,
  issuerOrganizationId: statement.issuerOrganizationId,
  vaultId: statement.packet.vaultId,
  packetHash: statement.packetHash,
  expiresAt: statement.expiresAt,
})

/** @throws Failure 400 */
function requireEnd({ body, now, fail }: Request, until: number): void {
  const { expiresAt } = body.payload
  const at = Date.parse(expiresAt)
  const latest = Math.min(now + limits.partnerPreparationMilliseconds, until)
  if (at > now && at <= latest) return
  throw fail('LIQUIDITY_INVALID_REQUEST', {
    fieldErrors: {
      'payload.expiresAt': [
        `must be in the future and by ${new Date(latest).toISOString()}, got ${expiresAt}`,
      ],
    },
  })
}

/**
 * @throws Failure 409 with one message for every closed case, so that a partner learns no other
 * consent, vault or organization
 */
function requireConsent({ body, fail }: Request, live: readonly LiveConsent[]): LiveConsent {
  const { consent: named, packet, issuerOrganizationId } = body.payload
  const refuse = (at: string, message: string, more: FieldErrors = {}) =>
    fail('LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT', { fieldErrors: { [at]: [message], ...more } })
  const found = live.find(({ consent }) => consent.id === named.id)
  if (!found) {
    throw refuse('payload.consent', `must be a live consent of the issuer, got ${named.id}`, {
      'payload.issuerOrganizationId': [
        `must be the issuer that granted it, got ${issuerOrganizationId}`,
      ],
    })
  }
  const { consent, scopes } = found
  if (consent.resourceVersion !== named.resourceVersion) {
    const message = `must be ${consent.resourceVersion}, got ${named.resourceVersion}`
    throw refuse('payload.consent.resourceVersion', message)
  }
  if (!scopes.includes('PROPOSAL_PREPARE')) {
    throw refuse('payload.consent', `must grant PROPOSAL_PREPARE, got ${scopes.join(', ')}`)
  }
  if (!consent.payload.vaultIds.includes(packet.vaultId)) {
    throw refuse('payload.packet.vaultId', `must be a vault of the consent, got ${packet.vaultId}`)
  }
  return found
}

/**
 * @throws Failure 412 if the partner prepared against another version, 409 if the vault is RETIRED
 */
async function requireContext(
  { body, services, now, fail }: Request,
  { issuer, consent }: LiveConsent,
): Promise<VaultContext> {
  const { packet, contextHash } = body.payload
  const vault = await issuer.current<contract.QualifiedVault>('QualifiedVault', packet.vaultId)
  if (!vault) throw new Error(`${packet.vaultId} is granted but not stored.`)
  if (vault.record.status === 'RETIRED') {
    throw fail('LIQUIDITY_PARTNER_CONSENT_NOT_CURRENT', {
      fieldErrors: {
        'payload.packet.vaultId': [
          `must be a vault of the issuer that is not RETIRED, got ${packet.vaultId}`,
        ],
      },
    })
  }
  const context = await vaultContext(issuer, consent, vault.record, releaseOrNull(services, now))
  const present = contextHashOf(context)
  if (present === contextHash) return context
  throw fail('LIQUIDITY_PARTNER_CONTEXT_MOVED', {
    fieldErrors: { 'payload.contextHash': [`must be ${present}, got ${contextHash}`] },
  })
}

const openOf = (partnerId: string): Question => ({
  status: ['ACTIVE'],
  where: sql`${member('payload.partnerId')} = ${partnerId}`,
})

/**
 * @throws Failure 429 if the maximum of open preparations is reached, with this issuer or in total
 */
async function requireQuota({ params, body, records, now, fail }: Request) {
  const open = await submissions.find(records, openOf(params.partnerId))
  const ofPair = open.filter(
    ({ payload }) => payload.issuerOrganizationId === body.payload.issuerOrganizationId,
  )
  const refuse = (
    count: number,
    whose: string,
    next: readonly { payload: { expiresAt: string } }[],
  ) => {
    const first = Math.min(...next.map(({ payload }) => Date.parse(payload.expiresAt)))
    return fail('LIQUIDITY_PARTNER_PREPARATION_LIMIT', {
      fieldErrors: { partnerId: [`has ${count} open preparations ${whose}`] },
      retryAfterSeconds: Math.max(1, Math.ceil((first - now) / 1000)),
    })
  }
  if (ofPair.length >= limits.partnerPreparationsOfPair) {
    throw refuse(ofPair.length, 'with this issuer', ofPair)
  }
  if (open.length >= limits.partnerPreparationsOpen) {
    throw refuse(open.length, 'with all issuers', open)
  }
  return open
}

async function readStatement(
  { params, body, records, services, actor, headers, now }: Request,
  {
    consent: { consent },
    context,
    eventId,
  }: { consent: LiveConsent; context: VaultContext; eventId: string },
) {
  const { packet, note = '', issuerOrganizationId } = body.payload
  const key = header(headers, 'idempotency-key')
  if (key === null) throw new Error('A mutation without an idempotency key was accepted.')
  const ids = {
    eventId,
    partnerId: params.partnerId,
    partnerOrganizationId: records.organizationId,
    issuerOrganizationId,
    consent: refOf(consent),
  }
  const times = {
    submittedAt: new Date(now).toISOString(),
    expiresAt: new Date(body.payload.expiresAt).toISOString(),
  }
  const hashes = {
    packetHash: packetHashOf({ packet, note }),
    contextHash: contextHashOf(context),
  }
  const receipt = signPreparationReceipt(
    {
      receiptVersion: 'partner-preparation-receipt-v1',
      ...ids,
      vaultId: packet.vaultId,
      ...hashes,
      idempotencyKeyHash: keyHashOf(key),
      ...times,
      submittedBy: { kind: actor.kind, id: actor.id },
      executionAuthorityGranted: false,
      executionPerformed: false,
    },
    await services.signingKeys.current(now),
  )
  return { ...ids, packet, note, ...hashes, ...times, receipt, state: 'SUBMITTED' as const }
}
