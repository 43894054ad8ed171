import { contract } from '@liquidity-os/contract'
import { rules } from './records.ts'
import { changeOf } from './status-change.ts'
import { validateRule } from './validate-rule.ts'

export default rules.supersede(contract.supersedeAlertRule, {
  decide: async ({ body, records, fail }, { payload: before }) => {
    const fieldErrors = body.payload ? await validateRule(records, body.payload) : {}
    if (Object.keys(fieldErrors).length > 0) {
      throw fail('LIQUIDITY_INVALID_REQUEST', { fieldErrors })
    }
    return {
      payload: body.payload ?? before,
      event: `alert_rule.${changeOf(body.status)}`,
      evidenceHashes: [],
    }
  },
})
