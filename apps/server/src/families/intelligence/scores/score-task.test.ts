// @module-tag long

import { createClmmPool, createStablePool, marketToJson } from '@liquidity-os/engine/amm'
import { depthLadder, slippageTable } from '@liquidity-os/engine/depth'
import { startReplay } from '@liquidity-os/engine/replay'
import { median } from '@liquidity-os/engine/statistics'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawnMoments, lastEventBlock } from '../../../market/drawn-moments.ts'
import type { VenueHistory } from '../../../market/venue-history.ts'
import { orientation as o, type RecordedDay, recordedDay } from '../../../testing/recorded-day.ts'
import measureScore, { type MeasuredScore } from './score-task.ts'

const ether = 10n ** 18n

let { start, events, window, history, task } = {} as RecordedDay
beforeAll(async () => {
  ;({ start, events, window, history, task } = await recordedDay())
})

const rawOf = (found: ReturnType<typeof measureScore>, code: string) =>
  found.result.components.find((one) => one.code === code)!

type WashSigner = (itemIndex: number, leg: number) => string

/** The same day in which somebody buys and sells fifty WBTC twice after every fourth event, and moves nothing. */
function washed(clean: VenueHistory, signer: WashSigner = () => '0xw'): VenueHistory {
  const stretches = clean.stretches.map((stretch) => {
    const lines = stretch.events.flatMap((part) => new TextDecoder().decode(part).split('\n'))
    const eventLines = lines.flatMap((line, index) => {
      const event = JSON.parse(line) as { type: string }
      if (event.type !== 'Swap' || index % 4 > 0) return [line]
      // Of every event another size, so that what is handed on is told from what another one hands on.
      const legs = [1n, -1n, 1n, -1n].map((side, leg) => ({
        ...event,
        logIndex: 10_000 + 4 * index + leg,
        origin: signer(index, leg),
        amount0: `${side * (5_123_456_789n + BigInt(index))}`,
        amount1: `${-side * 717n * ether}`,
      }))
      return [line, ...legs.map((leg) => JSON.stringify(leg))]
    })
    return { ...stretch, events: [new TextEncoder().encode(eventLines.join('\n'))] }
  })
  return { ...clean, stretches }
}

