import { Agent, type Dispatcher, request as send } from 'undici'
import { limits } from '../../limits.ts'
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../outbound.ts'
import { confirmRequester } from '../../threads.ts'
import { guardedConnector, type Resolve } from './guarded-connect.ts'
import {
  OutboundError,
  OutboundFailedError,
  OutboundRefusedError,
  originOf,
  outboundFailure,
} from './outbound-error.ts'

export interface OutboundOptions {
  /** Plain http to any host; for development. */
  readonly allowHttp: boolean
  /** `host:port` pairs that are allowed over plain HTTP and at any address. */
  readonly allow?: readonly string[]
  readonly resolve?: Resolve
}

export function createOutbound(options: OutboundOptions): Outbound {
  const allow = options.allow ?? []
  const agent = new Agent({
    connections: limits.outboundConnectionsPerHost,
    connect: guardedConnector({
      allow,
      connectTimeoutMs: limits.outboundTimeoutMilliseconds,
      ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
    }),
  })
  const guard = { allowHttp: options.allowHttp, httpHosts: new Set(allow.map(httpHost)) }
  const request: Outbound['request'] = (url, wanted = {}) =>
    exchange(agent, guard, url, wanted, readWhole)
  return {
    fetch: async (input, init) => {
      // The error of Request contains the malformed URL with its secrets, so check first.
      checkedUrl(input instanceof Request ? input.url : String(input), guard)
      return fetchThrough(agent, guard, new Request(input, init))
    },
    request,
    requestHead: (url, wanted = {}) => exchange(agent, guard, url, wanted, readHead),
    close: () => agent.destroy(),
  }
}

interface Guard {
  readonly allowHttp: boolean
  readonly httpHosts: ReadonlySet<string>
}

type ReadBody = (
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  origin: string,
) => Promise<Uint8Array>

async function exchange(
  agent: Agent,
  guard: Guard,
  url: string,
  wanted: OutboundRequest,
  readBody: ReadBody,
): Promise<OutboundAnswer> {
  const { answer, maxBytes, origin, failureOf } = await sendRequest(agent, guard, url, wanted)
  try {
    const body = await readBody(answer.body, maxBytes, origin)
    return { status: answer.statusCode, headers: joined(answer.headers), body }
  } catch (error) {
    throw failureOf(error)
  }
}

/** A response whose body is pending, with error mapping for the transfer. */
interface OpenResponse {
  readonly answer: Dispatcher.ResponseData
  readonly maxBytes: number
  readonly origin: string
  readonly failureOf: (error: unknown) => unknown
}

async function sendRequest(
  agent: Agent,
  guard: Guard,
  url: string,
  wanted: OutboundRequest,
): Promise<OpenResponse> {
  const target = checkedUrl(url, guard)
  await confirmRequester()
  const deadline = AbortSignal.timeout(wanted.timeoutMs ?? limits.outboundTimeoutMilliseconds)
  const signal = wanted.signal ? AbortSignal.any([deadline, wanted.signal]) : deadline
  const { origin } = target
  const failureOf = (error: unknown): unknown => {
    if (error instanceof OutboundError) return error
    if (wanted.signal?.aborted) return wanted.signal.reason
    if (!deadline.aborted) return outboundFailure(error, origin)
    const detail = 'the request timed out'
    return new OutboundFailedError({ code: 'TIMED_OUT', origin, detail, cause: error })
  }
  try {
    const answer = await send(target, {
      dispatcher: agent,
      method: (wanted.method ?? 'GET') as Dispatcher.HttpMethod,
      headers: { 'accept-encoding': 'identity', ...wanted.headers },
      signal,
      ...(wanted.body === undefined ? {} : { body: wanted.body }),
    })
    const maxBytes = wanted.maxBytes ?? limits.outboundAnswerBytes
    return { answer, maxBytes, origin, failureOf }
  } catch (error) {
    throw failureOf(error)
  }
}

function checkedUrl(url: string, guard: Guard): URL {
  const origin = originOf(url)
  if (!URL.canParse(url)) {
    throw new OutboundRefusedError({ code: 'URL_MALFORMED', origin, detail: 'it is not a URL' })
  }
  const target = new URL(url)
  if (target.username !== '' || target.password !== '') {
    const detail = 'the URL contains user information'
    throw new OutboundRefusedError({ code: 'CREDENTIALS_IN_URL', origin, detail })
  }
  const mayUseHttp = guard.allowHttp || guard.httpHosts.has(target.host)
  if (target.protocol !== 'https:' && !(target.protocol === 'http:' && mayUseHttp)) {
    const detail = `${target.protocol} is not allowed`
    throw new OutboundRefusedError({ code: 'PROTOCOL_NOT_ALLOWED', origin, detail })
  }
  return target
}

/** A pair in the form of the `host` of an http URL, which omits port 80. */
function httpHost(pair: string): string {
  return URL.canParse(`http://${pair}`) ? new URL(`http://${pair}`).host : pair
}

async function readWhole(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  origin: string,
): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(bounded(body, maxBytes, origin)))
}

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  origin: string,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) {
      const detail = `its response is larger than ${maxBytes} bytes`
      throw new OutboundFailedError({ code: 'ANSWER_TOO_LARGE', origin, detail })
    }
    yield chunk
  }
}

async function readHead(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.length
      chunks.push(chunk)
      if (length >= maxBytes) break
    }
  } catch {
    // The status is known; return the part of the body that arrived.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

function joined(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return Object.fromEntries(entries) as Record<string, string>
}

async function fetchThrough(agent: Agent, guard: Guard, wanted: Request): Promise<Response> {
  const body = wanted.body === null ? undefined : new Uint8Array(await wanted.arrayBuffer())
  const { answer, maxBytes, origin, failureOf } = await sendRequest(agent, guard, wanted.url, {
    method: wanted.method,
    headers: Object.fromEntries(wanted.headers),
    signal: wanted.signal,
    ...(body === undefined ? {} : { body }),
  })
  const isBodyless = BODYLESS_STATUSES.has(answer.statusCode)
  if (isBodyless) await answer.body.dump()
  return new Response(
    isBodyless ? null : ReadableStream.from(read(bounded(answer.body, maxBytes, origin))),
    { status: answer.statusCode, headers: joined(answer.headers) },
  )

  async function* read(chunks: AsyncIterable<Uint8Array>) {
    try {
      yield* chunks
    } catch (error) {
      throw failureOf(error)
    }
  }
}

/** Statuses for which Response accepts no body. @see Fetch standard, null body status */
const BODYLESS_STATUSES = new Set([204, 205, 304])
