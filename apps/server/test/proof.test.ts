// @module-tag postgres

import {
  type Hash,
  hexToBytes,
  importPublicKey,
  isSignedBy,
  LogKeys,
  merkleLeafHash,
  openCheckpoint,
  parseNote,
  printCheckpoint,
  printNote,
  proofLeaf,
  signLogKeyHandover,
  signNote,
  verifyConsistency,
  verifyInclusion,
} from '@liquidity-os/evidence'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newestCheckpoint } from '../src/families/prove/proof/log-store.ts'
import { rotateLogKey } from '../src/families/prove/proof/rotate-log-key.ts'
import { sequenceEvents } from '../src/families/prove/proof/sequence-events.ts'
import { LogForkedError } from '../src/families/prove/proof/sign-head.ts'
import { verifyLog } from '../src/families/prove/proof/verify-log.ts'
import { limits } from '../src/limits.ts'
import { ConflictError } from '../src/store/database/database.ts'
import { sql } from '../src/store/database/sql.ts'
import { bookmarkBody } from './support/bodies.ts'
import { waitForEvents } from './support/published-events.ts'
import { callOperation } from './support/requests.ts'
import {
  anotherNode,
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './support/service.ts'

interface Leaf {
  kind: 'LEAF'
  leafIndex: number
  leafHash: Hash
  leaf: { kind: 'EVENT'; subjectHash: Hash; loggedAt: string }
  subject: { id: string; resourceVersion: string }
  inclusion: { treeSize: number; path: Hash[] }
  checkpoint: { treeSize: number; rootHash: Hash; note: string }
}
interface Head {
  kind: 'CHECKPOINT'
  treeSize: number
  rootHash: Hash
  note: string
  consistency: { fromSize: number; path: Hash[] } | null
}
type Item = Leaf | Head

let number = 0
const save = async ({ client }: Pick<TestMember, 'client'>) => {
  number += 1
  return (await client.savePlatformProject({ body: bookmarkBody(number) })).body.data.id
}

/** Everything committed is in the log. */
async function logged(service: TestService): Promise<void> {
  await waitForEvents(service)
  await sequenceEvents(service.services)
}

async function proofOf(by: TestMember, query: Record<string, string | number> = {}) {
  const { status, code, data, meta } = await callOperation<Item[]>(by, 'listProofV2', { query })
  return { status, code, items: data, meta }
}

async function walk(by: TestMember, query: Record<string, string | number>): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await proofOf(by, { ...query, ...(cursor ? { cursor } : {}) })
    items.push(...page.items)
    cursor = page.meta?.nextCursor
    if (cursor === undefined) return items
  }
}

const leavesOf = (items: readonly Item[]) => items.filter((item) => item.kind === 'LEAF')
const headsOf = (items: readonly Item[]) => items.filter((item) => item.kind === 'CHECKPOINT')

it('that a restore left behind its events says how many wait, and since when', async () => {
  const service = await startTestService()
  try {
    const owner = await newOrganization(service)
    await save(owner)
    await logged(service)
    expect(await verifyLog(service.database, null)).toMatchObject({ leaves: 1, waiting: 0 })
    // As in a restored database whose node has not started: an event is there and its leaf is not.
    await service.database.pool.query(
      `delete from log_leaves; delete from log_nodes; delete from log_checkpoints;
        update log_state set tree_size = 0, era = 0, transaction_id = 0, last_organization_id = '', ordinal = 0`,
    )
    expect(await verifyLog(service.database, null)).toMatchObject({
      leaves: 0,
      waiting: 1,
      waitingSince: '2026-01-05T12:00:00.000Z',
      faults: [],
    })
  } finally {
    await service.stop()
  }
})

it('without a signed first checkpoint has no fault', async () => {
  const service = await startTestService()
  try {
    await save(await newOrganization(service))
    await logged(service)
    // As it is between its first leaves and its first head.
    await service.database.pool.query(
      `delete from log_checkpoints; delete from signing_keys where purpose = 'log'`,
    )
    expect(await verifyLog(service.database, null)).toMatchObject({
      leaves: 1,
      checkpoints: 0,
      head: null,
      faults: [],
    })
  } finally {
    await service.stop()
  }
})

