// @module-tag postgres

import {
  generatePrivateKey,
  hexToBytes,
  noteKeyKinds,
  openCheckpoint,
  parseNote,
  parseVerifierKey,
  printCheckpoint,
  printVerifierKey,
  signNote,
} from '@liquidity-os/evidence'
import { expect, vi } from 'vitest'
import { WitnessAsker } from '../src/families/prove/proof/ask-witnesses.ts'
import { cosignHead } from '../src/families/prove/proof/cosign-head.ts'
import { newestCheckpoint } from '../src/families/prove/proof/log-store.ts'
import { sequenceEvents } from '../src/families/prove/proof/sequence-events.ts'
import { verifyLog } from '../src/families/prove/proof/verify-log.ts'
import { limits } from '../src/limits.ts'
import { bookmarkBody } from './support/bodies.ts'
import { it } from './support/fixtures.ts'
import { waitForEvents } from './support/published-events.ts'
import { callOperation } from './support/requests.ts'
import type { TestMember, TestService } from './support/service.ts'
import { until } from './support/until.ts'
import {
  logKeyOf,
  nodeWith,
  runMovingWitness,
  runSilentWitness,
  runWitness,
} from './support/witnesses.ts'

const origin = '127.0.0.1:8080/liquidity-os/log'

let number = 0
/** The log with one event more, under a signed head. */
async function grown(service: TestService, owner: TestMember) {
  number += 1
  await owner.client.savePlatformProject({ body: bookmarkBody(number) })
  await waitForEvents(service)
  await sequenceEvents(service.services)
  return head(service)
}

async function head(service: TestService) {
  const newest = await newestCheckpoint(service.database)
  if (!newest) throw new Error('A head was signed.')
  return newest
}

const signersOf = (note: string) => parseNote(note).signatures.map(({ name }) => name)

async function askWitnesses(service: TestService, asker: WitnessAsker) {
  await asker.look()
  await asker.settled()
  return signersOf((await head(service)).note)
}

/** How often a witness was asked, by what became of it. */
async function outcomes({ services }: TestService, witness: string) {
  const line = /^liquidity_log_witness_seconds_count\{witness="(.*)",outcome="(.*)"\} (\d+)$/gm
  const found = [...(await services.metrics.print()).matchAll(line)]
  return Object.fromEntries(
    found.flatMap(([, name, outcome, count]) =>
      name === witness ? [[outcome, Number(count)]] : [],
    ),
  )
}

it('has its checkpoints cosigned, shows the lines, and continues with a witness that was killed or lost its state', async ({
  service,
  owner,
}) => {
  await grown(service, owner)
  const witness = await runWitness('witness.example/one', [await logKeyOf(service, origin)])
  const node = await nodeWith(service, [witness.configured()])
  const asker = new WitnessAsker(node.services)
  expect(await askWitnesses(service, asker)).toEqual([origin, 'witness.example/one'])
  const first = await head(service)
  await witness.kill()
  await grown(service, owner)
  expect(await askWitnesses(service, asker)).toEqual([origin])
  await witness.start()
  const again = await nodeWith(service, [witness.configured()])
  const later = new WitnessAsker(again.services)
  expect(await askWitnesses(service, later)).toEqual([origin, 'witness.example/one'])
  // What is kept says that it never cosigned anything; it says itself what it has.
  await service.database.pool.query('delete from log_cosignatures')
  const { treeSize } = await grown(service, owner)
  expect(await askWitnesses(service, later)).toEqual([origin, 'witness.example/one'])
  expect(await outcomes(node, 'witness.example/one')).toEqual({ COSIGNED: 1, UNREACHABLE: 1 })
  expect(await outcomes(again, 'witness.example/one')).toEqual({ COSIGNED: 2 })
  service.clock.advance(limits.freshnessMilliseconds)
  const shown = (await owner.client.getOperatingSystemStatus()).body.data.proofLog
  expect(shown?.note).toBe((await head(service)).note)
  openCheckpoint(shown!.note, origin, shown!.key.publicKey)
  const { data } = await callOperation<{ note: string }[]>(owner, 'listProofV2', {
    query: { kind: 'CHECKPOINT', limit: 1 },
  })
  expect(data[0]?.note).toBe(shown?.note)
  const report = await verifyLog(service.database, first.note, [witness.configured()])
  expect(report.faults).toEqual([])
  expect(report.witnesses).toEqual([
    { key: witness.vkey, cosigned: 1, newest: treeSize, isConfigured: true },
  ])
  const line = `(select line from log_cosignatures limit 1)`
  await service.database.pool.query(
    `insert into log_cosignatures values (${first.treeSize}, 'other', 'no key', ${line}),
      (1000000, 'witness.example/one', '${witness.configured().publicKey}', ${line})`,
  )
  const { faults, witnesses } = await verifyLog(service.database, null)
  expect(faults).toEqual([
    `The line of other at ${first.treeSize} leaves is not a valid cosignature of that checkpoint.`,
    'The line of witness.example/one at 1000000 leaves is not a valid cosignature of that checkpoint.',
  ])
  expect(witnesses).toEqual([
    { key: witness.vkey, cosigned: 1, newest: treeSize, isConfigured: false },
  ])
  await service.database.pool.query('delete from log_cosignatures')
})

