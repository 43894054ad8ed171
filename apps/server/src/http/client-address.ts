import type { IncomingMessage } from 'node:http'
import { required } from '../required.ts'
import { textOrEmpty } from '../texts.ts'

/**
 * The address of the client itself. Each proxy adds the address that it was called from at the end of
 * `X-Forwarded-For`, so those of the trusted proxies are stepped over from there; whatever stands before them
 * was said by the client and may be made up.
 *
 * @param trustedHops proxies in front of the service, by their number
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
  const told = typeof forwarded === 'string' ? forwarded.split(',') : []
  const addresses = told.map((address) => address.trim()).filter((address) => address !== '')
  // A connection that has just been closed has no address any more, and still counts as a hop.
  const hops = [...addresses, textOrEmpty(socket.remoteAddress)]
  return required(hops[Math.max(0, hops.length - 1 - trustedHops)], 'hop')
}
