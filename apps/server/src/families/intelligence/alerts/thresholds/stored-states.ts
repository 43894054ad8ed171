import { integerOf, optionalTextOf, type Row, textOf } from '../../../../store/database/row.ts'
import { join, type Sql, sql } from '../../../../store/database/sql.ts'
import type { Evaluated } from './evaluated.ts'
import type { ThresholdState } from './state-machine.ts'

/** A row of `alert_thresholds`: the rule and its state. */
export function parseState(row: Row): [ruleId: string, state: ThresholdState] {
  const integer = (name: string) => {
    const text = optionalTextOf(row, name)
    return text === null ? null : Number(text)
  }
  const amount = (name: string) => {
    const text = optionalTextOf(row, name)
    return text === null ? null : BigInt(text)
  }
  return [
    textOf(row, 'rule_id'),
    {
      at: integerOf(row, 'at'),
      value: amount('value'),
      // The table contains no other values.
      phase: textOf(row, 'phase') as ThresholdState['phase'],
      trueSince: integer('true_since'),
      falseSince: integer('false_since'),
      firedAt: integer('fired_at'),
      extreme: amount('extreme'),
    },
  ]
}

/**
 * Replaces the states. A state that changed since it was read, or that exists although none was
 * read, fails the change.
 */
export function storeStates(organizationId: string, evaluated: readonly Evaluated[]): Sql[] {
  const known = evaluated.filter(({ before }) => before !== null)
  const created = evaluated.filter(({ before }) => before === null)
  const amount = (value: bigint | null) => sql`${value}::numeric`
  const cells = ({ rule, state }: Evaluated) =>
    sql`${rule.id}, ${state.at}::bigint, ${amount(state.value)}, ${state.phase}, ${state.trueSince}::bigint,
      ${state.falseSince}::bigint, ${state.firedAt}::bigint, ${amount(state.extreme)}`
  const statements: Sql[] = []
  if (created.length > 0) {
    const rows = created.map((one) => sql`(${organizationId}, ${cells(one)})`)
    statements.push(sql`insert into alert_thresholds (organization_id, rule_id, at, value, phase, true_since,
      false_since, fired_at, extreme) values ${join(rows)}`)
  }
  if (known.length > 0) {
    const rows = known.map((one) => sql`(${cells(one)}, ${one.before?.at ?? null}::bigint)`)
    statements.push(sql`with written as (
        update alert_thresholds t set at = v.at, value = v.value, phase = v.phase, true_since = v.true_since,
          false_since = v.false_since, fired_at = v.fired_at, extreme = v.extreme
        from (values ${join(rows)})
          as v (rule_id, at, value, phase, true_since, false_since, fired_at, extreme, before)
        where t.organization_id = ${organizationId} and t.rule_id = v.rule_id and t.at = v.before
        returning t.rule_id
      ) select require_expected(count(*) = ${known.length}) from written`)
  }
  return statements
}
