import { errorCatalogue } from '@liquidity-os/contract/outline'
import { type Failure, failureBody } from '../failure.ts'
import type { Answer } from './answer.ts'

/** What is sent, whoever writes it: node:http for the contract, Fastify for what stands beside it. */
export interface Reply {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | null
}

const json = 'application/json; charset=utf-8'

export function answerReply({ status, headers, body }: Answer, correlationId: string): Reply {
  const sent: Record<string, string> = {
    ...headers,
    'x-correlation-id': correlationId,
    'x-content-type-options': 'nosniff',
  }
  if (body !== null) sent['content-type'] ??= json
  return { status, headers: sent, body }
}

export function failureReply(failure: Failure, correlationId: string): Reply {
  const headers: Record<string, string> = {
    'x-correlation-id': correlationId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-type': json,
  }
  if (failure.isReplay) headers['idempotency-replayed'] = 'true'
  const { retryAfterSeconds } = failure.detail
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  else if (errorCatalogue[failure.code].retryable) headers['retry-after'] = '1'
  return { status: failure.status, headers, body: failureBody(failure, correlationId) }
}
