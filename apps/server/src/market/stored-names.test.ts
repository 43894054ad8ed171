import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { canonicalize } from '@liquidity-os/evidence'
import { expect, test } from 'vitest'
import { eventsOf } from './sealed-events.ts'
import { StoredNames } from './stored-names.ts'
import type { SealedEvent } from './venue-history.ts'

const hash = `0x${'5c'.repeat(32)}`
const nameOf = (itemIndex: number) => `0x${itemIndex.toString(16).padStart(40, '0')}`
function sealedSwaps(count: number): Uint8Array {
  const lines = Array.from({ length: count }, (_, index) =>
    canonicalize({
      type: 'Swap',
      block: index,
      timestamp: index,
      logIndex: 0,
      tick: 0,
      liquidity: '1',
      blockHash: hash,
      transactionHash: hash,
      sqrtPriceX96: `${2n ** 96n}`,
      amount0: '-1',
      amount1: '1',
      sender: nameOf(index),
      recipient: nameOf(index % 7),
    }),
  )
  return new TextEncoder().encode(lines.join('\n'))
}

/** Bytes in use once what nobody holds is gone. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test('keeps names unchanged and unique', () => {
  const names = new StoredNames()
  expect(['', '0xAb', nameOf(1), 'schön'].map((name) => names.of(name))).toEqual([
    ...['', '0xAb', nameOf(1), 'schön'],
  ])
})

test('a name that is kept does not keep the lines it was read from', () => {
  const sealed = sealedSwaps(40_000)
  const names = new StoredNames()
  const before = bytesInUse()
  const expected: string[] = []
  for (const event of eventsOf([sealed]) as Iterable<SealedEvent>) {
    if (event.block % 100 === 0) expected.push(names.of(event.sender ?? ''))
  }
  expect(bytesInUse() - before).toBeLessThan(sealed.length / 4)
  expect(expected).toEqual(Array.from({ length: 400 }, (_, index) => nameOf(index * 100)))
})
