import { afterEach, describe, expect, it } from 'vitest'
import { ask, type ChainClientOptions, chainClient } from './client.ts'
import { DayQuota } from './day-quota.ts'
import {
  type Behaviour,
  type Envelope,
  type HttpBehaviour,
  type ProviderProxy,
  startProviderProxy,
} from './testing/provider-proxy.ts'
import { virtualPace } from './testing/virtual-pace.ts'
import { WaitBudget } from './wait-budget.ts'

const proxies: ProviderProxy[] = []
afterEach(() => Promise.all(proxies.splice(0).map((proxy) => proxy.stop())))

const answer: Behaviour = async ({ params }) => ({ result: params[0] })

/** A node that refuses as told, a client of it, and the sizes of all its requests. */
async function start(
  behaveHttp: HttpBehaviour,
  behave: Behaviour = answer,
  options: Partial<ChainClientOptions> = {},
) {
  const sizes: number[] = []
  const proxy = await startProviderProxy('http://127.0.0.1:1', behave, (envelopes, request) => {
    sizes.push(envelopes.length)
    return behaveHttp(envelopes, request)
  })
  proxies.push(proxy)
  const virtual = virtualPace()
  const options_ = { endpoint: proxy.url, fetch, timeoutMs: 5000, pace: virtual.pace, ...options }
  return { ...virtual, sizes, client: chainClient(options_) }
}

/** The number as a quantity. */
const quantity = (value: number) => `0x${value.toString(16)}`

const askMany = async (client: Parameters<typeof ask>[0], count: number, from = 0) => {
  const wanted = Array.from({ length: count }, (_, index) => quantity(from + index))
  const found = await Promise.all(wanted.map((value) => ask(client, 'eth_getBalance', [value])))
  expect(found).toEqual(wanted)
}

describe('a node that limits batches', () => {
  it('answers after the batch is halved, and the size that passed is used from then on', async () => {
    const { client, sizes } = await start((envelopes) =>
      envelopes.length <= 3
        ? null
        : {
            status: 500,
            body: {
              jsonrpc: '2.0',
              id: null,
              error: {
                code: 31,
                message: 'Batch of more than 3 requests are not allowed on free tier',
              },
            },
          },
    )
    await askMany(client, 20)
    expect(sizes).toEqual([20, 10, 5, ...Array(10).fill(2)])
    sizes.length = 0
    await askMany(client, 4)
    expect(sizes).toEqual([2, 2])
  })

  it('answers single calls if it takes no batches', async () => {
    const { client, sizes } = await start((envelopes) =>
      envelopes.length === 1
        ? null
        : {
            status: 400,
            body: { error: { code: -32600, message: 'batch requests are not supported' } },
          },
    )
    await askMany(client, 4)
    expect(sizes).toEqual([4, 2, 1, 1, 1, 1])
  })

  it('answers the calls that it left out, in any order and with ids as text', async () => {
    const { client, sizes } = await start((envelopes) => {
      const answered = envelopes.slice(0, 4).toReversed()
      const body = answered.map(({ id, params }) => ({ id: `${id}`, result: params[0] }))
      return envelopes.length === 1 ? null : { status: 200, body }
    })
    await askMany(client, 10)
    expect(sizes).toEqual([10, 4, 2])
  })

  it('gets larger batches again after many that passed', async () => {
    let limit = 2
    const { client, sizes, advance, pace } = await start((envelopes) =>
      envelopes.length <= limit ? null : { status: 413, body: '' },
    )
    await askMany(client, 4)
    limit = 100
    for (let round = 0; round < 5; round += 1) await askMany(client, 200)
    expect(pace.batchCalls).toBe(2)
    advance(3_600_000)
    await askMany(client, 200)
    expect(pace.batchCalls).toBe(4)
    expect(Math.max(...sizes.slice(10))).toBe(4)
  })

  it.each([
    ['refuses some of its calls by the rate', 15],
    ['returns no JSON', 0],
  ])('gets one larger batch per hour if it %s', async (_, refusedFrom) => {
    const { client, sizes, advance, pace } = await start((envelopes) => {
      if (envelopes.length <= 10) return null
      if (refusedFrom === 0) return { status: 200, body: 'not JSON' }
      const error = { code: 429, message: 'Too Many Requests' }
      const body = envelopes.map(({ id, params }, index) =>
        index < refusedFrom ? { id, result: params[0] } : { id, error },
      )
      return { status: 200, body }
    })
    pace.learnBatch(10)
    for (let hour = 1; hour <= 2; hour += 1) {
      advance(3_600_000)
      for (let time = 0; time < 500; time += 1) pace.passBatch()
      for (let round = 0; round < 10; round += 1) {
        const values = Array.from({ length: 40 }, (_, value) => quantity(value))
        await Promise.allSettled(values.map((value) => ask(client, 'eth_getBalance', [value])))
        advance(1000)
      }
      expect(sizes.filter((size) => size > 10)).toEqual(Array(hour).fill(20))
    }
    expect(pace.rate).toBeNull()
  })

  it('gets no larger batch than the calls of a second', async () => {
    const { client, sizes, advance, pace } = await start(() => null)
    pace.restore(
      { callsPerRequest: { value: 4, at: 0 }, callsPerSecond: { value: 6, at: 0 } },
      () => {},
    )
    for (let time = 0; time < 500; time += 1) pace.passBatch()
    advance(1000)
    await askMany(client, 40)
    expect(Math.max(...sizes)).toBe(6)
  })

  it('is unavailable if it also refuses single calls', async () => {
    const { client, sizes, pace } = await start(() => ({ status: 502, body: '<html>' }))
    const failed = await Promise.allSettled(
      Array.from({ length: 100 }, (_, value) => ask(client, 'eth_getBalance', [quantity(value)])),
    )
    const facts = { reason: 'HTTP_STATUS', httpStatus: 502, method: 'eth_getBalance' }
    for (const one of failed) expect(one).toMatchObject({ status: 'rejected', reason: { facts } })
    expect(sizes).toEqual([100, 50, 25, 12, 6, 3, 1])
    expect(pace.batchCalls).toBe(100)
  })
})

