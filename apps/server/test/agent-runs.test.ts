// @module-tag long
// @covers apps/server/src/families/intelligence/agent-runs

import { contract, type OperatingSystemEvent } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { test } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import {
  approve,
  command,
  type Planning,
  planned,
  protocolOf,
  type Run,
  readPlanning,
  readRun,
  researched,
  rested,
  start,
} from './support/researching.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'
import { pathSpec, study } from './support/studying.ts'
import { until } from './support/until.ts'

const it = test.extend('runsJobs', { scope: 'file' }, true)

type Result = contract.AgentRunResult & { readonly report: contract.ResearchReport }
const compared = ({ payload }: Run) => payload.report as contract.ResearchReport
const result = (owner: TestMember, runId: string) =>
  callOperation<Result>(owner, 'getAgentRunResult', { params: { runId } })
const wide = protocolOf().alternatives[0]!
const broken = { label: 'Leads nowhere', changes: [{ pointer: '/arm/none/x', value: 1 }] }
const unaligned = {
  label: 'Ticks not on the spacing',
  changes: [{ pointer: '/arm/position/tickLower', value: -601 }],
}

describe('research', () => {
  let run: Run
  it.beforeAll(async ({ owner }) => {
    run = await researched(owner, protocolOf({ alternatives: [wide, broken, unaligned] }))
  })

  it('ends with every alternative in protocol order, those that do not fit with their reason', async ({
    owner,
  }) => {
    expect([run.status, run.payload.phase]).toEqual(['PARTIAL', 'PARTIAL'])
    const { data } = await result(owner, run.id)
    const { report } = data
    expect(report.reasons).toEqual(['ALTERNATIVE_INCOMPATIBLE'])
    const [first, second, third] = report.alternatives
    expect(first).toMatchObject({ label: 'Double width', state: 'COMPLETED', verdict: 'SUPERIOR' })
    expect(first!.difference).toMatchObject({
      paths: 200,
      observations: 100,
      confidencePips: 983_333,
    })
    expect([second!.verdict, second!.reason]).toEqual([
      ...['INCOMPATIBLE', expect.stringContaining('must point into the baseline')],
    ])
    expect([third!.verdict, third!.reason]).toEqual([
      ...['INCOMPATIBLE', expect.stringContaining('LIQUIDITY_STUDY_TICK_UNALIGNED')],
    ])
    expect(report.baseline).toMatchObject({ state: 'COMPLETED' })
    expect(first!.guardrails).toMatchObject([{ isBroken: false }])
    expect(first!.secondary.map(({ metric }) => metric)).toEqual(['FEES', 'LVR'])
  })

  it('is verified on every reading, and grants nothing', async ({ owner }) => {
    const { data } = await result(owner, run.id)
    expect(data.verification.checks.map(({ code }) => code)).toEqual([
      ...contract.runChecks.filter((code) => code !== 'FIGURES_CITED' && code !== 'WORDS_FAITHFUL'),
    ])
    expect(data).toMatchObject({
      state: 'PARTIAL',
      assessesMarketHealth: false,
      modeledWorkOnly: true,
      executionAuthorityGranted: false,
      executionPerformed: false,
    })
    expect(data.resultHash).toBe(run.payload.resultHash)
    expect(data.report.limitations).toContain('Excluded: Traders who are no arbitrageurs')
  })

  it('contains sentences based on the report, each with its citations', async ({ owner }) => {
    const { narrative } = (await result(owner, run.id)).data.report
    expect(narrative.droppedSentences).toBe(0)
    const narratedText = narrative.sentences.map(({ text }) => text).join(' ')
    expect(narratedText).toContain('“Double width”: “SUPERIOR”')
    expect(narratedText).toContain('“Leads nowhere”: “INCOMPATIBLE”. No outcome')
  })

  it('gives the same result for the same protocol, in the same bytes', async ({ owner }) => {
    const again = await researched(owner, protocolOf({ alternatives: [wide, broken, unaligned] }))
    expect(again.id).not.toBe(run.id)
    expect(again.payload.resultHash).toBe(run.payload.resultHash)
    expect(again.payload.report).toEqual(run.payload.report)
  })

  it('sealed its protocol before its capture, and its capture before its trials', async ({
    owner,
  }) => {
    const { data: events, meta } = await callOperation<OperatingSystemEvent[]>(
      owner,
      'listAgentRunEvents',
      {
        params: { runId: run.id },
        query: { limit: 4 },
      },
    )
    const rest = await callOperation<OperatingSystemEvent[]>(owner, 'listAgentRunEvents', {
      params: { runId: run.id },
      query: { cursor: meta!.nextCursor },
    })
    const all = [...events, ...rest.data]
    expect(all.map(({ kind }) => kind)).toEqual([
      ...['agent_run.started', 'agent_run.phase_changed', 'agent_run.phase_changed'],
      ...['agent_run.protocol_sealed', 'agent_run.capture_sealed'],
      ...new Array<string>(4).fill('agent_run.trial_settled'),
      ...['agent_run.step_settled', 'agent_run.result_verified'],
    ])
    expect(all.map(({ previousEventHash }) => previousEventHash)).toEqual([
      null,
      ...all.slice(0, -1).map(({ evidenceHash }) => evidenceHash),
    ])
  })

  it('shows each trial as a study that gives the same mean elsewhere', async ({ owner }) => {
    const params = { runId: run.id, trialKey: 'alternative-1' }
    const { data } = await callOperation<{ spec: object; differsFromBaseline: object[] }>(
      ...([owner, 'getResearchTrialInput', { params }] as const),
    )
    expect(data.differsFromBaseline).toEqual([
      { pointer: '/arm/position/tickLower', baseline: -600, value: -1200 },
      { pointer: '/arm/position/tickUpper', baseline: 600, value: 1200 },
    ])
    const elsewhere = await study(owner, data.spec)
    const studyMean = elsewhere.data.payload.result.arms[0].netVsHold.mean
    const mean = compared(run).alternatives[0]!.primary!.mean
    // A study adds floats up, a trial whole numbers.
    expect(Math.abs(Number(studyMean) / Number(mean) - 1)).toBeLessThan(1e-12)
  })

  it('proves each sealed item under the root of its capture', async ({ owner }) => {
    const [item] = run.payload.capture!.items
    const params = { runId: run.id, evidenceId: item!.evidenceId }
    const { data } = await callOperation<{
      contentHash: string
      content: object
      inclusion: { leafIndex: number; treeSize: number; captureHash: string }
    }>(owner, 'getAgentRunEvidence', { params })
    const market = protocolOf().baseline.market as { inline: object }
    expect(data.content).toEqual(market.inline)
    expect(data.inclusion).toMatchObject({ leafIndex: 0, treeSize: 1 })
    expect(data.inclusion.captureHash).toBe(run.payload.captureHash)
    const gone = await callOperation(owner, 'getAgentRunEvidence', {
      params: { ...params, evidenceId: 'evidence_none' },
    })
    expect(gone.status).toBe(404)
  })

  it('makes a decision pack with every alternative, and none where there is no comparison', async ({
    owner,
  }) => {
    const body = (one: Run) => ({
      run: { resourceType: 'AgentRun', id: one.id, resourceVersion: one.resourceVersion },
      question: 'Do we widen the range?',
      decisionBy: '2099-01-31T00:00:00Z',
      reason: 'For the test',
    })
    const pack = await callOperation<{ payload: contract.DecisionPack }>(
      ...([owner, 'createDecisionPackFromResearch', { body: body(run) }] as const),
    )
    expect([pack.code, pack.status]).toEqual(['', 201])
    const { origin, options, evidence } = pack.data.payload
    expect([origin, options.map(({ label }) => label)]).toEqual([
      'RESEARCH',
      ['No change', 'Double width', 'Leads nowhere', 'Ticks not on the spacing'],
    ])
    expect(evidence[0]!.provenance).toMatchObject({
      completeness: 'PARTIAL',
      seed: protocolOf().seed,
    })
    const alone = await researched(owner, protocolOf({ alternatives: [broken] }))
    expect(alone.payload.report).toMatchObject({ state: 'ABSTAINED', reasons: ['NO_ALTERNATIVE'] })
    expect(compared(alone).alternatives[0]).toMatchObject({ difference: null, primary: null })
    const none = await callOperation(owner, 'createDecisionPackFromResearch', { body: body(alone) })
    expect([none.status, none.code]).toEqual([422, 'LIQUIDITY_DECISION_PACK_INVALID'])
    expect(none.fieldErrors.run![0]).toContain('got ABSTAINED')
  })

  it('returns no content of a run with a changed sealed byte', async ({ service, owner }) => {
    const damaged = await researched(owner, protocolOf({ seed: `0x${'9'.repeat(64)}` }))
    expect((await result(owner, damaged.id)).status).toBe(200)
    const { payload } = damaged
    const sealed = [
      payload.plan!.draftArtifact,
      payload.trials[0]!.receiptHash!,
      payload.draftHash!,
    ]
    for (const hash of sealed) {
      const update = (change: string) =>
        service.database.pool.query(
          `update artifacts set content = ${change} where content_hash = $1`,
          [hash],
        )
      await update(`set_byte(content, 9, get_byte(content, 9) # 1)`)
      const response = await result(owner, damaged.id)
      await update(`set_byte(content, 9, get_byte(content, 9) # 1)`)
      expect([hash, response.status, response.code, response.data]).toEqual([
        ...[hash, 503, 'LIQUIDITY_AGENT_RUN_UNVERIFIABLE', undefined],
      ])
      expect((await result(owner, damaged.id)).status).toBe(200)
    }
  })
})

