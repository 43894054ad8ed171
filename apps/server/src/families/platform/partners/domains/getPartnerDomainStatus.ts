import { contract } from '@liquidity-os/contract'
import { requireTurn } from '../../../../access/hourly-turns.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../../http/handler.ts'
import { limits } from '../../../../limits.ts'
import { integerOf } from '../../../../store/database/row.ts'
import { sql } from '../../../../store/database/sql.ts'
import { domains } from '../records.ts'
import { checkDomain } from './check-domain.ts'
import { domainCheck } from './domain-check.ts'
import { isOver } from './domain-status.ts'
import { lookAtRoute } from './routing.ts'

const operation = contract.getPartnerDomainStatus
type Request = HandlerRequest<typeof operation>
type Status = contract.PartnerDomainStatus

export default handle(operation, async (request): Promise<Outcome> => {
  const { params, records, services, now, fail } = request
  const current = await domains.current(records, params.id)
  if (!current) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const { id, resourceVersion, status, payload } = current.record
  const turns = limits.partnerStatusesPerHour
  await requireTurn(services.database, `partner-domain-status|${id}`, turns, now)
  const [check, routing, nextCheckBy] = await Promise.all([
    checkDomain(services.config, payload, now),
    lookAtRoute(services.config, payload),
    status === 'ACTIVE' ? nextOf(request, payload) : null,
  ])
  const mayExpire = status === 'DRAFT' || status === 'VALIDATED'
  const data: Status = {
    challengeId: id,
    resourceVersion,
    host: payload.host,
    status: mayExpire && isOver(payload, now) ? 'EXPIRED' : (status as Status['status']),
    check,
    routing,
    nextCheckBy,
    failing: payload.failing,
    isRecorded: false,
  }
  return { data }
})

/**
 * Latest time of the next recheck: one interval after the last was queued, or after provisioning.
 * Null if rechecks are disabled or neither time exists.
 */
async function nextOf(
  { params, records, organizationId, services }: Request,
  { binding }: contract.PartnerDomainChallenge,
): Promise<string | null> {
  const every = domainCheck.everySeconds(null, services.config)
  if (every === 0) return null
  const [[row] = []] = await records.query([
    sql`select created_at from jobs where organization_id = ${organizationId}
      and subject_id = ${params.id} and kind = ${domainCheck.task} order by created_at desc limit 1`,
  ])
  const provisioned = binding?.provisionedAt ? Date.parse(binding.provisionedAt) : null
  const last = row ? integerOf(row, 'created_at') : provisioned
  return last === null ? null : new Date(last + every * 1000).toISOString()
}
