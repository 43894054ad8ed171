import { contract } from '@liquidity-os/contract'
import { sealTarget, storeSealed, validateTarget } from './messages/channel-target.ts'
import { dropWaiting } from './messages/queue-messages.ts'
import { channels } from './records.ts'
import { changeOf } from './status-change.ts'

export default channels.supersede(contract.supersedeAlertChannel, {
  decide: ({ body, organizationId, params, services, fail }, { payload: before }, to) => {
    const { label = before.label, target } = body.payload ?? {}
    const fieldErrors = target ? validateTarget(target, services.config) : {}
    if (target && target.kind !== before.kind) {
      fieldErrors['payload.target.kind'] = [`must be ${before.kind}, got ${target.kind}`]
    }
    if (Object.keys(fieldErrors).length > 0) {
      throw fail('LIQUIDITY_ALERT_TARGET_REFUSED', { fieldErrors })
    }
    const sealedTarget = target ? sealTarget(services.sealing, organizationId, target) : null
    const { sealed: earlier, ...payload } = before
    const sealed = sealedTarget?.sealed ?? earlier
    return {
      payload: { ...payload, ...sealedTarget?.payload, label },
      event: `alert_channel.${changeOf(body.status)}`,
      evidenceHashes: [],
      statements: () => [
        ...(sealed ? [storeSealed(organizationId, params.id, sealed)] : []),
        ...(to === 'ACTIVE' ? [] : [dropWaiting(organizationId, params.id)]),
      ],
    }
  },
})
