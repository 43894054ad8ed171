import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { sql } from '../../../store/database/sql.ts'
import { rules } from './records.ts'
import { firingOf, timeOf } from './thresholds/firings.ts'
import type { ThresholdState } from './thresholds/state-machine.ts'
import { parseState } from './thresholds/stored-states.ts'

export default handle(contract.listAlertRuleFirings, async (request): Promise<Outcome> => {
  const { params, records, organizationId, now, fail } = request
  const rule = await rules.current(records, params.id)
  if (!rule) throw fail('LIQUIDITY_RESOURCE_NOT_FOUND')
  const here = sql`organization_id = ${organizationId} and rule_id = ${params.id}`
  const [states = [], firings = []] = await records.query([
    sql`select * from alert_thresholds where ${here}`,
    sql`select * from alert_firings where ${here} order by from_at desc limit ${limits.alertFirings}`,
  ])
  const [row] = states
  const state = row && rule.record.status === 'ACTIVE' ? parseState(row)[1] : null
  const data: contract.AlertRuleFirings = {
    ...shownState(state, now),
    firings: firings.map((one) => {
      const { from, to, extreme, severity, evidence } = firingOf(one)
      return {
        from: timeOf(from),
        to: to === null ? null : timeOf(to),
        extreme: `${extreme}`,
        severity,
        evidence,
      }
    }),
  }
  return { data }
})

function shownState(
  state: ThresholdState | null,
  now: number,
): Omit<contract.AlertRuleFirings, 'firings'> {
  if (state === null) return { state: null, at: null, value: null, since: null }
  const { at, value, phase, trueSince, firedAt } = state
  const since = firedAt ?? trueSince
  const isStale = now / 1000 - at > limits.mapFreshSeconds
  return {
    state: value === null || isStale ? 'NO_DATA' : phase,
    at: timeOf(at),
    value: value === null ? null : `${value}`,
    since: since === null ? null : timeOf(since),
  }
}
