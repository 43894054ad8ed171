import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export interface RawConnection {
  readonly socket: Socket
  readonly read: () => string
  readonly ended: Promise<unknown>
}

/** @param baseUrl http or https */
export async function openRaw(baseUrl: string): Promise<RawConnection> {
  const { hostname, port, protocol } = new URL(baseUrl)
  const isTls = protocol === 'https:'
  const to = { host: hostname, port: Number(port) || (isTls ? 443 : 80) }
  const socket = isTls ? connectTls({ ...to, servername: hostname }) : connect(to)
  let text = ''
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  const ended = once(socket, 'close')
  await once(socket, isTls ? 'secureConnect' : 'connect')
  return { socket, read: () => text, ended }
}

const lines = (...more: string[]) =>
  ['GET / HTTP/1.1', 'host: localhost', ...more, '', ''].join('\r\n')

/** Invalid HTTP: description, bytes, and expected error status. */
export const notHttp: readonly (readonly [string, string, number])[] = [
  ['a method that nobody knows', 'FOO / HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
  ['a header with a space in its name', lines('x a: 1'), 400],
  ['two lengths', lines('content-length: 1', 'content-length: 2'), 400],
  ['a length beside chunks', lines('content-length: 1', 'transfer-encoding: chunked'), 400],
  ['headers without end', lines(`x: ${'y'.repeat(20_000)}`), 431],
]
