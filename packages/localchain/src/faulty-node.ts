import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Behaviour, Envelope, HttpBehaviour, RpcCall } from './node-behavior.ts'
import { type Fault, faultOf, UnknownBehaviorError } from './node-faults.ts'

export type {
  Behaviour,
  Envelope,
  HttpAnswer,
  HttpBehaviour,
  RpcAnswer,
  RpcCall,
} from './node-behavior.ts'

export { behaviorNames } from './node-faults.ts'
export { rangeWordings } from './range-wordings.ts'

export interface FaultyNode {
  readonly url: string
  /** Every call received so far. */
  readonly calls: readonly RpcCall[]
  /** Path and query of every request. */
  readonly paths: string[]
  /** Numbers of calls of all requests. */
  readonly sizes: number[]
  /**
   * Replaces the named behaviors.
   *
   * @throws UnknownBehaviorError for an unknown name
   */
  setBehaviors(names: readonly string[]): void
  stop(): Promise<void>
}

export interface FaultyNodeOptions {
  /** Behaviors by name, such as `batch-limit:3`; see `node-faults.ts`. */
  readonly behaviors?: readonly string[]
  readonly behave?: Behaviour
  readonly behaveHttp?: HttpBehaviour
  /** Unix time in ms, for limits per second. */
  readonly now?: () => number
  /** Port on the loopback interface. Default: any free one. */
  readonly port?: number
}

/** Serves one call; by default the one that arrived. */
type Serve = (call?: RpcCall) => Promise<object | 'HANG'>

/** Passes everything on, as a provider without faults. */
export const honest: Behaviour = (_, forward) => forward()

/**
 * An HTTP server in front of a real node, with the faults and limits of public nodes. `PUT
 * /__behaviors` with a JSON list of names changes them, and `GET /__requests` returns all calls.
 */
export async function startFaultyNode(
  upstream: string,
  { behaviors = [], behave, behaveHttp, now = Date.now, port = 0 }: FaultyNodeOptions = {},
): Promise<FaultyNode> {
  const calls: RpcCall[] = []
  const paths: string[] = []
  const sizes: number[] = []
  let faults: readonly Fault[] = []
  const setBehaviors = (names: readonly string[]) => {
    faults = names.flatMap((name) => faultOf(name, now))
  }
  setBehaviors(behaviors)

  const answerOne = async (envelope: Envelope): Promise<object | 'HANG'> => {
    calls.push({ method: envelope.method, params: envelope.params })
    const forward = (call: RpcCall = envelope) =>
      sendUpstream(upstream, { id: envelope.id, method: call.method, params: call.params })
    const inner: Serve = behave
      ? (call = envelope) => asResult(behave(call, (other = call) => forward(other)))
      : forward
    const served = faults.reduceRight<Serve>(
      (next, { call: decide }) =>
        decide ? (call = envelope) => decide(call, next as typeof forward) : next,
      inner,
    )
    const answer = await served()
    return answer === 'HANG' ? 'HANG' : { ...answer, jsonrpc: '2.0', id: envelope.id }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '/', method } = request
    const text = await readText(request)
    if (url === '/__requests' && method === 'GET') return sendJson(response, 200, calls)
    if (url === '/__behaviors' && method === 'PUT') {
      try {
        setBehaviors(JSON.parse(text) as string[])
        return sendJson(response, 200, { behaviors: JSON.parse(text) })
      } catch (error) {
        if (!(error instanceof UnknownBehaviorError)) throw error
        return sendJson(response, 400, { error: error.message })
      }
    }
    paths.push(url)
    const body = JSON.parse(text) as Envelope | Envelope[]
    const envelopes = [body].flat()
    sizes.push(envelopes.length)
    const wholes = [...faults.map(({ http }) => http), behaveHttp]
    for (const whole of wholes) {
      const refused = whole?.(envelopes, { url }) ?? null
      if (refused === 'HANG') return
      if (refused === 'CUT') return cutBody(response)
      if (refused === 'DRIP') return dripBody(response)
      if (refused === 'GZIP_BOMB') return sendBomb(response)
      if (refused) return sendJson(response, refused.status, refused.body, refused.headers)
    }
    const answers = await Promise.all(envelopes.map(answerOne))
    if (answers.includes('HANG')) return
    const changed = faults.reduce(
      (list, { batch }) => (batch ? batch(list, envelopes) : list),
      answers as readonly object[],
    )
    sendJson(response, 200, Array.isArray(body) ? changed : changed[0])
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    paths,
    sizes,
    setBehaviors,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function asResult(answer: Promise<object | 'HANG'>) {
  return (await answer) as { result?: unknown }
}

async function sendUpstream(upstream: string, envelope: Envelope): Promise<{ result?: unknown }> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...envelope })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(upstream, { method: 'POST', headers, body })
  return (await answer.json()) as { result?: unknown }
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Sends a byte at a time, without an end, until the client gives up. */
function dripBody(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}

/** Sends a few kilobytes that decompress to 64 MiB. */
function sendBomb(response: ServerResponse): void {
  bomb ??= gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
  response.end(bomb)
}

let bomb: Buffer | undefined

/** Sends half of a response and closes the connection. */
function cutBody(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"jsonrpc":"2.0","id":0,"result":', () => response.destroy())
}
