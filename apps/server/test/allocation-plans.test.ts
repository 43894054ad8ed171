// @module-tag long
// @covers apps/server/src/families/plan/allocation-plans

import { certify } from '@liquidity-os/engine/optimization'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { describe, expect } from 'vitest'
import type {
  AllocationPlan,
  AllocationRequest,
} from '../src/families/plan/allocation-plans/allocation-input.ts'
import { expireAllocationPlans } from '../src/families/plan/allocation-plans/plan-expiry.ts'
import { startWorkers } from '../src/service.ts'
import { admissionStudies, recordsOf, refOf } from './support/admissible.ts'
import { pairBody } from './support/chain.ts'
import { chainTest } from './support/fixtures.ts'
import { definitionFor, type ObservedVenue, observedVenue } from './support/observed-venue.ts'
import { callOperation } from './support/requests.ts'
import type { TestMember } from './support/service.ts'
import { until } from './support/until.ts'
import { whilePaused } from './support/while-paused.ts'

type Plan = VersionedRecord<AllocationPlan>
type Observation = {
  payload: {
    venue: { id: string }
    metrics: { depth: { bandPips: number; side: string; quote: string }[] }
  }
}

const unknown = `0x${'9'.repeat(64)}`

const it = chainTest.extend('scene', { scope: 'file' }, async ({ service, testChain, owner }) => {
  const observed = await observedVenue(service, owner, testChain)
  const made = await callOperation<{ strategy: Parameters<typeof admissionStudies>[1] }>(
    owner,
    'createStrategies',
    {
      body: { payload: definitionFor(observed), reason: 'For the test' },
    },
  )
  const { replay, paths } = await admissionStudies(owner, made.data.strategy)
  return { observed, paths, replay }
})

const e18 = (amount: number) => `${BigInt(Math.round(amount * 1e6)) * 10n ** 12n}`

const requestFor = (
  observed: ObservedVenue,
  change: Partial<AllocationRequest> = {},
): AllocationRequest => ({
  schemaVersion: 'allocation-plan-v1',
  pair: observed.pair,
  budget: { base: e18(50), quote: e18(50) },
  options: [
    {
      optionId: 'wide',
      venue: observed.venue,
      template: { kind: 'TICKS', lower: -3000, upper: 3000 },
    },
    {
      optionId: 'narrow',
      venue: observed.venue,
      template: { kind: 'TICKS', lower: -900, upper: 900 },
    },
  ],
  targets: [
    { bandPips: 20_000, side: 'BUY', minQuote: e18(3) },
    { bandPips: 20_000, side: 'SELL', minQuote: e18(3) },
  ],
  limits: { perOptionPips: 700_000, perVenuePips: 1_000_000, perChainPips: 1_000_000 },
  horizonSeconds: 43_200,
  // The clock of the test chain stands at its genesis.
  maxStateAgeSeconds: 3_153_600_000,
  ...change,
})

const create = (owner: TestMember, payload: object, by: TestMember = owner) =>
  callOperation<Plan>(by, 'createAllocationPlans', { body: { payload, reason: 'For the test' } })

/** A plan without what differs between two answers to the same request. */
const lasting = ({ payload }: Pick<Plan, 'payload'>) => {
  const { validUntil: _, solver, ...rest } = payload
  return { ...rest, solver: solver && { ...solver, ms: 0 } }
}

