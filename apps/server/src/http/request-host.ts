import type { Headers } from '../access/headers.ts'

/**
 * The host that a request was sent to, in lower case and without its port; null where it names none. What proxies say of it
 * counts only where they are trusted, and of several the one that stands next to us: whatever stands before it was said by
 * the client.
 *
 * @param trustedHops proxies in front of the service, by their number
 */
export function requestHostOf(headers: Headers, trustedHops: number): string | null {
  const forwarded = headers['x-forwarded-host']
  const told = trustedHops > 0 && typeof forwarded === 'string' ? forwarded.split(',') : []
  const named = told.at(-trustedHops)?.trim() || headers.host
  if (typeof named !== 'string') return null
  const [, host] = /^([a-z0-9.-]{1,253}?)\.?(?::\d{1,5})?$/.exec(named.toLowerCase()) ?? []
  return host ?? null
}
