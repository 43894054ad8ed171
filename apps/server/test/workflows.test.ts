import { H } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { limits } from '../src/limits.ts'
import { newId } from '../src/store/records/ids.ts'
import { dayMilliseconds } from '../src/units.ts'
import { it } from './support/fixtures.ts'
import { observedProject } from './support/observed-project.ts'
import { newMember, newOrganization, type TestMember } from './support/service.ts'

type Payload = {
  workflow: string
  subjects: { projectId: string; version: number }[]
  parameters?: { baseAmount?: string }
}
const run = async ({ client }: TestMember, payload: Payload) =>
  (await client.runWorkflowResearch({ body: { payload, reason: 'For the test' } as never })).body
    .data

async function refusalOf(promise: Promise<unknown>) {
  const refused = await promise.then(
    () => null,
    (error: { status: number; code: string; body: { error: { fieldErrors?: object } } }) => error,
  )
  return [refused?.status, refused?.code, Object.keys(refused?.body.error.fieldErrors ?? {})]
}

it('runs each workflow on pinned observations, the same every time', async ({ service }) => {
  const owner = await newOrganization(service)
  const projectId = await observedProject(service, owner)
  const [first, second] = [1, 2].map((version) => ({ projectId, version })) as [
    Payload['subjects'][number],
    Payload['subjects'][number],
  ]
  const payloads: Payload[] = [
    { workflow: 'PROJECT_HEALTH', subjects: [first] },
    { workflow: 'LIQUIDITY_COMPARISON', subjects: [first, second] },
    { workflow: 'EXIT_SCALE', subjects: [second], parameters: { baseAmount: '10' } },
  ]
  const ids: string[] = []
  for (const payload of payloads) {
    const made = await run(owner, payload)
    expect(made).toMatchObject({ status: 'COMPLETED', payload: { workflow: payload.workflow } })
    const { resultHash, evidence, executionAuthorityGranted, ...result } = made.payload
    expect(resultHash).toBe(H('workflow-result/v1', result))
    expect(evidence.inputs).toHaveLength(payload.subjects.length)
    expect(executionAuthorityGranted).toBe(false)
    expect((await run(owner, payload)).payload.resultHash).toBe(resultHash)
    ids.unshift(made.id)
  }
  const page = await owner.client.listCompletedWorkflowRuns({ query: { limit: 4 } })
  const { nextCursor = '' } = page.body.meta
  const rest = await owner.client.listCompletedWorkflowRuns({ query: { cursor: nextCursor } })
  const listed = [...page.body.data, ...rest.body.data].map(({ id }) => id)
  expect(listed).toHaveLength(6)
  expect(listed).toEqual(expect.arrayContaining(ids))
  const params = { id: ids[0]! }
  expect((await owner.client.getCompletedWorkflowRun({ params })).body.data.id).toBe(ids[0])
  const foreignOwner = await newOrganization(service)
  const foreign = refusalOf(foreignOwner.client.getCompletedWorkflowRun({ params }))
  expect((await foreign)[0]).toBe(404)
})

it('refuses subjects and parameters that a workflow does not take, before it looks for any', async ({
  service,
}) => {
  const owner = await newOrganization(service)
  const projectId = await observedProject(service, owner)
  const subject = { projectId, version: 1 }
  const invalid = 'LIQUIDITY_WORKFLOW_PARAMETERS_INVALID'
  for (const [payload, code, field] of [
    [{ workflow: 'LIQUIDITY_COMPARISON', subjects: [subject] }, invalid, 'subjects'],
    [{ workflow: 'LIQUIDITY_COMPARISON', subjects: [subject, subject] }, invalid, 'subjects.1'],
    [{ workflow: 'EXIT_SCALE', subjects: [subject] }, invalid, 'parameters.baseAmount'],
    [
      { workflow: 'EXIT_SCALE', subjects: [subject], parameters: { baseAmount: '0' } },
      ...([invalid, 'parameters.baseAmount'] as const),
    ],
    [
      { workflow: 'PROJECT_HEALTH', subjects: [subject], parameters: { baseAmount: '1' } },
      ...([invalid, 'parameters.baseAmount'] as const),
    ],
    [
      { workflow: 'PROJECT_HEALTH', subjects: [{ projectId, version: 3 }] },
      ...(['LIQUIDITY_WORKFLOW_SUBJECT_INVALID', 'subjects.0'] as const),
    ],
  ] as const) {
    const refused = await refusalOf(run(owner, payload as unknown as Payload))
    expect(refused).toEqual([422, code, [`payload.${field}`]])
  }
  const foreignOwner = await newOrganization(service)
  const foreign = await refusalOf(
    run(foreignOwner, { workflow: 'PROJECT_HEALTH', subjects: [subject] }),
  )
  expect(foreign.slice(0, 2)).toEqual([422, 'LIQUIDITY_WORKFLOW_SUBJECT_INVALID'])
})

it('reports the possible runs per record, and the remaining daily budget', async ({ service }) => {
  // Ids of a process never go back, and a file before this one may have been in a later year.
  const idsAt = Number.parseInt(newId('id', 0).slice(3, 15), 16)
  service.clock.advance(Math.max(0, idsAt + 1 - service.clock.read()))
  const owner = await newOrganization(service)
  const { client } = owner
  const context = async (member: TestMember = owner) =>
    (await member.client.getWorkflowContext()).body.data
  expect(await context()).toMatchObject({ role: 'OWNER', mayRun: true, used: 0, limit: 50 })
  expect((await context()).workflows.map(({ missing }) => missing)).toEqual([
    ...[['SAVED_PROJECT'], ['SAVED_PROJECT'], ['SAVED_PROJECT']],
  ])
  const projectId = await observedProject(service, owner)
  const { workflows, resetsAt } = await context()
  expect(workflows.map(({ subjects }) => subjects)).toEqual(
    Array.from({ length: 3 }, () => [{ projectId, version: 2, label: 'Token' }]),
  )
  const viewer = await newMember(service, owner.organizationId, 'VIEWER')
  expect(await context(viewer)).toMatchObject({ role: 'VIEWER', mayRun: false })
  const payload = { workflow: 'PROJECT_HEALTH', subjects: [{ projectId, version: 1 }] }
  for (let made = 0; made < limits.workflowRunsPerDay; made += 1) await run(owner, payload)
  expect(await context()).toMatchObject({ mayRun: false, used: 50 })
  const request = client.runWorkflowResearch({
    body: { payload, reason: 'One more' } as never,
  })
  expect((await refusalOf(request)).slice(0, 2)).toEqual([429, 'LIQUIDITY_WORKFLOW_LIMIT'])
  service.clock.advance(Date.parse(resetsAt) - service.clock.read())
  const tomorrow = await context(await newMember(service, owner.organizationId, 'ANALYST'))
  expect(tomorrow).toMatchObject({ role: 'ANALYST', mayRun: true, used: 0 })
  expect(Date.parse(tomorrow.resetsAt) - service.clock.read()).toBe(dayMilliseconds)
})
