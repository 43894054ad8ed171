import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { describeQueued } from './safe-signatures.tsx'

type Queued = contract.SafeConfirmations['packets'][number]

const queued = (state: Queued['state'], valid: number): Queued => ({
  packetIndex: 0,
  safeTxHash: `0x${'a'.repeat(64)}`,
  nonce: '4',
  state,
  valid,
  confirmations: [],
  conflicts: [],
  nonceConflict: null,
  transactionHash: null,
})

it.each([
  ['NOT_PROPOSED', 0, 'Not in the queue of the Safe yet.'],
  ['COLLECTING', 1, '1 of 2 owners signed in Safe{Wallet}.'],
  ['READY', 2, '2 of 2 owners signed in Safe{Wallet}. Ready to execute.'],
  [
    'NONCE_USED',
    1,
    'The Safe used this nonce for another transaction. Prepare the proposal again.',
  ],
  ['EXECUTED', 2, 'Safe{Wallet} reports the execution. The chain has not confirmed it yet.'],
] as const)('states the packet as %s', (state, valid, text) => {
  expect(describeQueued(queued(state, valid), 2)).toBe(text)
})
