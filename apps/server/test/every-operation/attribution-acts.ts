import type { Hex } from 'viem'
import { type Exchange, orderOf } from '../support/execution.ts'
import type { Act, ActContext } from './scene-state.ts'

export interface Filled extends ActContext {
  readonly exchange: Exchange
  readonly hashes: readonly Hex[]
  /** A block before the order. */
  readonly decided: { readonly number: number; readonly timestamp: string }
}

const reason = 'For the walk'
const hash = `0x${'ab'.repeat(32)}`
const nowhere = (kind: string) => ({ id: `${kind}_${'0'.repeat(32)}`, resourceVersion: hash })

export const attributionActs: Readonly<Record<string, Act<Filled>>> = {
  createAttributions: {
    stage: async ({ exchange, hashes, decided }) => {
      const of = (change: object) => ({ payload: orderOf(exchange, hashes, change), reason })
      const { timestamp: at, number } = decided
      return {
        // The response repeats declared values: decision price, gas price and assumptions.
        echoes: ['request', 'decision', 'nativePrice', 'assumptions'],
        bodies: [
          { ...of({}), evidenceHashes: [hash] },
          of({ decision: { at, block: decided }, arrivalBlock: number + 1 }),
          // Rejected: these records do not exist.
          of({ receipt: nowhere('receipt') }),
          of({ study: nowhere('study') }),
          of({ fills: [{ txHash: hashes[0], venueId: nowhere('venue').id }] }),
          of({ reference: { kind: 'VENUE', venue: nowhere('venue') } }),
          of({ reference: { kind: 'SERIES', series: nowhere('price_series') } }),
          of({
            reference: {
              kind: 'SERIES',
              series: nowhere('price_series'),
              over: nowhere('price_series'),
            },
          }),
        ],
      }
    },
  },
}