it('is refused where it forks: the witness cosigns neither another root nor fewer leaves', async ({
  service,
  owner,
}) => {
  await grown(service, owner)
  const { treeSize, rootHash, note } = await grown(service, owner)
  const vkey = await logKeyOf(service, origin)
  const witness = await runWitness('witness.example/two', [vkey])
  const node = await nodeWith(service, [witness.configured()])
  await askWitnesses(service, new WitnessAsker(node.services))
  const key = await service.services.logKeys.current(service.clock.read())
  const signed = (size: number, byte: number | null, name = origin, signer = key) => {
    const root = byte === null ? hexToBytes(rootHash.slice(2)) : Buffer.alloc(32, byte)
    return signNote(printCheckpoint({ origin: name, size, root }), name, signer)
  }
  const ask = async (body: string) => {
    const answer = await fetch(`${witness.configured().url}/add-checkpoint`, {
      method: 'POST',
      body,
    })
    return [answer.status, answer.headers.get('content-type'), await answer.text()]
  }
  const known = [409, 'text/x.tlog.size', `${treeSize}\n`]
  expect(await ask(`old ${treeSize}\n\n${signed(treeSize, 1)}`)).toEqual(known)
  expect(await ask(`old ${treeSize - 1}\n\n${signed(treeSize - 1, 1)}`)).toEqual(known)
  expect(await ask(`old 0\n\n${note}`)).toEqual(known)
  const hash = Buffer.alloc(32).toString('base64')
  for (const [status, body] of [
    [422, `old ${treeSize}\n${hash}\n\n${signed(treeSize + 1, 1)}`],
    [422, `old ${treeSize}\n\n${signed(treeSize + 1, 1)}`],
    [422, `old ${treeSize}\n${hash}\n\n${note}`],
    [400, `old ${treeSize + 1}\n\n${note}`],
    [400, `old 0${treeSize}\n\n${note}`],
    [400, `old ${treeSize}\n${'A'.repeat(43)}\n\n${note}`],
    [400, `old ${treeSize}\n${`${hash}\n`.repeat(64)}\n${note}`],
    [400, note],
    [403, `old ${treeSize}\n\n${signed(treeSize, null, origin, generatePrivateKey())}`],
    [404, `old 0\n\n${signed(treeSize, null, 'another.example/log')}`],
  ] as const) {
    expect((await ask(body))[0], body).toBe(status)
  }
  expect((await ask(`old ${treeSize}\n\n${note}`))[0]).toBe(200)
  const before = { ...(await head(service)), treeSize: treeSize - 1, note: signed(treeSize - 1, 1) }
  const { signal } = new AbortController()
  const again = () =>
    cosignHead(node.services, witness.configured(), before, { seen: { size: 0 }, signal })
  expect(await again()).toEqual({ outcome: 'OVERTAKEN' })
  // Of a log that was cut behind what the witness saw.
  await service.database.pool.query(`delete from log_checkpoints where tree_size = ${treeSize}`)
  expect(await again()).toEqual({
    outcome: 'REFUSED',
    detail: `it reports ${treeSize} leaves, which matches no checkpoint that the one of ${treeSize - 1} leaves extends`,
  })
})

it('does not wait: a hanging witness blocks neither checkpoints nor other witnesses', async ({
  service,
  owner,
}) => {
  await grown(service, owner)
  const witness = await runWitness('witness.example/three', [await logKeyOf(service, origin)])
  const other = printVerifierKey(
    ...(['silent.example', generatePrivateKey().publicKey.raw] as const),
    noteKeyKinds.cosignature,
  )
  const silent = await runSilentWitness({
    ...parseVerifierKey(other, noteKeyKinds.cosignature),
    url: '',
  })
  const node = await nodeWith(service, [silent.configured, witness.configured()])
  const asker = new WitnessAsker(node.services)
  for (let count = 1; count <= 3; count += 1) {
    const { treeSize } = await grown(service, owner)
    await asker.look()
    const cosigned = await until('the other witness has cosigned', async () => {
      const { note } = await head(service)
      return signersOf(note).includes('witness.example/three') ? await head(service) : null
    })
    expect(cosigned.treeSize).toBe(treeSize)
  }
  expect(silent.asked()).toBe(1)
  await asker.stop()
  expect(await outcomes(node, 'witness.example/three')).toEqual({ COSIGNED: 3 })
})

