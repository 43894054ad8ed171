import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { until } from './until.ts'

export interface Acknowledged {
  operation: string
  request: LooseRequest
  status: number
  text: string
}

/** Sends a request with its key until the service responds, as clients should. */
export async function insist(
  options: ClientOptions,
  operation: string,
  request: LooseRequest,
): Promise<Acknowledged> {
  const { fetch: _, ...plain } = options
  return until(`an answer to ${request.idempotencyKey}`, async () => {
    const answer = await send(plain, operationById.get(operation)!, request)
    const text = await answer.text()
    if (answer.status >= 500) return null
    return { operation, request, status: answer.status, text }
  })
}
