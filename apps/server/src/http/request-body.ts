import type { IncomingMessage } from 'node:http'
import { Failure } from '../failure.ts'
import { noBytes } from './incoming.ts'

/**
 * The bytes of a request's body.
 *
 * @throws Failure 413 as soon as it is known to be larger than the limit
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((done, refuse) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      return refuse(new Failure('LIQUIDITY_BODY_TOO_LARGE'))
    }
    // Nearly every body comes in one piece.
    let first: Buffer | null = null
    let pieces: Buffer[] | null = null
    let bytes = 0
    request.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > limit) {
        request.pause()
        return refuse(new Failure('LIQUIDITY_BODY_TOO_LARGE'))
      }
      if (first === null) first = piece
      else {
        pieces ??= [first]
        pieces.push(piece)
      }
    })
    request.on('end', () => done(pieces ? Buffer.concat(pieces, bytes) : (first ?? noBytes)))
    // The caller went away: nobody hears the refusal, but nothing waits for the rest either.
    request.on('error', () => refuse(new Failure('LIQUIDITY_MALFORMED_JSON')))
  })
}
