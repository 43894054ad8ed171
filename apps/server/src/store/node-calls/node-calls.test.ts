import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayMilliseconds } from '../../units.ts'
import { openEmbedded } from '../database/connect.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { forgetMinutes, NodeCalls } from './node-calls.ts'

const folder = mkdtempSync(join(tmpdir(), 'liquidity-node-calls-'))
let database: Database
beforeAll(async () => {
  database = await openEmbedded(folder)
  await migrate(database)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const start = Date.parse('2026-01-05T12:00:30Z')
const minute = start / 1000 - 30
const range = { from: minute, until: minute + 600 }
const versionOf = (recordId: string, resourceVersion = '0x01') => ({
  organizationId: 'org_a',
  recordId,
  resourceVersion,
})
const call = { method: 'eth_call', result: 'ANSWERED' as const }
const size = { milliseconds: 5, bytes: 100 }

function process() {
  let now = start
  const calls = new NodeCalls(database, pino({ level: 'silent' }), () => now)
  return { calls, advance: (milliseconds: number) => (now += milliseconds) }
}

const details = {
  providerId: 'main',
  host: 'rpc.example.com',
  reason: 'TIMEOUT',
  method: 'eth_call',
  rpcCode: null,
  httpStatus: null,
  attempts: 1,
  retryAt: null,
  providerText: null,
}

it('adds the minutes of several processes, in memory and stored', async () => {
  const node = versionOf('provider_1')
  const [first, second] = [process(), process()]
  first.calls.count(node, [call, call], size)
  second.calls.count(node, [{ ...call, result: 'REFUSED' }], size)
  await second.calls.close()
  expect(await first.calls.minutes(node, range)).toMatchObject([
    { at: minute, counts: { answered: 2, refused: 1, bytes: 200 } },
  ])
  // The minute is not complete yet, so another process does not see it.
  await first.calls.flush()
  expect(await second.calls.minutes(node, range)).toMatchObject([{ counts: { answered: 0 } }])
  first.advance(60_000)
  first.calls.count(node, [call], size)
  await first.calls.flush()
  expect(await second.calls.minutes(node, range)).toMatchObject([
    { at: minute, counts: { answered: 2, refused: 1 } },
  ])
  await first.calls.close()
  expect((await second.calls.minutes(node, range)).map(({ at }) => at)).toEqual([
    minute,
    minute + 60,
  ])
})

it('hides the calls of another organization', async () => {
  const { calls } = process()
  calls.count(versionOf('provider_2'), [call], size)
  await calls.close()
  const stranger = { ...versionOf('provider_2'), organizationId: 'org_b' }
  expect(await calls.minutes(stranger, range)).toEqual([])
})

it('keeps limits and last error apart, until the next version of the provider', async () => {
  const node = versionOf('provider_3')
  const learned = { logBlocks: { value: 500, at: start } }
  const { calls } = process()
  calls.setLimits(node, learned)
  expect(await calls.state(node)).toEqual({ limits: learned, lastError: null })
  await calls.flush()
  const restarted = process().calls
  restarted.setError(node, details)
  await restarted.flush()
  const at = new Date(start).toISOString()
  const state = { limits: learned, lastError: { ...details, at } }
  expect(await process().calls.state(node)).toEqual(state)
  const next = versionOf('provider_3', '0x02')
  expect(await process().calls.state(next)).toEqual({ limits: {}, lastError: null })
  const renewed = process().calls
  renewed.setLimits(next, {})
  await renewed.flush()
  expect(await process().calls.state(next)).toEqual({ limits: {}, lastError: null })
})

it('forgets minutes after 90 days', async () => {
  const node = versionOf('provider_4')
  const { calls } = process()
  calls.count(node, [call], size)
  await calls.close()
  await database.dispatch(forgetMinutes(start + 89 * dayMilliseconds))
  expect(await calls.minutes(node, range)).toHaveLength(1)
  await database.dispatch(forgetMinutes(start + 91 * dayMilliseconds))
  expect(await calls.minutes(node, range)).toEqual([])
})
