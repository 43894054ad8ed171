import { sweepOverdue } from '../../../../jobs/overdue.ts'
import type { RecordSweeping } from '../../../../services.ts'
import { overduePreparations, preparations } from '../records.ts'
import { settled, stateAt } from './settle.ts'

/**
 * Records expired preparations and notifies their partners. Readers compare with the clock, so
 * expiry does not depend on this sweep.
 */
export const expirePreparations = (services: RecordSweeping): Promise<void> =>
  sweepOverdue(services, {
    actor: 'partner-preparation-expiry',
    overdue: overduePreparations,
    end: async (records, id) => {
      const current = await preparations.current(records, id)
      if (!current) throw new Error(`Preparation ${id} does not exist.`)
      const { status, payload } = current.record
      if (status !== 'ACTIVE' || stateAt(payload, records.now) !== 'EXPIRED') return null
      const { change } = await settled(services, records, current, {
        state: 'EXPIRED',
        because: 'Expired',
        visibleReason: null,
        proposal: null,
      })
      return change
    },
  })
