import { expect, it, vi } from 'vitest'
import { ApiFailure } from './api-failure.ts'
import { failureClass } from './failures.ts'
import { each } from './pages.ts'
import { retrying } from './retry.ts'

const refused = (
  status: number,
  code: string,
  more: { retryable?: boolean; after?: string } = {},
) =>
  new ApiFailure(
    'getVenues',
    status,
    {
      error: { code, message: '', correlationId: 'c', retryable: more.retryable ?? false },
    } as never,
    new Headers(more.after === undefined ? {} : { 'retry-after': more.after }),
  )
const terms = { retries: 3, longestWait: 60_000 }

/** Answers after so many failures, and how often it was asked. */
function failing(...failures: readonly Error[]) {
  const remaining = [...failures]
  return vi.fn(async () => {
    const next = remaining.shift()
    if (next) throw next
    return 'answered'
  })
}

it.each([
  ['an answer that says so', refused(409, 'LIQUIDITY_SOMETHING', { retryable: true, after: '0' })],
  ['a place that is taken', refused(429, 'LIQUIDITY_RATE_LIMITED', { after: '0' })],
  ['a node that stops', refused(503, 'LIQUIDITY_UNAVAILABLE', { after: '0' })],
  ['nobody who answers', new TypeError('fetch failed')],
])('%s is tried again', async (_what, failure) => {
  const attempt = failing(failure)
  expect(await retrying(terms, attempt)).toBe('answered')
  expect(attempt).toHaveBeenCalledTimes(2)
})

it.each([
  ['a conflict', refused(409, 'LIQUIDITY_CONFLICT')],
  ['a version that is stale', refused(412, 'LIQUIDITY_PRECONDITION_FAILED')],
  ['an error of ours', refused(500, 'LIQUIDITY_INTERNAL')],
  ['a mistake of the program', new RangeError('no such thing')],
])('%s is not', async (_what, failure) => {
  const attempt = failing(failure)
  await expect(retrying(terms, attempt)).rejects.toBe(failure)
  expect(attempt).toHaveBeenCalledTimes(1)
})

it('gives up after the last attempt, and where it would have to wait too long', async () => {
  const busy = refused(429, 'LIQUIDITY_RATE_LIMITED', { after: '0' })
  const always = failing(busy, busy, busy, busy, busy)
  await expect(retrying(terms, always)).rejects.toBe(busy)
  expect(always).toHaveBeenCalledTimes(4)
  const later = failing(refused(429, 'LIQUIDITY_RATE_LIMITED', { after: '61' }))
  await expect(retrying(terms, later)).rejects.toMatchObject({ status: 429 })
  expect(later).toHaveBeenCalledTimes(1)
})

it('ends with its signal, in the middle of a wait', async () => {
  const ending = new AbortController()
  const attempt = failing(refused(503, 'LIQUIDITY_UNAVAILABLE', { after: '50' }))
  const waiting = retrying({ ...terms, signal: ending.signal }, attempt)
  const reason = new Error('no longer wanted')
  await vi.waitFor(() => expect(attempt).toHaveBeenCalledTimes(1))
  ending.abort(reason)
  await expect(waiting).rejects.toBe(reason)
})

it('reads the pages of a list on demand, and stops without a reader', async () => {
  const pages = [[1, 2], [3, 4], [5]]
  const requests: unknown[] = []
  const list = async (request: { query?: { limit?: number; cursor?: string } } = {}) => {
    requests.push(request.query)
    const index = Number(request.query?.cursor ?? 0)
    const isLast = index === pages.length - 1
    const meta = { hasMore: !isLast, ...(isLast ? {} : { nextCursor: `${index + 1}` }) }
    return { body: { data: pages[index] ?? [], meta } }
  }
  const found: number[] = []
  for await (const one of each(list, { query: { limit: 2 } })) found.push(one)
  expect([found, requests]).toEqual([
    [1, 2, 3, 4, 5],
    [{ limit: 2 }, { limit: 2, cursor: '1' }, { limit: 2, cursor: '2' }],
  ])
  requests.length = 0
  for await (const one of each(list)) if (one === 2) break
  expect(requests).toEqual([undefined])
})

it('has one class for each code', () => {
  const Stale = failureClass('LIQUIDITY_PRECONDITION_FAILED')
  const stale = new Stale(
    'getVenues',
    412,
    { error: { code: 'LIQUIDITY_PRECONDITION_FAILED' } } as never,
    new Headers(),
  )
  expect(stale).toBeInstanceOf(failureClass('LIQUIDITY_PRECONDITION_FAILED'))
  expect(stale).toBeInstanceOf(ApiFailure)
  expect(stale).not.toBeInstanceOf(failureClass('LIQUIDITY_CONFLICT'))
  expect([stale.code, stale.name]).toEqual([
    'LIQUIDITY_PRECONDITION_FAILED',
    'LIQUIDITY_PRECONDITION_FAILED',
  ])
})
