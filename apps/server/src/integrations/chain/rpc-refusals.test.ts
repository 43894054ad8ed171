import { describe, expect, it } from 'vitest'
import { headerDelay } from '../outbound/retry-after.ts'
import { classifyRefusal, type Refusal, retryDelay } from './rpc-refusals.ts'

const classify = (refusal: Partial<Refusal>) =>
  classifyRefusal({
    httpStatus: 200,
    retryAfter: null,
    error: null,
    isWideRange: false,
    isWholeBatch: false,
    ...refusal,
  })
const error = (code: number, message: string, data?: unknown) => ({
  error: { code, message, data },
})

describe('a refusal of eth_getLogs over several blocks', () => {
  // Wordings of public nodes: ponder, getLogsRetryHelper.ts; bobanetwork/boba_legacy#827.
  it.each([
    [-32000, 'maximum [from, to] blocks distance: 2000'],
    [-32005, 'query returned more than 10000 results'],
    [-32602, 'block range is too wide'],
    [-32600, 'eth_getLogs is limited to a 500 blocks range'],
    [-32000, 'logs matched by query exceeds the response size'],
  ])('is RANGE by its words: %i %s', (code, message) => {
    expect(classify({ isWideRange: true, ...error(code, message) })).toBe('RANGE')
  })

  it('is RANGE by its data', () => {
    const refusal = error(-32602, 'invalid params', {
      payload: 'range 9009594 is bigger than range limit 2000',
    })
    expect(classify({ isWideRange: true, ...refusal })).toBe('RANGE')
  })

  it.each([
    [-32011, 'no backend is currently healthy to serve traffic'],
    [-32000, 'GetLogs request rate exceeded for this block range'],
    [-32005, 'limit exceeded'],
  ])('is decided by a repetition if its words fit both or neither: %i %s', (code, message) => {
    expect(classify({ isWideRange: true, ...error(code, message) })).toBe('RANGE_OR_RATE')
  })

  it('is UNKNOWN_BLOCK if a block is missing', () => {
    const message =
      'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found'
    expect(classify({ isWideRange: true, ...error(-32000, message) })).toBe('UNKNOWN_BLOCK')
  })

  it('is RATE if only its words on a quota fit', () => {
    const message = 'Your app has exceeded its compute units per second capacity.'
    expect(classify({ isWideRange: true, ...error(429, message) })).toBe('RATE')
    expect(classify({ isWideRange: true, ...error(-32000, message) })).toBe('RATE')
  })
})

describe('a refusal of any call', () => {
  it.each<[string, Partial<Refusal>]>([
    ['RATE', { httpStatus: 429 }],
    ['RATE', { httpStatus: 503, retryAfter: '2' }],
    ['RATE', { httpStatus: 403, retryAfter: '2' }],
    ['RATE', error(-32029, 'slow down')],
    ['RATE', error(-32000, 'Too Many Requests')],
    [
      'QUOTA',
      { httpStatus: 429, ...error(-32005, 'daily request count exceeded, request rate limited') },
    ],
    ['QUOTA', { httpStatus: 402 }],
    ['AUTH', { httpStatus: 401 }],
    ['AUTH', { httpStatus: 403 }],
    [
      'BATCH',
      {
        httpStatus: 500,
        isWholeBatch: true,
        ...error(31, 'Batch of more than 3 requests are not allowed on free tier'),
      },
    ],
    [
      'BATCH',
      { httpStatus: 400, isWholeBatch: true, ...error(-32600, 'batch requests are not supported') },
    ],
    ['BATCH', { httpStatus: 413, isWholeBatch: true }],
    ['RATE', { httpStatus: 429, isWholeBatch: true }],
    ['UNSUPPORTED', error(-32601, 'the method eth_foo does not exist')],
    ['PRUNED', error(-32000, 'missing trie node 0xabc')],
    ['REVERT', error(3, 'execution reverted: LOK')],
    ['REFUSED', error(-32000, 'intrinsic gas too low')],
    ['REFUSED', error(-32000, 'request timeout exceeded')],
    ['REFUSED', error(-32000, 'failed to generate proof: gas limit')],
  ])('is %s: %j', (kind, refusal) => {
    expect(classify(refusal)).toBe(kind)
  })
})

describe('the delay after a refusal', () => {
  const now = Date.parse('2026-01-05T12:00:00Z')
  const delay = (retryAfter: string | null, data?: unknown, inARow = 0) =>
    retryDelay({ retryAfter, error: { code: 429, message: '', data } }, { inARow, random: 1, now })

  it('is the demanded one, in seconds or up to a date', () => {
    expect(delay('1')).toBe(1000)
    expect(delay('Mon, 05 Jan 2026 12:00:30 GMT')).toBe(30_000)
    expect(delay('Mon, 05 Jan 2026 11:00:00 GMT')).toBe(100)
    expect(delay(null, { backoff_seconds: 7 })).toBe(7000)
    expect(delay('999999999')).toBe(3_600_000)
    expect(headerDelay('soon', now)).toBeNull()
  })

  it('doubles up to a minute without a demand', () => {
    expect([0, 1, 2, 20].map((inARow) => delay(null, undefined, inARow))).toEqual([
      ...[500, 1000, 2000, 60_000],
    ])
  })
})

it('reads only the start of a text, because whole megabytes would block the process', () => {
  const padding = 'x '.repeat(1_500)
  expect(classify(error(-32000, `too many requests ${padding}`))).toBe('RATE')
  expect(classify(error(-32000, `${padding} too many requests`))).toBe('REFUSED')
  expect(classify(error(-32000, '', { text: `${padding} too many requests` }))).toBe('REFUSED')
})
