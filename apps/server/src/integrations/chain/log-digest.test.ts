import { expect, it } from 'vitest'
import { digestOfLogs } from './log-digest.ts'
import type { PlacedLog } from './placed-log.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}` as const
const log: PlacedLog = {
  address: `0x${'12'.repeat(20)}`,
  topics: [hash('3')],
  data: '0x01',
  blockNumber: 7,
  blockHash: hash('5'),
  logIndex: 2,
  transactionHash: hash('8'),
}

it.each([
  { topics: [hash('4')] },
  { data: '0x02' } as const,
  { blockNumber: 8 },
  { blockHash: hash('6') },
  { logIndex: 3 },
  { transactionHash: hash('9') },
])('differs where %j does', (change) => {
  expect(digestOfLogs([{ ...log, ...change }])).not.toEqual(digestOfLogs([log]))
})

it('is of the logs in the order of the chain, and counts them', () => {
  const next = { ...log, logIndex: 3 }
  expect(digestOfLogs([next, log])).toEqual(digestOfLogs([log, next]))
  expect(digestOfLogs([log, next])).not.toEqual(digestOfLogs([log]))
  expect(digestOfLogs([log, next]).count).toBe(2)
})
