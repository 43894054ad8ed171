import { contract } from '@liquidity-os/contract'
import { type Sql, sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import { recordFamily } from '../../record-family.ts'
import { openName } from './open-name.ts'

export const anomalies = recordFamily(contract.anomalyFamily, {
  names: ({ status, payload }) =>
    status === 'ACTIVE' ? [{ kind: openName, name: payload.fingerprint }] : [],
  nameKinds: [openName],
})

/** Detected anomalies in a state, as alerts have it; undefined without a state. */
export function inState(state: 'OPEN' | 'RESOLVED' | undefined): Sql | undefined {
  if (state === undefined) return undefined
  const isActive = sql`${member('status')} = 'ACTIVE'`
  return sql`${member('payload.outcome')} = 'DETECTED' and ${state === 'OPEN' ? isActive : sql`not (${isActive})`}`
}
