import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { sealTarget, storeSealed, validateTarget } from './messages/channel-target.ts'
import { channels } from './records.ts'

export default channels.create(contract.createAlertChannel, async (request) => {
  const { body, organizationId, services, records, fail } = request
  const { label, target } = body.payload
  const fieldErrors = validateTarget(target, services.config)
  if (Object.keys(fieldErrors).length > 0) {
    throw fail('LIQUIDITY_ALERT_TARGET_REFUSED', { fieldErrors })
  }
  const others = await records.count('AlertChannel', { exceptStatus: ['REVOKED'] })
  if (others >= limits.alertChannels) throw fail('LIQUIDITY_ALERT_LIMIT')
  const { payload, sealed } = sealTarget(services.sealing, organizationId, target)
  return {
    payload: { label, ...payload },
    event: 'alert_channel.created',
    statements: ({ record }) => [storeSealed(organizationId, record.id, sealed)],
  }
})
