// @module-tag long
// @covers apps/server/src/families/plan/strategies

import { contract, errorCatalogue } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { venueBody } from './support/bodies.ts'
import { type poolBody, validatedPool } from './support/chain.ts'
import { chainTest } from './support/fixtures.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'
import { until } from './support/until.ts'

const it = chainTest
  .extend('runsJobs', { scope: 'file' }, true)
  .extend('scene', { scope: 'file', auto: true }, async ({ testChain, owner }) => {
    const validated = await validatedPool(owner, testChain)
    const venue = { id: validated.id, resourceVersion: validated.resourceVersion }
    const pair = validated.payload.pair as ReturnType<typeof poolBody>['payload']['pair']
    const { body } = await owner.client.queueVenueIndex({
      params: { id: venue.id },
      body: { payload: { mode: 'FULL' }, reason: 'For the test' },
    } as never)
    const jobId = (body.data as { id: string }).id
    await until('the index job has ended', async () => {
      const jobs = await owner.client.listOperatingSystemJobs()
      return jobs.body.data.some(({ id, status }) => id === jobId && status === 'COMPLETED')
    })
    return { venue, pair }
  })

type Definition = Record<string, unknown>
type Answer = {
  status: number
  code?: string
  body: { error?: { fieldErrors: Record<string, string[]> } }
}

const definition = (
  venue: { id: string; resourceVersion: string },
  pair: ReturnType<typeof poolBody>['payload']['pair'],
  change: Definition = {},
): Definition => ({
  ...structuredClone(contract.createStrategies.example.body.payload),
  pair,
  venue,
  capital: { maxBase: '1000000000000000000', maxQuote: '1000000000000000000' },
  ...change,
})

const create = (by: TestMember, payload: Definition, more: object = {}) =>
  by.client.createStrategies({ body: { payload, reason: 'For the test', ...more } as never })

const refused = async (work: Promise<unknown>): Promise<Answer> =>
  (await work.then(
    () => ({ status: 200, body: {} }),
    (error) => error,
  )) as Answer

const supersede = (by: TestMember, id: string, ifMatch: string, body: object) =>
  by.client.supersedeStrategies({
    params: { id },
    ifMatch,
    body: { reason: 'For the test', ...body } as never,
  })

