import { canonicalize } from '@liquidity-os/evidence'
import { expect, test } from 'vitest'
import { randomStream } from '../../../../packages/engine/src/random/xoshiro128.ts'
import { parseExact } from './exact-json.ts'
import { frequentEvent } from './frequent-events.ts'
import { eventsOf } from './sealed-events.ts'

const hash = `0x${'5c'.repeat(32)}`
const place = {
  block: 117_070_977,
  timestamp: 1_709_740_731,
  blockHash: hash,
  transactionHash: hash,
}
const address = (sign: string) => `0x${sign.repeat(40)}`
const traders = { sender: address('a'), recipient: address('B') }
const range = { owner: address('0'), tickLower: -60_400, tickUpper: 0 }
const amounts = { amount0: '-1220070548838264', amount1: '0' }
const price = { sqrtPriceX96: `${2n ** 159n}`, liquidity: '1', tick: -887_272 }
const pairAmounts = { amount0In: '0', amount1In: `${2n ** 111n}`, amount0Out: '7', amount1Out: '0' }

/** Of every kind that is read without its full parser, with and without what may be missing. */
const frequent = [
  { ...place, type: 'Swap', logIndex: 0, ...amounts, ...price, ...traders, origin: address('c') },
  { ...place, type: 'Swap', logIndex: null, ...amounts, ...price, timestamp: null },
  {
    ...place,
    type: 'Mint',
    logIndex: 3,
    ...range,
    liquidity: '5',
    ...amounts,
    sender: address('d'),
  },
  { ...place, type: 'Burn', logIndex: 4, ...range, owner: '', liquidity: '0', ...amounts },
  { ...place, type: 'Swap', logIndex: 5, ...pairAmounts, ...traders },
  { ...place, type: 'Sync', logIndex: 6, reserve0: `${10n ** 33n}`, reserve1: '12', origin: hash },
]
/** Lines that only look like these. */
const others = [
  { ...place, type: 'Burn', logIndex: 6, ...amounts },
  { ...place, type: 'Mint', logIndex: 7, ...range, liquidity: '5', amount0: null, amount1: null },
  { ...place, type: 'Swap', logIndex: 8, ...amounts, ...price, amountSpecified: '5' },
  { ...place, type: 'Swap', logIndex: 9, ...amounts, ...price, origin: '12' },
  { ...place, type: 'Swap', logIndex: Number.MAX_SAFE_INTEGER, ...amounts, ...price },
  { ...place, type: 'Swap', logIndex: 8, ...amounts, ...price, liquidity: '0x5' },
  { ...place, type: 'Mint', logIndex: 8, ...range, owner: '"\\', liquidity: '5', ...amounts },
  { ...place, type: 'CollectProtocol', logIndex: 8, ...amounts },
]

/** What becomes of a line: the event, or that it is refused. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return 'is refused'
  }
}

const read = (line: string) => outcomeOf(() => [...eventsOf([new TextEncoder().encode(line)])])
const right = (line: string) => outcomeOf(() => [{ ...(parseExact(line) as object), line: null }])

test('frequent events are read as the full parser reads them, and others by it', () => {
  for (const event of frequent) {
    const line = canonicalize(event)
    expect(frequentEvent(`\n${line}\n`, 1, 1 + line.length)).toEqual({
      ...(parseExact(line) as object),
      line: null,
    })
    expect(read(line)).toEqual(right(line))
  }
  for (const event of others) {
    const line = canonicalize(event)
    if (!line.includes('\\')) expect(frequentEvent(line, 0, line.length)).toBeNull()
    expect(read(line)).toEqual(right(line))
  }
})

test('a line with a missing, duplicate or other member is read or rejected like in the full parser', () => {
  const { below } = randomStream(7)
  const signs = '{}[],:"0123456789-+.exabnull \\'
  for (let round = 0; round < 5000; round += 1) {
    const line = canonicalize(frequent[below(frequent.length)])
    const at = below(line.length)
    const sign = signs[below(signs.length)]
    const removed = below(3)
    const put = [sign, '', line.slice(at, at + 1 + below(80))][below(3)]
    const changed = line.slice(0, at) + put + line.slice(at + removed)
    expect(read(changed), changed).toEqual(right(changed))
  }
})

test('members in another order, or with spaces, are read as well', () => {
  for (const event of frequent) {
    const backwards = JSON.stringify(Object.fromEntries(Object.entries(event).reverse()), null, 1)
    const line = backwards.replaceAll('\n', '')
    expect(read(line)).toEqual(right(line))
  }
})
