import { type contract, responseExamples } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { describe, expect, it } from 'vitest'
import { redact, type SharedSources } from './redact.ts'
import type { Strategy } from './redact-strategy.ts'

type Disclosure = Static<typeof contract.StudyDisclosure>
type ReplayedArm = Static<typeof contract.SharedArmResult>

const nothing: Disclosure = {
  showOrganization: false,
  showAmounts: false,
  showVenueAddress: false,
  showStrategyParameters: false,
  showAssumptions: false,
}
const flags = Object.keys(nothing) as (keyof Disclosure)[]
const everything = Object.fromEntries(flags.map((flag) => [flag, true])) as unknown as Disclosure

/** A real answer of the service, as the contract shows it. */
const example = (id: string) => structuredClone(responseExamples[id]) as { data: never }

/** What a share is made of; each call gives new objects. */
function sources(disclosure: Disclosure, change: Partial<SharedSources> = {}): SharedSources {
  const study = example('getStudies').data as SharedSources['study']
  const { strategy } = example('createStrategies').data as {
    strategy: { payload: { definition: Strategy } }
  }
  study.payload.spec.arms.push({
    armId: 'follows',
    label: 'Follows',
    strategy: {
      id: 'strategy_0198f0f0c0de7000800000000000a001',
      resourceVersion: `0x${'5'.repeat(64)}`,
    },
  })
  const rows = Array.from({ length: 1200 }, (_, index) => ({
    timestamp: 1_700_000_000 + 12 * index,
    priceX18: `${2n * 10n ** 15n + BigInt(index)}`,
    netVsHold: `${BigInt((index % 50) - 25) * 10n ** 15n}`,
  }))
  return {
    share: { expiresAt: '2026-02-04T12:00:00.000Z', disclosure },
    study,
    isSuperseded: false,
    organizationName: 'Example organization',
    venue: (example('getVenues').data as { payload: SharedSources['venue'] }).payload,
    strategies: new Map([['follows', strategy.payload.definition]]),
    series: new Map([['hold.INELASTIC_INPUT', rows]]),
    ...change,
  }
}

