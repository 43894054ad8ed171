import { type ClientOptions, createClient } from '@liquidity-os/client'
import { expect, it } from 'vitest'
import {
  type LiquidityProcess,
  migratedDeployment,
  run as runProgram,
  serve,
  signInAtTerminal,
  untilServing,
} from './support/processes.ts'
import {
  command,
  planned,
  protocolOf,
  type Run,
  researched,
  rested,
} from './support/researching.ts'
import type { TestMember } from './support/service.ts'
import { letSilencePass } from './support/silence.ts'

/** Whoever signed in at the terminal, as the tests of a running service know members. */
const memberOf = (options: ClientOptions & { organizationId: string }): TestMember => ({
  ...{ organizationId: options.organizationId, userId: '', cookie: '', options },
  client: createClient(options),
})

/** The suite kills it once; CRASH=whole kills it in every step, which takes a minute or more. */
const isWhole = process.env.CRASH === 'whole'

it(`research whose worker is killed in ${isWhole ? 'every step' : 'a trial'} has the result of one that was left alone`, async () => {
  const deployment = await migratedDeployment({ WORKER: 'in-process' })
  const service = await serve(deployment)
  const owner = memberOf(await signInAtTerminal(deployment))
  const { DATABASE_URL: url } = deployment.environment
  const kill = async (process: LiquidityProcess) => {
    await process.end('SIGKILL')
    process.start()
    await untilServing(deployment.baseUrl, process)
    // The embedded database has one process, so whoever opens it knows that the one before is gone.
    if (url) await letSilencePass(url)
  }
  const straight = await researched(owner, protocolOf())
  let at: Run = await planned(owner, protocolOf(), { mode: 'STEPWISE' })
  await command(owner, at.id, {
    ...{ command: 'APPROVE_PLAN', expectedPhase: 'AWAITING_APPROVAL' },
    arguments: { protocolHash: at.payload.plan?.protocolHash },
  })
  const killed: (string | null)[] = []
  let asked: string | null = 'CAPTURE'
  for (;;) {
    // Wherever the step is: not begun, under way, or settled a moment ago.
    if (isWhole || asked === 'TRIAL:baseline') {
      await kill(service)
      killed.push(asked)
    }
    at = await rested(owner, at.id)
    if (at.status !== 'PAUSED') break
    asked = at.payload.nextStep
    const said = { command: 'RESUME', expectedPhase: at.payload.phase }
    expect((await command(owner, at.id, said)).status).toBe(200)
  }
  const steps = ['CAPTURE', 'TRIAL:baseline', 'TRIAL:alternative-1', 'DRAFT', 'VERIFY']
  expect(killed).toEqual(isWhole ? steps : ['TRIAL:baseline'])
  expect(at.payload.steps.map(({ step }) => step)).toEqual(['PLAN', ...steps])
  expect(at.payload.resultHash).toBe(straight.payload.resultHash)
  expect(at.payload.report).toEqual(straight.payload.report)
  const verified = await runProgram(['verify-history', '--json'], deployment.environment)
  expect({ status: verified.status, ...JSON.parse(verified.stdout) }).toMatchObject({
    ...{ status: 0, faults: [] },
  })
}, 300_000)
