import {
  type ErrorCode,
  errorCatalogue,
  type OperationOutline,
} from '@liquidity-os/contract/outline'
import { sha256Hex } from '@liquidity-os/evidence'
import { header } from '../access/headers.ts'
import { Failure, restoreFailure, storeFailure } from '../failure.ts'
import { required } from '../required.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../store/database/row.ts'
import type { Change, StoredResponse } from '../store/records/change.ts'
import type { VerifiedTexts } from '../store/records/verified-texts.ts'
import { textOrEmpty } from '../texts.ts'
import type { Bound } from './bound.ts'
import { strongTag } from './entity-tag.ts'
import type { Outcome } from './handler.ts'
import type { Answer } from './ready-answer.ts'
import type { Incoming } from './transport-request.ts'
import { isOfTreasury } from './treasury-rules.ts'

/** Adds the response for idempotent replay to the change of an outcome. */
export function withResponse(
  outcome: Outcome,
  answer: Answer,
  response: (status: number, body: string | null) => StoredResponse,
  empty: Change,
): Change {
  const change = outcome.change ?? empty
  if (outcome.storedAs) {
    return {
      ...change,
      response: response(outcome.storedAs.status, storeFailure(outcome.storedAs)),
    }
  }
  const toStore = response(answer.status, outcome.record ? null : answerText(answer))
  return {
    ...change,
    response: {
      ...toStore,
      record: outcome.record ? { id: outcome.record.id, sequence: outcome.record.sequence } : null,
      headers: answer.headers,
    },
  }
}

/**
 * Stored response of an identical request.
 *
 * @throws Failure 409 if the key belongs to another request; the stored failure if that was the
 * response
 * @throws Error if the stored record differs from the sealed one
 */
export function replay(
  operation: OperationOutline,
  stored: Row,
  fingerprint: string,
  { verified, organizationId }: { verified: VerifiedTexts; organizationId: string },
): Answer {
  if (stored.fingerprint !== fingerprint) {
    throw new Failure('LIQUIDITY_IDEMPOTENCY_KEY_REUSED', {
      fieldErrors: { 'idempotency-key': ['must be new; it belongs to another request'] },
    })
  }
  const status = Number(stored.status)
  if (status >= 400) {
    const failure = restoreFailure(textOf(stored, 'body'))
    failure.isReplay = true
    throw failure
  }
  const headers = JSON.parse(stored.headers ?? '{}') as Record<string, string>
  const id = optionalTextOf(stored, 'record_id')
  if (id !== null) {
    const place = { organizationId, id, sequence: integerOf(stored, 'record_sequence') }
    const named = required(headers.etag && strongTag(headers.etag), 'ETag of the stored reply')
    verified.version(textOf(stored, 'record_body'), named, place)
  }
  const body = id === null ? optionalTextOf(stored, 'body') : `{"data":${stored.record_body}}`
  // Treasury families return 201 first and 200 on replay; all others repeat the original status.
  const isFound = isOfTreasury(operation) && operation.success.includes(200) && status === 201
  const replayed = isFound ? 200 : status
  return { status: replayed, headers: { ...headers, 'idempotency-replayed': 'true' }, body }
}

/** Changes never return bytes. */
function answerText({ body }: Answer): string | null {
  if (body === null || typeof body === 'string') return body
  throw new Error('A binary body cannot be stored for replay.')
}

/** Refusals that more rights or more storage turn into success. */
const curable: readonly ErrorCode[] = [
  'LIQUIDITY_STUDIO_SERVICE_SCOPE_REQUIRED',
  'LIQUIDITY_ORGANIZATION_STORAGE_FULL',
]

/**
 * 4xx responses are stored, so a retry gets the same result. Exceptions are retryable errors, which
 * could otherwise never succeed under their key, and the exceptions of the specification. A 403
 * before the handler never gets here; a 403 of a handler is stored, apart from a missing scope and
 * full storage: more rights or more storage make the same request succeed.
 */
export function isStored(operation: OperationOutline, failure: Failure): boolean {
  if (failure.code === 'LIQUIDITY_STUDIO_REAUTHENTICATION_REQUIRED') {
    return operation.reauthentication === 'required-and-recorded'
  }
  if (errorCatalogue[failure.code].retryable) return false
  if (curable.includes(failure.code)) return false
  return failure.status >= 400 && failure.status < 500 && ![401, 429].includes(failure.status)
}

/**
 * Fingerprint for request equality: method, path, role, If-Match and canonical body. Uses the body
 * as received, because validation normalizes scalars in place and would change the fingerprint of
 * the next attempt.
 */
export function fingerprinter(incoming: Incoming, bound: Bound): (role: string) => Promise<string> {
  let body: string | null = null
  const match = textOrEmpty(header(incoming.headers, 'if-match'))
  return async (role) => {
    const { canonicalBody } = await bound.validators()
    const given = incoming.body()
    body ??=
      given === undefined
        ? ''
        : given instanceof Uint8Array
          ? sha256Hex(given)
          : canonicalBody(given)
    return sha256Hex(`${incoming.method}\n${incoming.url}\n${role}\n${match}\n${body}`)
  }
}
