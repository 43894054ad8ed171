import { randomUUID } from 'node:crypto'

/** Identifies one attempt of one request, in its response and in the log. */
export function newCorrelationId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}
