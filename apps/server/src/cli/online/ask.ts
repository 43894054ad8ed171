import {
  ApiFailure,
  call,
  type LooseRequest,
  type Reply,
  type Sendable,
} from '@liquidity-os/client/core'
import { retrying } from '@liquidity-os/client/retry'
import { basePath } from '@liquidity-os/contract/outline'
import { AdministrationError } from '../../access/administration.ts'
import { minuteMilliseconds } from '../../units.ts'
import type { Profile } from './profiles.ts'

const terms = { retries: 3, longestWait: minuteMilliseconds }

/**
 * Sends a request to a deployment and retries temporary errors.
 *
 * @throws AdministrationError with the rejected fields and the remedy
 */
export async function ask<Body>(
  { baseUrl, organizationId, token }: Profile,
  operation: Sendable,
  request: LooseRequest = {},
): Promise<Reply<Body>> {
  const options = { baseUrl, basePath, organizationId, auth: { kind: 'bearer' as const, token } }
  const once = { ...request, idempotencyKey: request.idempotencyKey ?? crypto.randomUUID() }
  try {
    return (await retrying(terms, () => call(options, operation, once))) as Reply<Body>
  } catch (error) {
    if (error instanceof ApiFailure) throw new AdministrationError(wordsOf(error))
    if (error instanceof TypeError) {
      throw new AdministrationError(`${baseUrl} does not respond: ${causeOf(error)}`)
    }
    throw error
  }
}

function wordsOf({ status, code, body }: ApiFailure): string {
  const { message = '', fieldErrors = {}, remediation, correlationId } = body?.error ?? {}
  return [
    `${status} ${code || 'without a code'} ${message}`.trimEnd(),
    ...Object.entries(fieldErrors).flatMap(([field, messages]) =>
      messages.map((one) => `  ${field}: ${one}`),
    ),
    ...(remediation ? [remediation] : []),
    ...(correlationId ? [`Correlation ID for the operator: ${correlationId}`] : []),
  ].join('\n')
}

function causeOf({ message, cause }: TypeError): string {
  const { code } = (cause ?? {}) as { code?: string }
  return code ?? (cause instanceof Error ? cause.message : message)
}