describe('an allocation plan', () => {
  it('is computed in the request, read, listed and published', async ({
    owner,
    scene: { observed },
  }) => {
    const { status, data } = await create(owner, requestFor(observed))
    expect(status).toBe(201)
    expect(data.status).toBe('COMPLETED')
    expect(data.id).toMatch(/^allocation_plan_[0-9a-f]{32}$/)
    expect(data.payload).toMatchObject({
      state: 'COMPLETED',
      executionPerformed: false,
      executionAuthorityGranted: false,
    })
    for (const { attainmentPips } of data.payload.achieved) expect(attainmentPips).toBe(1_000_000)
    expect(BigInt(data.payload.solver!.gapPips)).toBeLessThanOrEqual(1n)
    const lifetime = Date.parse(data.payload.validUntil) - Date.parse(data.createdAt)
    expect(lifetime).toBe(6 * 3_600_000)
    const read = await callOperation<Plan>(owner, 'getAllocationPlans', { params: { id: data.id } })
    expect(read.data).toEqual(data)
    expect(read.headers.get('etag')).toBe(`"${data.resourceVersion}"`)
    const { data: all } = await callOperation<Plan[]>(owner, 'listAllocationPlans')
    expect(all.map(({ id }) => id)).toContain(data.id)
  })

  it('is previewed as it would be kept, and nothing is kept', async ({
    owner,
    scene: { observed },
  }) => {
    const before = (await callOperation<Plan[]>(owner, 'listAllocationPlans')).data
    const { status, data } = await callOperation<AllocationPlan>(owner, 'previewAllocationPlans', {
      body: { payload: requestFor(observed) },
    })
    expect((await callOperation<Plan[]>(owner, 'listAllocationPlans')).data).toEqual(before)
    const { data: kept } = await create(owner, requestFor(observed))
    expect([status, lasting({ payload: data })]).toEqual([200, lasting(kept)])
  })

  it('names its inputs by hash, so a third party can certify it', async ({
    service,
    owner,
    scene: { observed },
  }) => {
    const { data } = await create(owner, requestFor(observed))
    const { inputs, blocks } = data.payload.evidence
    const hashOf = (name: string) => inputs.find((one) => one.name === name)?.hash ?? ''
    expect(hashOf(`venue:${observed.venue.id}`)).toBe(observed.venue.resourceVersion)
    expect(hashOf(`snapshot:${observed.venue.id}`)).toMatch(/^0x/)
    expect(blocks).toHaveLength(1)
    const records = recordsOf(service, owner)
    const text = `${await records.artifact(hashOf('model:CAPITAL'))}`
    const solution = JSON.parse(`${await records.artifact(hashOf('solution:CAPITAL'))}`)
    const numbers = (map: Record<string, string>) =>
      new Map(Object.entries(map).map(([name, value]) => [name, Number(value)]))
    const found = certify(text, numbers(solution.primal), numbers(solution.dual))
    expect(found.isProved).toBe(true)
    expect(hashOf('model:CAPITAL')).toBe(data.payload.solver?.modelHash)
  })

  it('is the same for the same request, whichever thread computes it', async ({
    owner,
    scene: { observed },
  }) => {
    const answers = await Promise.all([
      create(owner, requestFor(observed)),
      create(owner, requestFor(observed)),
      create(owner, requestFor(observed)),
    ])
    const [first, ...others] = answers.map(({ data }) => lasting(data))
    for (const other of others) expect(other).toEqual(first)
  })

  it('is replayed for the same key', async ({ owner, scene: { observed } }) => {
    const request = {
      body: { payload: requestFor(observed), reason: 'For the test' },
      idempotencyKey: 'same-plan-key',
    }
    const first = await callOperation<Plan>(owner, 'createAllocationPlans', request)
    const again = await callOperation<Plan>(owner, 'createAllocationPlans', request)
    expect(again.isReplayed).toBe(true)
    expect(again.data).toEqual(first.data)
  })

  it('expires by the sweep, once, and not before its time', async ({
    service,
    owner,
    scene: { observed },
  }) => {
    const { data } = await create(owner, requestFor(observed))
    const read = async () =>
      (await callOperation<Plan>(owner, 'getAllocationPlans', { params: { id: data.id } })).data
    await expireAllocationPlans(service.services)
    expect((await read()).status).toBe('COMPLETED')
    // Ids never go back within a process, whose other services may be ahead of this one's clock.
    const made = Math.max(service.clock.read(), Number.parseInt(data.id.slice(-32, -20), 16))
    const later = { ...service.services, clock: () => made + 6 * 3_600_000 + 1 }
    await expireAllocationPlans(later)
    await expireAllocationPlans(later)
    const expired = await read()
    expect(expired).toMatchObject({ status: 'EXPIRED', sequence: 2, createdBy: { kind: 'SYSTEM' } })
    expect(expired.payload).toEqual(data.payload)
  })

  it('takes its losses from the paths of a study, and keeps the limit on their tail', async ({
    owner,
    scene: { observed, paths },
  }) => {
    const risk = (maxCvarQuote: string) => ({ study: refOf(paths), maxCvarQuote })
    const free = await create(owner, requestFor(observed, { risk: risk(e18(100)) }))
    expect(free.data.status).toBe('COMPLETED')
    const { cvar, lvr } = free.data.payload.expected
    expect(BigInt(cvar!)).toBeGreaterThan(BigInt(lvr!))
    expect(free.data.payload.evidence.inputs).toContainEqual({
      name: `study:${paths.id}`,
      hash: paths.resourceVersion,
    })
    expect(free.data.payload.evidence.seed).toMatch(/^0x/)
    const held = await create(owner, requestFor(observed, { risk: risk('1') }))
    expect(held.data.payload.reasons).toContain('TARGETS_NOT_MET')
    expect(BigInt(held.data.payload.expected.cvar!)).toBeLessThanOrEqual(1n)
    expect(held.data.payload.infeasibility?.constraints).toContain('risk.maxCvarQuote')
  })
})

