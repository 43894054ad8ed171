import type { contract } from '@liquidity-os/contract'
import type { RecordReading } from '../../../../services.ts'
import type { Change } from '../../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { recordsOf } from '../brands/active-partner.ts'
import { withOpenWorkEnded } from '../preparations/end-open-work.ts'
import { consents } from '../records.ts'
import type { Taken } from '../tenants/paused-by.ts'
import { closeGrant, openGrantsOf } from './grant-row.ts'

type Consent = contract.PartnerConsent
type Effect = Taken | 'REVOKED' | null

/**
 * Changes of open consents when their partner changes: their next versions, in the issuers'
 * organizations. They commit with the partner change, so their number is limited to one
 * transaction.
 *
 * @param records of the partner's organization
 * @param effect restriction of a consent by the change; null without effect
 */
export async function changesOfConsents(
  services: RecordReading,
  { organizationId, now }: TenantRecords,
  partnerId: string,
  effect: (consent: Consent) => Effect,
): Promise<Change[]> {
  const grants = await openGrantsOf(services, organizationId, partnerId, now)
  const changes = await Promise.all(
    grants.map(async (grant) => {
      const records = recordsOf(services, grant.organizationId, 'partner-consents')
      const current = await consents.current(records, grant.consentId)
      if (!current) throw new Error(`${grant.consentId} is open but not stored.`)
      return followed(services, records, current, effect(current.record.payload))
    }),
  )
  return changes.filter((change) => change !== null)
}

async function followed(
  services: RecordReading,
  records: TenantRecords,
  current: Current<Consent>,
  effect: Effect,
): Promise<Change | null> {
  const { id, status, payload } = current.record
  if (status !== 'ACTIVE' || effect === null) return null
  if (effect === 'REVOKED') {
    const because = 'The partner was revoked'
    return ended(services, records, current, {
      status: 'REVOKED',
      because,
      event: 'partner_consent.revoked',
    })
  }
  const pausedScopes = payload.scopes.filter(
    (scope) => payload.pausedScopes.includes(scope) || effect.scopes.includes(scope),
  )
  if (pausedScopes.length === payload.pausedScopes.length) return null
  const isOver = pausedScopes.length === payload.scopes.length
  const { evidenceHashes } = current.record
  const { change } = consents.next(records, current, {
    status: isOver ? 'PAUSED' : 'ACTIVE',
    evidenceHashes,
    payload: {
      ...payload,
      pausedScopes,
      ended: isOver ? endOf(records, effect.because) : payload.ended,
    },
    reason: `Paused: ${effect.because}`,
    event: 'partner_consent.paused',
    eventPayload: { partnerId: payload.partnerId, pausedScopes },
  })
  const { organizationId, now } = records
  const closing = { ...change, statements: isOver ? [closeGrant(organizationId, id, now)] : [] }
  return pausedScopes.includes('PROPOSAL_PREPARE')
    ? withOpenWorkEnded(services, records, closing, current.record)
    : closing
}

const endOf = ({ now }: TenantRecords, because: string): NonNullable<Consent['ended']> => ({
  at: new Date(now).toISOString(),
  because,
})

/** Final version of a consent, with the end of its access and of data prepared under it. */
export function ended(
  services: RecordReading,
  records: TenantRecords,
  current: Current<Consent>,
  { status, because, event }: { status: 'REVOKED' | 'EXPIRED'; because: string; event: string },
): Promise<Change> {
  const { id, payload, evidenceHashes } = current.record
  const { change } = consents.next(records, current, {
    status,
    evidenceHashes,
    reason: because,
    event,
    payload: { ...payload, ended: endOf(records, because) },
    eventPayload: { partnerId: payload.partnerId },
  })
  const closing = { ...change, statements: [closeGrant(records.organizationId, id, records.now)] }
  return withOpenWorkEnded(services, records, closing, current.record)
}
