import { createHash } from 'node:crypto'
import type { ClmmEvent } from '@liquidity-os/engine/replay'
import { describe, expect, it } from 'vitest'
import { drawnMoments, lastEventBlock } from '../../../market/drawn-moments.ts'
import { flatTrade, hashAt, poolHistory, pulsesAt } from '../../../market/testing/pool-history.ts'
import { momentsOf, type VenueHistory } from '../../../market/venue-history.ts'
import measureScore, { type ScoreTask } from './score-task.ts'

const ether = 10n ** 18n
const window = { from: 1_700_000_000, to: 1_700_000_000 + 12 * 3600 }
/** A venue with constant liquidity, trades of distinct accounts, and other events. */
function venueOf(constant: bigint, others: readonly ClmmEvent[]): VenueHistory {
  const trades = momentsOf({ from: window.from + 300, to: window.to }, 60).flatMap((at, index) =>
    // Not during a pulse, whose liquidity a trade would have to state.
    (at - window.from) % 600 <= 60 ? [] : [flatTrade(at, constant, `0x${index}`)],
  )
  return poolHistory(
    window,
    constant,
    [...trades, ...others].sort((a, b) => a.block - b.block),
  )
}

/** Liquidity that is present for `seconds` of every 600 s, from each regular moment on. */
const pulses = (liquidity: bigint, seconds: number) =>
  pulsesAt(momentsOf(window, 600), { liquidity, seconds })

const scoreOf = (history: VenueHistory, change: Partial<ScoreTask> = {}) =>
  measureScore({
    issuerAccounts: [],
    provenAccounts: [],
    histories: [history],
    reference: null,
    window,
    sampleSeconds: 600,
    providers: [],
    gradedSizeQuote: `${10n * ether}`,
    requestedSizeQuote: `${10n * ether}`,
    tradeSizesQuote: [`${10n * ether}`],
    usableSlippagePips: 20_000,
    ungraded: [],
    valueLocked: null,
    quoteDecimals: 18,
    hasCriticalAnomaly: false,
    seed: new Uint8Array(32),
    ...change,
  })

const rawOf = ({ result }: ReturnType<typeof scoreOf>, code: string) =>
  Number(result.components.find((one) => one.code === code)!.raw)
const points = ({ result }: ReturnType<typeof scoreOf>) =>
  result.scorePips ?? result.indicativeScorePips ?? 0

describe('a score of liquidity that is present 4 of every 600 seconds', () => {
  const deep = scoreOf(venueOf(10_000n * ether, []))
  const pulsed = scoreOf(venueOf(300n * ether, pulses(100_000n * ether, 4)))

  it('ranks below the twin with constant depth', () => {
    expect(rawOf(pulsed, 'DEPTH')).toBeLessThan(rawOf(deep, 'DEPTH') / 20)
    expect(rawOf(pulsed, 'EXECUTION_COST')).toBeGreaterThan(rawOf(deep, 'EXECUTION_COST'))
    expect(rawOf(pulsed, 'CONTINUITY')).toBeLessThan(rawOf(deep, 'CONTINUITY') / 2)
    expect(points(pulsed)).toBeGreaterThan(0)
    expect(points(pulsed)).toBeLessThan(points(deep))
  })

  it('states the share of short-lived depth', () => {
    expect(deep.shortLivedDepthPips).toBe(0)
    // 100,000 for 4 of 600 s on top of 300 at all other times.
    const share = (100_000 * 4) / 600 / 300
    expect(pulsed.shortLivedDepthPips).toBe(share > 1 ? 1_000_000 : Math.round(share * 1e6))
    const small = scoreOf(venueOf(10_000n * ether, pulses(10_000n * ether, 60)))
    expect(Math.abs(small.shortLivedDepthPips! - 1_000_000 / 11)).toBeLessThan(25_000)
    const [added] = pulses(10_000n * ether, 60)
    expect(scoreOf(venueOf(20_000n * ether, [added!])).shortLivedDepthPips).toBe(0)
  })

  it('supports no passport claims from a moment of the caller', () => {
    expect(deep.isLastSustained).toBe(true)
    // The window ends at the first second of a pulse.
    expect(pulsed.last!.at).toBe(window.to)
    expect(pulsed.last!.slippage[0]!.buyPips).toBeLessThan(deep.last!.slippage[0]!.buyPips)
    expect(pulsed.isLastSustained).toBe(false)
  })

  it('has the same bytes again, and other moments after another last event', () => {
    const events = pulses(100_000n * ether, 4)
    const again = scoreOf(venueOf(300n * ether, pulses(100_000n * ether, 4)))
    expect(JSON.stringify(again)).toBe(JSON.stringify(pulsed))
    expect(pulsed.drawBlock).toMatchObject({ timestamp: window.to })
    const [block, other] = [window.to, window.to - 600].map((until) =>
      lastEventBlock([venueOf(ether, events)], until),
    )
    expect(other).toMatchObject({ timestamp: window.to - 600 })
    expect(drawnMoments(window, 600, block!)).not.toEqual(drawnMoments(window, 600, other!))
  })
})

describe('drawn moments', () => {
  it('lie one in each cell, over all seconds of the window', () => {
    const seen = new Set<number>()
    for (let draw = 0; draw < 400; draw += 1) {
      const moments = drawnMoments({ from: 100, to: 399 }, 60, { hash: `0x${draw}` })
      expect(moments).toHaveLength(5)
      for (const [cell, at] of moments.entries()) {
        expect(Math.floor((at - 100) / 60)).toBe(cell)
        seen.add(at)
      }
    }
    expect(seen.size).toBe(300)
  })

  it('follow the published rule', () => {
    const hash = `0x${'ab'.repeat(32)}`
    const digest = createHash('sha256')
      .update(`liquidity-os/sample-moment/v1 ${hash} 1000`)
      .digest()
    const expected = 1000 + Number(digest.readBigUInt64BE() % 51n)
    expect(drawnMoments({ from: 1000, to: 1050 }, 60, { hash })).toEqual([expected])
  })

  it('find the last event of a window across venues and stretches', () => {
    const venues = [pulses(ether, 4).slice(0, 2), pulses(ether, 4).slice(0, 4)].map((events) =>
      venueOf(ether, events),
    )
    expect(lastEventBlock(venues, window.from + 605)).toMatchObject({
      timestamp: window.from + 604,
      hash: hashAt(window.from + 604),
    })
    expect(lastEventBlock(venues, window.from - 1)).toBeNull()
  })
})