it.for([
  [403, 'REFUSED'],
  [404, 'REFUSED'],
  [429, 'UNREACHABLE'],
  [502, 'UNREACHABLE'],
  [503, 'UNREACHABLE'],
] as const)(
  'treats status %i, of a witness or a proxy, as %s',
  async ([status, outcome], { service, owner }) => {
    const newest = await grown(service, owner)
    const key = printVerifierKey(
      ...(['before.example', generatePrivateKey().publicKey.raw] as const),
      noteKeyKinds.cosignature,
    )
    const witness = { ...parseVerifierKey(key, noteKeyKinds.cosignature), url: '' }
    const { configured } = await runSilentWitness(witness, status)
    const node = await nodeWith(service, [configured])
    const { signal } = new AbortController()
    const request = { seen: { size: 0 }, signal }
    expect(await cosignHead(node.services, configured, newest, request)).toEqual({
      outcome,
      detail: `it returned HTTP ${status}`,
    })
  },
)

it('is overtaken and not refused where a witness moves on between two requests, and refused where it stays', async ({
  service,
  owner,
}) => {
  await grown(service, owner)
  const newest = await grown(service, owner)
  const key = printVerifierKey(
    ...(['moving.example', generatePrivateKey().publicKey.raw] as const),
    noteKeyKinds.cosignature,
  )
  const witness = { ...parseVerifierKey(key, noteKeyKinds.cosignature), url: '' }
  const { signal } = new AbortController()
  const outcomeOf = async (...sizes: number[]) => {
    const moving = await runMovingWitness(witness, sizes)
    const node = await nodeWith(service, [moving])
    return (await cosignHead(node.services, moving, newest, { seen: { size: 0 }, signal })).outcome
  }
  const { treeSize } = newest
  expect(await outcomeOf(treeSize - 1, treeSize)).toBe('OVERTAKEN')
  expect(await outcomeOf(treeSize - 1, treeSize - 1)).toBe('REFUSED')
  expect(await outcomeOf(treeSize - 1, treeSize + 1)).toBe('REFUSED')
})

it('counts from zero for each configured witness before its first request', async ({ service }) => {
  const witness = await runWitness('witness.example/counted', [await logKeyOf(service, origin)])
  const node = await nodeWith(service, [witness.configured()])
  const asker = new WitnessAsker(node.services)
  asker.start()
  expect(await outcomes(node, 'witness.example/counted')).toEqual({
    COSIGNED: 0,
    OVERTAKEN: 0,
    REFUSED: 0,
    NOT_ITS_COSIGNATURE: 0,
    UNREACHABLE: 0,
  })
  await asker.stop()
})

it('stores no line of another key, reports it once, and retries later', async ({
  service,
  owner,
}) => {
  const { note } = await grown(service, owner)
  const witness = await runWitness('witness.example/four', [await logKeyOf(service, origin)])
  const name = 'witness.example/four'
  const wrong = printVerifierKey(
    ...([name, generatePrivateKey().publicKey.raw] as const),
    noteKeyKinds.cosignature,
  )
  const { url } = witness.configured()
  const expected = { ...parseVerifierKey(wrong, noteKeyKinds.cosignature), url }
  const node = await nodeWith(service, [expected])
  const warnings = vi.spyOn(node.services.log, 'warn')
  const asker = new WitnessAsker(node.services)
  expect(await askWitnesses(service, asker)).toEqual([origin])
  expect(await askWitnesses(service, asker)).toEqual([origin])
  service.clock.advance(limits.logWitnessPauseMilliseconds)
  await askWitnesses(service, asker)
  expect(await outcomes(node, name)).toEqual({ NOT_ITS_COSIGNATURE: 2 })
  expect(warnings).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ witness: name, outcome: 'NOT_ITS_COSIGNATURE' }),
    'A witness has not cosigned the checkpoint of the proof log; the service retries.',
  )
  warnings.mockRestore()
  expect((await head(service)).note).toBe(note)
})
