import type { contract } from '@liquidity-os/contract'

const often = { WEEK: 'weekly', MONTH: 'monthly', QUARTER: 'quarterly', YEAR: 'yearly' } as const

const day = (time: string) => time.slice(0, 10)

/** Short form of a schedule. */
export function scheduleWords(schedule: contract.TreasurySchedule): string {
  switch (schedule.kind) {
    case 'ONE_OFF':
      return `on ${day(schedule.at)}`
    case 'RECURRING': {
      const { every, firstAt, count, until } = schedule
      const end = until ? ` to ${day(until)}` : count ? `, ${count} times` : ''
      return `${often[every]} from ${day(firstAt)}${end}`
    }
    case 'LINEAR':
      return `linear ${day(schedule.from)} – ${day(schedule.to)}`
  }
}
