import type { contract } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { valueAt } from '../src/families/json-pointer.ts'
import { minuteMilliseconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { test } from './support/fixtures.ts'
import { publicChain } from './support/public-chain.ts'
import { callOperation } from './support/requests.ts'
import { type Run, rested } from './support/researching.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

type Report = contract.PublicProjectReport
type Result = contract.AgentRunResult & { readonly report: Report }

const it = test
  .extend('settings', { scope: 'file' }, ({ testChain }) => publicChain(testChain))
  .extend('runsJobs', { scope: 'file' }, true)
  .extend('projectId', { scope: 'file' }, async ({ service, testChain, owner }) => {
    const identifier = { chainId: 31_337, address: testChain.markets.tokens[0] as string }
    const { client } = owner
    const saved = await client.savePublicProject({
      body: { payload: { identifier, label: 'One' }, reason },
    })
    const projectId = saved.body.data.id
    await testChain.markets.swap(true, 10n ** 18n)
    await testChain.chain.mine(3)
    service.clock.advance(2 * minuteMilliseconds)
    await client.refreshSavedProject({ params: { projectId }, body: { reason } })
    return projectId
  })

const reason = 'For the test'
const begin = (owner: TestMember, subject: object, by = owner) =>
  callOperation<Run>(by, 'startHealthAgentRun', {
    body: { payload: { kind: 'PUBLIC_PROJECT', subject }, reason },
  })
const result = (owner: TestMember, runId: string, by = owner) =>
  callOperation<Result>(by, 'getAgentRunResult', { params: { runId } })

async function runProject(
  owner: TestMember,
  projectId: string,
  ...observations: number[]
): Promise<{ run: Run; result: Result }> {
  const { data, status, fieldErrors } = await begin(owner, { projectId, observations })
  expect([status, fieldErrors]).toEqual([201, {}])
  const run = await rested(owner, data.id)
  return { run, result: (await result(owner, run.id)).data }
}

describe('a public project', () => {
  it('is described by one sample, each figure at its pointer in the sealed observation', async ({
    owner,
    projectId,
  }) => {
    const { run, result: found } = await runProject(owner, projectId, 1)
    const { report } = found
    expect([found.kind, found.state, run.status]).toEqual([
      ...['PUBLIC_PROJECT', report.state, report.state],
    ])
    expect(report.statement).toBe('one saved sample; no continuous measurement')
    expect(report.conclusions.map(({ workflow, versions }) => [workflow, versions])).toEqual([
      ['PROJECT_HEALTH', [1]],
    ])
    expect([report.changes, found.assessesMarketHealth, found.modeledWorkOnly]).toEqual([
      ...[[], false, false],
    ])
    const [{ evidenceId }] = report.observations as [Report['observations'][number]]
    const { data } = await callOperation<{ content: unknown }>(owner, 'getAgentRunEvidence', {
      params: { runId: run.id, evidenceId },
    })
    const figures = report.conclusions[0]!.sections.flatMap(({ findings }) => findings)
      .flatMap((finding) => finding.figures)
      .filter(({ pointer }) => pointer !== null)
    expect(figures.length).toBeGreaterThan(5)
    for (const { pointer, value } of figures) {
      expect(`${valueAt(data.content, pointer!)}`).toBe(value)
    }
    expect(report.narrative.droppedSentences).toBe(0)
  })

  it('is described by two samples, with the changes and without a cause', async ({
    owner,
    projectId,
  }) => {
    const { report } = (await runProject(owner, projectId, 2, 1)).result
    expect(report.statement).toBe('two saved samples; neither a continuous measurement nor a cause')
    expect(report.observations.map(({ version }) => version)).toEqual([1, 2])
    expect(report.conclusions.map(({ workflow, versions }) => [workflow, versions])).toEqual([
      ['PROJECT_HEALTH', [1]],
      ['PROJECT_HEALTH', [2]],
      ['LIQUIDITY_COMPARISON', [1, 2]],
    ])
    const kept = await owner.client.getSavedProjectObservation({
      params: { projectId, version: 2 },
    })
    expect(report.changes.length).toBeGreaterThan(0)
    expect(report.changes).toEqual(kept.body.data.payload.changes)
    const sentences = report.narrative.sentences.map(({ text }) => text).join(' ')
    expect(sentences).toContain('“two saved samples; neither a continuous measurement nor a cause”')
  })

  it('is the same result for the same samples, at any time and for any caller', async ({
    service,
    owner,
    projectId,
  }) => {
    const first = await runProject(owner, projectId, 1, 2)
    service.clock.advance(10 * minuteMilliseconds)
    const again = await runProject(owner, projectId, 1, 2)
    expect(again.run.id).not.toBe(first.run.id)
    expect(again.result.resultHash).toBe(first.result.resultHash)
    expect(again.result.report).toEqual(first.result.report)
  })

  it('names at most two observations of a project of this organization, each once', async ({
    service,
    owner,
    projectId,
  }) => {
    const refusal = async (subject: object, by = owner) => {
      const { status, code, fieldErrors } = await begin(owner, subject, by)
      return [status, code, Object.keys(fieldErrors)]
    }
    const at = 'payload.subject.observations'
    const invalid = (field: string) => [422, 'LIQUIDITY_AGENT_RUN_SUBJECT_INVALID', [field]]
    expect(await refusal({ projectId, observations: [1, 2, 1] })).toEqual(invalid(at))
    expect(await refusal({ projectId, observations: [1, 1] })).toEqual(invalid(`${at}.1`))
    expect(await refusal({ projectId, observations: [9] })).toEqual(invalid(`${at}.0`))
    const foreignOwner = await newOrganization(service)
    expect(await refusal({ projectId, observations: [1] }, foreignOwner)).toEqual(
      invalid('payload.subject.projectId'),
    )
    const { run } = await runProject(owner, projectId, 1)
    expect((await result(owner, run.id, foreignOwner)).status).toBe(404)
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect((await begin(owner, { projectId, observations: [1] }, viewer)).status).toBe(403)
    expect((await result(owner, run.id, viewer)).status).toBe(200)
  })

  it('returns 503 without content if a sealed byte has changed', async ({
    service,
    owner,
    projectId,
  }) => {
    const { run } = await runProject(owner, projectId, 2)
    for (const { contentHash } of run.payload.capture!.items) {
      const flip = () =>
        service.database.pool.query(
          'update artifacts set content = set_byte(content, 9, get_byte(content, 9) # 1) where content_hash = $1',
          [contentHash],
        )
      await flip()
      const { status, code, data } = await result(owner, run.id)
      await flip()
      expect([status, code, data]).toEqual([503, 'LIQUIDITY_AGENT_RUN_UNVERIFIABLE', undefined])
    }
    expect((await result(owner, run.id)).status).toBe(200)
    const { database, artifacts } = service.services
    expect((await verifyHistory(database, owner.organizationId, artifacts)).faults).toEqual([])
  })
})