describe('a node that limits its rate', () => {
  it('answers the same request after Retry-After', async () => {
    let requests = 0
    const { client, waits } = await start(() => {
      requests += 1
      return requests % 8 === 0
        ? { status: 429, headers: { 'retry-after': '1' }, body: 'Too Many Requests' }
        : null
    })
    for (let index = 0; index < 30; index += 1) await askMany(client, 2, index)
    expect(waits.slice(0, 4)).toEqual([1000, 1000, 1000, 1000])
    expect(Math.max(...waits.slice(4), 0)).toBeLessThan(1000)
  })

  it('answers the calls of a batch that it refused one by one', async () => {
    let [calls, second] = [0, -1]
    const { client, clock, pace, sizes } = await start(
      () => null,
      async ({ params }) => {
        const now = Math.floor(clock.now() / 1000)
        if (now !== second) [calls, second] = [0, now]
        calls += 1
        const message = 'Your app has exceeded its compute units per second capacity.'
        return calls > 20 ? { error: { code: 429, message } } : { result: params[0] }
      },
      { maximumWaitMs: 60_000 },
    )
    await askMany(client, 100)
    expect(sizes.slice(0, 2)).toEqual([100, 80])
    expect(pace.batchCalls).toBeGreaterThanOrEqual(10)
  })

  it('is given up once it demands more time than the caller has', async () => {
    const { client, waits } = await start(() => ({
      status: 429,
      headers: { 'retry-after': '60' },
      body: { id: 0, error: { code: -32005, message: 'daily request count exceeded' } },
    }))
    await expect(ask(client, 'eth_chainId', [])).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_QUOTA_EXHAUSTED',
      facts: {
        reason: 'QUOTA_EXHAUSTED',
        method: 'eth_chainId',
        attempts: 1,
        httpStatus: 429,
        rpcCode: -32005,
        providerText: 'daily request count exceeded',
        retryAfterMs: 60_000,
      },
    })
    expect(waits).toEqual([])
  })

  it('has another code than a node without a quota', async () => {
    const { client } = await start(() => ({
      status: 429,
      headers: { 'retry-after': '60' },
      body: 'Too Many Requests',
    }))
    await expect(ask(client, 'eth_chainId', [])).rejects.toMatchObject({
      code: 'LIQUIDITY_CHAIN_RATE_LIMITED',
      facts: { reason: 'RATE_LIMITED', httpStatus: 429, retryAfterMs: 60_000 },
    })
  })

  it('is given up at once if it names no end of a used-up quota', async () => {
    const { client, waits } = await start(() => ({ status: 402, body: 'Payment Required' }))
    await expect(ask(client, 'eth_chainId', [])).rejects.toMatchObject({
      facts: { reason: 'QUOTA_EXHAUSTED', httpStatus: 402, retryAfterMs: 900_000 },
    })
    expect(waits).toEqual([])
  })

  it('does not let one caller without time delay the next ones', async () => {
    const { client, clock, pace, waits, advance } = await start(() => null)
    // A known rate of 9 calls a second.
    for (let index = 0; index < 5; index += 1) {
      advance(1000)
      pace.answered(10)
      pace.pause(100, true)
      await pace.enter(['eth_call'], new WaitBudget(1000))
    }
    expect(pace.rate).toBeCloseTo(9, 0)
    for (let index = 0; index < 6; index += 1)
      await pace.enter(Array(9).fill('eth_call'), new WaitBudget(0))
    const before = clock.now()
    await askMany(client, 1)
    expect(clock.now() - before).toBeLessThan(1500)
    expect(waits.length).toBeGreaterThan(0)
  })

  it('gets at least 85 % of the calls that it allows', async () => {
    const allowed = 10
    let [calls, second, refused] = [0, -1, 0]
    const { client, clock } = await start(
      () => null,
      async ({ params }) => {
        const now = Math.floor(clock.now() / 1000)
        if (now !== second) [calls, second] = [0, now]
        calls += 1
        if (calls <= allowed) return { result: params[0] }
        refused += 1
        return { error: { code: 429, message: 'Too Many Requests' } }
      },
      { maximumWaitMs: 3_600_000 },
    )
    const from = clock.now()
    for (let round = 0; round < 300; round += 1) await askMany(client, 10, round * 10)
    const used = 3000 / (((clock.now() - from) / 1000) * allowed)
    expect(used).toBeGreaterThan(0.85)
    expect(refused / (3000 + refused)).toBeLessThan(0.2)
  })
})

