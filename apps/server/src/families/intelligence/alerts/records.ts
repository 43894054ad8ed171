import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'
import { withoutSealed } from './messages/channel-target.ts'

/** Name kind for alert notices: one record per alert, however often it reopens. */
export const alertName = 'alert'

export const notices = recordFamily(contract.alertFamily, {
  names: ({ payload }) => [{ kind: alertName, name: payload.alertId }],
  nameKinds: [alertName],
})

export const channels = recordFamily(contract.alertChannelFamily, { shownText: withoutSealed })

export const rules = recordFamily(contract.alertRuleFamily)
