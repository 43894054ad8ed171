import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import {
  input,
  line,
  scenario,
  usd,
  weth,
} from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { venueBody } from './support/bodies.ts'
import { test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import { newOrganization, type TestMember } from './support/service.ts'

type Assumptions = VersionedRecord<contract.TreasuryAssumptions>
type Input = contract.TreasuryAssumptionInput
type Schedule = contract.TreasurySchedule
type Price = Input['scenarios'][number]['prices'][number]
type Line = Parameters<typeof line>[0]

const it = test.extend(
  'first',
  { scope: 'file' },
  async ({ owner }) => (await create(owner, input())).data,
)

const reason = 'For the test'
const create = (owner: TestMember, body: object) =>
  callOperation<Assumptions>(owner, 'createTreasuryAssumptions', { body: { reason, ...body } })
const revise = (owner: TestMember, first: Assumptions, assumptions: object) =>
  callOperation(owner, 'reviseTreasuryAssumptions', {
    params: { id: first.id },
    ifMatch: first.resourceVersion,
    body: { assumptions, reason },
  })

/** What is wrong with a set: one field, and what is said of it. */
interface Wrong {
  what: string
  change: Partial<Input>
  field: string
  message: RegExp
}
const wrong = (what: string, change: Partial<Input>, field: string, message: RegExp): Wrong => ({
  what,
  change,
  field,
  message,
})
const wrongLine = (what: string, change: Line, field: string, message: RegExp) =>
  wrong(what, { lines: [line(change)] }, `lines.0.${field}`, message)
const wrongSchedule = (what: string, schedule: Schedule, field: string, message: RegExp) =>
  wrongLine(what, { schedule }, `schedule.${field}`, message)
const wrongPrices = (what: string, prices: Price[], field: string, message: RegExp) =>
  wrong(
    what,
    { scenarios: [scenario(), scenario({ scenarioId: 'winter', prices, inflowDelayMonths: 1 })] },
    `scenarios.1.prices.${field}`,
    message,
  )
const noBase =
  (what: string, ...scenarios: Input['scenarios']) =>
  (message: RegExp) =>
    wrong(what, { scenarios }, 'scenarios', message)

const later = '2026-06-01T00:00:00.000Z'
const early = '2026-01-01T00:00:00.000Z'
const half = '2026-01-01T00:00:00.500Z'
const linear = { kind: 'LINEAR', from: early, to: later, stepSeconds: 60 } as const
const recurring = { kind: 'RECURRING', firstAt: later, every: 'MONTH' } as const
const bucket = `treasury_bucket_${'0'.repeat(32)}`
const obligation = (id = bucket, resourceType = 'TreasuryBucket') => ({
  resourceType,
  id,
  resourceVersion: `0x${'1'.repeat(64)}`,
})
const step = (month: string): Price => ({
  tier: 'T2',
  path: { kind: 'STEP', month, movePips: 1 },
})
const position = `eip155:1/erc721:0x${'a'.repeat(40)}/7`

const refusals: Record<string, Wrong[]> = {
  DUPLICATE_LINE: [
    wrong(
      'two lines of one name',
      { lines: [line(), line()] },
      'lines.1.lineId',
      /lines\.0 already has pay/,
    ),
  ],
  SCHEDULE_INVALID: [
    wrongSchedule(
      'half a second',
      { kind: 'ONE_OFF', at: half },
      'at',
      /whole seconds, got .*500Z/,
    ),
    wrongSchedule('half a second of steps', { ...linear, from: half }, 'from', /whole second/),
    wrongSchedule('two ends', { ...recurring, count: 2, until: later }, 'until', /omitted if/),
    wrongSchedule(
      'an end too early',
      { ...recurring, until: early },
      'until',
      /not be before firstAt/,
    ),
    wrongSchedule('no time at all', { ...linear, to: early }, 'to', /after from/),
    wrongSchedule(
      ...([
        'a cliff before the start',
        { ...linear, cliffAt: '2025-12-31T00:00:00.000Z' },
      ] as const),
      ...(['cliffAt', /from .* to .* got 2025/] as const),
    ),
    wrongSchedule(
      ...(['a cliff after the end', { ...linear, cliffAt: '2026-06-02T00:00:00.000Z' }] as const),
      ...(['cliffAt', /from .* to .* got 2026-06-02/] as const),
    ),
    wrongSchedule(
      ...(['more at once than in all', { ...linear, initial: '1000001' }] as const),
      ...(['initial', /at most .*1000000, got 1000001/] as const),
    ),
  ],
  PROBABILITY_REQUIRED: [
    wrongLine(
      ...(['an uncertain line', { certainty: 'UNCERTAIN' }] as const),
      ...(['probabilityPips', /is required for an UNCERTAIN line, got none/] as const),
    ),
  ],
  OBLIGATION_DOUBLE_COUNTED: [
    wrong(
      'one obligation in two lines',
      { lines: ['a', 'b'].map((lineId) => line({ lineId, obligation: obligation() })) },
      ...(['lines.1.obligation.id', /lines\.0 already has treasury_bucket/] as const),
    ),
  ],
  SCENARIO_BASE_MISSING: [
    noBase('no base', scenario({ inflowDelayMonths: 1 }))(/exactly one .* got none/),
    noBase('two of them', scenario(), scenario({ scenarioId: 'same' }))(/got base, same/),
    noBase('a multiplier', scenario({ outflowMultiplierPips: 1 }))(/got none/),
    noBase(
      'a price that may move',
      scenario({ prices: [{ tier: 'T2', path: { kind: 'LINEAR', movePips: 0 } }] }),
    )(/got none/),
  ],
  INCONSISTENT: [
    wrongLine(
      ...(['a probability of what is owed', { probabilityPips: 5 }] as const),
      ...(['probabilityPips', /omitted for a line that is COMMITTED, got 5/] as const),
    ),
    wrongLine(
      ...(['an obligation to oneself', { direction: 'INFLOW', obligation: obligation() }] as const),
      ...(['obligation', /omitted for an INFLOW/] as const),
    ),
    wrongLine(
      ...(['income in the own token', { direction: 'INFLOW', ownTokenSharePips: 1 }] as const),
      ...(['ownTokenSharePips', /omitted for an INFLOW, got 1/] as const),
    ),
    wrong(
      'two scenarios of one name',
      { scenarios: [scenario(), scenario({ inflowDelayMonths: 1 })] },
      ...(['scenarios.1.scenarioId', /scenarios\.0 already has base/] as const),
    ),
    wrongPrices(
      'one tier twice',
      [
        { tier: 'T2', path: { kind: 'HOLD' } },
        { tier: 'T2', path: { kind: 'HOLD' } },
      ],
      ...(['1', /0 already moves T2/] as const),
    ),
    wrongPrices(
      'a step before the start',
      [step('2025-12')],
      '0.path.month',
      /24 months from 2026-01/,
    ),
    wrongPrices('a step after the end', [step('2028-01')], '0.path.month', /got 2028-01/),
    wrongPrices(
      'a path that is too short',
      [{ tier: 'T2', path: { kind: 'PATH', movesPips: [1, 2] } }],
      ...(['0.path.movesPips', /each of the 24 months, got 2/] as const),
    ),
    wrong(
      ...(['the own token though it is kept', { conversionOrder: ['T1', 'T4'] }] as [
        string,
        Partial<Input>,
      ]),
      ...(['conversionOrder.1', /not be T4 if ownTokenPolicy is EXCLUDE/] as const),
    ),
  ],
  ASSET_UNKNOWN: [
    wrong(
      'money of nobody',
      { quoteKey: 'iso4217:ABC' },
      'quoteKey',
      /ISO 4217 .* got iso4217:ABC/,
    ),
    wrongLine('a token of nobody', { assetKey: weth }, 'assetKey', /token of a venue/),
    wrongLine(
      'a coin of no chain of ours',
      { assetKey: 'eip155:5/slip44:60' },
      'assetKey',
      /of a chain/,
    ),
    wrongLine('a position', { assetKey: position }, 'assetKey', /a fungible asset, not a position/),
    wrongPrices(
      'a price of an asset of nobody',
      [{ assetKey: weth, path: { kind: 'HOLD' } }],
      ...(['0.assetKey', /token of a venue/] as const),
    ),
  ],
}
const cases = Object.entries(refusals).flatMap(([code, all]) =>
  all.map((one) => [code, one.what, one] as const),
)

describe.each(cases)('%s: %s', (code, _what, { change, field, message }) => {
  it('is refused of a new set and of a revision, at its field', async ({ owner, first }) => {
    const refused = await create(owner, input(change))
    expect([refused.status, refused.code]).toEqual([422, `LIQUIDITY_ASSUMPTIONS_${code}`])
    expect(Object.keys(refused.fieldErrors)).toEqual([field])
    expect(refused.fieldErrors[field]?.[0]).toMatch(message)
    const again = await revise(owner, first, input(change))
    expect([again.status, again.code]).toEqual([422, `LIQUIDITY_ASSUMPTIONS_${code}`])
    expect(again.fieldErrors).toEqual({ [`assumptions.${field}`]: refused.fieldErrors[field] })
  })
})

it('lists every fault of the first broken rule, fifty at most', async ({ owner }) => {
  const lines = Array.from({ length: 120 }, (_, index) =>
    line({ lineId: `line-${index}`, certainty: 'UNCERTAIN' }),
  )
  const refused = await create(owner, input({ lines, scenarios: [scenario(), scenario()] }))
  expect(refused.code).toBe('LIQUIDITY_ASSUMPTIONS_PROBABILITY_REQUIRED')
  expect(Object.keys(refused.fieldErrors)).toHaveLength(50)
})

describe('an obligation', () => {
  it('that no family of this release keeps is not there', async ({ owner }) => {
    const lines = [line(), line({ lineId: 'loan', obligation: obligation() })]
    const refused = await create(owner, input({ lines }))
    expect([refused.status, refused.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const message = `must name a record of this organization, got TreasuryBucket ${bucket}`
    expect(refused.fieldErrors).toEqual({ 'lines.1.obligation': [message] })
  })

  it('is no record of another kind', async ({ owner }) => {
    const { id } = (await owner.client.createVenues({ body: venueBody(77) })).body.data
    const lines = [line({ obligation: obligation(id, 'VenueProfile') })]
    const refused = await create(owner, input({ lines }))
    expect([refused.status, refused.fieldErrors]).toEqual([
      404,
      { 'lines.0.obligation.resourceType': ['must be TreasuryBucket, got VenueProfile'] },
    ])
  })
})

describe('obligations', () => {
  const monthly = { kind: 'RECURRING', firstAt: early, every: 'MONTH', count: 3 } as const
  const owe = async (by: TestMember, amount: string, schedule: Schedule) =>
    (
      await callOperation<VersionedRecord<unknown>>(by, 'createTreasuryEntries', {
        body: {
          payload: {
            entryKind: 'OBLIGATION',
            label: 'Audit',
            asset: usd,
            purpose: 'OPERATING',
            obligation: {
              obligationKind: 'VENDOR',
              counterparty: 'Auditor',
              reference: amount,
              amount,
              certainty: 'EXPECTED',
              schedule,
            },
          },
          reason,
        },
      })
    ).data
  const link = ({ resourceType, id, resourceVersion }: VersionedRecord<unknown>) => ({
    resourceType,
    id,
    resourceVersion,
  })
  const createBy = (by: TestMember, ...lines: Line[]) =>
    callOperation<Assumptions>(by, 'createTreasuryAssumptions', {
      body: { ...input({ lines: lines.map((one) => line(one)) }), reason },
    })

  it('is not assumed once more, however its schedule is written, unless the line links it', async ({
    service,
  }) => {
    const by = await newOrganization(service)
    const debt = await owe(by, '700', monthly)
    const { count: _count, ...endless } = monthly
    const grown = { growthAnnualPips: 5, certainty: 'COMMITTED', amount: '700' } as const
    const same = { ...grown, schedule: { ...endless, until: '2026-03-31T00:00:00.000Z' } }
    const refused = await createBy(by, { lineId: 'other' }, same)
    expect([refused.status, refused.code]).toEqual([
      ...[422, 'LIQUIDITY_ASSUMPTIONS_OBLIGATION_DOUBLE_COUNTED'],
    ])
    expect(Object.keys(refused.fieldErrors)).toEqual(['lines.1.obligation'])
    expect(refused.fieldErrors['lines.1.obligation']![0]).toContain(debt.id)
    const others: Line[] = [
      { ...same, obligation: link(debt) },
      { ...same, amount: '701' },
      { ...same, direction: 'INFLOW' },
      { ...same, schedule: { ...monthly, count: 2 } },
      { ...same, schedule: { ...monthly, firstAt: later } },
    ]
    for (const other of others) expect((await createBy(by, other)).status).toBe(201)
  })

  it('is linked while it is active, by a line of its own asset', async ({ service }) => {
    const by = await newOrganization(service)
    await by.client.createVenues({ body: venueBody(78) })
    const debt = await owe(by, '10', monthly)
    const wrongAsset = await createBy(by, { assetKey: weth, obligation: link(debt) })
    expect([wrongAsset.status, wrongAsset.code, wrongAsset.fieldErrors]).toEqual([
      ...[422, 'LIQUIDITY_ASSUMPTIONS_INCONSISTENT'],
      {
        'lines.0.assetKey': [`must be ${usd}, the asset of the linked obligation, got ${weth}`],
      },
    ])
    const retired = await callOperation<VersionedRecord<unknown>>(by, 'retireTreasuryLedgerEntry', {
      params: { id: debt.id },
      ifMatch: debt.resourceVersion,
      body: { disposition: 'CANCELLED', reason },
    })
    expect(retired.status).toBe(200)
    const over = await createBy(by, { obligation: link(retired.data) })
    expect([over.status, over.code, over.fieldErrors]).toEqual([
      ...[422, 'LIQUIDITY_ASSUMPTIONS_INCONSISTENT'],
      {
        'lines.0.obligation.id': ['must be an active obligation, got one that is RETIRED'],
      },
    ])
  })
})

const many = <T>(count: number, make: (itemIndex: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))
const ofLine = (what: string, change: object, field: string): [string, object, string] => [
  ...([what, { lines: [{ ...line(), ...change }] }, `lines.0.${field}`] as const),
]
const ofScenario = (what: string, change: object, field: string): [string, object, string] => [
  ...([what, { scenarios: [{ ...scenario(), ...change }] }, `scenarios.0.${field}`] as const),
]
const ofPrice = (what: string, price: object) => ofScenario(what, { prices: [price] }, 'prices.0')

describe('the schema refuses', () => {
  it.for<[string, object, string]>([
    ['a balance', { balances: [] }, 'balances'],
    ['a price', { prices: [{ assetKey: usd, priceX18: '1' }] }, 'prices'],
    ['a status', { status: 'VALIDATED' }, 'status'],
    ['evidence', { evidenceHashes: [] }, 'evidenceHashes'],
    ['changes of the caller', { changes: [] }, 'changes'],
    ['a ticker', { quoteKey: 'USDC' }, 'quoteKey'],
    ['a thirteenth month', { startMonth: '2026-13' }, 'startMonth'],
    ['a day', { startMonth: '2026-01-01' }, 'startMonth'],
    ['no horizon', { horizonMonths: 0 }, 'horizonMonths'],
    ['a horizon over five years', { horizonMonths: 61 }, 'horizonMonths'],
    ['a floor below zero', { minimumCashQuote: '-1' }, 'minimumCashQuote'],
    ['a label of nothing', { label: '' }, 'label'],
    ['a long label', { label: 'x'.repeat(121) }, 'label'],
    ['no reason', { reason: undefined }, 'reason'],
    ['401 lines', { lines: many(401, (at) => line({ lineId: `l${at}` })) }, 'lines'],
    ofLine('a balance of a line', { balance: '1' }, 'balance'),
    ofLine('an amount with a sign', { amount: '-1' }, 'amount'),
    ofLine('an amount with a fraction', { amount: '1.5' }, 'amount'),
    ofLine('an amount with a leading zero', { amount: '01' }, 'amount'),
    ofLine('an amount that is no text', { amount: 1 }, 'amount'),
    ofLine('an address in capitals', { assetKey: weth.toUpperCase() }, 'assetKey'),
    ofLine('a long category', { category: 'x'.repeat(61) }, 'category'),
    ofLine('a name in capitals', { lineId: 'Payroll' }, 'lineId'),
    ofLine('a name of two segments', { lineId: 'a/b' }, 'lineId'),
    ofLine('a third direction', { direction: 'SIDEWAYS' }, 'direction'),
    ofLine('a shrinking beyond half', { growthAnnualPips: -500_001 }, 'growthAnnualPips'),
    ofLine('a growth over 200 %', { growthAnnualPips: 2_000_001 }, 'growthAnnualPips'),
    ofLine('a fraction of a pip', { growthAnnualPips: 0.5 }, 'growthAnnualPips'),
    ofLine('no growth', { growthAnnualPips: undefined }, 'growthAnnualPips'),
    ofLine('a certainty of another family', { certainty: 'PROBABLE' }, 'certainty'),
    ofLine('a probability over one', { probabilityPips: 1_000_001 }, 'probabilityPips'),
    ofLine('a daily schedule', { schedule: { ...recurring, every: 'DAY' } }, 'schedule.every'),
    ofLine('no step', { schedule: { ...linear, stepSeconds: 0 } }, 'schedule.stepSeconds'),
    ofLine('a time of nowhere', { schedule: { kind: 'ONE_OFF', at: '2026-01-01' } }, 'schedule.at'),
    ['no scenario', { scenarios: [] }, 'scenarios'],
    ['thirteen', { scenarios: many(13, (at) => scenario({ scenarioId: `s${at}` })) }, 'scenarios'],
    ofScenario('a delay over two years', { inflowDelayMonths: 25 }, 'inflowDelayMonths'),
    ofScenario('a multiplier below zero', { inflowMultiplierPips: -1 }, 'inflowMultiplierPips'),
    ofPrice('a price below zero', { tier: 'T1', path: { kind: 'LINEAR', movePips: -1_000_001 } }),
    ofPrice('an absolute price', { tier: 'T1', path: { kind: 'LINEAR', priceX18: '1' } }),
    ofPrice('a tier of nothing', { tier: 'T5', path: { kind: 'HOLD' } }),
    ['a haircut over the whole', { haircuts: { T1: 1_000_001 } }, 'haircuts.T1'],
    ['a sixth tier', { haircuts: { T5: 0 } }, 'haircuts.T5'],
    ['a sale without a bound', { ownTokenPolicy: { mode: 'SELL' } }, 'ownTokenPolicy'],
    [
      'a bound without a sale',
      { ownTokenPolicy: { mode: 'EXCLUDE', floorPriceX18: '1' } },
      'ownTokenPolicy',
    ],
    ['a tier twice in order', { conversionOrder: ['T1', 'T1'] }, 'conversionOrder'],
  ] as const)('%s', async ([_what, change, field], { owner }) => {
    const refused = await create(owner, { ...input(), ...change })
    expect([refused.status, refused.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
    const fields = Object.keys(refused.fieldErrors)
    const isReported = fields.some((one) => `${one}.`.startsWith(`${field}.`))
    expect(isReported, `${fields}`).toBe(true)
  })
})