describe('a strategy', () => {
  it('is compiled against the observed state of its venue, in atoms', async ({
    owner,
    scene: { venue, pair },
  }) => {
    const { status, body } = await create(owner, definition(venue, pair))
    expect([status, body.data.strategy.status]).toEqual([201, 'DRAFT'])
    const { compilation } = body.data
    expect(compilation).toMatchObject({ ok: true, irHash: expect.stringMatching(/^0x/) })
    expect(compilation.checks.filter(({ ok }) => !ok)).toEqual([])
    const observations = await owner.client.listVenueObservations()
    expect(compilation.observation?.id).toBe(observations.body.data[0]?.id)
    expect(compilation.preview.map(({ positionId }) => positionId)).toEqual(['core', 'wide'])
    for (const { tickLower, tickUpper, base, quote, ...edges } of compilation.preview) {
      expect(BigInt(edges.lowerPriceX36!)).toBeLessThan(BigInt(edges.upperPriceX36!))
      expect([Math.abs(tickLower % 60), Math.abs(tickUpper % 60)]).toEqual([0, 0])
      expect(BigInt(base) <= 10n ** 18n && BigInt(quote) <= 10n ** 18n).toBe(true)
    }
    expect(compilation.bounds.actionsPerDay).toBe(6)
    const read = await owner.client.getStrategies({ params: { id: body.data.strategy.id } })
    expect(read.body.data).toEqual(body.data.strategy)
    expect(read.body.data.payload).toMatchObject({ executionAuthorityGranted: false })
  })

  it('of the same behaviour has the same hash, whatever it is called', async ({
    owner,
    scene: { venue, pair },
  }) => {
    const irHash = async (change: Definition) =>
      (await create(owner, definition(venue, pair, change))).body.data.compilation.irHash
    const first = await irHash({})
    expect(await irHash({ name: 'Another name' })).toBe(first)
    expect(await irHash({ parameters: { author: 'Ada' } })).toBe(first)
    expect(await irHash({ idlePips: 0, objective: 'CUSTOM' })).not.toBe(first)
  })

  it('of an unobserved venue stays a draft, and names the gap', async ({
    owner,
    scene: { venue, pair },
  }) => {
    const unseen = await owner.client.createVenues({ body: venueBody(77) })
    const { id, resourceVersion, payload } = unseen.body.data
    const change = { venue: { id, resourceVersion }, pair: payload.pair }
    const { body } = await create(owner, definition(venue, pair, change))
    expect(body.data.compilation).toMatchObject({ ok: false, irHash: null, preview: [] })
    expect(body.data.compilation.checks[0]?.detail).toContain('no proved observation')
    const early = await refused(
      create(owner, definition(venue, pair, change), { status: 'VALIDATED' }),
    )
    expect([early.status, early.code]).toEqual([422, 'LIQUIDITY_STRATEGY_NOT_COMPILED'])
  })

  const position = (template: object, weightPips = 1_000_000) => ({
    positionId: 'core',
    weightPips,
    template,
  })
  const full = [position({ kind: 'FULL_RANGE' })]
  const rule = (change: object) => ({
    ruleId: 'rule',
    when: { kind: 'EVERY', seconds: 3600 },
    do: { kind: 'COMPOUND' },
    cooldownSeconds: 60,
    maxPerDay: 1,
    ...change,
  })
  const guards = (change: object) => ({
    ...contract.createStrategies.example.body.payload.guards,
    ...change,
  })
  const swaps = { do: { kind: 'RECENTER', swap: true } }

  it.for<[string, Definition, string]>([
    ['WEIGHTS_SUM', { idlePips: 1 }, 'payload.positions'],
    [
      'INVENTORY_BOUNDS',
      { inventory: { targetBaseSharePips: 1, minBaseSharePips: 2, maxBaseSharePips: 3 } },
      'payload.inventory.targetBaseSharePips',
    ],
    [
      'TICK_RANGE',
      { positions: [position({ kind: 'TICKS', lower: 1, upper: 61 })], rules: [] },
      'payload.positions.0.template',
    ],
    [
      'RULE_CYCLE',
      {
        positions: full,
        rules: [rule({ when: { kind: 'SOLD_BASE', amount: '1' }, cooldownSeconds: 0 })],
      },
      'payload.rules.0.cooldownSeconds',
    ],
    [
      'UNREACHABLE_RULE',
      { positions: full, rules: [rule({ maxPerDay: 0 })] },
      'payload.rules.0.maxPerDay',
    ],
    [
      'UNBOUNDED_TURNOVER',
      { positions: full, rules: [rule(swaps)], guards: guards({ maxTurnoverQuotePerDay: null }) },
      'payload.guards.maxTurnoverQuotePerDay',
    ],
    [
      'GUARD_MISSING',
      { positions: full, rules: [rule(swaps)], guards: guards({ maxTwapDeviationPips: null }) },
      'payload.guards.maxTwapDeviationPips',
    ],
    [
      'INPUT_INVALID',
      { guards: guards({ oracleMaxAgeSeconds: 3600 }) },
      'payload.guards.oracleMaxAgeSeconds',
    ],
    [
      'INPUT_INVALID',
      {
        positions: [position({ kind: 'RANGE', lowerPips: 1_000_000, upperPips: 1 })],
        rules: [],
      },
      'payload.positions.0.template.lowerPips',
    ],
    ['CAPITAL_EXCEEDS_CAPS', { capital: { maxBase: '0', maxQuote: '0' } }, 'payload.capital'],
  ] as const)(
    'that fails %s is refused at its field, and nothing is kept',
    async ([code, change, field], { owner, scene: { venue, pair } }) => {
      const before = (await owner.client.listStrategies()).body.meta.count
      const answer = await refused(create(owner, definition(venue, pair, change)))
      expect([answer.status, answer.code]).toEqual([422, `LIQUIDITY_STRATEGY_${code}`])
      expect(Object.keys(answer.body.error!.fieldErrors)).toEqual([field])
      expect((await owner.client.listStrategies()).body.meta.count).toBe(before)
      expect(errorCatalogue).toHaveProperty(`LIQUIDITY_STRATEGY_${code}`)
    },
  )

  it('has the pair of its venue, an exact version of it, and amounts that are amounts', async ({
    service,
    owner,
    scene: { venue, pair },
  }) => {
    const [pairFault, venueFault, amountFault] = await Promise.all([
      refused(create(owner, definition(venue, pair, { pair: { ...pair, baseDecimals: 6 } }))),
      refused(
        create(
          owner,
          definition(venue, pair, { venue: { ...venue, resourceVersion: `0x${'9'.repeat(64)}` } }),
        ),
      ),
      refused(
        create(owner, definition(venue, pair, { capital: { maxBase: '1.5', maxQuote: '1' } })),
      ),
    ])
    expect([pairFault.status, pairFault.code]).toEqual([422, 'LIQUIDITY_STRATEGY_INPUT_INVALID'])
    expect(Object.keys(pairFault.body.error!.fieldErrors)).toEqual(['payload.pair.baseDecimals'])
    expect(venueFault.code).toBe('LIQUIDITY_SOURCE_UNAVAILABLE')
    expect([amountFault.status, Object.keys(amountFault.body.error!.fieldErrors)]).toEqual([
      400,
      ['payload.capital.maxBase'],
    ])
    const foreignOwner = await newOrganization(service)
    expect((await refused(create(foreignOwner, definition(venue, pair)))).code).toBe(
      'LIQUIDITY_SOURCE_UNAVAILABLE',
    )
  })
})

