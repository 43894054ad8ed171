import { contract, type OperatingSystemEvent } from '@liquidity-os/contract'
import { pictureToSvg } from '@liquidity-os/drawing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../failure.ts'
import { dayMilliseconds } from '../../../units.ts'
import launchPictures from './pictures/draw-task.ts'
import { circulatingAt, circulatingCurve } from './planning/circulating.ts'
import computeMechanisms from './planning/mechanism-task.ts'
import { requireSoundPlan } from './planning/validate-plan.ts'
import { foldTimeline, stepIdOf } from './timeline/fold-timeline.ts'
import { slipToTell } from './timeline/slip-notices.ts'
import { standardSteps } from './timeline/standard-steps.ts'
import { timelineDocument } from './timeline/timeline-document.ts'

type Input = contract.LaunchPlanInput
type Gates = Parameters<typeof timelineDocument>[2]

const example = contract.createLaunchPlans.example.body.payload as unknown as Input
const vesting = example.allocations
const launchAt = '2026-06-01T00:00:00.000Z'
const launch = Date.parse(launchAt)
const id = `launch_plan_${'a'.repeat(32)}`
const e18 = 10n ** 18n

const event = (kind: string, payload: object, at: number, sequence: number): OperatingSystemEvent =>
  ({
    kind,
    payload,
    sequence,
    occurredAt: new Date(at).toISOString(),
    evidenceHash: `0x${`${sequence}`.padStart(64, '0')}`,
  }) as unknown as OperatingSystemEvent
const created = event('launch.plan.created', {}, launch - 100 * dayMilliseconds, 1)
const templated = event(
  'launch.timeline.appended',
  { steps: standardSteps(vesting) },
  launch - 99 * dayMilliseconds,
  2,
)
const completed = (key: string, at: number, sequence: number) =>
  event('launch.timeline.completed', { key, evidence: [] }, at, sequence)
const documentAt = (events: OperatingSystemEvent[], now: number, gates: Gates = new Map()) =>
  timelineDocument({ id, launchAt }, foldTimeline(events, id, launchAt), gates, now)

describe('the supply that may move', () => {
  it('is never more than the supply, and grows', () => {
    const allocation = fc.record({
      tokens: fc.bigInt(1n, 10n ** 24n),
      initialPips: fc.bigInt(0n, 1_000_000n),
      years: fc.integer({ min: 1, max: 6 }),
      isVested: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(allocation, { minLength: 1, maxLength: 6 }), (all) => {
        const allocations = all.map(({ tokens, initialPips, years, isVested }, index) => ({
          bucket: `b${index}`,
          tokens: `${tokens}`,
          recipientClass: 'TEAM' as const,
          ...(isVested
            ? {
                initialTokens: `${(tokens * initialPips) / 1_000_000n}`,
                vesting: {
                  kind: 'LINEAR' as const,
                  from: launchAt,
                  stepSeconds: 86_400,
                  to: `${2026 + years}-06-01T00:00:00.000Z`,
                },
              }
            : {}),
        }))
        const total = all.reduce((sum, { tokens }) => sum + tokens, 0n)
        const request = { ...example, launchAt, totalSupply: `${total}`, allocations }
        expect(() => requireSoundPlan(request)).not.toThrow()
        const curve = circulatingCurve(request).map(({ tokens }) => BigInt(tokens))
        expect(curve.at(-1)).toBeLessThanOrEqual(total)
        for (const [itemIndex, tokens] of curve.slice(1).entries()) {
          expect(tokens).toBeGreaterThanOrEqual(curve[itemIndex]!)
        }
        expect(circulatingAt(request, launch - 1)).toBe(0n)
        expect(circulatingAt(request, launch + 7 * 366 * dayMilliseconds)).toBe(total)
      }),
      { numRuns: 40 },
    )
  })
})

