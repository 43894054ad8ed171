import { contract } from '@liquidity-os/contract'
import { canonicalize } from '@liquidity-os/evidence'
import { rules } from './records.ts'
import { changeOf } from './status-change.ts'
import { endThreshold } from './thresholds/firings.ts'
import { requireThreshold, validateRule } from './validate-rule.ts'

export default rules.supersede(contract.supersedeAlertRule, {
  decide: async ({ body, params, records, fail }, { payload: before }, to) => {
    const fieldErrors = body.payload ? await validateRule(records, body.payload) : {}
    if (Object.keys(fieldErrors).length > 0) {
      throw fail('LIQUIDITY_INVALID_REQUEST', { fieldErrors })
    }
    const payload = body.payload ?? before
    if (body.payload && to !== 'REVOKED') await requireThreshold(records, payload, fail)
    const isSame = to === 'ACTIVE' && evaluatedTerms(payload) === evaluatedTerms(before)
    return {
      payload,
      event: `alert_rule.${changeOf(body.status)}`,
      evidenceHashes: [],
      statements: () =>
        isSame ? [] : endThreshold(records.organizationId, params.id, records.now),
    }
  },
})

/** The terms whose change begins a new evaluation. */
const evaluatedTerms = ({ threshold, forSeconds }: contract.AlertRule): string =>
  threshold === undefined ? '' : canonicalize({ threshold, forSeconds })