describe('a request that cannot be met', () => {
  it('is answered with the least that would have to change, which then can be met', async ({
    owner,
    scene: { observed },
  }) => {
    const wanted = requestFor(observed, { budget: { base: e18(0.5), quote: e18(0.5) } })
    const { status, data } = await create(owner, wanted)
    expect(status).toBe(201)
    expect(data.status).toBe('PARTIAL')
    const changed = structuredClone(wanted) as unknown as Record<string, Record<string, unknown>>
    for (const { constraint, to } of data.payload.infeasibility!.relaxation) {
      const [list = '', at = '', member] = constraint.split('.')
      const place = changed[list]!
      if (member === undefined) place[at] = typeof place[at] === 'number' ? Number(to) : to
      else (place[at] as Record<string, unknown>)[member] = to
    }
    expect((await create(owner, changed)).data.status).toBe('COMPLETED')
  })

  it('is abstained from where the state of a venue is missing or too old', async ({
    service,
    testChain,
    owner,
    scene: { observed },
  }) => {
    const workers = await startWorkers(service.services)
    const { body } = await owner.client.createVenues({
      body: { ...pairBody(testChain), status: 'VALIDATED' } as never,
    })
    const { id, resourceVersion } = body.data
    const option = {
      optionId: 'pair',
      venue: { id, resourceVersion },
      template: { kind: 'FULL_RANGE' } as const,
    }
    // The chain's clock stands at its genesis, far more than a minute ago.
    const old = await create(owner, requestFor(observed, { maxStateAgeSeconds: 60 }))
    expect(old.data).toMatchObject({ status: 'ABSTAINED', payload: { reasons: ['STALE_STATE'] } })
    const unseen = await create(owner, requestFor(observed, { options: [option] }))
    expect(unseen.status).toBe(201)
    expect(unseen.data).toMatchObject({
      status: 'ABSTAINED',
      payload: { reasons: ['STALE_STATE'], allocation: [], solver: null, priceX18: null },
    })
    const job = await callOperation<{ id: string }>(owner, 'queueVenueIndex', {
      params: { id },
      body: { payload: { mode: 'FULL' }, reason: 'For the test' },
    })
    await until('the pair was indexed', async () => {
      const jobs = await owner.client.listOperatingSystemJobs()
      return jobs.body.data.some((one) => one.id === job.data.id && one.status === 'COMPLETED')
    })
    await workers.stop()
    // Now it is seen: both venues count, and each may be an option.
    const both = await create(
      owner,
      requestFor(observed, {
        options: [...requestFor(observed).options, option],
        sizeTargets: [{ sizeQuote: e18(1), side: 'BUY', maxSlippagePips: 12_000 }],
      }),
    )
    expect(both.data.payload.evidence.blocks).toHaveLength(2)
    expect(both.data.payload.achieved.at(-1)?.slippagePips).toBeLessThanOrEqual(12_020)
    expect(both.data.status).toBe('COMPLETED')
  })
})

