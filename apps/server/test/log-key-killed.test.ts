// @module-tag long
// @module-tag postgres
// @covers apps/server/src/store apps/server/src/families/prove/proof

import { type ClientOptions, createClient } from '@liquidity-os/client'
import { LogKeys } from '@liquidity-os/evidence'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { venueBody } from './support/bodies.ts'
import {
  type Deployment,
  LiquidityProcess,
  migratedDeployment,
  run,
  serve,
  signInAtTerminal,
} from './support/processes.ts'
import { until } from './support/until.ts'

interface Listed {
  readonly keys: readonly { readonly publicKey: string }[]
  readonly handovers: readonly { readonly note: string }[]
}

async function runJson<T>(args: readonly string[], { environment }: Deployment): Promise<T> {
  const { status, stdout, stderr } = await run([...args, '--json'], environment)
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as T
}

const listed = (deployment: Deployment) => runJson<Listed>(['log-key', 'list'], deployment)

/** A deployment whose log has a signed head, with nobody at work. */
async function headSigned(): Promise<Deployment> {
  const deployment = await migratedDeployment()
  const service = await serve(deployment)
  await headOver(deployment, await signInAtTerminal(deployment), 0)
  await service.end('SIGTERM')
  return deployment
}

/** Keeps a record, and waits until a head of more leaves is signed: the status tells it later. */
async function headOver(deployment: Deployment, options: ClientOptions, size: number) {
  const client = await connected(deployment)
  await createClient(options).createVenues({ body: venueBody(0xabc000) })
  await until('a head is signed', async () => {
    const { rows } = await client.query('select from log_checkpoints where tree_size > $1', [size])
    return rows.length > 0
  })
}

async function connected({ environment }: Deployment): Promise<pg.Client> {
  const client = new pg.Client(environment.DATABASE_URL)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** The backend that waits for what is held; null where none does. */
async function waiting(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query(`select pid from pg_locks where not granted
    and database = (select oid from pg_database where datname = current_database())`)
  return rows[0]?.pid ?? null
}

/** Where the replacement of the key can be held on its way: before it begins, and at each of its two writes. */
const places = [
  'select lock_log_key()',
  'lock table signing_keys in share mode',
  'lock table log_handovers in share mode',
] as const

/** Kills a replacement that is held at a place, and waits until nothing of it is at work any more. */
async function killed(
  deployment: Deployment,
  hold: string,
  dies: 'THE_PROCESS' | 'ITS_CONNECTION_TOO',
): Promise<void> {
  const [holder, observer] = [await connected(deployment), await connected(deployment)]
  await holder.query('begin')
  await holder.query(hold)
  const rotation = new LiquidityProcess(['log-key', 'rotate'], deployment.environment)
  onTestFinished(() => rotation.end('SIGKILL').then(() => undefined))
  rotation.start()
  const backend = await until('the replacement waits', () => waiting(observer))
  expect(await rotation.end('SIGKILL')).toBe('SIGKILL')
  if (dies === 'ITS_CONNECTION_TOO') {
    await observer.query('select pg_terminate_backend($1)', [backend])
  }
  await holder.query('rollback')
  await until('its backend has ended', async () => {
    const { rows } = await observer.query('select from pg_stat_activity where pid = $1', [backend])
    return rows.length === 0
  })
}

// The embedded database belongs to one process, so nobody else can hold anything there.
describe.runIf(process.env.DATABASE_URL)('a replacement of the key of the log', () => {
  it('is whole or not there, wherever its process is killed', async () => {
    const deployment = await headSigned()
    const before = await listed(deployment)
    for (const hold of places) {
      await killed(deployment, hold, 'ITS_CONNECTION_TOO')
      expect(await listed(deployment)).toEqual(before)
    }
    // A database that was told everything may do it all, though nobody waits for its answer.
    await killed(deployment, places[2], 'THE_PROCESS')
    const { keys, handovers } = await listed(deployment)
    expect(handovers.length).toBe(keys.length - 1)
    const notes = handovers.map(({ note }) => note)
    const [, origin = ''] = (notes[0] ?? '').split('\n')
    const inUse = keys[0]!.publicKey
    expect(new LogKeys(origin, inUse, notes).current).toBe(inUse)
    const { faults, head } = await runJson<{ faults: string[]; head: { treeSize: number } }>(
      ...([['verify-log'], deployment] as const),
    )
    expect(faults).toEqual([])
    const service = await serve(deployment)
    const another = await signInAtTerminal(deployment, 'another@example.org')
    await headOver(deployment, another, head.treeSize)
    await service.end('SIGTERM')
    const { from, to } = await runJson<{ from: string; to: string }>(
      ['log-key', 'rotate'],
      deployment,
    )
    expect([from, (await listed(deployment)).keys[0]!.publicKey]).toEqual([inUse, to])
  })
})
