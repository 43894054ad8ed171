import { queryOptions } from '@tanstack/react-query'
import type { Alert, Item } from './records.ts'
import { read } from './send.ts'

/** Entries of the navigation with a badge: open alerts without acknowledgment, and open proposals. */
export const waitingQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'waiting'],
    queryFn: async () => {
      const [alerts, proposals] = await Promise.all([
        read<Alert[]>(organizationId, '/alerts', { state: 'OPEN', limit: 100 }),
        read<Item[]>(organizationId, '/proposals', { status: 'VALIDATED', limit: 100 }),
      ])
      return {
        alerts: alerts.filter(({ acknowledged }) => acknowledged === null).length,
        proposals: proposals.filter(isOpenProposal).length,
      }
    },
    refetchInterval: 30_000,
  })

const isOpenProposal = ({ payload }: Item) =>
  typeof payload === 'object' && payload !== null && 'phase' in payload && payload.phase === 'OPEN'
