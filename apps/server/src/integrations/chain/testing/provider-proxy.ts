import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { required } from '../../../required.ts'

/** One JSON-RPC request as it arrives. */
export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** What a provider says: a result, an error, or nothing at all, ever. */
export type RpcAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | 'HANG'

/** Decides an answer; `forward` asks the real node. */
export type Behaviour = (
  call: RpcCall,
  forward: () => Promise<{ result?: unknown }>,
) => Promise<RpcAnswer | { result?: unknown }>

export type ProviderProxy = {
  readonly url: string
  /** Every call received so far. */
  readonly calls: readonly RpcCall[]
  /** Path and query of every request. */
  readonly paths: string[]
  stop(): Promise<void>
}

export type Envelope = RpcCall & { readonly id: unknown }

/** A response to a whole HTTP request, in place of one per call. */
export interface HttpAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Decides a response to a whole HTTP request; null serves each call. */
export type HttpBehaviour = (envelopes: readonly Envelope[]) => HttpAnswer | null

/** A real HTTP server in front of a real node that misbehaves exactly as told. */
export async function startProviderProxy(
  upstream: string,
  behave: Behaviour,
  behaveHttp: HttpBehaviour = () => null,
): Promise<ProviderProxy> {
  const calls: RpcCall[] = []
  const paths: string[] = []
  const answerOne = async (envelope: Envelope): Promise<object | 'HANG'> => {
    calls.push({ method: envelope.method, params: envelope.params })
    const forward = async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...envelope })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(upstream, { method: 'POST', headers, body })
      return (await answer.json()) as { result?: unknown }
    }
    const answer = await behave(envelope, forward)
    return answer === 'HANG' ? 'HANG' : { ...answer, jsonrpc: '2.0', id: envelope.id }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    paths.push(required(request.url, 'path'))
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const question = JSON.parse(Buffer.concat(parts).toString()) as Envelope | Envelope[]
    const refused = behaveHttp([question].flat())
    if (refused) {
      response.writeHead(refused.status, { 'content-type': 'application/json', ...refused.headers })
      const isText = typeof refused.body === 'string'
      response.end(isText ? refused.body : JSON.stringify(refused.body))
      return
    }
    const answers = await Promise.all([question].flat().map(answerOne))
    if (answers.includes('HANG')) return
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(question) ? answers : answers[0]))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    paths,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Passes everything on, as an honest provider. */
export const honest: Behaviour = (_, forward) => forward()
