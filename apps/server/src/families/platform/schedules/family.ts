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
  departures: [
    settings.departure({
      outcome: 'PAUSED',
      title: ({ task, subject }) => `${task}:${subject.id}`,
      event: 'schedule.turned_off',
      eventPayload: ({ task, subject, everySeconds }) => ({
        schedule: `${task}:${subject.id}`,
        everySeconds,
      }),
    }),
  ],
}
