import type { contract, Ref } from '@liquidity-os/contract'
import type { SealedRecord, VersionedRecord } from '@liquidity-os/evidence'
import type { RecordReading } from '../../../../services.ts'
import { ConflictError } from '../../../../store/database/database.ts'
import type { Change } from '../../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { recordsOf } from '../brands/active-partner.ts'
import { preparations, submissionIdOf, submissions } from '../records.ts'

type Preparation = contract.PartnerPreparation
type State = Exclude<contract.PreparationState, 'SUBMITTED'>

/** Final state of a preparation. */
export interface Settling {
  readonly state: State
  /** Reason for the issuer's record, and the reason shown to the partner. */
  readonly because: string
  readonly visibleReason: string | null
  readonly proposal: Ref | null
}

const statuses: Readonly<Record<State, string>> = {
  IMPORTED: 'COMPLETED',
  DECLINED: 'REVOKED',
  EXPIRED: 'EXPIRED',
  CONSENT_REVOKED: 'RETIRED',
}

const events: Readonly<Record<State, contract.PreparationEvent>> = {
  IMPORTED: 'partner_preparation.imported',
  DECLINED: 'partner_preparation.declined',
  EXPIRED: 'partner_preparation.expired',
  CONSENT_REVOKED: 'partner_preparation.declined',
}

/**
 * Settles a preparation in the issuer's and the partner's records, in one transaction. The partner
 * sees the state and the visible reason.
 */
export async function settled(
  services: RecordReading,
  records: TenantRecords,
  current: Current<Preparation>,
  { state, because, visibleReason, proposal }: Settling,
): Promise<{ sealed: SealedRecord<Preparation>; change: Change }> {
  const { payload, evidenceHashes } = current.record
  const at = new Date(records.now).toISOString()
  const { partnerId, packetHash } = payload
  const { sealed, change } = preparations.next(records, current, {
    status: statuses[state],
    reason: because,
    evidenceHashes,
    event: events[state],
    payload: { ...payload, state, settled: { at, because, visibleReason, proposal } },
    eventPayload: { state, partnerId, packetHash, ...(proposal ? { proposal: proposal.id } : {}) },
  })
  const partnerChange = await notifyPartner(services, payload, { state, at, visibleReason })
  return { sealed, change: { ...change, otherTenants: [partnerChange] } }
}

async function notifyPartner(
  services: RecordReading,
  { eventId, partnerOrganizationId, issuerOrganizationId, packetHash }: Preparation,
  { state, at, visibleReason }: { state: State; at: string; visibleReason: string | null },
): Promise<Change> {
  const records = recordsOf(services, partnerOrganizationId, 'partner-preparations')
  const current = await submissions.current(records, submissionIdOf(eventId))
  if (!current) throw new Error(`${eventId} has no stored submission of its partner.`)
  const { status, payload, evidenceHashes } = current.record
  // Settled since the read of the issuer's side: the caller retries and reads the new state.
  if (status !== 'ACTIVE') throw new ConflictError('partner submission', null)
  return submissions.next(records, current, {
    status: statuses[state],
    reason: words[state],
    evidenceHashes,
    event: events[state],
    payload: { ...payload, state, settled: { at, visibleReason } },
    eventPayload: { eventId, state, issuerOrganizationId, packetHash, visibleReason },
  }).change
}

const words: Readonly<Record<State, string>> = {
  IMPORTED: 'The issuer imported it as a proposal',
  DECLINED: 'The issuer declined it',
  EXPIRED: 'Expired',
  CONSENT_REVOKED: 'The consent it was prepared under is no longer valid',
}

/** The state of a preparation at a time. An expired one is expired even before the sweep. */
export const stateAt = (
  { state, expiresAt }: Pick<Preparation, 'state' | 'expiresAt'>,
  now: number,
): contract.PreparationState =>
  state === 'SUBMITTED' && Date.parse(expiresAt) <= now ? 'EXPIRED' : state

/** True if the preparation is open and not expired. */
export const isOpen = ({ payload }: VersionedRecord<Preparation>, now: number): boolean =>
  stateAt(payload, now) === 'SUBMITTED'
