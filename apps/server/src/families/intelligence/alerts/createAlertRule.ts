import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { rules } from './records.ts'
import { requireThreshold, validateRule } from './validate-rule.ts'

export default rules.create(contract.createAlertRule, async ({ body, records, fail }) => {
  const fieldErrors = await validateRule(records, body.payload)
  if (Object.keys(fieldErrors).length > 0) {
    throw fail('LIQUIDITY_INVALID_REQUEST', { fieldErrors })
  }
  await requireThreshold(records, body.payload, fail)
  const others = await records.count('AlertRule', { exceptStatus: ['REVOKED'] })
  if (others >= limits.alertRules) throw fail('LIQUIDITY_ALERT_LIMIT')
  return { payload: body.payload, event: 'alert_rule.created' }
})
