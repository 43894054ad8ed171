import type { Socket } from 'node:net'
import { Failure } from '../failure.ts'
import { newCorrelationId } from './correlation-id.ts'
import { failureReply } from './reply.ts'

interface Fault {
  readonly status: number
  readonly phrase: string
  readonly detail: string
}

/** Unparsable requests, by the error code of the parser. */
const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    detail: 'the headers are larger than 16 kB',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    phrase: 'Content Too Large',
    detail: 'the chunk extensions are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    phrase: 'Request Timeout',
    detail: 'the request timed out',
  },
}

/**
 * Rejects malformed HTTP with the standard error body. No request object exists yet, so the
 * response is written by hand. The connection closes because the start of the next request is
 * unknown.
 */
export function refuseProtocol(
  { code = '', message }: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const { status, phrase, detail } = faults[code] ?? {
    status: 400,
    phrase: 'Bad Request',
    detail: message,
  }
  const failure = new Failure('LIQUIDITY_INVALID_REQUEST', {
    message: 'The request is not valid HTTP.',
    fieldErrors: { '(request)': [detail] },
  })
  const { headers, body } = failureReply(failure, newCorrelationId())
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  if (socket.writable) {
    socket.write(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n${body}`)
  }
  socket.destroySoon()
}
