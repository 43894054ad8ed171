// @module-tag long
// @covers apps/server/src/families/intelligence/agent-runs

import { contract } from '@liquidity-os/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queueSweeps } from '../src/families/intelligence/anomalies/anomaly-sweeps.ts'
import { valueAt } from '../src/families/json-pointer.ts'
import { startWorkers } from '../src/service.ts'
import { hourMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { type PassportScene, startPassportScene, stopPassportScene } from './support/passporting.ts'
import { callOperation } from './support/requests.ts'
import { type Run, rested } from './support/researching.ts'
import { indexTo } from './support/scoring.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'
import { until } from './support/until.ts'

type Health = contract.HealthReport
type Result = contract.AgentRunResult & { readonly report: Health }

let scene: PassportScene
let owner: TestMember
let workers: Awaited<ReturnType<typeof startWorkers>>
beforeAll(async () => {
  scene = await startPassportScene({ ANOMALY_SWEEP_SECONDS: '300' })
  owner = scene.owner
  workers = await startWorkers(scene.service.services)
  // The venue is read up to minutes before the clock of the service.
  const { chain } = scene.test
  await chain.testClient.setBlockTimestampInterval({ interval: 1 })
  await chain.mine(70)
  const [venue] = (await owner.client.listVenues()).body.data
  await indexTo(owner, venue!.id)
  // What was read is looked through for incidents, by a sweep that begins after it.
  scene.service.clock.advance(301_000)
  const since = new Date(scene.service.clock.read()).toISOString()
  await queueSweeps(scene.service.services)
  await until('the sweep has ended', async () => {
    const jobs = (await owner.client.listOperatingSystemJobs()).body.data
    return jobs.some(
      ({ kind, status, createdAt }) =>
        kind === 'ANOMALY_SWEEP' && status === 'COMPLETED' && createdAt >= since,
    )
  })
})
afterAll(async () => {
  await workers.stop()
  await stopPassportScene(scene)
})

const reason = 'For the test'
const begin = (payload: object, by = owner) =>
  callOperation<Run>(by, 'startHealthAgentRun', { body: { payload, reason } })
const result = (runId: string) =>
  callOperation<Result>(owner, 'getAgentRunResult', { params: { runId } })

async function judged(payload: object): Promise<{ run: Run; outcome: Result }> {
  const { data, status, fieldErrors } = await begin(payload)
  expect([status, fieldErrors]).toEqual([201, {}])
  const run = await rested(owner, data.id)
  return { run, outcome: (await result(run.id)).data }
}

const verdictsOf = ({ areas }: Health) => areas.map(({ area, verdict }) => [area, verdict])

describe('health', () => {
  it('of a vault is judged by sealed records, and each figure is where it says', async () => {
    const { run, outcome } = await judged({ subject: { vaultId: scene.vault.id } })
    const { report } = outcome
    expect([run.payload.kind, run.status]).toEqual(['HEALTH', report.state])
    expect(verdictsOf(report).map(([area]) => area)).toEqual([...contract.healthAreas])
    expect(outcome.verification.checks.map(({ code }) => code)).toEqual([
      ...['CAPTURE_ITEMS', 'CAPTURE_ROOT', 'EVENT_ORDER', 'REPORT_REBUILT'],
      ...['NARRATIVE_GROUNDED', 'FIGURES_CITED', 'RESULT_HASH'],
    ])
    expect(outcome).toMatchObject({
      modeledWorkOnly: false,
      executionAuthorityGranted: false,
      executionPerformed: false,
      verification: { protocolHash: null },
    })
    expect(outcome.assessesMarketHealth).toBe(report.state === 'COMPLETED')
    const [quality] = report.areas
    const grade = quality!.figures.find(({ name }) => name === 'grade')!
    const evidence = await callOperation<{ content: unknown; contentHash: string }>(
      ...([owner, 'getAgentRunEvidence'] as const),
      { params: { runId: run.id, evidenceId: grade.evidenceId } },
    )
    expect(valueAt(evidence.data.content, grade.pointer)).toBe(grade.value)
    expect(report.narrative).toMatchObject({ droppedSentences: 0 })
    expect(report.narrative.sentences.map(({ text }) => text).join(' ')).toContain(grade.value)
  })

  it('of a pair is the default, has no vault, and is equal at every reading', async () => {
    const { pair } = scene.vault.payload
    const question = 'How does the market stand?'
    const { run, outcome } = await judged({ subject: { pair }, question })
    expect(outcome.report.areas.map(({ area }) => area)).toEqual(['QUALITY', 'VENUES', 'INCIDENTS'])
    expect(outcome.report).toMatchObject({ question, pair, subject: { pair }, state: 'COMPLETED' })
    expect(outcome.assessesMarketHealth).toBe(true)
    expect((await result(run.id)).data.report).toEqual(outcome.report)
    const lower = { ...pair, base: pair.base.toLowerCase(), quote: pair.quote.toLowerCase() }
    const other = await judged({ kind: 'HEALTH', subject: { pair: lower } })
    expect(verdictsOf(other.outcome.report)).toEqual(verdictsOf(outcome.report))
  })

  it('of a pair without records is withheld, with the missing data', async () => {
    const { pair } = scene.vault.payload
    const swapped = { ...pair, base: pair.quote, quote: pair.base }
    const { run, outcome } = await judged({ subject: { pair: swapped } })
    expect([run.status, outcome.report.verdict, outcome.assessesMarketHealth]).toEqual([
      ...['ABSTAINED', null, false],
    ])
    expect(outcome.report.gaps.map(({ code }) => code)).toEqual(['NO_VENUE', 'NO_ACTIVE_SCORE'])
    expect(outcome.report.areas.every(({ verdict }) => verdict === null)).toBe(true)
  })

  it('names a vault of this organization, and knows no member of another kind', async () => {
    const foreignOwner = await newOrganization(scene.service)
    const stolen = await begin({ subject: { vaultId: scene.vault.id } }, foreignOwner)
    expect([stolen.status, stolen.code, Object.keys(stolen.fieldErrors)]).toEqual([
      ...[422, 'LIQUIDITY_AGENT_RUN_SUBJECT_INVALID', ['payload.subject.vaultId']],
    ])
    const wrong = await begin({ kind: 'HEALTH', subject: { study: { id: 'study_1' } } })
    expect([wrong.status, Object.keys(wrong.fieldErrors).length > 0]).toEqual([400, true])
  })

  it('stops after every requested step and cannot be approved: it has no protocol', async () => {
    const { pair } = scene.vault.payload
    const { data } = await begin({ subject: { pair }, mode: 'STEPWISE' })
    const paused = await rested(owner, data.id)
    expect([paused.status, paused.payload.phase, paused.payload.nextStep]).toEqual([
      ...['PAUSED', 'CAPTURING', 'CAPTURE'],
    ])
    const command = (statement: object) =>
      callOperation(owner, 'applyAgentRunCommand', {
        params: { runId: data.id },
        body: { expectedPhase: 'CAPTURING', reason, ...statement },
      })
    const approved = await command({
      command: 'APPROVE_PLAN',
      arguments: { protocolHash: `0x${'1'.repeat(64)}` },
    })
    expect([approved.status, approved.code]).toEqual([409, 'LIQUIDITY_AGENT_RUN_COMMAND'])
    expect((await command({ command: 'RESUME' })).status).toBe(200)
    const next = await rested(owner, data.id)
    expect(next.payload.steps.map(({ step }) => step)).toEqual(['PLAN', 'CAPTURE'])
  })

  it('returns 503 without content if a sealed byte has changed', async () => {
    const { pair } = scene.vault.payload
    const { run } = await judged({ subject: { pair }, question: 'What if a byte is flipped?' })
    const request = run.payload.capture!.items.find(({ source }) => source.kind === 'REQUEST')!
    const flip = () =>
      scene.service.database.pool.query(
        'update artifacts set content = set_byte(content, 9, get_byte(content, 9) # 1) where content_hash = $1',
        [request.contentHash],
      )
    await flip()
    const { status, code, data } = await result(run.id)
    await flip()
    expect([status, code, data]).toEqual([503, 'LIQUIDITY_AGENT_RUN_UNVERIFIABLE', undefined])
  })

  it('that was read long ago is PARTIAL: stale venues and an overdue score assess nothing', async () => {
    const { pair } = scene.vault.payload
    scene.service.clock.advance(30 * 24 * hourMilliseconds)
    owner = await newMember(scene.service, owner.organizationId, 'OWNER')
    const { outcome } = await judged({ subject: { vaultId: scene.vault.id } })
    expect([outcome.report.state, outcome.assessesMarketHealth]).toEqual(['PARTIAL', false])
    expect(outcome.report.pair).toEqual(pair)
    expect(outcome.report.reasons).toEqual(
      expect.arrayContaining(['QUALITY_UNKNOWN', 'INCIDENTS_UNKNOWN', 'VENUES_STALE']),
    )
    const found = outcome.report.areas.flatMap(({ findings }) => findings.map(({ code }) => code))
    expect(found).toEqual(expect.arrayContaining(['VENUE_STALE', 'SNAPSHOT_STALE']))
    const { database, artifacts } = scene.service.services
    expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])
  })
})