describe('the life of a strategy', () => {
  it('goes from draft to validated, paused and revoked, by operators, under If-Match', async ({
    service,
    owner,
    scene: { venue, pair },
  }) => {
    const analyst = await newMember(service, owner.organizationId, 'ANALYST')
    const early = await refused(create(analyst, definition(venue, pair), { status: 'VALIDATED' }))
    expect(early.code).toBe('LIQUIDITY_ROLE_REQUIRED')
    const { strategy } = (await create(analyst, definition(venue, pair))).body.data
    const { id } = strategy
    const byAnalyst = await refused(
      supersede(analyst, id, strategy.resourceVersion, { status: 'VALIDATED' }),
    )
    expect(byAnalyst.code).toBe('LIQUIDITY_ROLE_REQUIRED')
    const validated = await supersede(owner, id, strategy.resourceVersion, { status: 'VALIDATED' })
    expect(validated.body.data.strategy.status).toBe('VALIDATED')
    expect(validated.body.data.compilationEvidence).toMatchObject({
      kind: 'strategy.compiled',
      subject: { id, resourceVersion: validated.body.data.strategy.resourceVersion },
      payload: { irHash: validated.body.data.compilation.irHash },
    })
    const stale = await refused(
      supersede(owner, id, strategy.resourceVersion, { status: 'PAUSED' }),
    )
    expect(stale.status).toBe(412)
    const version = validated.body.data.strategy.resourceVersion
    const paused = await supersede(owner, id, version, { status: 'PAUSED' })
    const revoked = await supersede(owner, id, paused.body.data.strategy.resourceVersion, {
      status: 'REVOKED',
    })
    const late = await refused(
      supersede(owner, id, revoked.body.data.strategy.resourceVersion, { status: 'DRAFT' }),
    )
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_STRATEGY_TERMINAL'])
  })

  it('returns to draft when it is changed, and keeps every version as evidence', async ({
    service,
    owner,
    scene: { venue, pair },
  }) => {
    const { strategy } = (await create(owner, definition(venue, pair), { status: 'VALIDATED' }))
      .body.data
    const paused = await refused(
      supersede(owner, strategy.id, strategy.resourceVersion, {
        payload: definition(venue, pair, { idlePips: 5 }),
      }),
    )
    expect(paused.code).toBe('LIQUIDITY_STRATEGY_WEIGHTS_SUM')
    const changed = await supersede(owner, strategy.id, strategy.resourceVersion, {
      payload: definition(venue, pair, { name: 'Renamed' }),
    })
    expect(changed.body.data.strategy.status).toBe('DRAFT')
    const draftPaused = await refused(
      supersede(owner, strategy.id, changed.body.data.strategy.resourceVersion, {
        status: 'PAUSED',
      }),
    )
    expect([draftPaused.status, draftPaused.code]).toEqual([
      409,
      'LIQUIDITY_STRATEGY_TRANSITION_REFUSED',
    ])
    const { body } = await owner.client.getStrategyEvidence({ params: { id: strategy.id } })
    expect(body.data.versions.map(({ status }) => status)).toEqual(['VALIDATED', 'DRAFT'])
    expect(body.data.events.map(({ kind }) => kind)).toEqual([
      'strategy.compiled',
      'strategy.compiled',
    ])
    expect(body.data.studies).toEqual([])
    const other = await newOrganization(service)
    const stolen = await refused(other.client.getStrategyEvidence({ params: { id: strategy.id } }))
    expect(stolen.status).toBe(404)
  })
})

