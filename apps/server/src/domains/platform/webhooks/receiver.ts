import type { Config } from '../../../config.ts'

/**
 * Why a URL cannot be a receiver, or null. Addresses behind a name are checked again at every delivery, on
 * the connected socket.
 */
export function receiverFault(url: string, config: Config): string | null {
  const parsed = new URL(url)
  const allowed = config.outboundAllow.includes(`${parsed.hostname}:${parsed.port || '443'}`)
  if (parsed.username !== '' || parsed.password !== '') return 'must not carry user information'
  if (parsed.protocol !== 'https:' && !(parsed.protocol === 'http:' && allowed)) {
    return `must be an https URL, got ${parsed.protocol.slice(0, -1)}`
  }
  if (parsed.hash !== '') return 'must not carry a fragment'
  return null
}
