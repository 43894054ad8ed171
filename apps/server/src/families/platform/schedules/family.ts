import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { settings } from './records.ts'

export const family: Family = {
  contracts: [contract.scheduleFamily],
  operations: {
    listSchedules: () => import('./listSchedules.ts'),
    changeSchedule: () => import('./changeSchedule.ts'),
  },
  kinds: [settings.kind],
}