describe('the proof log', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.stop())

  it('appends every event once, and gives each organization a valid proof', async () => {
    const one = await newOrganization(service)
    const other = await newOrganization(service)
    const ids = [await save(one), await save(one)]
    await save(other)
    await logged(service)
    ids.push(await save(one))
    await logged(service)
    const { body } = await one.client.getOperatingSystemStatus()
    const head = body.data.proofLog!
    expect(head.origin).toBe('127.0.0.1:8080/liquidity-os/log')
    const leaves = leavesOf((await proofOf(one)).items)
    expect(leaves.map(({ subject }) => subject.id)).toEqual(ids.toReversed())
    for (const { leaf, leafHash, leafIndex, inclusion, checkpoint } of leaves) {
      const bytes = proofLeaf(leaf.subjectHash, Date.parse(leaf.loggedAt) / 1000)
      expect(merkleLeafHash(bytes)).toBe(leafHash)
      const opened = openCheckpoint(checkpoint.note, head.origin, head.key.publicKey)
      expect([opened.size, `0x${Buffer.from(opened.root).toString('hex')}`]).toEqual([
        ...[checkpoint.treeSize, checkpoint.rootHash],
      ])
      const proof = { leafIndex, ...inclusion }
      expect(verifyInclusion(bytes, proof, checkpoint.rootHash)).toBe(true)
    }
    const known = await one.client.listEvents({})
    const eventHashes = known.body.data.events.map(({ evidenceHash }) => evidenceHash)
    expect(leaves.map(({ leaf }) => leaf.subjectHash)).toEqual(eventHashes.toReversed())
    const foreignLeaves = leavesOf((await proofOf(other)).items)
    expect(foreignLeaves).toHaveLength(1)
    expect(await verifyLog(service.database, head.note)).toMatchObject({
      leaves: 4,
      checkpoints: 2,
      faults: [],
    })
  })

  it('chains its checkpoints, each an extension of the previous one', async () => {
    const owner = await newOrganization(service)
    for (let count = 0; count < 3; count += 1) {
      await save(owner)
      await logged(service)
    }
    const heads = headsOf(await walk(owner, { kind: 'CHECKPOINT', limit: 2 })).toReversed()
    expect(heads.length).toBeGreaterThanOrEqual(3)
    expect(heads[0]!.consistency).toBeNull()
    for (const [index, { treeSize, rootHash, consistency }] of heads.entries()) {
      const before = heads[index - 1]
      if (!before) continue
      expect(consistency!.fromSize).toBe(before.treeSize)
      const proof = { ...consistency!, treeSize }
      expect(verifyConsistency(proof, before.rootHash, rootHash)).toBe(true)
      expect(verifyConsistency(proof, rootHash, rootHash)).toBe(false)
    }
  })

  it('is walked page by page, both kinds in the order of the log', async () => {
    const owner = await newOrganization(service)
    await save(owner)
    await save(owner)
    await logged(service)
    await save(owner)
    await logged(service)
    const whole = await proofOf(owner, { limit: 100 })
    expect(await walk(owner, { limit: 1 })).toEqual(whole.items)
    const places = whole.items.map((item) =>
      item.kind === 'LEAF' ? item.leafIndex + 1 : item.treeSize,
    )
    expect(places).toEqual(places.toSorted((a, b) => b - a))
    expect(whole.items.map(({ kind }) => kind).slice(0, 5)).toEqual([
      ...['CHECKPOINT', 'LEAF', 'CHECKPOINT', 'LEAF', 'LEAF'],
    ])
  })

  it('finds the leaves of one record, and no checkpoint is of a record', async () => {
    const owner = await newOrganization(service)
    const [id] = [await save(owner), await save(owner)]
    await logged(service)
    const found = await proofOf(owner, { subject: id })
    expect(leavesOf(found.items).map(({ subject }) => subject.id)).toEqual([id])
    expect(found.items).toHaveLength(1)
    const refused = await proofOf(owner, { subject: id, kind: 'CHECKPOINT' })
    expect([refused.status, refused.code]).toEqual([400, 'LIQUIDITY_INVALID_REQUEST'])
  })

  it('shows an event once a signed head covers it', async () => {
    const owner = await newOrganization(service)
    await save(owner)
    await waitForEvents(service)
    expect(leavesOf((await proofOf(owner)).items)).toEqual([])
  })

  it('is appended to by one of several nodes at a time, and by either after the other', async () => {
    const node = await anotherNode(service)
    const owner = await newOrganization(service)
    for (let count = 0; count < 10; count += 1) await save(owner)
    await waitForEvents(service)
    await Promise.all([node, service, node, service].map((one) => sequenceEvents(one.services)))
    await save(owner)
    await waitForEvents(service)
    await sequenceEvents(node.services)
    const { faults } = await verifyLog(service.database, null)
    expect(faults).toEqual([])
    expect(leavesOf(await walk(owner, { kind: 'LEAF' }))).toHaveLength(11)
  })

  it('can be added to by the role that sequences, which sees no event, and by no other', async () => {
    const { database } = service
    const add = sql`insert into log_leaves (leaf_index, subject_hash, logged_at) values (999999, 'x', 0)`
    await expect(database.global([add])).rejects.toThrow(/permission denied/)
    for (const forbidden of [
      sql`update log_leaves set logged_at = 0`,
      sql`delete from log_checkpoints`,
      sql`select body from events`,
      sql`select body from records`,
    ]) {
      await expect(database.proofLog([forbidden])).rejects.toThrow(/permission denied/)
    }
  })
})