const phase = (owner: TestMember, runId: string, command_: object) =>
  command(owner, runId, command_)
const refusal = ({ status, code, fieldErrors }: Awaited<ReturnType<typeof phase>>) => [
  ...[status, code, Object.keys(fieldErrors)],
]

describe('a plan', () => {
  it('of a study asks for the smallest relevant difference, and can be approved after the answer', async ({
    owner,
  }) => {
    const [arm] = pathSpec().arms
    const hold = { armId: 'hold', label: 'Hold', position: { kind: 'HOLD' } } as const
    const { data: record } = await study(owner, pathSpec({ arms: [arm!, hold] }))
    const subject = { study: { id: record.id, resourceVersion: record.resourceVersion } }
    const question = 'Is holding any better than this?'
    const run = await rested(owner, (await start(owner, { subject, question })).data.id)
    const before = await readPlanning(owner, run.id)
    expect(before).toMatchObject({ protocolHash: null, sealed: false })
    expect(before.clarifications).toMatchObject([
      { clarificationId: 'minimum-effect', answer: null },
    ])
    expect(before.allowedCommands).toEqual(['REVISE_PLAN', 'ANSWER', 'EXTEND_BUDGET', 'CANCEL'])
    // Paths that were seen decide nothing.
    expect(before.protocolDraft!.seed).not.toBe(pathSpec().seed)
    const request = { command: 'ANSWER', expectedPhase: 'AWAITING_APPROVAL' }
    const answered = (answer: string) =>
      phase(owner, run.id, { ...request, arguments: { clarificationId: 'minimum-effect', answer } })
    expect(refusal(await answered('a lot'))).toEqual([
      ...[422, 'LIQUIDITY_AGENT_RUN_ARGUMENTS_INVALID', ['arguments.answer']],
    ])
    expect((await answered('1000')).status).toBe(200)
    const planned_ = await rested(owner, run.id)
    const after = await readPlanning(owner, run.id)
    expect(after.clarifications[0]!.answer).toBe('1000')
    expect(after.revisions.map(({ diff }) => diff)).toEqual([['/primary/minimumEffect']])
    expect((await approve(owner, planned_)).status).toBe(200)
    const done = await rested(owner, run.id)
    expect(done.payload.report).toMatchObject({ state: 'COMPLETED', reasons: [] })
    expect(compared(done).alternatives).toMatchObject([{ label: 'Hold' }])
  })

  it('can be revised; the previously shown hash is then rejected', async ({ owner }) => {
    const run = await planned(owner, protocolOf())
    const revised = protocolOf({ paths: 400, secondary: [] })
    const request = { command: 'REVISE_PLAN', expectedPhase: 'AWAITING_APPROVAL' }
    const twice = { ...revised, alternatives: [wide, wide] }
    expect(
      refusal(await phase(owner, run.id, { ...request, arguments: { protocol: twice } })),
    ).toEqual([
      ...[
        422,
        'LIQUIDITY_AGENT_RUN_ARGUMENTS_INVALID',
        ['arguments.protocol.alternatives.1.label'],
      ],
    ])
    await phase(owner, run.id, { ...request, arguments: { protocol: revised } })
    await rested(owner, run.id)
    const { revisions } = await readPlanning(owner, run.id)
    expect(revisions.map(({ diff }) => diff)).toEqual([['/paths', '/secondary']])
    const stale = await approve(owner, run)
    expect(refusal(stale)).toEqual([
      ...[412, 'LIQUIDITY_AGENT_RUN_PLAN_CHANGED', ['arguments.protocolHash']],
    ])
  })

  it('without a baseline cannot be approved', async ({ owner }) => {
    const { baseline } = protocolOf()
    const arm = { position: { kind: 'TICKS' as const, tickLower: -601, tickUpper: 600 } }
    const run = await planned(owner, protocolOf({ baseline: { ...baseline, arm } }))
    const { feasibility, allowedCommands } = await readPlanning(owner, run.id)
    expect(feasibility[0]).toMatchObject({ trialKey: 'baseline', ok: false, estimateSeconds: null })
    expect(allowedCommands).not.toContain('APPROVE_PLAN')
    expect(refusal(await approve(owner, run))).toEqual([
      ...[409, 'LIQUIDITY_AGENT_RUN_COMMAND', ['command']],
    ])
  })

  it('is refused of what cannot be researched, and says why', async ({ service, owner }) => {
    const createdStatus = async (payload: object) => {
      const { status, code, fieldErrors } = await start(owner, payload)
      return [
        status,
        code,
        ...Object.entries(fieldErrors).map(([at, messages]) => `${at} ${messages[0]}`),
      ]
    }
    const invalid = 'LIQUIDITY_AGENT_RUN_SUBJECT_INVALID'
    const question = 'Is it any better than this?'
    const { data: alone } = await study(owner, pathSpec())
    const ref = { id: alone.id, resourceVersion: alone.resourceVersion }
    expect(await createdStatus({ subject: { study: ref }, question })).toEqual([
      ...[422, invalid, 'payload.subject.study must have two to four arms, got 1'],
    ])
    expect(await createdStatus({ subject: { study: ref } })).toEqual([
      ...[422, invalid, 'payload.question is required for a study'],
    ])
    const foreignOwner = await newOrganization(service)
    const foreign = await start(foreignOwner, { subject: { study: ref }, question })
    expect([foreign.status, foreign.code]).toEqual([422, invalid])
    expect(await createdStatus({ subject: { protocol: protocolOf() }, question })).toEqual([
      ...[422, invalid, expect.stringContaining('payload.question must be omitted')],
    ])
    const replay = { ...protocolOf().baseline, kind: 'REPLAY' }
    const [status, code] = await createdStatus({
      subject: { protocol: { ...protocolOf(), baseline: replay } },
    })
    expect([status, code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
  })
})

describe('a run', () => {
  it('stops after every requested step, with the same result', async ({ owner }) => {
    const run = await planned(owner, protocolOf(), { mode: 'STEPWISE' })
    await approve(owner, run)
    const steps: (string | null)[] = []
    for (let at = await rested(owner, run.id); at.status === 'PAUSED'; ) {
      steps.push(at.payload.nextStep)
      const response = await phase(owner, run.id, {
        command: 'RESUME',
        expectedPhase: at.payload.phase,
      })
      expect(response.status).toBe(200)
      at = await rested(owner, run.id)
    }
    expect(steps).toEqual(['TRIAL:baseline', 'TRIAL:alternative-1', 'DRAFT', 'VERIFY'])
    const done = await readRun(owner, run.id)
    const straight = await researched(owner, protocolOf())
    expect(done.payload.resultHash).toBe(straight.payload.resultHash)
    expect(done.payload.steps.map(({ step }) => step)).toEqual(['PLAN', 'CAPTURE', ...steps])
  })

  it('waits with its budget used up until it is extended', async ({ owner }) => {
    const budget = { maximumSteps: 2, maximumSeconds: 600 }
    const run = await planned(owner, protocolOf(), { budget })
    await approve(owner, run)
    const halted = await rested(owner, run.id)
    expect(halted.payload.halted).toMatchObject({
      code: 'BUDGET_EXHAUSTED',
      step: 'TRIAL:baseline',
    })
    const request = { expectedPhase: 'ANALYSING' }
    expect(refusal(await phase(owner, run.id, { ...request, command: 'RESUME' }))).toEqual([
      ...[409, 'LIQUIDITY_AGENT_RUN_COMMAND', ['command']],
    ])
    const extended = (maximumSteps: number) =>
      phase(owner, run.id, {
        ...request,
        command: 'EXTEND_BUDGET',
        arguments: { ...budget, maximumSteps },
      })
    expect(refusal(await extended(1))).toEqual([
      ...[422, 'LIQUIDITY_AGENT_RUN_ARGUMENTS_INVALID', ['arguments.maximumSteps']],
    ])
    expect((await extended(20)).data.allowedCommands).toContain('RESUME')
    await phase(owner, run.id, { ...request, command: 'RESUME' })
    expect((await rested(owner, run.id)).status).toBe('COMPLETED')
  })

  it('that is cancelled ends its trial with it, and takes no command any more', async ({
    owner,
  }) => {
    const { baseline } = protocolOf()
    const long = { ...baseline, horizonSeconds: 30 * 86_400 }
    const run = await planned(owner, protocolOf({ paths: 10_000, baseline: long }))
    await approve(owner, run)
    await until('its trial runs', async () => {
      const { trials } = (await readRun(owner, run.id)).payload
      return trials[0]!.state === 'RUNNING'
    })
    const paused = await phase(owner, run.id, { command: 'PAUSE', expectedPhase: 'ANALYSING' })
    expect(paused.data.run.payload.trials[0]).toMatchObject({ state: 'PENDING', attempts: 1 })
    expect(await openJobs(owner, run.id)).toEqual([])
    await phase(owner, run.id, { command: 'RESUME', expectedPhase: 'ANALYSING' })
    const wrong = await phase(owner, run.id, { command: 'CANCEL', expectedPhase: 'DRAFTING' })
    expect(refusal(wrong)).toEqual([409, 'LIQUIDITY_AGENT_RUN_COMMAND', ['expectedPhase']])
    const ended = await phase(owner, run.id, { command: 'CANCEL', expectedPhase: 'ANALYSING' })
    expect(ended.data.run).toMatchObject({ status: 'REVOKED', payload: { phase: 'CANCELLED' } })
    expect(ended.data.run.payload.trials[0]).toMatchObject({ state: 'PENDING', attempts: 2 })
    expect([ended.data.allowedCommands, await openJobs(owner, run.id)]).toEqual([[], []])
    const late = await phase(owner, run.id, { command: 'RESUME', expectedPhase: 'CANCELLED' })
    expect([late.status, late.code]).toEqual([409, 'LIQUIDITY_AGENT_RUN_COMMAND'])
    expect((await result(owner, run.id)).status).toBe(404)
  })

  it('waits if a step cannot be settled, and retries', async ({ service, owner }) => {
    const run = await planned(owner, protocolOf(), { mode: 'STEPWISE' })
    await approve(owner, run)
    await rested(owner, run.id)
    const hash = run.payload.plan!.draftArtifact
    const flip = () =>
      service.database.pool.query(
        'update artifacts set content = set_byte(content, 9, get_byte(content, 9) # 1) where content_hash = $1',
        [hash],
      )
    for (const expectedPhase of ['ANALYSING', 'ANALYSING']) {
      await phase(owner, run.id, { command: 'RESUME', expectedPhase })
      await rested(owner, run.id)
    }
    await flip()
    await phase(owner, run.id, { command: 'RESUME', expectedPhase: 'DRAFTING' })
    const halted = await rested(owner, run.id)
    await flip()
    expect(halted.payload.halted).toMatchObject({
      code: 'LIQUIDITY_ARTIFACT_DAMAGED',
      step: 'DRAFT',
    })
    await phase(owner, run.id, { command: 'RETRY_STEP', expectedPhase: 'DRAFTING' })
    expect((await rested(owner, run.id)).payload.nextStep).toBe('VERIFY')
  })

  it('can be read with read permission and commanded with the prepare permission', async ({
    service,
    owner,
  }) => {
    const run = await planned(owner, protocolOf())
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    const params = { runId: run.id }
    const read = await callOperation<Planning>(viewer, 'getResearchPlanning', { params })
    expect([read.status, read.data.sealed]).toEqual([200, false])
    const response = await command(viewer, run.id, {
      command: 'CANCEL',
      expectedPhase: 'AWAITING_APPROVAL',
    })
    expect([response.status, response.code]).toEqual([403, 'LIQUIDITY_ROLE_REQUIRED'])
    const input = await callOperation(owner, 'getResearchTrialInput', {
      params: { ...params, trialKey: 'baseline' },
    })
    expect(input.status).toBe(404)
  })
})

/** Jobs that still work for a run. */
async function openJobs(owner: TestMember, runId: string): Promise<string[]> {
  const jobs = await callOperation<{ subject: { id: string }; status: string; kind: string }[]>(
    ...([owner, 'listOperatingSystemJobs'] as const),
  )
  return jobs.data.flatMap(({ subject, status, kind }) =>
    subject.id === runId && ['QUEUED', 'RUNNING'].includes(status) ? [kind] : [],
  )
}
