import type { IncomingMessage } from 'node:http'
import { required } from '../required.ts'
import { textOrEmpty } from '../texts.ts'

/**
 * Address of the client. Each proxy appends its caller's address to `X-Forwarded-For`, so the
 * trusted hops are counted from the end. Earlier entries are client input and may be forged.
 *
 * @param trustedHops number of proxies in front of the service
 */
export function clientAddressOf(
  {
    headers,
    socket,
  }: Pick<IncomingMessage, 'headers'> & {
    socket: { remoteAddress?: string | undefined }
  },
  trustedHops: number,
): string {
  const forwarded = headers['x-forwarded-for']
  const forwardedHops = typeof forwarded === 'string' ? forwarded.split(',') : []
  const addresses = forwardedHops
    .map((address) => address.trim())
    .filter((address) => address !== '')
  // A closed connection has no address, but still counts as a hop.
  const hops = [...addresses, textOrEmpty(socket.remoteAddress)]
  return required(hops[Math.max(0, hops.length - 1 - trustedHops)], 'hop')
}
