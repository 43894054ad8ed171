// @module-tag long
// @covers apps/server/src/families/intelligence/agent-runs apps/server/src/jobs

import { type ClientOptions, createClient } from '@liquidity-os/client'
import { expect, it, onTestFinished } from 'vitest'
import type { FaultPoint } from '../src/fault-points.ts'
import { hostOf, startTestChain } from './support/chain.ts'
import { startModelServer, wordsBy } from './support/model-server.ts'
import {
  type Deployment,
  type LiquidityProcess,
  migratedDeployment,
  run as runProgram,
  serve,
  signInAtTerminal,
  untilServing,
} from './support/processes.ts'
import { publicChain } from './support/public-chain.ts'
import {
  approve,
  command,
  planned,
  protocolOf,
  type Run,
  researched,
  rested,
  start,
} from './support/researching.ts'
import type { TestMember } from './support/service.ts'
import { letSilencePass } from './support/silence.ts'

/** Whoever signed in at the terminal, as the tests of a running service know members. */
const memberOf = (options: ClientOptions & { organizationId: string }): TestMember => ({
  organizationId: options.organizationId,
  email: '',
  userId: '',
  cookie: '',
  options,
  client: createClient(options),
})

/** Starts a killed service again, and waits until it may take over what it worked at. */
async function restart(service: LiquidityProcess, { environment }: Deployment) {
  service.start()
  await untilServing(service)
  // The embedded database has one process, so its next owner knows that the one before is gone.
  const { DATABASE_URL: url } = environment
  if (url) await letSilencePass(url)
}

/** Where a step is killed: a trial once it has run and before its result is written, other steps at their start. */
const faultOf = (step: string | null): { point: FaultPoint; detail: string } =>
  step?.startsWith('TRIAL')
    ? { point: 'commit:before-write', detail: 'agent_run.trial_settled' }
    : { point: 'job:claimed', detail: 'AGENT_RUN_STEP' }

it('research whose worker is killed in every step has the result of an undisturbed run', async () => {
  const deployment = await migratedDeployment({ WORKER: 'in-process' })
  const service = await serve(deployment, { hasFaultPoints: true })
  const owner = memberOf(await signInAtTerminal(deployment))
  const straight = await researched(owner, protocolOf())
  let at: Run = await planned(owner, protocolOf(), { mode: 'STEPWISE' })
  let fault = await service.killAt('job:claimed', { detail: 'AGENT_RUN_STEP' })
  await command(owner, at.id, {
    command: 'APPROVE_PLAN',
    expectedPhase: 'AWAITING_APPROVAL',
    arguments: { protocolHash: at.payload.plan?.protocolHash },
  })
  const killed: (string | null)[] = []
  let step: string | null = 'CAPTURE'
  for (;;) {
    expect((await fault.killed).point).toBe(faultOf(step).point)
    killed.push(step)
    await restart(service, deployment)
    at = await rested(owner, at.id)
    if (at.status !== 'PAUSED') break
    step = at.payload.nextStep
    const { point, detail } = faultOf(step)
    fault = await service.killAt(point, { detail })
    const resume = { command: 'RESUME', expectedPhase: at.payload.phase }
    expect((await command(owner, at.id, resume)).status).toBe(200)
  }
  const steps = ['CAPTURE', 'TRIAL:baseline', 'TRIAL:alternative-1', 'DRAFT', 'VERIFY']
  expect(killed).toEqual(steps)
  expect(at.payload.steps.map(({ step }) => step)).toEqual(['PLAN', ...steps])
  expect(at.payload.resultHash).toBe(straight.payload.resultHash)
  expect(at.payload.report).toEqual(straight.payload.report)
  const verified = await runProgram(['verify-history', '--json'], deployment.environment)
  expect({ status: verified.status, ...JSON.parse(verified.stdout) }).toMatchObject({
    status: 0,
    faults: [],
  })
})

it('research whose worker is killed during a model call has the result of an undisturbed run', async () => {
  const model = await startModelServer()
  onTestFinished(() => model.stop())
  const deployment = await migratedDeployment({
    WORKER: 'in-process',
    OUTBOUND_ALLOW: hostOf(model.url),
    PROVIDER_SECRET_MODEL: '127.0.0.1 the-secret',
  })
  const service = await serve(deployment, { hasFaultPoints: true })
  const owner = memberOf(await signInAtTerminal(deployment))
  const plain = await researched(owner, protocolOf())
  const configuration = { protocol: 'OPENAI_CHAT', model: 'a-model', timeoutMilliseconds: 60_000 }
  await owner.client.putOperatingSystemProvider({
    body: {
      payload: {
        providerId: 'words',
        kind: 'LANGUAGE_MODEL',
        displayName: 'Words',
        endpoint: `${model.url}/v1`,
        credentialReference: 'env:PROVIDER_SECRET_MODEL',
        configuration,
      },
      reason: 'For the test',
    },
  })
  // To be registered it was probed.
  model.requests.length = 0
  const run = await planned(owner, protocolOf())
  const modelRequested = new Promise<void>((resolve) => {
    // The first question is never answered: whoever asked is killed.
    model.answer = () => resolve()
  })
  expect((await approve(owner, run)).status).toBe(200)
  await modelRequested
  model.answer = wordsBy((text) => text)
  await service.end('SIGKILL')
  await restart(service, deployment)
  const at = await rested(owner, run.id)
  expect(model.requests).toHaveLength(2)
  expect(at.status).toBe('COMPLETED')
  const params = { runId: run.id }
  const { data } = (await owner.client.getAgentRunResult({ params })).body
  expect(data.narration).toMatchObject({ status: 'MODEL', attempts: 1, model: 'a-model' })
  expect(at.payload.steps.map(({ step }) => step)).toContain('NARRATE')
  expect([at.payload.resultHash, data.report]).toEqual([
    plain.payload.resultHash,
    plain.payload.report,
  ])
})

it('a review whose worker is killed in every step has the result of an undisturbed run', async () => {
  const test = await startTestChain()
  const deployment = await migratedDeployment({ WORKER: 'in-process', ...publicChain(test) })
  const service = await serve(deployment, { hasFaultPoints: true })
  const owner = memberOf(await signInAtTerminal(deployment))
  const identifier = { chainId: 31_337, address: test.markets.tokens[0] as string }
  const body = { payload: { identifier, label: 'One' }, reason: 'To follow it' }
  const projectId = (await owner.client.savePublicProject({ body })).body.data.id
  const begin = async (mode: string) => {
    const subject = { projectId, observations: [1] }
    const response = await start(owner, { kind: 'PUBLIC_PROJECT', subject, mode })
    expect([response.code, response.status]).toEqual(['', 201])
    return rested(owner, response.data.id)
  }
  const straight = await begin('AUTO')
  let at = await begin('STEPWISE')
  while (at.status === 'PAUSED') {
    const { phase, nextStep } = at.payload
    const { point, detail } = faultOf(nextStep)
    const fault = await service.killAt(point, { detail })
    const resume = { command: 'RESUME', expectedPhase: phase }
    expect((await command(owner, at.id, resume)).status).toBe(200)
    expect((await fault.killed).point).toBe(point)
    await restart(service, deployment)
    at = await rested(owner, at.id)
  }
  expect(at.payload.steps.map(({ step }) => step)).toEqual(['PLAN', 'CAPTURE', 'DRAFT', 'VERIFY'])
  expect(at.payload.resultHash).toBe(straight.payload.resultHash)
  expect(at.payload.report).toEqual(straight.payload.report)
  await test.chain.stop()
})
