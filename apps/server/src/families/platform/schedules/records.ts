import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'

const kind = 'schedule'
/** One record per schedule, for any number of changes. */
export const scheduleName = (scheduleId: string) => ({ kind, name: scheduleId })

export const settings = recordFamily(contract.scheduleFamily, {
  names: ({ payload: { task, subject } }) => [scheduleName(`${task}:${subject.id}`)],
  nameKinds: [kind],
})
