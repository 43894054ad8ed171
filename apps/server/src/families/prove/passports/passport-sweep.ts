import type { contract } from '@liquidity-os/contract'
import { overdueNames, sweepOverdue } from '../../../jobs/overdue.ts'
import type { RecordSweeping } from '../../../services.ts'
import { headsStatement } from '../../../store/records/find.ts'
import { readPassportState } from './passport-status.ts'
import { dueKind, passports } from './records.ts'

const expirePassports = passports.expiry({
  actor: 'passport-expiry',
  overdue: overdueNames(dueKind),
  until: ({ validUntil }: contract.LiquidityPassport) => validUntil,
  event: 'passport.expired',
  eventDetails: ({ slug, contentHash }: contract.LiquidityPassport) => ({ slug, contentHash }),
})

/** Publishes each live passport with an outdated control proof or score, once. */
const notifyStale = (services: RecordSweeping): Promise<void> =>
  sweepOverdue(services, {
    actor: 'passport-staleness',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'LiquidityPassport', { status: ['ACTIVE'], order: 'OLDEST' }),
    end: async (records, id) => {
      const current = await passports.current(records, id)
      if (!current) throw new Error(`Passport ${id} does not exist.`)
      const state = await readPassportState(records, current.record)
      if (state !== 'STALE_CONTROL' && state !== 'STALE_SCORE') return null
      const { contentHash, slug } = current.record.payload
      const notices = await records.events(id, { kinds: ['passport.stale'] })
      const isNotified = notices.some(
        ({ payload }) => payload.contentHash === contentHash && payload.state === state,
      )
      return isNotified
        ? null
        : records.note(current, 'passport.stale', { slug, contentHash, state })
    },
  })

export async function sweepPassports(services: RecordSweeping): Promise<void> {
  await expirePassports(services)
  await notifyStale(services)
}
