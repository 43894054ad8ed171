import { describe, expect, it } from 'vitest'
import { coverWindow, type Observation } from './window-coverage.ts'

/** As far as its blocks are told; each hash says its fork. */
const observation = (from: number, to: number, fork: string, begunOn = fork) =>
  ({
    payload: {
      range: {
        from: { number: from, hash: `${fork}${from}` },
        to: { number: to, hash: `${fork}${to}` },
        parentHash: `${begunOn}${from - 1}`,
      },
    },
  }) as unknown as Observation

describe('a window', () => {
  const window = { fromBlock: 5, toBlock: 25 }

  it('is covered by adjacent observations that share their boundary block', () => {
    const whole = [observation(0, 9, 'a'), observation(10, 19, 'a'), observation(20, 29, 'b', 'a')]
    expect(coverWindow(window, whole)).toMatchObject({ observedBlocks: 21, missing: [] })
  })

  it('is not covered across two chains, though the numbers of their blocks follow each other', () => {
    const two = [observation(0, 9, 'a'), observation(10, 29, 'b')]
    expect(coverWindow(window, two)).toMatchObject({
      stretch: [two[1]],
      window: { fromBlock: 10, toBlock: 25 },
      observedBlocks: 16,
      missing: [{ fromBlock: 5, toBlock: 9 }],
    })
  })
})