describe('a deployment', () => {
  const [address, codeHash] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(64)}`]
  const team = { bucket: 'team', address, codeHash }
  const pool = {
    kind: 'UNISWAP_V3',
    factory: address,
    feePips: 3_000,
    tolerancePips: 0,
    safe: address,
    minimumToken: '1',
    minimumQuote: '1',
  }
  const sound = { deployer: address, vesting: [team], control: { holder: address }, pool }
  const faultsOf = (change: object, more: object = {}) => {
    try {
      requireSoundPlan({ ...example, ...more, deployment: { ...sound, ...change } } as Input)
      return {}
    } catch (error) {
      return (error as Failure).detail.fieldErrors
    }
  }

  it('names the contract of every allocation with a schedule, once, and the fee of a v3 pool', () => {
    expect(faultsOf({})).toEqual({})
    const at = 'payload.deployment'
    const { feePips: _, ...pair } = pool
    for (const [change, field, words] of [
      [{ vesting: [] }, `${at}.vesting`, 'must name the contract that vests team'],
      [{ vesting: [team, team] }, `${at}.vesting.1.bucket`, 'must be unique'],
      [
        { vesting: [team, { ...team, bucket: 'sale' }] },
        `${at}.vesting.1.bucket`,
        'must be an allocation with a schedule, got sale',
      ],
      [{ pool: pair }, `${at}.pool.feePips`, 'is required with UNISWAP_V3'],
      [{ pool: { ...pool, kind: 'UNISWAP_V2' } }, `${at}.pool.feePips`, 'must be omitted'],
    ] as const) {
      expect(faultsOf(change)).toEqual({ [field]: [expect.stringContaining(words)] })
    }
    for (const quote of ['iso4217:USD', 'eip155:1/slip44:60']) {
      expect(faultsOf({}, { quote })).toEqual({
        [`${at}.pool`]: [expect.stringContaining('must be omitted')],
      })
      expect(faultsOf({ pool: undefined }, { quote })).toEqual({})
    }
    expect(faultsOf({}, { token: 'iso4217:USD', quote: 'iso4217:EUR' })).toHaveProperty([at])
  })

  it('requires no transaction of a plan without vesting', () => {
    const asks = (allocations: Input['allocations']) =>
      standardSteps(allocations)
        .filter(({ key }) => key.startsWith('vesting-'))
        .map(({ requiredEvidence }) => requiredEvidence.length)
    expect(asks(vesting)).toEqual([1, 1])
    expect(asks(vesting.filter((one) => one.vesting === undefined))).toEqual([0, 0])
  })

  it('has a gate on every usual step that is a gate', () => {
    const gates = standardSteps(vesting).filter(({ kind }) => kind === 'GATE')
    expect(gates.filter(({ gate }) => gate === undefined)).toEqual([])
    expect(gates.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['vesting-funded', 'roles-handed-over', 'pool-check']),
    )
  })
})

describe('a mechanism', () => {
  it('has the quiet prices of the published bootstrapping pool, and the quote that lifts it back', () => {
    const [computed] = computeMechanisms({
      mechanisms: [
        {
          kind: 'LBP',
          startAt: launchAt,
          endAt: '2026-06-05T00:00:00.000Z',
          tokenStart: `${10_000_000n * e18}`,
          quoteStart: `${250_000n * e18}`,
          startWeightPips: 900_000,
          endWeightPips: 200_000,
          feePips: 0,
        },
      ],
      study: null,
      orientation: null,
      bids: null,
      blockSeconds: null,
    })
    const quarters = [0, 12, 24, 36, 48].map((index) =>
      (Number(computed!.quiet[index]!.priceX36) / 1e36).toFixed(5),
    )
    expect(quarters).toEqual(['0.22500', '0.06591', '0.03056', '0.01500', '0.00625'])
    expect([computed!.lowestPriceX36, computed!.outcome]).toEqual([`${6_250n * 10n ** 30n}`, null])
    const last = computed!.holding.at(-1)!
    // 250,000·(36^0.2 − 1), at a weight of a fifth.
    expect(Number(BigInt(last.openingQuote) / e18)).toBe(261_918)
    expect(computed!.holding[0]!.openingQuote).toBe('0')
  })
})

describe('a clearing auction', () => {
  const auction = {
    kind: 'CCA' as const,
    tokens: `${100n * e18}`,
    startBlock: 0,
    endBlock: 100,
    claimBlock: 100,
    floorPriceX96: `${2n ** 96n}`,
    tickSpacing: `${2n ** 90n}`,
    requiredCurrencyRaised: '0',
    steps: [{ mps: 100_000, blocks: 100 }],
    liquiditySharePips: 0,
  } satisfies contract.LaunchMechanism
  const computed = (blockSeconds: number | null, change: object = {}) =>
    computeMechanisms({
      mechanisms: [{ ...auction, ...change }],
      study: null,
      orientation: null,
      bids: [{ budget: 1000n * e18, maximumPrice: { num: 100n, den: 1n }, atSeconds: 100 }],
      blockSeconds,
    })[0]!

  it('asks for a block time that the chain does not publish, instead of assuming one', () => {
    expect(computed(null)).toMatchObject({
      outcome: null,
      missing: expect.stringContaining('Set blockSeconds.'),
    })
    // The bid arrives at block 50 of 100, or after nine blocks.
    const [two, twelve] = [computed(2), computed(12)]
    expect([two.missing, twelve.missing]).toEqual([null, null])
    expect(two.outcome).not.toEqual(twelve.outcome)
    expect(computed(null, { blockSeconds: 2 })).toEqual(two)
  })
})

describe('a timeline', () => {
  it('keeps both dates of a step that is amended, and its id', () => {
    const [first] = standardSteps(vesting)
    const later = { ...first!, offsetSeconds: -50 * 86_400 }
    const amended = event(
      'launch.timeline.appended',
      { steps: [later] },
      launch - 98 * dayMilliseconds,
      3,
    )
    const { events, head } = documentAt(
      [created, templated, amended],
      launch - 97 * dayMilliseconds,
    )
    expect(head).toBe(amended.evidenceHash)
    const step = events.find(({ key }) => key === first!.key)!
    expect(step.eventId).toBe(stepIdOf(id, first!.key))
    expect(step.amendments).toEqual([
      {
        plannedAt: new Date(launch - 90 * dayMilliseconds).toISOString(),
        amendedAt: new Date(launch - 98 * dayMilliseconds).toISOString(),
      },
    ])
    expect(step.plannedAt).toBe(new Date(launch - 50 * dayMilliseconds).toISOString())
  })

  it('goes from preparing to done, and says when it slips', () => {
    const keys = standardSteps(vesting).map(({ key }) => key)
    const before = keys.slice(0, keys.indexOf('seed'))
    const done = (some: readonly string[], at: number) =>
      some.map((key, index) => completed(key, at, 10 + index))
    const phase = (events: OperatingSystemEvent[], now: number) => documentAt(events, now).phase
    expect(phase([created], launch - 90 * dayMilliseconds)).toBe('PREPARING')
    expect(phase([created, templated], launch - 90 * dayMilliseconds)).toBe('PREPARING')
    expect(phase([created, templated], launch - 10 * dayMilliseconds)).toBe('SLIPPED')
    const ready = [created, templated, ...done(before, launch - 3 * dayMilliseconds)]
    expect([
      phase(ready, launch - dayMilliseconds),
      phase(ready, launch + dayMilliseconds),
    ]).toEqual(['READY', 'LIVE'])
    expect(phase([created, templated, ...done(keys, launch)], launch + dayMilliseconds)).toBe(
      'DONE',
    )
  })

  it('notifies about a delay at once, after it doubled, and after it changed', () => {
    const at = (days: number) => launch + days * dayMilliseconds
    const slipAt = (events: OperatingSystemEvent[], days: number) =>
      slipToTell(events, { id, launchAt }, at(days))
    const planned = [created, templated]
    expect(slipAt(planned, -98)).toBeNull()
    const first = slipAt(planned, -10)!
    const { forecastLaunchAt } = documentAt(planned, at(-10))
    expect(first).toMatchObject({ launchAt, forecastLaunchAt })
    expect(first.daysLate).toBeGreaterThan(0)
    expect(first.criticalPath.at(-1)).toBe('seed')
    const slipped = [...planned, event('launch.timeline.slipped', { ...first }, at(-10), 3)]
    // The head stays that which people made, and a day more is no news.
    expect(documentAt(slipped, at(-10)).head).toBe(templated.evidenceHash)
    expect([slipAt(slipped, -10), slipAt(slipped, -9)]).toEqual([null, null])
    expect(slipAt(slipped, -10 + first.daysLate)?.daysLate).toBe(2 * first.daysLate)
    const changed = [...slipped, completed('legal-opinion', at(-9), 4)]
    expect(slipAt(changed, -9)).not.toBeNull()
    const keys = standardSteps(vesting).map(({ key }) => key)
    const prepared = standardSteps(vesting)
      .filter(({ offsetSeconds = 0 }) => offsetSeconds < 0)
      .map(({ key }, index) => completed(key, at(-9), 5 + index))
    expect(documentAt([...planned, ...prepared], at(10)).phase).toBe('LIVE')
    expect(slipAt([...planned, ...prepared], 10)?.daysLate).toBe(10)
    const done = keys.map((key, index) => completed(key, at(-9), 5 + index))
    expect(slipAt([...slipped, ...done], 1)).toBeNull()
  })

  it('may have five hundred steps, each waiting for others', () => {
    const steps = Array.from({ length: 500 }, (_, index) => ({
      ...standardSteps(vesting)[0]!,
      key: `step-${index}`,
      offsetSeconds: -index,
      dependsOn:
        index === 0
          ? []
          : [`step-${index - 1}`, `step-${Math.floor(index / 2)}`].slice(0, index === 1 ? 1 : 2),
    }))
    const long = event('launch.timeline.appended', { steps }, launch - 99 * dayMilliseconds, 2)
    const { events, criticalPath } = documentAt([created, long], launch - 90 * dayMilliseconds)
    expect([events.length, criticalPath[0]]).toEqual([500, 'step-0'])
  })

  it('is blocked by an unsatisfied gate, for any completed step', () => {
    const gate = (result: 'SATISFIED' | 'OPEN') =>
      new Map([
        ['control-proven', { result, detail: '', read: [], sources: [], block: null }],
      ]) as unknown as Gates
    const audit = completed('audit-report', launch - 60 * dayMilliseconds, 3)
    const stateOf = (gates: Gates) =>
      documentAt([created, templated, audit], launch - 50 * dayMilliseconds, gates).events.find(
        ({ key }) => key === 'control-proven',
      )!.state
    expect([stateOf(gate('OPEN')), stateOf(gate('SATISFIED')), stateOf(new Map())]).toEqual([
      ...['BLOCKED', 'READY', 'BLOCKED'],
    ])
  })
})

describe('pictures', () => {
  it.each([
    ['of a plan without steps', [created]],
    [
      'of one with the usual steps',
      [created, templated, completed('legal-opinion', launch - 70 * dayMilliseconds, 3)],
    ],
  ])('%s are drawn without a figure that is none', (_name, events) => {
    const mechanisms = computeMechanisms({
      mechanisms: [example.mechanism, ...(example.alternatives ?? [])],
      study: null,
      orientation: null,
      bids: [{ budget: e18, maximumPrice: { num: 3n, den: 1n }, atSeconds: 10 }],
      blockSeconds: null,
    })
    const plan = {
      request: { ...example, launchAt },
      computed: { circulating: circulatingCurve({ ...example, launchAt }), mechanisms },
    } as unknown as contract.LaunchPlan
    const drawn = launchPictures({
      plan,
      timeline: documentAt(events, launch - 40 * dayMilliseconds),
    })
    expect(drawn.map(({ picture }) => picture.id)).toEqual([
      ...['launch-timeline', 'launch-supply', 'launch-prices'],
    ])
    for (const { picture, columns, rows } of drawn) {
      expect(pictureToSvg(picture)).not.toMatch(/NaN|Infinity|undefined|\[object/)
      expect(picture.description.length).toBeGreaterThan(20)
      for (const row of rows) expect(row).toHaveLength(columns.length)
      for (const shape of picture.shapes) {
        if (shape.kind === 'text') expect(shape.y).toBeLessThan(picture.height)
      }
    }
  })
})
