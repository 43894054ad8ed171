import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'

/** Kind of the name by which the notice of an alert is found: one record for each alert, however often it opens. */
export const alertName = 'alert'

export const notices = recordFamily(contract.alertFamily, {
  names: ({ payload }) => [{ kind: alertName, name: payload.alertId }],
  nameKinds: [alertName],
})

export const channels = recordFamily(contract.alertChannelFamily)

export const rules = recordFamily(contract.alertRuleFamily)
