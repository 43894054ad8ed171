import type { FieldErrors } from '@liquidity-os/contract'
import type { TSchema } from 'typebox'
import { normalizeAddress } from './address.ts'
import { instantOf } from './timestamp.ts'

const maxAmount = 2n ** 256n - 1n

/** Expected format per signed scalar type; null if valid. */
const faults: Readonly<Record<string, (value: string) => string | null>> = {
  SignedTime: (value) =>
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(value) && instantOf(value) !== null
      ? null
      : 'must be a UTC time in whole seconds, such as 2026-01-31T12:00:00Z',
  SignedAddress: (value) =>
    normalizeAddress(value) === value ? null : 'must be an address with its EIP-55 checksum',
  SignedHash: (value) => (value === value.toLowerCase() ? null : 'must be in lowercase'),
  SignedQuantity: (value) =>
    /^(0|[1-9]\d*)$/.test(value) && BigInt(value) <= maxAmount
      ? null
      : 'must be an integer below 2^256 without leading zeros',
}

/**
 * Scalars of a signed document that are not in canonical form. Signed documents are never
 * normalized, because that would break the signature.
 *
 * @param schema of the document, already validated
 * @param at path of the document in its request
 */
export function validateSignedScalar(schema: TSchema, value: unknown, at: string): FieldErrors {
  const {
    'x-name': name,
    properties,
    items,
  } = schema as TSchema & {
    readonly 'x-name'?: string
    readonly properties?: Readonly<Record<string, TSchema>>
    readonly items?: TSchema
  }
  const fault = typeof value === 'string' && name !== undefined ? faults[name]?.(value) : null
  if (fault) return { [at]: [`${fault}, got ${value}`] }
  if (Array.isArray(value) && items) {
    return merged(value.map((item, index) => validateSignedScalar(items, item, `${at}.${index}`)))
  }
  if (typeof value !== 'object' || value === null || !properties) return {}
  const members = Object.entries(value)
  return merged(
    members.map(([member, inner]) =>
      validateSignedScalar(properties[member] ?? ({} as TSchema), inner, `${at}.${member}`),
    ),
  )
}

const merged = (parts: readonly FieldErrors[]): FieldErrors => Object.assign({}, ...parts)
