import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { callOperation } from './requests.ts'
import type { TestMember } from './service.ts'
import { until } from './until.ts'

export type Run = VersionedRecord<contract.AgentRun>
export type Protocol = contract.ResearchProtocol
export type Planning = {
  protocolDraft: contract.ResearchProtocolDraft | null
  protocolHash: string | null
  sealed: boolean
  clarifications: { clarificationId: string; answer: string | null }[]
  feasibility: contract.ResearchFeasibility[]
  revisions: { diff: string[] }[]
  allowedCommands: string[]
}

const reason = 'For the test'

/** The protocol of the example: two ranges on 200 paths of a day, run in a fraction of a second. */
export const protocolOf = (change: Partial<Protocol> = {}): Protocol => ({
  ...(structuredClone(
    contract.startHealthAgentRun.example.body.payload.subject.protocol,
  ) as unknown as Protocol),
  ...change,
})

export const start = (by: TestMember, payload: object) =>
  callOperation<Run>(by, 'startHealthAgentRun', {
    body: { payload: { kind: 'RESEARCH', ...payload }, reason },
  })

export const command = (by: TestMember, runId: string, statement: object) =>
  callOperation<{ run: Run; event: { kind: string }; allowedCommands: string[] }>(
    by,
    'applyAgentRunCommand',
    {
      params: { runId },
      body: { ...statement, reason },
    },
  )

export const readRun = async (by: TestMember, runId: string): Promise<Run> =>
  (await callOperation<Run>(by, 'getAgentRun', { params: { runId } })).data

export const readPlanning = async (by: TestMember, runId: string): Promise<Planning> =>
  (await callOperation<Planning>(by, 'getResearchPlanning', { params: { runId } })).data

const resting = ['PAUSED', 'COMPLETED', 'PARTIAL', 'ABSTAINED', 'FAILED', 'REVOKED']

/** The run once no job works on it. */
export const rested = (by: TestMember, runId: string): Promise<Run> =>
  until('the run to rest', async () => {
    const run = await readRun(by, runId)
    return resting.includes(run.status) ? run : null
  })

/** Starts a run of a protocol and waits until its plan is there. */
export async function planned(by: TestMember, protocol: Protocol, more: object = {}): Promise<Run> {
  const response = await start(by, { subject: { protocol }, ...more })
  if (response.status !== 201)
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return rested(by, response.data.id)
}

/** Approves what the plan shows. */
export async function approve(by: TestMember, { id, payload }: Run) {
  return command(by, id, {
    command: 'APPROVE_PLAN',
    expectedPhase: 'AWAITING_APPROVAL',
    arguments: { protocolHash: payload.plan?.protocolHash },
  })
}

/** A protocol from its plan to its end. */
export async function researched(by: TestMember, protocol: Protocol): Promise<Run> {
  const run = await planned(by, protocol)
  const response = await approve(by, run)
  if (response.status !== 200)
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return rested(by, run.id)
}
