import type { Failure } from '../failure.ts'
import type { Answer } from './ready-answer.ts'

/**
 * OAuth error response for a malformed token request; null for other errors.
 *
 * @see RFC 6749, §5.2
 */
export function formRefusal({ status, detail, message }: Failure): Answer | null {
  if (status !== 400) return null
  const faults = Object.entries(detail.fieldErrors ?? {})
  const isOtherGrant = detail.fieldErrors?.grant_type?.some((text) => text.startsWith('must be "'))
  const summary = faults.map(([name, texts]) => `${name} ${texts.join(', ')}`).join('; ')
  const description = summary || message
  return {
    status: 400,
    headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    body: JSON.stringify({
      error: isOtherGrant ? 'unsupported_grant_type' : 'invalid_request',
      // The standard allows printable ASCII without the double quote and the backslash.
      error_description: description.replace(/["\\]|[^\x20-\x7e]/g, "'"),
    }),
  }
}
