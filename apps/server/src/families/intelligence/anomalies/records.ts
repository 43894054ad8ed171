import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'
import { openName } from './anomaly-life.ts'

export const anomalies = recordFamily(contract.anomalyFamily, {
  names: ({ status, payload }) =>
    status === 'ACTIVE' ? [{ kind: openName, name: payload.fingerprint }] : [],
  nameKinds: [openName],
})
