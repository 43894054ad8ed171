import { randomUUID } from 'node:crypto'

/** Names one attempt of one request, in its answer and in the log. */
export function newCorrelationId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}