describe('the credits of a day', () => {
  it('are those of the counted calls', async () => {
    const add = async (day: number, credits: number) => ({ day, credits })
    const quota = new DayQuota({ creditsPerDay: 1e6, credits: {} }, add, () => 0)
    const { pace } = virtualPace({ quota })
    let counted = 0
    let requests = 0
    const { client } = await start(
      () => {
        requests += 1
        return requests % 3 === 0
          ? { status: 429, headers: { 'retry-after': '2' }, body: '' }
          : null
      },
      answer,
      {
        pace,
        count: (calls) => {
          counted += calls.length
        },
      },
    )
    for (let index = 0; index < 6; index += 1) await askMany(client, 5, index)
    expect([counted, quota.used]).toEqual([40, 40])
    pace.pause(20_000, false)
    await expect(ask(client, 'eth_chainId', [])).rejects.toThrow()
    expect([counted, quota.used]).toEqual([40, 40])
  })
})

describe('eth_getLogs', () => {
  const logs = async (refuse: (envelope: Envelope) => object | null) => {
    const { client, waits, sizes } = await start(
      (envelopes) => {
        const [first] = envelopes
        const error = first && refuse(first)
        return error ? { status: 200, body: { id: first.id, error } } : null
      },
      async () => ({ result: [] }),
    )
    const filter = { address: `0x${'12'.repeat(20)}`, fromBlock: '0x1', toBlock: '0x9' }
    return { waits, sizes, found: ask(client, 'eth_getLogs', [filter]) }
  }

  it('repeats a refusal of unclear cause once, over the same range', async () => {
    let refusals = 0
    const { found, waits } = await logs(() =>
      refusals++ === 0 ? { code: -32011, message: 'no backend is currently healthy' } : null,
    )
    expect(await found).toEqual([])
    expect(waits).toEqual([500])
  })

  it('takes the second one as a range that is too wide', async () => {
    const { found, sizes } = await logs(() => ({ code: -32005, message: 'limit exceeded' }))
    await expect(found).rejects.toMatchObject({ facts: { reason: 'RANGE_REFUSED' } })
    expect(sizes).toEqual([1, 1])
  })
})

describe('a wait budget', () => {
  it('counts concurrent waits once', () => {
    const budget = new WaitBudget(8000)
    expect([budget.reserve(0, 3000), budget.reserve(0, 3000), budget.reserve(1000, 3000)]).toEqual([
      ...[true, true, true],
    ])
    // 4 of 8 s are used, up to second 4.
    expect(budget.reserve(10_000, 4001)).toBe(false)
    expect(budget.reserve(10_000, 4000)).toBe(true)
    expect(budget.reserve(10_000, 4000)).toBe(true)
    expect(budget.reserve(14_000, 1)).toBe(false)
  })
})
