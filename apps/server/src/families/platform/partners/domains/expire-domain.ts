import type { contract } from '@liquidity-os/contract'
import { ownersOf } from '../../../../access/owners-of.ts'
import type { Services } from '../../../../services.ts'
import { type Change, joinChanges } from '../../../../store/records/change.ts'
import type { Current, TenantRecords } from '../../../../store/records/tenant-records.ts'
import { domains } from '../records.ts'
import { pausePartnerOf } from '../tenants/pause.ts'
import { freeHost } from './host-binding.ts'

type Challenge = Current<contract.PartnerDomainChallenge>

/** Ends an invalid binding: frees the host and disables its brand in one change. */
export async function expire(
  records: TenantRecords,
  current: Challenge,
  { payload, because }: { payload: contract.PartnerDomainChallenge; because: string },
): Promise<Change> {
  const { change } = domains.next(records, current, {
    status: 'PAUSED',
    payload: { ...payload, binding: null },
    reason: because,
    evidenceHashes: current.record.evidenceHashes,
    event: 'partner_domain.lapsed',
    eventPayload: { host: payload.host, because },
  })
  const paused = await pausePartnerOf(records, payload.host, because)
  const joined = paused ? joinChanges(change, paused) : change
  return { ...joined, statements: [freeHost(current.record.id)] }
}

/**
 * Emails the owners about a lost host. The event contains the same, so a failed email is only
 * logged.
 */
export async function notifyExpiry(
  services: Pick<Services, 'database' | 'log' | 'mailer'>,
  organizationId: string,
  { id, payload }: Challenge['record'],
  because: string,
): Promise<void> {
  const mailer = await services.mailer()
  for (const to of await ownersOf(services.database, organizationId)) {
    try {
      await mailer.sendAlert({
        to,
        messageId: `${id}-lapsed`,
        subject: `The verification of ${payload.displayHost} has expired`,
        text: [
          `${payload.displayHost} (${payload.host}) is no longer shown as yours: ${because}.`,
          'The service no longer shows a brand on it.',
          'To bind it again, open a new challenge. The old record is no longer valid.',
        ].join('\n'),
      })
    } catch (error) {
      services.log.error(
        { err: error, challengeId: id },
        'Failed to email the owners about an expired domain.',
      )
    }
  }
}
