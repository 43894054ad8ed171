import type { contract } from '@liquidity-os/contract'
import type { RecordSweeping, Services } from '../../../../services.ts'
import { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { bound, domains } from '../records.ts'
import { checkDomain } from './check-domain.ts'
import { observed } from './domain-status.ts'
import { expire, notifyExpiry } from './expire-domain.ts'
import { holderOfHost } from './host-binding.ts'

const because = 'its DNS record is gone, and another organization has proven the host'

/**
 * True if an organization that just verified a host can bind it. If another organization holds the
 * host, its record is checked at once. If the record is gone, the binding lapses, so a lost account
 * cannot block a domain. If it exists or is unknown, the binding stays. The lapse is a separate
 * commit, valid even if the request fails.
 */
export async function freeExpiredHost(
  services: RecordSweeping & Pick<Services, 'config' | 'mailer'>,
  host: string,
  organizationId: string,
): Promise<boolean> {
  const { database, verified, artifacts, committer, clock, config } = services
  const holder = await holderOfHost(database, host)
  if (holder === null) return true
  if (holder.organizationId === organizationId) return false
  const now = clock()
  const records = new TenantRecords({
    purpose: 'REQUEST',
    organizationId: holder.organizationId,
    actor: { kind: 'SYSTEM', id: 'partner-domain-check' },
    now,
    database,
    verified,
    artifacts,
  })
  const current = await domains.current(records, holder.challengeId)
  if (!current || !bound.includes(current.record.status)) return false
  const payload: contract.PartnerDomainChallenge = current.record.payload
  const check = await checkDomain(config, payload, now)
  if (check.verdict !== 'NOT_PROVEN') return false
  await committer.commit(
    await expire(records, current, { payload: observed(payload, check), because }),
  )
  await notifyExpiry(services, holder.organizationId, current.record, because)
  return true
}
