// @covers apps/server/src/families/plan/launch-plans/gates apps/server/src/families/plan/intents

import { contract, responseExamples } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { input, line, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { dayMilliseconds } from '../src/units.ts'
import { recordsOf } from './support/admissible.ts'
import { it } from './support/fixtures.ts'
import { shownGate } from './support/launch-gates.ts'
import { callOperation } from './support/requests.ts'
import type { TestMember, TestService } from './support/service.ts'

type Plan = VersionedRecord<contract.LaunchPlan>
type Pack = VersionedRecord<contract.DecisionPack>
type Strategy = VersionedRecord<contract.StrategyDefinitionV2>
type Intent = VersionedRecord<contract.IssuerIntent>

const reason = 'For the test'
const refOf = ({ id, resourceType, resourceVersion }: VersionedRecord) => ({
  id,
  resourceType,
  resourceVersion,
})
const launch = contract.createLaunchPlans.example.body.payload
const inDays = (service: TestService, days: number) =>
  new Date(service.clock.read() + days * dayMilliseconds).toISOString()

async function made<T>(owner: TestMember, operation: string, body: object): Promise<T> {
  const response = await callOperation<T>(owner, operation, { body: { reason, ...body } })
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}

/** A study of capital of the pair of the examples, or of another. */
const study = (owner: TestMember, change: object = {}) => {
  const { payload } = contract.createCapitalRequirements.example.body
  return made<VersionedRecord>(owner, 'createCapitalRequirements', {
    payload: { ...payload, ...change },
  })
}
const turned = { token: launch.quote, quote: launch.token }

it('rejects a plan with a capital study of another pair', async ({ owner }) => {
  const other = await study(owner, turned)
  const response = await callOperation<Plan>(owner, 'createLaunchPlans', {
    body: { payload: { ...launch, capitalRequirement: refOf(other) }, reason },
  })
  expect([response.status, response.code]).toEqual([422, 'LIQUIDITY_LAUNCH_PLAN_INVALID'])
  expect(response.fieldErrors['payload.capitalRequirement']?.[0]).toContain(
    `must be for ${launch.token} in ${launch.quote}, got one for ${launch.quote}`,
  )
})

it('reserves nothing for a study that lacks something', async ({ service, owner }) => {
  const partial = await partialStudy(service, owner)
  const shown = await shownGate(service, owner, {
    gate: { kind: 'CAPITAL_RESERVED' },
    capitalRequirement: refOf(partial),
  } as never)
  expect(shown).toMatchObject({ result: 'OPEN', detail: expect.stringContaining('is PARTIAL') })
})

/** The same study as if something were missing. */
async function partialStudy(service: TestService, owner: TestMember): Promise<VersionedRecord> {
  const records = recordsOf(service, owner)
  const whole = await study(owner)
  const current = await records.current<object>('CapitalRequirementStudy', whole.id)
  const { sealed, change } = records.supersede(current!, {
    status: 'PARTIAL',
    payload: current!.record.payload,
    reason,
    event: 'capital_requirement.computed',
  })
  await service.services.committer.commit(change)
  return sealed.record
}

it('opens for a named pack only if that rests on this version of the plan', async ({
  service,
  owner,
}) => {
  const option = (optionId: string, statusQuo: boolean) => ({
    optionId,
    label: optionId,
    statusQuo,
    summary: '',
    metrics: [],
    risks: [],
    reversibility: 'COSTLY',
    requires: [],
  })
  const elsewhere = await study(owner)
  const pack = await made<Pack>(owner, 'createDecisionPack', {
    payload: {
      question: 'Do we do something else?',
      options: [option('wait', true), option('go', false)],
      evidence: [{ source: refOf(elsewhere) }],
      quorum: { approvals: 1, roles: ['OWNER'] },
      decisionBy: inDays(service, 3),
    },
  })
  let current = pack
  for (const command of [{ command: 'SUBMIT' }, { command: 'APPROVE', optionId: 'go' }]) {
    const response = await callOperation<{ pack: Pack }>(owner, 'applyDecisionPackCommand', {
      params: { packId: pack.id },
      ifMatch: current.resourceVersion,
      body: { reason, ...command },
    })
    expect([response.status, response.fieldErrors]).toEqual([200, {}])
    current = response.data.pack
  }
  expect(current.payload.outcome?.decision).toBe('APPROVED')
  const shown = await shownGate(service, owner, {
    gate: { kind: 'HUMAN_APPROVAL', packId: pack.id },
  })
  expect(shown).toMatchObject({
    result: 'OPEN',
    detail: 'The decision packet is not based on this version of the plan.',
    sources: [{ id: pack.id }],
  })
})

it('opens for a strategy of the pair of the plan, and for no other', async ({ service, owner }) => {
  const { data } = responseExamples.seedLaunchWorkspace as { data: { strategyDraft: Strategy } }
  const [base, quote] = [launch.token, launch.quote].map((key) => key.split(':').at(-1)!)
  const stored = async (pair: object) => {
    const { payload } = data.strategyDraft
    const definition = {
      ...payload.definition,
      pair: { ...payload.definition.pair, ...pair },
    }
    const { sealed, change } = recordsOf(service, owner).create('StrategyDefinitionV2', {
      status: 'VALIDATED',
      payload: { ...payload, definition },
      reason,
      event: 'strategy.created',
    })
    await service.services.committer.commit(change)
    return sealed.record
  }
  const own = await stored({ chainId: 31_337, base, quote })
  const other = await stored({ chainId: 31_337, base: quote, quote: base })
  const shown = ({ id }: VersionedRecord) =>
    shownGate(service, owner, { gate: { kind: 'STRATEGY_VALIDATED', strategyId: id } })
  expect((await shown(own)).result).toBe('SATISFIED')
  expect(await shown(other)).toMatchObject({
    result: 'OPEN',
    detail: `It is for ${launch.quote} in ${launch.token}, not for ${launch.token} in ${launch.quote}.`,
    sources: [{ id: other.id }],
  })
})

it('judges the runway of an intent by the scenario that it names', async ({ service, owner }) => {
  const quoteKey = 'iso4217:USD'
  const payload = { ...contract.createIntents.example.body.payload, quote: quoteKey }
  const startMonth = new Date(service.clock.read()).toISOString().slice(0, 7)
  const assumptions = await made<VersionedRecord>(
    owner,
    'createTreasuryAssumptions',
    input({
      quoteKey,
      startMonth,
      lines: [line({ assetKey: quoteKey })],
      scenarios: [scenario(), scenario({ scenarioId: 'winter', outflowMultiplierPips: 2_000_000 })],
    }),
  )
  await projected(service, owner, refOf(assumptions), quoteKey)
  const runwayOf = async (limits: object) => {
    const { intent } = await made<{ intent: Intent }>(owner, 'createIntents', {
      payload: { ...payload, limits: { ...payload.limits, minimumRunwayMonths: 1, ...limits } },
      status: 'DRAFT',
    })
    return intent.payload.checks.find(({ check }) => check === 'RUNWAY_AFTER_SPEND')
  }
  expect((await runwayOf({}))?.detail).toContain('months in base')
  expect((await runwayOf({ runwayScenarioId: 'winter' }))?.detail).toContain('months in winter')
  expect(await runwayOf({ runwayScenarioId: 'summer' })).toMatchObject({
    result: 'INDETERMINATE',
    detail: expect.stringContaining('no scenario summer'),
  })
})

/** A projection of everything with both scenarios, read now; of an organization that holds nothing there is none. */
async function projected(
  service: TestService,
  owner: TestMember,
  assumptions: ReturnType<typeof refOf>,
  quoteKey: string,
): Promise<void> {
  const { data } = responseExamples.createTreasuryProjection as {
    data: { projection: VersionedRecord<contract.TreasuryProjection> }
  }
  const { payload } = data.projection
  const { entries: _, ...request } = payload.request
  const [first] = payload.scenarios
  const computation = {
    ...payload.computation,
    sources: [],
    snapshot: { ...payload.computation.snapshot!, asOf: inDays(service, 0) },
  }
  const { change } = recordsOf(service, owner).create('TreasuryProjection', {
    status: 'COMPLETED',
    payload: {
      ...payload,
      request: { ...request, assumptions },
      quoteKey,
      computation,
      scenarios: ['base', 'winter'].map((scenarioId) => ({ ...first!, scenarioId })),
    },
    reason,
    event: 'treasury.projection.created',
  })
  await service.services.committer.commit(change)
}