describe('a key of the log that is replaced', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.stop())

  const rotate = () => rotateLogKey(service.services, service.clock.read())
  /** As it is now: the status tells a head for some seconds. */
  const published = async ({ client }: TestMember) => {
    service.clock.advance(limits.freshnessMilliseconds)
    return (await client.getOperatingSystemStatus()).body.data.proofLog!
  }
  const grown = async (owner: TestMember) => {
    await save(owner)
    await logged(service)
    return published(owner)
  }

  it('vouches for the next, signs together with it for a while, and keeps its signatures', async () => {
    const owner = await newOrganization(service)
    await expect(rotate()).rejects.toThrow('has not signed a checkpoint yet')
    const first = await grown(owner)
    const { from, to, treeSize, note } = await rotate()
    expect([from, treeSize]).toEqual([first.key.publicKey, first.treeSize])
    // Nothing was signed since, and what was is of the earlier key.
    expect(await published(owner)).toEqual({ ...first, handovers: [note] })
    await expect(rotate()).rejects.toThrow('has not signed a checkpoint yet')
    const both = await grown(owner)
    expect(both.key.publicKey).toBe(to)
    for (const key of [from, to]) openCheckpoint(both.note, both.origin, key)
    service.clock.advance(limits.logKeyOverlapMilliseconds)
    const later = await newOrganization(service)
    const alone = await grown(later)
    expect(parseNote(alone.note).signatures).toHaveLength(1)
    openCheckpoint(alone.note, alone.origin, to)
    for (const known of [first, both, alone]) {
      expect((await verifyLog(service.database, known.note)).faults).toEqual([])
    }
    const second = await rotate()
    const last = await grown(later)
    expect([second.from, last.handovers]).toEqual([to, [note, second.note]])
    expect(new LogKeys(last.origin, '', last.handovers).at(last.treeSize)).toBe(second.to)
    expect((await verifyLog(service.database, first.note)).faults).toEqual([])
  })

  it('is replaced once by two that ask at the same time, while heads are signed', async () => {
    const owner = await newOrganization(service)
    const node = await anotherNode(service)
    const { handovers } = await grown(owner)
    await save(owner)
    await waitForEvents(service)
    const requests = await Promise.allSettled([
      ...[rotate(), sequenceEvents(node.services), rotate(), sequenceEvents(service.services)],
    ])
    const refused = requests.flatMap((one) =>
      one.status === 'rejected' ? [one.reason.message] : [],
    )
    for (const message of refused)
      expect(message).toMatch(/try again|has not signed a checkpoint yet/)
    await logged(service)
    const { faults } = await verifyLog(service.database, (await grown(owner)).note)
    expect(faults).toEqual([])
    const newHandovers = (await published(owner)).handovers.length - handovers.length
    expect(newHandovers).toBe(2 - refused.length)
  })

  it('signs together with its successors for the set time, and is skipped if it cannot be decrypted', async () => {
    const owner = await newOrganization(service)
    await grown(owner)
    service.clock.advance(limits.logKeyOverlapMilliseconds)
    const first = await rotate()
    const later = await newOrganization(service)
    await grown(later)
    const second = await rotate()
    const keys = [first.from, second.from, second.to]
    const signedBy = ({ note, origin }: { note: string; origin: string }) =>
      keys.filter((key) => isSignedBy(parseNote(note), origin, importPublicKey(key)))
    expect(signedBy(await grown(later))).toEqual(keys)
    const unsealed = `update signing_keys set sealed_private_key = replace(sealed_private_key, '.', '-gone.')
      where public_key = '${first.from}'`
    await service.database.pool.query(unsealed)
    expect(signedBy(await grown(later))).toEqual(keys.slice(1))
    expect((await verifyLog(service.database, null)).faults).toEqual([])
  })

  it('signs no checkpoint for a process of the previous release, which reads the key and no handover', async () => {
    const owner = await newOrganization(service)
    const { origin, rootHash } = await grown(owner)
    const { logKeys, clock } = service.services
    const read = await logKeys.current(clock())
    const { treeSize } = await rotate()
    const size = treeSize + 1
    const root = hexToBytes(rootHash.slice(2))
    const note = signNote(printCheckpoint({ origin, size, root }), origin, read)
    const stored = sql`insert into log_checkpoints (tree_size, root_hash, note, signed_at)
      values (${size}, ${rootHash}, ${note}, ${clock()})`
    await expect(service.database.proofLog([stored])).rejects.toThrow(ConflictError)
    await save(owner)
    await logged(service)
    expect((await verifyLog(service.database, null)).faults).toEqual([])
  })

  it('is replaced whole or not at all, whatever fails on the way', async () => {
    const owner = await newOrganization(service)
    const { key } = await grown(owner)
    const change = (text: string) => service.database.pool.query(text)
    await change('revoke insert on log_handovers from liquidity_app')
    await expect(rotate()).rejects.toThrow(/permission denied/)
    await change('grant insert on log_handovers to liquidity_app')
    expect((await grown(owner)).key).toEqual(key)
    expect((await verifyLog(service.database, null)).faults).toEqual([])
    expect((await rotate()).from).toBe(key.publicKey)
  })

  it('is found if it did not vouch for the current key, and no checkpoint is signed by that', async () => {
    const owner = await newOrganization(service)
    const { origin, treeSize, rootHash } = await grown(owner)
    const change = (text: string) => service.database.pool.query(text)
    const { logKeys, clock } = service.services
    const earlier = await logKeys.current(clock())
    const { key, statements } = logKeys.replacement(earlier, clock())
    await service.database.global(statements)
    const { faults } = await verifyLog(service.database, null)
    expect(faults.join('\n')).toContain(`No key of the log has signed the key ${key.publicKey.raw}`)
    const logged = vi.spyOn(service.services.log, 'error')
    expect(await published(owner)).toBeNull()
    expect(logged).toHaveBeenCalledWith(
      {
        err: expect.objectContaining({
          message: expect.stringMatching(/^No key of the log has signed the key/),
        }),
      },
      'Failed to read the checkpoint of the proof log.',
    )
    logged.mockRestore()
    await expect(rotate()).rejects.toThrow('do not form a chain')
    await save(owner)
    await waitForEvents(service)
    await expect(sequenceEvents(service.services)).rejects.toThrow(LogForkedError)
    // A note that only the later key signed is none.
    const whole = signLogKeyHandover(
      { origin, size: treeSize, root: hexToBytes(rootHash.slice(2)) },
      ...([earlier, key] as const),
    )
    const { text, signatures } = parseNote(whole)
    const half = printNote({ text, signatures: signatures.slice(1) })
    await change(`insert into log_handovers values (${treeSize}, '${half}', 0)`)
    const keyless = signNote(text.replace(earlier.publicKey.raw, 'x'), origin, earlier, key)
    for (const [broken, fault] of [
      [half, 'did not sign'],
      [keyless, 'contains a malformed key: x'],
    ] as const) {
      await change(`update log_handovers set note = '${broken}' where tree_size = ${treeSize}`)
      const found = (await verifyLog(service.database, null)).faults
      expect(found).toEqual([expect.stringContaining(fault)])
    }
    const forked = { origin, size: treeSize, root: Buffer.alloc(32, 1) }
    const lines = text.split('\n')
    const rootless = ['liquidity-os/log-key-handover/v1', ...lines.slice(1, 3), ...lines.slice(4)]
    for (const [note, found] of [
      [signLogKeyHandover(forked, earlier, key), { faults: 1, rootless: [] }],
      [signNote(rootless.join('\n'), origin, earlier, key), { faults: 0, rootless: [treeSize] }],
      [whole, { faults: 0, rootless: [] }],
    ] as const) {
      await change(`update log_handovers set note = '${note}' where tree_size = ${treeSize}`)
      const report = await verifyLog(service.database, null)
      expect({ faults: report.faults.length, rootless: report.rootless.slice(-1) }).toEqual(found)
      for (const fault of report.faults) {
        expect(fault).toMatch(`The handover at ${treeSize} leaves has the root`)
      }
    }
    await sequenceEvents(service.services)
    expect((await verifyLog(service.database, null)).faults).toEqual([])
    // It is held against the leaves without any checkpoint, too.
    await change('delete from log_checkpoints')
    const note = signLogKeyHandover(forked, earlier, key)
    await change(`update log_handovers set note = '${note}' where tree_size = ${treeSize}`)
    expect((await verifyLog(service.database, null)).faults).toEqual([
      expect.stringContaining(`The handover at ${treeSize} leaves has the root`),
    ])
  })
})