describe('a redacted study', () => {
  it('says only what each flag allows', () => {
    const members = {
      showOrganization: ['organization'],
      showAmounts: ['unit', 'capital', 'market', 'results', 'feeBand', 'series'],
      showVenueAddress: ['venue'],
      showStrategyParameters: ['arms', 'results'],
      showAssumptions: ['assumptions'],
    }
    const hidden = redact(sources(nothing))
    for (const flag of flags) {
      const shown = redact(sources({ ...nothing, [flag]: true }))
      const changed = Object.keys(shown).filter((member) => {
        const key = member as keyof typeof shown
        return JSON.stringify(shown[key]) !== JSON.stringify(hidden[key])
      })
      expect([flag, changed.sort()]).toEqual([flag, members[flag].sort()])
    }
    expect(hidden).toMatchObject({
      organization: null,
      venue: null,
      market: null,
      assumptions: null,
    })
    for (const arm of hidden.arms) expect(arm).toMatchObject({ position: null, strategy: null })
    for (const result of hidden.results) {
      expect(result).toMatchObject({ positions: null, operations: null, flow: null })
    }
  })

  it('never holds ids, wallets, reasons or hashes that a guess could be tried on', () => {
    const { study, venue } = sources(everything)
    const { spec, result } = study.payload
    const { evidence } = result!
    const secrets = [
      study.id,
      study.organizationId,
      study.createdBy.id,
      study.reason,
      ...('venue' in spec.market ? Object.values(spec.market.venue) : []),
      ...(spec.observations ?? []).flatMap(({ id, resourceVersion }) => [id, resourceVersion]),
      'strategy_0198f0f0c0de7000800000000000a001',
      evidence.specHash,
      evidence.seed!,
      ...evidence.inputs.map(({ hash }) => hash),
      ...result!.seriesArtifacts.map(({ hash }) => hash),
      '"parameters"',
    ]
    const owner = `0x${'ab'.repeat(20)}`
    const owned = { ...venue!, ownedPositions: [{ owner, tickLower: -60, tickUpper: 60 }] }
    const text = JSON.stringify(redact(sources(everything, { venue: owned })))
    for (const secret of [...secrets, owner]) expect(text).not.toContain(secret)
  })

  it('hides a new study member until the code lists it', () => {
    const given = sources(everything)
    const { spec, result } = given.study.payload
    const places = [given.study, given.study.payload, spec, spec.capital, result, result?.evidence]
    const more = [result?.fidelity, result?.parity, ...(result?.arms ?? []), given.venue, spec.pair]
    for (const place of [...places, ...more, ...spec.arms, given.strategies.get('follows')]) {
      Object.assign(place ?? {}, { novelty: 'NOT FOR READERS' })
    }
    expect(JSON.stringify(redact(given))).not.toContain('NOT FOR READERS')
  })

  it('says that its market is simulated where the evidence is of a test network, whatever is hidden', () => {
    const local = redact(sources(nothing))
    expect(local.simulated).toEqual({
      mark: 'SIMULATED',
      words: 'Local or test chain: simulated market',
    })
    const real = sources(nothing)
    const text = JSON.stringify(real.study).replaceAll('"chainId":31337', '"chainId":1')
    const study = JSON.parse(text) as SharedSources['study']
    expect(redact({ ...real, study })).not.toHaveProperty('simulated')
  })

  it('thins series to the resolution of a chart, in seconds since their start', () => {
    const { prices, series } = redact(sources(nothing))
    expect([prices.length, series[0]?.points.length]).toEqual([500, 500])
    expect([prices[0], prices.at(-1)?.seconds]).toEqual([
      { seconds: 0, priceX18: '2000000000000000' },
      12 * 1199,
    ])
    expect(JSON.stringify([prices, series])).not.toContain('17000')
  })

  it('keeps the ratios of amounts, and of a strategy', () => {
    const shown = redact(sources({ ...everything, showAmounts: true }))
    const scaled = redact(sources({ ...everything, showAmounts: false }))
    const worth =
      BigInt(shown.capital!.quote) +
      (BigInt(shown.capital!.base) * BigInt(shown.startPriceX18!)) / 10n ** 18n
    const isScaled = (a: string, b: string) => {
      const expected = (BigInt(a) * 1_000_000n) / worth
      expect(Number(BigInt(b) - expected)).toBeGreaterThanOrEqual(-1)
      expect(Number(BigInt(b) - expected)).toBeLessThanOrEqual(1)
    }
    const replayed = ({ results }: typeof shown) =>
      results.filter((result): result is ReplayedArm => 'flowModel' in result)
    for (const [index, { waterfallHolder, depth }] of replayed(shown).entries()) {
      const other = replayed(scaled)[index]!
      for (const line of Object.keys(waterfallHolder) as (keyof typeof waterfallHolder)[]) {
        isScaled(waterfallHolder[line], other.waterfallHolder[line])
      }
      for (const [at, { medianQuote }] of depth.entries()) {
        isScaled(medianQuote, other.depth[at]!.medianQuote)
      }
    }
    const strategyOf = ({ arms }: typeof shown) => arms.find(({ strategy }) => strategy)!.strategy!
    const [before, after] = [strategyOf(shown), strategyOf(scaled)]
    isScaled(before.capital.maxQuote, after.capital.maxQuote)
    isScaled(before.guards.maxTurnoverQuotePerDay!, after.guards.maxTurnoverQuotePerDay!)
    expect(after.positions).toEqual(before.positions)
    expect(scaled.unit).toBe('MILLIONTHS_OF_CAPITAL')
  })

  it('of a study without result or price says so, and gives no figures', () => {
    const failed = sources(nothing)
    Object.assign(failed.study.payload, { result: null })
    expect(redact(failed)).toMatchObject({
      state: 'FAILED',
      resultHash: null,
      capital: null,
      results: [],
      prices: [],
    })
    const priceless = sources(nothing)
    Object.assign(priceless.study.payload.result!, { startPriceX18: null })
    expect(redact(priceless)).toMatchObject({ capital: null, results: [], series: [], feeBand: [] })
  })
})
