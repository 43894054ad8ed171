// @module-tag long
// @module-tag postgres
// @covers apps/server/src/cli apps/server/src/service.ts apps/server/src/store/database

import { createClient } from '@liquidity-os/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bookmarkBody } from './support/bodies.ts'
import { hostOf } from './support/chain.ts'
import {
  LiquidityProcess,
  migratedDeployment,
  run,
  runProcess,
  serve,
  signInAtTerminal,
  untilServing,
} from './support/processes.ts'
import { startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'

const onPostgres = Boolean(process.env.DATABASE_URL)

const json = ({ stdout }: { stdout: string }) => JSON.parse(stdout)

describe('the command line with a running service', () => {
  it('every command works, and the service sees it at once', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.stop())
    const deployment = await migratedDeployment({ OUTBOUND_ALLOW: hostOf(receiver.url) })
    await serve(deployment)
    const cli = (...args: string[]) => run(args, deployment.environment)
    const options = await signInAtTerminal(deployment)
    const { organizationId } = options
    const client = createClient(options)
    const inOrg = ['--organization', organizationId]
    expect((await client.getOperatingSystemWorkspace()).body.data.role).toBe('OWNER')
    await cli('member', 'add', 'second@example.org', ...inOrg, '--role', 'OWNER')
    await cli('member', 'role', 'owner@example.org', ...inOrg, '--role', 'OPERATOR')
    expect((await client.getOperatingSystemWorkspace()).body.data.role).toBe('OPERATOR')
    await client.createWebhooks({
      body: {
        payload: { url: receiver.url, eventKinds: ['platform_project.saved'] },
        reason: 'Test',
      },
    })
    await client.savePlatformProject({ body: bookmarkBody(1) })
    await until('the delivery', () => receiver.received.length === 1)
    const delivered = await until('the delivery to be recorded', async () => {
      const { deliveries } = json(await cli('webhook', 'deliveries', ...inOrg, '--json'))
      return deliveries[0]?.status === 'DELIVERED' ? deliveries[0] : null
    })
    expect(delivered).toMatchObject({ attempts: 1, lastOutcome: 'DELIVERED', lastStatus: 200 })
    const text = await cli('webhook', 'deliveries', ...inOrg)
    expect(text.stdout).toContain(`DELIVERED  ${delivered.messageId}`)
    const resent = await cli('webhook', 'resend', delivered.messageId, ...inOrg)
    expect(resent.stdout).toBe('1 deliveries queued.\n')
    await until('the second delivery', () => receiver.received.length === 2)
    const verified = await cli('verify-history', '--json')
    expect(json(verified)).toMatchObject({ organizations: 1, faults: [] })
    await cli('member', 'remove', 'owner@example.org', ...inOrg)
    await expect(client.getOperatingSystemWorkspace()).rejects.toMatchObject({ status: 403 })
  })

  it('a sign-in link is printed to its terminal where there is no mail server', async () => {
    const deployment = await migratedDeployment()
    const service = await serve(deployment)
    await signInAtTerminal(deployment, 'ada@example.org')
    const response = await fetch(`${deployment.baseUrl}/auth/email-links`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.org' }),
    })
    expect(response.status).toBe(202)
    await service.untilPrinted(`${deployment.baseUrl}/auth/sign-in#`)
    expect(service.output).toContain('To: ada@example.org')
  })

  it('ends at the first signal, after the requests that were under way', async () => {
    const deployment = await migratedDeployment()
    const service = await serve(deployment)
    const options = await signInAtTerminal(deployment)
    const client = createClient({ ...options, fetch })
    const saves = Array.from({ length: 50 }, (_, index) =>
      client
        .savePlatformProject({ body: bookmarkBody(index), idempotencyKey: `during-${index}` })
        .then(
          ({ body }) => body.data.id,
          () => null,
        ),
    )
    await Promise.race(saves)
    expect(await service.end('SIGTERM')).toBe(0)
    const answered = (await Promise.all(saves)).filter((id) => id !== null)
    expect(service.output).not.toMatch(/"level":[56]0/)
    const verified = json(await run(['verify-history', '--json'], deployment.environment))
    expect(verified.faults).toEqual([])
    expect(verified.records).toBeGreaterThanOrEqual(answered.length)
    expect(answered.length).toBeGreaterThanOrEqual(1)
  })
})

describe.each(onPostgres ? [] : [['the embedded database'] as const])('%s', () => {
  it('belongs to one process: a second one is refused, and a killed one leaves it free', async () => {
    const deployment = await migratedDeployment()
    const first = await serve(deployment)
    for (const args of [['serve'], ['worker']]) {
      const second = await runProcess(args, { ...deployment.environment, PORT: '0' })
      expect([args, second.status]).toEqual([args, 1])
      expect(second.stderr).toMatch(/^The data directory .+ is in use by another process\./)
    }
    await first.end('SIGKILL')
    const next = new LiquidityProcess(['serve'], deployment.environment)
    onTestFinished(() => next.end('SIGKILL').then(() => undefined))
    next.start()
    await untilServing(next)
  })
})