describe('a plan is refused', () => {
  it.for([
    [
      'an option named twice',
      (observed: ObservedVenue) =>
        requestFor(observed, {
          options: [requestFor(observed).options[0]!, requestFor(observed).options[0]!],
        }),
    ],
    [
      'a range off the ticks',
      (observed: ObservedVenue) =>
        requestFor(observed, {
          options: [
            {
              ...requestFor(observed).options[0]!,
              template: { kind: 'TICKS', lower: -1, upper: 60 },
            },
          ],
        }),
    ],
    [
      'a bound of nothing',
      (observed: ObservedVenue) =>
        requestFor(observed, { options: [{ ...requestFor(observed).options[0]!, maxQuote: '0' }] }),
    ],
    [
      'an existing position of no option',
      (observed: ObservedVenue) =>
        requestFor(observed, { existing: [{ optionId: 'none', valueQuote: '1' }] }),
    ],
    [
      'an existing position that is not there',
      (observed: ObservedVenue) =>
        requestFor(observed, { existing: [{ optionId: 'narrow', valueQuote: e18(1) }] }),
    ],
    [
      'a budget of nothing',
      (observed: ObservedVenue) => requestFor(observed, { budget: { base: '0', quote: '0' } }),
    ],
    [
      'a budget that no pool can hold',
      (observed: ObservedVenue) =>
        requestFor(observed, { budget: { base: '9'.repeat(60), quote: '1' } }),
    ],
    [
      'another pair',
      (observed: ObservedVenue) =>
        requestFor(observed, {
          pair: { ...observed.pair, base: observed.pair.quote, quote: observed.pair.base },
        }),
    ],
  ] as const)('for %s', async ([_, payload], { owner, scene: { observed } }) => {
    const { status, code, fieldErrors } = await create(owner, payload(observed))
    expect([status, code]).toEqual([422, 'LIQUIDITY_ALLOCATION_OPTION_INVALID'])
    expect(Object.keys(fieldErrors).length).toBeGreaterThan(0)
  })

  it.for([
    [
      'of nothing',
      (observed: ObservedVenue) =>
        requestFor(observed, { targets: [{ bandPips: 1, side: 'BUY', minQuote: '0' }] }),
    ],
    [
      'said twice',
      (observed: ObservedVenue) =>
        requestFor(observed, {
          targets: [requestFor(observed).targets[0]!, requestFor(observed).targets[0]!],
        }),
    ],
    [
      'below the fee',
      (observed: ObservedVenue) =>
        requestFor(observed, {
          sizeTargets: [{ sizeQuote: '1000', side: 'SELL', maxSlippagePips: 2000 }],
        }),
    ],
  ] as const)('for a target %s', async ([_, payload], { owner, scene: { observed } }) => {
    const { status, code } = await create(owner, payload(observed))
    expect([status, code]).toEqual([422, 'LIQUIDITY_ALLOCATION_TARGET_INVALID'])
  })

  it('for a study without risk figures', async ({ owner, scene: { observed, paths, replay } }) => {
    const study = async (one: { id: string; resourceVersion: string }, change = {}) =>
      create(
        owner,
        requestFor(observed, { risk: { study: refOf(one), maxCvarQuote: e18(1) }, ...change }),
      )
    const replayed = await study(replay)
    const short = await study(paths, { horizonSeconds: 86_401 })
    for (const { status, code, fieldErrors } of [replayed, short]) {
      expect([status, code]).toEqual([422, 'LIQUIDITY_ALLOCATION_RISK_STUDY_INCOMPATIBLE'])
      expect(fieldErrors['payload.risk.study']?.length).toBeGreaterThan(0)
    }
    const none = await study({ id: paths.id, resourceVersion: unknown })
    expect([none.status, none.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
  })

  it('for a venue that does not exist, and one of another organization alike', async ({
    owner,
    stranger,
    scene: { observed },
  }) => {
    const options = [
      {
        ...requestFor(observed).options[0]!,
        venue: { ...observed.venue, resourceVersion: unknown },
      },
    ]
    const missing = await create(owner, requestFor(observed, { options }))
    const foreign = await create(owner, requestFor(observed), stranger)
    for (const { status, code } of [missing, foreign]) {
      expect([status, code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    }
  })

  it('for a venue that is paused', async ({ owner, scene: { observed } }) => {
    const { status, code } = await whilePaused(owner, observed.venue.id, () =>
      create(owner, requestFor(observed)),
    )
    expect([status, code]).toEqual([409, 'LIQUIDITY_ALLOCATION_VENUE_NOT_VALIDATED'])
  })

  it('for an unknown member at any level, and a plan of another is not found', async ({
    owner,
    stranger,
    scene: { observed },
  }) => {
    const { data } = await create(owner, requestFor(observed))
    expect((await create(owner, { ...requestFor(observed), more: 1 })).status).toBe(400)
    expect(
      (
        await create(
          owner,
          requestFor(observed, { limits: { ...requestFor(observed).limits, more: 1 } as never }),
        )
      ).status,
    ).toBe(400)
    const read = await callOperation(stranger, 'getAllocationPlans', { params: { id: data.id } })
    expect(read.status).toBe(404)
    expect((await callOperation<Plan[]>(stranger, 'listAllocationPlans')).data).toEqual([])
  })
})

it('minted on the chain, a plan gives its stated depth, to the atom', async ({
  service,
  testChain,
  owner,
  scene: { observed },
}) => {
  const { data } = await create(owner, requestFor(observed))
  // The pair of another test may be a venue by now: only the pool is minted into and compared.
  const inPool = data.payload.allocation.filter(({ venueId }) => venueId === observed.venue.id)
  for (const { tickLower, tickUpper, liquidity } of inPool) {
    await testChain.markets.mint(tickLower!, tickUpper!, BigInt(liquidity))
  }
  await testChain.chain.mine(70)
  const depthOf = async () => {
    const { data: all } = await callOperation<Observation[]>(owner, 'listVenueObservations')
    const newest = all.find(({ payload }) => payload.venue.id === observed.venue.id)
    return newest!.payload.metrics.depth.filter(({ bandPips }) => bandPips === 20_000)
  }
  const workers = await startWorkers(service.services)
  const before = await depthOf()
  const job = await callOperation<{ id: string }>(owner, 'queueVenueIndex', {
    params: { id: observed.venue.id },
    body: { payload: { mode: 'FULL' }, reason: 'For the test' },
  })
  await until('the pool was indexed anew', async () => {
    const jobs = await owner.client.listOperatingSystemJobs()
    return jobs.body.data.some((one) => one.id === job.data.id && one.status === 'COMPLETED')
  })
  await workers.stop()
  const after = await depthOf()
  expect(after).not.toEqual(before)
  const others = (side: string) =>
    data.payload.evidence.blocks.length === 1
      ? 0n
      : BigInt(data.payload.achieved.find(({ target }) => target.side === side)!.beforeQuote) -
        BigInt(before.find((depth) => depth.side === side)!.quote)
  for (const { side, quote } of after) {
    const achieved = data.payload.achieved.find(({ target }) => target.side === side)
    expect(BigInt(quote) + others(side)).toBe(BigInt(achieved!.exactQuote))
  }
})
