import type { Config } from '../config.ts'

/**
 * Why a URL cannot be kept as a receiver or an endpoint, or null. Addresses behind a name are checked again
 * at every request, on the connected socket.
 */
export function endpointFault(
  url: string,
  config: Config,
  options: { allowHttp: boolean } = { allowHttp: false },
): string | null {
  if (!URL.canParse(url)) return 'must be a URL with a host'
  const parsed = new URL(url)
  const standardPort = parsed.protocol === 'https:' ? '443' : '80'
  const allowed = config.outboundAllow.includes(`${parsed.hostname}:${parsed.port || standardPort}`)
  if (parsed.username !== '' || parsed.password !== '') return 'must not carry user information'
  if (
    parsed.protocol !== 'https:' &&
    !(parsed.protocol === 'http:' && (allowed || options.allowHttp))
  ) {
    return `must be an https URL, got ${parsed.protocol.slice(0, -1)}`
  }
  if (parsed.hash !== '') return 'must not carry a fragment'
  return null
}
