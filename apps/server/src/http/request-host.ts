import type { Headers } from '../access/headers.ts'

/**
 * Host of a request, in lower case and without port; null if absent. Forwarded headers count only
 * behind trusted proxies. Of several values, the one from the outermost trusted proxy applies:
 * earlier ones are client input.
 *
 * @param trustedHops number of proxies in front of the service
 */
export function requestHostOf(headers: Headers, trustedHops: number): string | null {
  const forwarded = headers['x-forwarded-host']
  const hosts = trustedHops > 0 && typeof forwarded === 'string' ? forwarded.split(',') : []
  const named = hosts.at(-trustedHops)?.trim() || headers.host
  if (typeof named !== 'string') return null
  const [, host] = /^([a-z0-9.-]{1,253}?)\.?(?::\d{1,5})?$/.exec(named.toLowerCase()) ?? []
  return host ?? null
}