describe('the score of a recorded day', () => {
  it('is measured from the replay quotes at every sample', () => {
    const found = measureScore(task())
    const block = lastEventBlock([history()], window.to)
    expect(found.drawBlock).toEqual(block)
    const samples = drawnMoments(window, 300, block).map((moment) => {
      const replay = startReplay(start, { positions: 'PARTIAL' })
      for (const event of events) if (event.timestamp <= moment) replay.apply(event)
      const market = replay.final()
      const [buy, sell] = depthLadder(market, o, [20_000]).map(({ quote }) => quote)
      const slips = slippageTable(market, o, [10n * ether]).map(({ pips }) => pips)
      return { thinner: buy! < sell! ? buy! : sell!, worse: Math.max(...slips) }
    })
    const ratio = median(samples.map(({ thinner }) => Number(thinner) / Number(10n * ether)))
    expect(rawOf(found, 'DEPTH').raw).toBe(`${Math.round(ratio * 1e6)}`)
    expect(rawOf(found, 'EXECUTION_COST').raw).toBe(`${median(samples.map(({ worse }) => worse))}`)
    expect(rawOf(found, 'DEPTH')).toMatchObject({
      samples: samples.length,
      coveragePips: 1_000_000,
    })
    expect(rawOf(found, 'SPREAD').raw).toBe('6009')
    expect(rawOf(found, 'CONTINUITY').raw).toBe('1000000')
    expect(found.last!.slippage.map(({ sizeQuote }) => sizeQuote)).toEqual([
      `${ether}`,
      `${10n * ether}`,
      `${100n * ether}`,
    ])
    expect(found.course.reduce((sum, point) => sum + point.samples, 0)).toBe(samples.length)
  })

  it('has no grade at terms of the caller, and the requested size changes no score', () => {
    const histories = [history(() => true, '0xa')]
    const graded = measureScore(task({ histories }))
    const smaller = measureScore(task({ histories, requestedSizeQuote: `${ether}` }))
    expect(smaller.result).toEqual(graded.result)
    expect(smaller.requestedSlippagePips).toBeLessThan(graded.requestedSlippagePips!)
    const own = { gradedSizeQuote: null, ungraded: ['NO_PUBLISHED_SIZE'] }
    const { result } = measureScore(task({ histories, ...own }))
    expect(result).toMatchObject({
      state: 'PARTIAL',
      reasons: ['NO_PUBLISHED_SIZE'],
      scorePips: null,
      indicativeScorePips: graded.result.scorePips,
      grade: null,
    })
  })

  it('is PARTIAL without signers, and COMPLETED with them', () => {
    const blind = measureScore(task())
    expect(blind.result).toMatchObject({ state: 'PARTIAL', reasons: ['MISSING_FLOW_INTEGRITY'] })
    expect(blind.gaps.map(({ code }) => code)).toEqual(['ORIGINS_UNKNOWN'])
    const sighted = measureScore(task({ histories: [history(() => true, '0xa')] }))
    expect(sighted.result.state).toBe('COMPLETED')
    expect(sighted.result.scorePips).toBeGreaterThan(0)
    const [low, high] = sighted.interval90!
    expect(low).toBeLessThanOrEqual(high)
    // All trades are of one signer who never traded back: that says nothing of who funded whom.
    expect(rawOf(sighted, 'FLOW_INTEGRITY').raw).toBe('1000000')
    expect(sighted.gaps.map(({ code }) => code)).toEqual([
      ...['WASH_TRADES_PARTLY_SEEN', 'FUNDING_NOT_READ'],
    ])
  })

  it.each<[string, string, WashSigner]>([
    ['of one signer', 'ONE_SIGNER', () => '0xw'],
    ['of three signers in turn', 'LINKED_SIGNERS', (_, leg) => `0xw${leg % 3}`],
    ['of a new signer for every leg', 'LINKED_SIGNERS', (index, leg) => `0xw${index}-${leg}`],
  ])('leaves wash trades %s out of recovery, volume and confidence', (_, party, signer) => {
    const clean = measureScore(task({ histories: [history(() => true, '0xa')] }))
    const found = measureScore(
      task({
        histories: [
          washed(
            history(() => true, '0xa'),
            signer,
          ),
        ],
      }),
    )
    expect(Number(rawOf(found, 'FLOW_INTEGRITY').raw)).toBeLessThan(100_000)
    expect(found.result.caps).toContain('MANIPULATED_FLOW')
    expect(found.result.confidencePips).toBeLessThanOrEqual(500_000)
    // A thousand trades of the reference size more, and none of them counts.
    expect(rawOf(found, 'RESILIENCE')).toEqual(rawOf(clean, 'RESILIENCE'))
    expect(found.diagnostics).toEqual(clean.diagnostics)
    expect(found.gaps).toEqual([
      {
        code: 'WASH_TRADES_PARTLY_SEEN',
        detail: expect.stringMatching(new RegExp(`Detected: .*[1-9]\\d* ${party}`)),
      },
      expect.objectContaining({ code: 'FUNDING_NOT_READ' }),
    ])
    // With a size that no trade has, the twenty largest would all be the washer's, and are looked for again.
    const large = { gradedSizeQuote: `${2000n * ether}` }
    const [few, fewFound] = [
      history(() => true, '0xa'),
      washed(
        history(() => true, '0xa'),
        signer,
      ),
    ].map((one) => rawOf(measureScore(task({ ...large, histories: [one] })), 'RESILIENCE'))
    expect(few!.method).toContain('LARGEST_20')
    expect(fewFound).toEqual(few)
    // What is quoted at the samples is what it is.
    expect(rawOf(found, 'DEPTH')).toEqual(rawOf(clean, 'DEPTH'))
  })

  it.each<[string, Partial<NonNullable<VenueHistory['funding']>>, string[], number]>([
    ['share a source', { sources: [{ address: '0xs', traders: ['0xf0', '0xf1', '0xf2'] }] }, [], 0],
    [
      'pass proceeds to one account',
      { receivers: [{ address: '0xs', traders: ['0xf0', '0xf1', '0xf2'], isContract: false }] },
      [],
      0,
    ],
    [
      'are funded by the vault of the issuer',
      { contracts: [{ address: '0xVault', traders: ['0xf0', '0xf1', '0xf2'] }] },
      ['0xVault'],
      1,
    ],
    ['are declared by the issuer', {}, ['0xf0', '0xf1', '0xf2'], 1],
  ])('leaves out the flow of signers that %s', (_, links, issuerAccounts, ofIssuer) => {
    const funding = { isRead: true, sources: [], contracts: [], receivers: [], ...links }
    // Every third trade is independent.
    const origin = (index: number) => (index % 3 === 0 ? `0xa${index}` : `0xf${index % 3}`)
    const own = { ...history(() => true, origin), funding }
    const alone = measureScore(task({ histories: [history(() => true, origin)] }))
    const found = measureScore(
      task({ histories: [own], issuerAccounts, provenAccounts: issuerAccounts }),
    )
    expect(alone.ownFlow).toMatchObject({ trades: 0, sharePips: 0 })
    const { sharePips, issuerSharePips } = found.ownFlow!
    expect(sharePips).toBeGreaterThan(500_000)
    expect(issuerSharePips).toBe(ofIssuer * sharePips)
    expect(found.result.confidencePips).toBeLessThan(alone.result.confidencePips)
    expect(Number(rawOf(found, 'RESILIENCE').samples)).toBeLessThan(
      Number(rawOf(alone, 'RESILIENCE').samples),
    )
    expect(found.diagnostics.turnover!).toBeLessThan(alone.diagnostics.turnover!)
    expect(rawOf(found, 'DEPTH')).toEqual(rawOf(alone, 'DEPTH'))
  })

  it('separates flow of accounts without proof, and takes the lower score', () => {
    const origin = (index: number) => (index % 3 === 0 ? `0xa${index}` : '0xw')
    const histories = [history(() => true, origin)]
    const declared = { histories, issuerAccounts: ['0xw'] }
    const proven = measureScore(task({ ...declared, provenAccounts: ['0xw'] }))
    expect(proven.ownFlow!.issuerSharePips).toBeGreaterThan(500_000)
    expect(proven.ownFlow!.assertedSharePips).toBe(0)
    expect(proven.gaps.map(({ code }) => code)).not.toContain('OWN_FLOW_ASSERTED')
    const asserted = measureScore(task({ ...declared, provenAccounts: [] }))
    expect(asserted.ownFlow).toEqual({
      ...proven.ownFlow!,
      assertedSharePips: proven.ownFlow!.issuerSharePips,
    })
    expect(asserted.gaps.map(({ code }) => code)).toContain('OWN_FLOW_ASSERTED')
    expect(asserted.result.confidencePips).toBe(proven.result.confidencePips)
    // Naming the washing account of a third party as own does not raise the score.
    const dirty = [washed(history(() => true, '0xa'))]
    const [plain, named] = [[], ['0xa']].map((issuerAccounts) =>
      measureScore(task({ histories: dirty, issuerAccounts, provenAccounts: [] })),
    )
    const pointsOf = ({ result }: MeasuredScore) =>
      result.scorePips ?? result.indicativeScorePips ?? 0
    expect(pointsOf(named!)).toBeLessThanOrEqual(pointsOf(plain!))
  })

  it('has no score if all flow is own flow', () => {
    const sighted = { histories: [history(() => true, '0xa')] }
    const traders = Array.from({ length: events.length }, (_, index) => `0xa${index}`)
    const sources = [{ address: '0xs', traders }]
    const funding = { isRead: true, sources, contracts: [], receivers: [] }
    const before = measureScore(task(sighted)).result
    expect([before.state, before.grade]).toEqual(['COMPLETED', expect.stringMatching(/[A-C]/)])
    const { result, ownFlow } = measureScore(
      task({ histories: [{ ...sighted.histories[0]!, funding }] }),
    )
    expect(ownFlow!.sharePips).toBe(1_000_000)
    expect(result).toMatchObject({ state: 'ABSTAINED', grade: null, scorePips: null })
    expect(result.reasons).toContain('CONFIDENCE_TOO_LOW')
  })

  it('still counts wash trades of the issuer as suspicious', () => {
    const dirty = washed(history(() => true, '0xa'))
    const found = measureScore(
      task({ histories: [dirty], issuerAccounts: ['0xw'], provenAccounts: ['0xw'] }),
    )
    expect(found.ownFlow!.issuerSharePips).toBeGreaterThan(500_000)
    expect(found.result.caps).toContain('MANIPULATED_FLOW')
  })

  it('has the same bytes again, and another interval only with another seed', () => {
    const once = measureScore(task())
    expect(measureScore(task())).toEqual(once)
    const other = measureScore(task({ seed: new Uint8Array(32).fill(7) }))
    expect(other.result).toEqual(once.result)
    expect(other.interval90).not.toEqual(once.interval90)
  })

  it('abstains where six tenths were not observed, and says no number of it', () => {
    const part = window.from + (window.to - window.from) * 0.4
    const found = measureScore(task({ histories: [history((at) => at <= part, '0xa')] }))
    expect(found.result).toMatchObject({
      state: 'ABSTAINED',
      scorePips: null,
      indicativeScorePips: null,
      grade: null,
      reasons: expect.arrayContaining(['COVERAGE_TOO_LOW']),
    })
    expect(found.interval90).toBeNull()
  })

  it('of a StableSwap pool that its arithmetic finds no price for abstains', () => {
    const empty = createStablePool({
      variant: 'NG',
      rates: [10n ** 12n, ether],
      amplification: 20_000n,
      feeX10: 4_000_000n,
    })
    // A coin of 24 decimals of which there is less than a unit of the common scale.
    const priceless = { ...empty, balances: [999_999n, 10n ** 24n] }
    const stretch = {
      ...window,
      fromBlock: 1,
      toBlock: 2,
      events: [],
      start: new TextEncoder().encode(JSON.stringify(marketToJson(priceless))),
    }
    const venue = { ...history(), kind: 'STABLESWAP' as const, stretches: [stretch] }
    const found = measureScore(task({ histories: [venue] }))
    expect(found.result.state).toBe('ABSTAINED')
    expect(found.last).toBeNull()
  })

  it('of a venue that was not observed has no component at all', () => {
    const nothing = { ...history(), stretches: [] }
    const found = measureScore(task({ histories: [nothing] }))
    expect(found.result.state).toBe('ABSTAINED')
    expect(found.last).toBeNull()
    for (const { code, raw } of found.result.components) expect([code, raw]).toEqual([code, null])
    expect(found.diagnostics).toMatchObject({ kyleLambda: null, annualVolatility: null })
  })

  it('needs every venue at a sample, and computes the cost relative to the others', () => {
    const first = history(() => true, '0xa')
    const second = { ...first, venueId: 'venue_b' }
    const both = measureScore(task({ histories: [first, second] }))
    const alone = measureScore(task({ histories: [first] }))
    const depth = (found: typeof both) => Number(rawOf(found, 'DEPTH').raw)
    expect(Math.abs(depth(both) / depth(alone) - 2)).toBeLessThan(1e-6)
    expect(Number(rawOf(both, 'EXECUTION_COST').raw)).toBeLessThan(
      Number(rawOf(alone, 'EXECUTION_COST').raw),
    )
    expect(rawOf(both, 'CONCENTRATION')).toMatchObject({ raw: '500000', method: 'VENUE_HHI' })
    expect(rawOf(both, 'PRICE_INTEGRITY')).toMatchObject({ raw: '0', method: 'SOURCES' })
    const half = window.from + (window.to - window.from) / 2
    const short = { ...history((at) => at <= half, '0xa'), venueId: 'venue_b' }
    const part = measureScore(task({ histories: [first, short] }))
    expect(rawOf(part, 'DEPTH').coveragePips).toBeLessThan(520_000)
  })

  it('is concentrated by provider if every venue lists its providers; equal addresses count once', () => {
    const first = history(() => true, '0xa')
    const histories = [first, { ...first, venueId: 'venue_b' }]
    const share = (address: string, depthSharePips: number) => ({ address, depthSharePips })
    const concentration = (providers: ReturnType<typeof task>['providers']) =>
      rawOf(measureScore(task({ histories, providers })), 'CONCENTRATION')
    const halves = [share('0x1', 500_000), share('0x2', 500_000)]
    expect(concentration([halves, halves])).toMatchObject({
      raw: '500000',
      method: 'PROVIDER_HHI',
      samples: 2,
    })
    // One half of everything, and two others of a quarter each: what is left of a venue is one more provider.
    expect(concentration([[share('0x1', 500_000)], [share('0x1', 500_000)]])).toMatchObject({
      raw: '625000',
      samples: 3,
    })
    expect(concentration([[share('0x1', 1_000_000)], [share('0x1', 1_000_000)]]).raw).toBe('0')
    expect(concentration([halves, null])).toMatchObject({ raw: '500000', method: 'VENUE_HHI' })
  })

  it('compares with a reference that only says a price', () => {
    const first = history(() => true, '0xa')
    const reference = { ...first, venueId: 'venue_r' }
    const found = measureScore(task({ histories: [first], reference }))
    const alone = measureScore(task({ histories: [first] }))
    expect(rawOf(found, 'DEPTH').raw).toBe(rawOf(alone, 'DEPTH').raw)
    expect(rawOf(found, 'PRICE_INTEGRITY').method).toBe('SOURCES')
    expect(rawOf(alone, 'PRICE_INTEGRITY').method).toBe('OWN_TWAP')
  })

  /** A score beside a reference that was observed at the first so many samples, where it has a price. */
  function extensionReference(
    share: number,
    change: Partial<VenueHistory['stretches'][number]> = {},
  ) {
    const first = history(() => true, '0xa')
    const moments = drawnMoments(window, 300, lastEventBlock([first], window.to))
    const last = moments[Math.max(0, Math.ceil(moments.length * share) - 1)]!
    // As long as its prices are told it is the venue itself.
    const [part] = history((at) => at <= last, '0xa').stretches
    const stretches = share === 0 ? [] : [{ ...part!, to: last, ...change }]
    const reference = { ...first, venueId: 'venue_r', stretches }
    const found = measureScore(task({ histories: [first], reference }))
    const spoke = Math.ceil(moments.length * share)
    return { found, alone: measureScore(task({ histories: [first] })), spoke, moments }
  }

  it.each([
    ['none', 0],
    ['two', 2 / 289],
    ['89 %', 0.89],
  ])('excludes a reference with a price at %s of the samples as a source', (_, share) => {
    const { found, alone, spoke, moments } = extensionReference(share)
    expect(found.result).toEqual(alone.result)
    expect(rawOf(found, 'PRICE_INTEGRITY').method).toBe('OWN_TWAP')
    expect(found.course).toEqual(alone.course)
    expect(found.interval90).toEqual(alone.interval90)
    expect(found.gaps).toEqual([
      expect.objectContaining({ code: 'WASH_TRADES_PARTLY_SEEN' }),
      expect.objectContaining({ code: 'FUNDING_NOT_READ' }),
      {
        code: spoke === 0 ? 'REFERENCE_NOT_OBSERVED' : 'REFERENCE_SELDOM_OBSERVED',
        detail: expect.stringContaining(` ${spoke} of ${moments.length} samples`),
      },
    ])
  })

  it('compares with a reference that has a price at nine tenths of the samples, at common samples', () => {
    const { found, spoke } = extensionReference(0.9)
    expect(rawOf(found, 'PRICE_INTEGRITY')).toMatchObject({
      method: 'SOURCES',
      raw: '0',
      samples: spoke,
    })
    expect(found.gaps.map(({ code }) => code)).toEqual([
      ...['WASH_TRADES_PARTLY_SEEN', 'FUNDING_NOT_READ'],
    ])
  })

  it('takes one that was observed without a price for no source, nor a venue that has none', () => {
    const empty = { ...createClmmPool({ feePips: 3000, tickSpacing: 60 }) }
    const noPrice = {
      start: new TextEncoder().encode(
        JSON.stringify(marketToJson({ ...empty, balance0: null, balance1: null })),
      ),
      events: [],
    }
    const { found, alone } = extensionReference(1, noPrice)
    expect(found.result).toEqual(alone.result)
    expect(found.gaps.map(({ code }) => code)).toEqual([
      'WASH_TRADES_PARTLY_SEEN',
      'FUNDING_NOT_READ',
      'REFERENCE_NOT_OBSERVED',
    ])
    const first = history(() => true, '0xa')
    const silent = {
      ...first,
      venueId: 'venue_b',
      stretches: first.stretches.map((stretch) => ({ ...stretch, ...noPrice })),
    }
    const both = measureScore(task({ histories: [first, silent] }))
    expect(rawOf(both, 'PRICE_INTEGRITY')).toMatchObject({
      method: 'OWN_TWAP',
      raw: rawOf(alone, 'PRICE_INTEGRITY').raw,
    })
  })
})
