import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { refusedRange } from './public-address.ts'

/**
 * Reason a URL is not allowed as receiver or endpoint, or null. Resolved addresses are checked
 * again at every request, on the connected socket.
 */
export function endpointFault(
  url: string,
  config: Pick<Config, 'outboundAllow'>,
  options: { allowHttp: boolean } = { allowHttp: false },
): string | null {
  if (!URL.canParse(url)) return 'must be a URL with a host'
  const parsed = new URL(url)
  const allowed = config.outboundAllow.includes(pairOf(parsed))
  if (parsed.username !== '' || parsed.password !== '') return 'must not contain user information'
  if (
    parsed.protocol !== 'https:' &&
    !(parsed.protocol === 'http:' && (allowed || options.allowHttp))
  ) {
    return `must be an https URL, got ${parsed.protocol.slice(0, -1)}`
  }
  if (parsed.hash !== '') return 'must not contain a fragment'
  const literal = parsed.hostname.replace(/^\[|\]$/g, '')
  const range = isIP(literal) === 0 || allowed ? null : refusedRange(literal)
  if (range !== null) return `must be a public address, got one that is ${range}; ${allowHint(url)}`
  return null
}

/** Hint for the operator on how to allow a host inside the network. */
export function allowHint(url: string): string {
  return `the operator can allow it with OUTBOUND_ALLOW=${pairOf(new URL(url))}`
}

function pairOf({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}
