import type {
  BatchBehaviour,
  Behaviour,
  Envelope,
  HttpAnswer,
  HttpBehaviour,
  RpcCall,
} from './node-behavior.ts'
import { rangeWordings } from './range-wordings.ts'

/** Parts of a behavior: each decides at another point of a request. */
export interface Fault {
  readonly http?: HttpBehaviour
  readonly call?: Behaviour
  readonly batch?: BatchBehaviour
}

export class UnknownBehaviorError extends Error {
  constructor(name: string) {
    super(`Unknown behavior ${name}. Known: ${behaviorNames.join(', ')}.`)
    this.name = 'UnknownBehaviorError'
  }
}

type Make = (parameter: number | null, now: () => number, form: number) => Fault

const refusal = (
  status: number,
  error: { code: number; message: string; data?: unknown } | string,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer => ({
  status,
  headers,
  body: typeof error === 'string' ? error : { jsonrpc: '2.0', id: null, error },
})

const batchRefusal = { code: 31, message: 'Batch of too many requests is not allowed on free tier' }

/** Number of blocks of an `eth_getLogs`; 0 for other calls. */
function logBlocks({ method, params: [filter] }: RpcCall): number {
  if (method !== 'eth_getLogs') return 0
  const { fromBlock, toBlock } = (filter ?? {}) as Record<string, string>
  return Number(toBlock) - Number(fromBlock) + 1
}

const isTooWide = (envelopes: readonly Envelope[], blocks: number) =>
  envelopes.some((envelope) => logBlocks(envelope) > blocks)

/** Refuses the range of a log request as an error of the call. */
const rangeError =
  (code: number, messageOf: (blocks: number) => string, dataOf?: (blocks: number) => unknown) =>
  (parameter: number | null): Fault => {
    const blocks = parameter ?? 500
    const data = dataOf?.(blocks)
    const error = { code, message: messageOf(blocks), ...(data === undefined ? {} : { data }) }
    return {
      call: async (call, forward) => (logBlocks(call) > blocks ? { error } : forward()),
    }
  }

/** Counts calls in fixed windows of a second; true above the limit. */
function windowOf(limit: number, now: () => number): (calls: number) => boolean {
  let [second, used] = [-1, 0]
  return (calls) => {
    const current = Math.floor(now() / 1000)
    if (current !== second) [second, used] = [current, 0]
    used += 1
    return used > Math.max(1, limit) && calls > 0
  }
}

/** Refuses requests above a number per second. */
const rate =
  (answerOf: (now: number) => HttpAnswer): Make =>
  (parameter, now) => {
    const isAbove = windowOf(parameter ?? 10, now)
    return { http: (envelopes) => (isAbove(envelopes.length) ? answerOf(now()) : null) }
  }

const limited = { code: -32005, message: 'request rate limited' }

/** Refuses a method as unknown. */
const without =
  (method: string): Make =>
  () => ({
    call: async (call, forward) =>
      call.method === method
        ? { error: { code: -32601, message: `the method ${method} does not exist` } }
        : forward(),
  })

type Log = {
  readonly logIndex: string
  readonly blockNumber: string
  readonly blockHash: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A hash with another last digit. */
const otherHash = (hash: string) => `${hash.slice(0, -1)}${hash.endsWith('0') ? '1' : '0'}`

/** The log with the topics of another event. */
const forged = (log: Log): Log => ({ ...log, topics: log.topics.map(otherHash) })

/** Changes the logs of each response. */
const changedLogs =
  (change: (logs: readonly Log[]) => readonly Log[]): Make =>
  () => ({
    call: async (call, forward) => {
      const answer = await forward()
      if (call.method !== 'eth_getLogs' || !Array.isArray(answer.result)) return answer
      return { ...answer, result: change(answer.result as Log[]) }
    },
  })

type Block = Readonly<Record<string, unknown>>

/** Changes the block of each response. */
const changedHeaders =
  (change: (header: Block) => Block): Make =>
  () => ({
    call: async (call, forward) => {
      const answer = await forward()
      const isBlock = call.method.startsWith('eth_getBlockBy') && answer.result
      return isBlock ? { ...answer, result: change(answer.result as Block) } : answer
    },
  })

/** Responses of a node that is some blocks behind. */
async function answerBehind(
  call: RpcCall,
  forward: Parameters<Behaviour>[1],
  blocks: number,
): Promise<Awaited<ReturnType<Behaviour>>> {
  if (call.method !== 'eth_getBlockByNumber' && call.method !== 'eth_getLogs') return forward()
  const newest = await forward({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  const head = Math.max(0, Number((newest.result as { number: string }).number) - blocks)
  const [first] = call.params as [string | { toBlock: string }]
  if (typeof first === 'object') {
    return Number(first.toBlock) > head
      ? { error: { code: -32000, message: 'block not found' } }
      : forward()
  }
  if (!first.startsWith('0x')) {
    return forward({ ...call, params: [`0x${head.toString(16)}`, call.params[1]] })
  }
  return Number(first) > head ? { result: null } : forward()
}

/** Responses of nodes without finalized blocks. */
const finalizedForms: readonly (
  | 'GENESIS'
  | { result: null }
  | { error: { code: number; message: string } }
)[] = [
  { error: { code: -32602, message: 'unknown block tag finalized' } },
  { result: null },
  { error: { code: -32000, message: 'finalized block not found' } },
  { error: { code: -39001, message: 'Unknown block' } },
  'GENESIS',
]

/**
 * Behaviors by name. A number after a colon is the parameter: calls of a batch, requests per second,
 * blocks of a log request, logs of a response, blocks behind the head, responses before a reorganization.
 * form of `no-finalized`. A second number selects the wording of `range-limit`, from 1.
 */
const behaviors: Readonly<Record<string, Make>> = {
  'batch-limit': (parameter) => ({
    http: (envelopes) => (envelopes.length > (parameter ?? 3) ? refusal(500, batchRefusal) : null),
  }),
  'batch-none': () => ({
    http: (envelopes) =>
      envelopes.length > 1
        ? refusal(400, { code: -32600, message: 'batch requests are not supported' })
        : null,
  }),
  'batch-truncate': (parameter) => ({ batch: (answers) => answers.slice(0, parameter ?? 3) }),
  'batch-reorder': () => ({ batch: (answers) => [...answers].reverse() }),
  'batch-string-ids': () => ({
    batch: (answers) => answers.map((answer) => ({ ...answer, id: `${(answer as Envelope).id}` })),
  }),
  'batch-mixed-errors': () => ({
    batch: (answers, envelopes) =>
      answers.map((answer, index) =>
        index > 0 && index === answers.length - 1
          ? { jsonrpc: '2.0', id: envelopes[index]?.id, error: limited }
          : answer,
      ),
  }),
  'rate-429': rate(() => refusal(429, limited, { 'retry-after': '1' })),
  'rate-429-no-header': rate(() => refusal(429, 'Too Many Requests')),
  'rate-429-http-date': rate((now) =>
    refusal(429, limited, { 'retry-after': new Date(now + 2000).toUTCString() }),
  ),
  'rate-32005': rate(() => refusal(200, { code: -32005, message: 'Too many requests' })),
  'rate-403-retry-after': rate(() => refusal(403, 'Forbidden', { 'retry-after': '1' })),
  'rate-in-items': (parameter, now) => {
    const isAbove = windowOf(parameter ?? 10, now)
    return {
      call: async (_, forward) => (isAbove(1) ? { error: { ...limited, code: 429 } } : forward()),
    }
  },
  'quota-day': (parameter) => {
    let calls = 0
    return {
      http: (envelopes) => {
        calls += envelopes.length
        return calls > (parameter ?? 100)
          ? refusal(429, { code: -32005, message: 'daily request count exceeded' })
          : null
      },
    }
  },
  'range-limit': (parameter, _, form) => {
    const { code, messageOf } = rangeWordings[(form - 1) % rangeWordings.length]!
    return rangeError(code, messageOf)(parameter)
  },
  'range-data-only': rangeError(
    -32602,
    () => 'invalid params',
    (blocks) => ({ payload: `range is bigger than range limit ${blocks}` }),
  ),
  'range-as-block-not-found': rangeError(-32000, () => 'block not found'),
  'range-413': (parameter) => ({
    http: (envelopes) =>
      isTooWide(envelopes, parameter ?? 500) ? refusal(413, 'Payload Too Large') : null,
  }),
  'range-hang': (parameter) => ({
    http: (envelopes) => (isTooWide(envelopes, parameter ?? 500) ? 'HANG' : null),
  }),
  'results-limit': (parameter) => ({
    call: async (call, forward) => {
      const answer = await forward()
      const count = Array.isArray(answer.result) ? answer.result.length : 0
      if (call.method !== 'eth_getLogs' || count <= (parameter ?? 10)) return answer
      const message = `query returned more than ${parameter ?? 10} results`
      return { error: { code: -32005, message } }
    },
  }),
  timeout: () => ({ http: () => 'HANG' }),
  drip: () => ({ http: () => 'DRIP' }),
  'gzip-bomb': () => ({ http: () => 'GZIP_BOMB' }),
  'cut-body': () => ({ http: () => 'CUT' }),
  'html-502': () => ({ http: () => refusal(502, '<html>Bad Gateway</html>') }),
  'auth-401': () => ({
    http: () => refusal(401, { code: -32600, message: 'Must be authenticated' }),
  }),
  'secret-echo': () => ({
    http: (_, { url }) => refusal(403, { code: -32600, message: `No access with key ${url}` }),
  }),
  'no-proof': without('eth_getProof'),
  'no-simulate': without('eth_simulateV1'),
  'no-finalized': (form) => ({
    call: async (call, forward) => {
      if (call.params[0] !== 'finalized') return forward()
      const answer = finalizedForms[((form ?? 1) - 1) % finalizedForms.length]!
      // A node before its first finalized block returns the first block of the chain.
      return answer === 'GENESIS' ? forward({ ...call, params: ['0x0', false] }) : answer
    },
  }),
  'no-hash-pin': () => ({
    call: async (call, forward) =>
      typeof call.params[1] === 'object' && call.params[1] !== null
        ? { error: { code: -32602, message: 'cannot unmarshal object into block number' } }
        : forward(),
  }),
  'pruned-state': () => ({
    call: async (call, forward) =>
      call.params[1] === '0x1'
        ? { error: { code: -32000, message: 'missing trie node' } }
        : forward(),
  }),
  'pruned-logs': (parameter) => ({
    call: async (call, forward) => {
      const [filter] = call.params as [{ fromBlock?: string } | undefined]
      const isPruned = Number(filter?.fromBlock ?? 0) < (parameter ?? 10)
      return call.method === 'eth_getLogs' && isPruned
        ? { error: { code: 4444, message: 'pruned history unavailable' } }
        : forward()
    },
  }),
  lag: (parameter) => ({ call: (call, forward) => answerBehind(call, forward, parameter ?? 100) }),
  'wrong-chain': () => ({
    call: async (call, forward) => (call.method === 'eth_chainId' ? { result: '0x1' } : forward()),
  }),
  'drop-log': changedLogs((logs) => logs.slice(1)),
  'extra-log': changedLogs((logs) => [...logs, ...logs.slice(0, 1)]),
  // Another log of a block, which its bloom does not contain.
  'forged-log': changedLogs((logs) => logs.map((log, index) => (index === 0 ? forged(log) : log))),
  'truncate-20': (parameter, now, form) =>
    changedLogs((logs) => logs.slice(0, parameter ?? 20))(parameter, now, form),
  'wrong-hash': changedLogs((logs) =>
    logs.map((log) => ({ ...log, blockHash: otherHash(log.blockHash) })),
  ),
  'zero-bloom': changedHeaders((header) => ({ ...header, logsBloom: `0x${'00'.repeat(256)}` })),
  reorg: (parameter, now, form) => {
    let headers = 0
    return changedHeaders((header) => {
      headers += 1
      const isReplaced = headers > (parameter ?? 3)
      return isReplaced ? { ...header, hash: otherHash(`${header.hash}`) } : header
    })(parameter, now, form)
  },
}

/** Combinations of behaviors. */
const presets: Readonly<Record<string, readonly string[]>> = {
  'free-tier': ['rate-429:10', 'batch-limit:3', 'range-limit:500'],
}

export const behaviorNames = [...Object.keys(presets), ...Object.keys(behaviors)].sort()

/**
 * The faults of a named behavior, or of each part of a preset.
 *
 * @param name name with an optional parameter: `batch-limit:3`
 * @throws UnknownBehaviorError
 */
export function faultOf(name: string, now: () => number): Fault[] {
  const preset = presets[name]
  if (preset) return preset.flatMap((part) => faultOf(part, now))
  const [plain = name, ...numbers] = name.split(':')
  const make = behaviors[plain]
  const [parameter = null, form = 1] = numbers.map((text) => (text === '' ? null : Number(text)))
  const isValue = [parameter, form].every(
    (value) => value === null || (Number.isSafeInteger(value) && value > 0),
  )
  if (!make || !isValue || numbers.length > 2) throw new UnknownBehaviorError(name)
  return [make(parameter, now, form ?? 1)]
}
