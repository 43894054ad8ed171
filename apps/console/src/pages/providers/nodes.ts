import { queryOptions } from '@tanstack/react-query'
import { read } from '../../api/send.ts'
import type { NodeHealth } from './node-texts.ts'

/** Health of an RPC node today. */
export const nodeHealthQuery = (organizationId: string, id: string) =>
  queryOptions({
    queryKey: [organizationId, 'providers', 'health', id],
    queryFn: () => read<NodeHealth>(organizationId, `/providers/${id}/health`),
    refetchInterval: 30_000,
  })
