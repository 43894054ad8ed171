/**
 * Milliseconds that a `Retry-After` header demands; null if it is missing or unreadable.
 *
 * @param now Unix time in ms, for a header that is a date
 * @see RFC 9110, section 10.2.3: seconds or an HTTP date
 */
export function headerDelay(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null
  if (/^\d+(\.\d+)?$/.test(retryAfter.trim())) return Number(retryAfter) * 1000
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
