import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'
import { activeName, heldBy, scoreDueName } from './active-score.ts'

export const scores = recordFamily(contract.scoreFamily, {
  names: (record) => (record.status === 'ACTIVE' ? heldBy(record) : []),
  nameKinds: [activeName, scoreDueName],
})
