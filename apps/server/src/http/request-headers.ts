import type { OperationOutline } from '@liquidity-os/contract/outline'
import { type Headers, header } from '../access/headers.ts'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import { strongTag } from './entity-tag.ts'

const organizationHeader = 'x-service-organization-id'

/** @throws Failure 400 LIQUIDITY_STUDIO_ORGANIZATION_REQUIRED */
export const organizationOf = (headers: Headers): string =>
  requireOrganization(header(headers, organizationHeader))

/**
 * The organization in the header, or for a download in the query.
 *
 * @throws Failure 400 LIQUIDITY_STUDIO_ORGANIZATION_REQUIRED, or 400 LIQUIDITY_INVALID_REQUEST if
 * both name different ones
 */
export function requestedOrganization(
  { isDownload }: Pick<OperationOutline, 'isDownload'>,
  { headers, query }: { headers: Headers; query: Readonly<Record<string, unknown>> },
): string {
  const sent = header(headers, organizationHeader)
  if (!isDownload || query.organization === undefined) return requireOrganization(sent)
  const { organization } = query
  if (sent !== null && organization !== sent) {
    throw new Failure('LIQUIDITY_INVALID_REQUEST', {
      fieldErrors: {
        'query.organization': [
          `must equal the header ${organizationHeader} ${JSON.stringify(sent)}, got ${JSON.stringify(organization)}`,
        ],
      },
    })
  }
  return requireOrganization(typeof organization === 'string' ? organization : null)
}

function requireOrganization(value: string | null): string {
  if (value === null || value.length < 1 || value.length > limits.organizationIdCharacters) {
    throw new Failure('LIQUIDITY_STUDIO_ORGANIZATION_REQUIRED')
  }
  return value
}

export function isIdempotencyKey(operation: OperationOutline, value: string): boolean {
  return operation.idempotency === 'printable-200'
    ? /^[\x20-\x7e]{8,200}$/.test(value)
    : value.length >= 8 && value.length <= 160 && value.trim() === value
}

/** @throws Failure 400 LIQUIDITY_IDEMPOTENCY_KEY_REQUIRED */
export function idempotencyKeyOf(operation: OperationOutline, value: string | null): string {
  if (value !== null && isIdempotencyKey(operation, value)) return value
  const expected =
    operation.idempotency === 'printable-200'
      ? '8 to 200 printable ASCII characters'
      : '8 to 160 characters without leading or trailing spaces'
  throw new Failure('LIQUIDITY_IDEMPOTENCY_KEY_REQUIRED', {
    fieldErrors: {
      'headers.idempotency-key': [
        value === null ? 'is required' : `must have ${expected}, got ${JSON.stringify(value)}`,
      ],
    },
  })
}

/** Version named by If-Match, unquoted; null if optional and absent. */
export function preconditionOf(operation: OperationOutline, headers: Headers): string | null {
  if (!operation.precondition) return null
  const value = header(headers, 'if-match')
  if (value === null && operation.precondition === 'optional') return null
  const tag = value === null ? null : strongTag(value)
  if (tag === null) throw new Failure('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  return tag
}
