import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../../http/handler.ts'
import { limits } from '../../../../limits.ts'
import { secondMilliseconds } from '../../../../units.ts'
import { recordReply } from '../../../record-reply.ts'
import { domains } from '../records.ts'
import { newToken, recordNameOf, recordValueOf, routingPathOf } from './challenge-text.ts'
import { checkHost } from './host.ts'
import { hasLookAlike } from './host-binding.ts'

const scriptsTask = new URL('./check-scripts-task.ts', import.meta.url)
const operation = contract.createPartnerDomainChallenge

export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, organizationId, services, now, fail } = request
  const { host } = body.payload
  const refuse = (fault: string) =>
    fail('LIQUIDITY_PARTNER_HOST_INVALID', {
      fieldErrors: { 'payload.host': [`${fault}, got ${host}`] },
    })
  const checkedHost = await checkHost(
    host,
    new URL(services.config.baseUrl).hostname,
    (displayHost) => services.awaited.run<string | null>(scriptsTask, { displayHost }),
  )
  if (checkedHost.fault !== null) throw refuse(checkedHost.fault)
  const { displayHost, skeleton } = checkedHost
  if (await hasLookAlike(services.database, { host, skeleton, organizationId })) {
    throw refuse('must not look like a host that is already bound')
  }
  const id = records.newId('PartnerDomainChallenge')
  // Whole seconds, as in the DNS record.
  const until = now + limits.partnerDomainMilliseconds
  const expiresAt = new Date(until - (until % secondMilliseconds)).toISOString()
  const payload: contract.PartnerDomainChallenge = {
    host,
    displayHost,
    recordName: recordNameOf(organizationId, host),
    recordValue: recordValueOf(newToken(), expiresAt.replace('.000Z', 'Z')),
    routingPath: routingPathOf(id),
    routingValue: newToken(),
    issuedAt: new Date(now).toISOString(),
    expiresAt,
    observations: [],
    binding: null,
    failing: null,
  }
  const { sealed, change } = domains.first(
    records,
    {
      status: 'DRAFT',
      payload,
      reason: body.reason,
      event: 'partner_domain.issued',
      evidenceHashes: body.evidenceHashes ?? [],
      eventPayload: { host, expiresAt },
    },
    id,
  )
  const claimTaken = () => domains.takenBy(records, payload, 'DRAFT')
  return { ...recordReply(sealed, change, 201), claimTaken }
})