describe('a tampered log', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.stop())

  /** A log that was begun anew by a node that remembers its own heads alone, and a checkpoint of it that somebody kept. */
  async function kept() {
    const change = (text: string) => service.database.pool.query(text)
    await change('truncate log_state, log_leaves, log_nodes, log_checkpoints')
    const owner = await newOrganization(service)
    for (let count = 0; count < 5; count += 1) await save(owner)
    const node = await anotherNode(service)
    const sequence = async () => {
      await waitForEvents(service)
      await sequenceEvents(node.services)
    }
    await sequence()
    const head = await newestCheckpoint(service.database)
    return { sequence, owner, change, note: head!.note, size: head!.treeSize }
  }

  it('by another leaf in the place of one is found, and its head is not signed', async () => {
    const { owner, change, note, size, sequence } = await kept()
    await change(`update log_nodes set hash = sha256('another') where level = 0 and place = 2`)
    await change(`update log_leaves set logged_at = logged_at + 1 where leaf_index = 2`)
    const { faults } = await verifyLog(service.database, note)
    expect(faults.join('\n')).toContain(`checkpoint of ${size} leaves has the root`)
    expect(faults.join('\n')).toContain('known checkpoint has the root')
    expect(faults.join('\n')).toContain('stored hash 0/2 does not match its leaves')
    await change(`update log_nodes set hash = sha256('another') where level = 2`)
    await save(owner)
    await expect(sequence()).rejects.toThrow(LogForkedError)
  })

  it('by taking its end away is found by who kept a checkpoint, and by who signed it', async () => {
    const { change, note, size, sequence } = await kept()
    await change('delete from log_checkpoints')
    await change(`delete from log_leaves where leaf_index >= ${size - 2}`)
    await change(`update log_state set tree_size = ${size - 2}, ordinal = 1000000`)
    const { faults } = await verifyLog(service.database, note)
    expect(faults).toContain(
      `The known checkpoint covers ${size} leaves, but the log has ${size - 2}.`,
    )
    const message = `The log had ${size} leaves and now has ${size - 2}.`
    await expect(sequence()).rejects.toThrow(new LogForkedError(message))
  })

  it('by a checkpoint that its key did not sign is found, and not continued', async () => {
    const { change, note, size, owner, sequence } = await kept()
    const { text, signatures } = parseNote(note)
    const forged = signatures.map((line) => ({ ...line, signature: line.signature.with(0, 1) }))
    await change(`update log_checkpoints set note = '${printNote({ text, signatures: forged })}'`)
    const { faults } = await verifyLog(service.database, null)
    expect(faults.join('\n')).toMatch(`checkpoint of ${size} leaves: The checkpoint is not signed`)
    await save(owner)
    await expect(sequence()).rejects.toThrow(LogForkedError)
  })

  it('by leaving an event out, or putting in what never happened, is found', async () => {
    const { change } = await kept()
    await change(`update log_leaves set subject_hash = '0x${'1'.repeat(64)}' where leaf_index = 4`)
    const { faults } = await verifyLog(service.database, null)
    expect(faults.join('\n')).toMatch(/The event 0x[0-9a-f]{64} has no leaf/)
    expect(faults.join('\n')).toMatch(/Leaf 4 /)
  })
})