describe('a study of a strategy', () => {
  const spec = async (
    owner: TestMember,
    venue: { id: string; resourceVersion: string },
    pair: ReturnType<typeof poolBody>['payload']['pair'],
    arms: object[],
    change: object = {},
  ) => {
    const { body } = await owner.client.listVenueObservations()
    const observation = body.data[0]!
    const { from, to } = observation.payload.range
    return {
      schemaVersion: 'simulation-study-v1',
      name: 'Follow or stay',
      kind: 'REPLAY',
      pair,
      market: { venue: { ...venue, resourceVersion: observation.payload.venue.resourceVersion } },
      observations: [{ id: observation.id, resourceVersion: observation.resourceVersion }],
      window: { fromBlock: from.number, toBlock: to.number },
      arms,
      capital: { base: `${10n ** 18n}`, quote: `${10n ** 18n}`, normalization: 'EQUAL_VALUE' },
      tradeSizesQuote: [`${10n ** 16n}`],
      ...change,
    }
  }
  const run = async (
    owner: TestMember,
    venue: { id: string; resourceVersion: string },
    pair: ReturnType<typeof poolBody>['payload']['pair'],
    arms: object[],
    change: object = {},
  ) =>
    owner.client.createStudies({
      body: {
        payload: await spec(owner, venue, pair, arms, change),
        reason: 'For the test',
      } as never,
    })
  const armOf = ({ id, resourceVersion }: { id: string; resourceVersion: string }) => ({
    armId: 'follows',
    label: 'Follows the price',
    strategy: { id, resourceVersion },
  })

  it('runs it next to a fixed position, counts its actions, and is evidence of it', async ({
    owner,
    scene: { venue, pair },
  }) => {
    const { strategy } = (await create(owner, definition(venue, pair))).body.data
    const costs = { gas: { constantWei: '1000000000' }, nativePriceX18: `${10n ** 18n}` }
    const { body } = await run(
      owner,
      venue,
      pair,
      [armOf(strategy), { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } }],
      { costs, flowModels: ['PRICE_SETTING'] },
    )
    const study = body.data as { id: string; payload: { result: Record<string, never> | null } }
    const result = study.payload.result as unknown as {
      state: string
      arms: {
        armId: string
        positions: unknown[]
        operations: { done: Record<string, number> }
        waterfallHolder: Record<string, string>
      }[]
      evidence: { inputs: { name: string; hash: string }[]; assumptions: { code: string }[] }
    }
    expect(result.state).toBe('COMPLETED')
    const [follows, hold] = result.arms
    expect(follows!.positions).toHaveLength(2)
    expect(follows!.operations.done.MINT).toBeGreaterThanOrEqual(2)
    expect(BigInt(follows!.waterfallHolder.gas!)).toBeGreaterThan(0n)
    expect(hold!.operations.done).toEqual({})
    expect(result.evidence.inputs).toContainEqual({
      name: 'strategy.follows',
      hash: strategy.resourceVersion,
    })
    const evidence = await owner.client.getStrategyEvidence({ params: { id: strategy.id } })
    expect(evidence.body.data.studies.map(({ id }) => id)).toEqual([study.id])
  })

  it('takes an exact version that compiled, of this venue, and that is not revoked', async ({
    owner,
    scene: { venue, pair },
  }) => {
    const { strategy } = (await create(owner, definition(venue, pair))).body.data
    const revoked = await supersede(owner, strategy.id, strategy.resourceVersion, {
      status: 'REVOKED',
    })
    const late = await refused(run(owner, venue, pair, [armOf(revoked.body.data.strategy)]))
    expect([late.status, late.code]).toEqual([422, 'LIQUIDITY_STUDY_STRATEGY_NOT_COMPILABLE'])
    const unknown = await refused(
      run(owner, venue, pair, [armOf({ ...strategy, resourceVersion: `0x${'7'.repeat(64)}` })]),
    )
    expect(unknown.code).toBe('LIQUIDITY_SOURCE_UNAVAILABLE')
    const unseen = await owner.client.createVenues({ body: venueBody(78) })
    const elsewhere = await create(
      owner,
      definition(venue, pair, {
        venue: { id: unseen.body.data.id, resourceVersion: unseen.body.data.resourceVersion },
        pair: unseen.body.data.payload.pair,
      }),
    )
    const foreign = await refused(run(owner, venue, pair, [armOf(elsewhere.body.data.strategy)]))
    expect([foreign.code, Object.keys(foreign.body.error!.fieldErrors)]).toEqual([
      'LIQUIDITY_STUDY_INPUT_INVALID',
      ['payload.arms.0.strategy'],
    ])
  })
})
