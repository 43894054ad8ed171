import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { openInMemory } from './connect.ts'
import { imageFile } from './fresh-directory.ts'
import { assertMigrated, migrate, migrations, SchemaOutdatedError } from './migrate.ts'

/** SHA-256 of the statements of migrations that databases have seen; a further one is added when it has landed. */
const landed: Readonly<Record<string, string>> = {
  '0001-foundation': '64019de2a70ebf2fdd95d25fc3959458c1d60df1eb139eded1e9e5130dfbfe45',
  '0002-artifacts-outside': '4e433e85359aecf65e5b55396f85b7bf2a40647dececc614eb39b3cf81c2ccee',
  '0003-public-slugs': 'b6b347eab7758ce11eb29950f1ee8b769cd8e85a1301b81643c59324a113660d',
  '0004-signing-keys': 'fb0d8796cfa5f4169c11bfcb23ec838e62ee8f227018f8f26619700851024708',
  '0005-open-jobs': '5278810c611b70c840dc84cbc5ac3dfc271438273af1194f7f28fd9ef1109125',
  '0006-study-batches': '3674cdf7c60811faebecebefa6ab6afe44a559c80394076728a86d04ae1448a4',
  '0007-append-changes': '1f2e3c25d46fc6e5ccbe5fe698ee82178d18214cbbb6f4ee98aac18664774f0b',
  '0008-own-conflicts': '24d7b21f5acc7ef95fc5f508522d3a160dc3d5c5781a7af89c4a27608effa3ac',
  '0009-client-organizations': 'f3ac1161563ceb80a4717501d85a53bcef25c96b1318fd4be8db58f5c1e528e8',
  '0010-held-deliveries': 'cccc1ab989aa065d24acc9c444a7db6d270e7f26962b847fc7d01dd41b5d967e',
  '0011-jobs-of-a-subject': 'c565645b8ba7805f444df180865d8c099a73e53cda2c34fe968b8a44133a5b79',
  '0012-alert-messages': 'a8d35f371f7998270d24625c4320914531923c5d0a82fa5589c59e518e8ae819',
  '0013-price-points': '56fd684f9772ad78d9123ad1618494be370b68fb9f8c37f4311c91c1603d4516',
  '0014-order-of-events': '9e523d15b166a2fe1f8538b422add2f037b4d2327f145bc1885ac8fa1ced92d1',
  '0015-webhook-hosts': '3629274b76c06f7eaa2a471ebab73f9b4ced32a99232d64de83a5e59f4c40871',
  '0016-standing-heads': '907aad8b5973ce58429504c0dd8ede632cc9d5604e9b2c8ad68004ae1970905d',
  '0017-known-browsers': '536e1ce114777af295f6b3a37f1e3a152ddfa806730af24a018fd55ba03840c3',
  '0018-purges': '7f93ecfc4c9bb94888b875f28f4077baa3719d9e5124ab35462a8090764ba698',
  '0019-proof-log': '82f7642c7b33a733370ea19400a814f139b609f1d4e18528784dfd126c116529',
  '0020-public-analyses': 'c4f1143faa0daee7573011e13ff3cdca388fa215ffcd71349da73411caed3163',
  '0021-partners': '80985bdca3cf6aaba6ab492355888b5047ef5f2e551aba62d7eb79cab83d1f4e',
  '0022-grants-by-time': 'ba2a30bebce40a61aaacfb182990482d88f7b05f5df154fb43e1ced9a3550eb1',
  '0023-preliminary': 'e01fea4d1f35c6bf4aa19648ffdcd47658fde37539a3ee7d4cc42641ddae1159',
  '0024-study-grounds': '2d12edcdfc48bf577f1f3a8cf757063b1ee4cffe273dbcb61f4278607156551a',
  '0025-webhook-fronts': '9e8eaf66f98c494798fcc24c1fdfec4121d992ea0c760ffc0b9281b54c955781',
  '0026-passkeys': 'f21154fb104f9ef5aa6f14c07c0e03eb6f0995a93780799505833b3f89897ff8',
  '0027-log-keys': '12e402bd97d8f28bd983d84df0a32cf9dd4548c734560795d859231bdb14fd29',
  '0028-log-cosignatures': '798301ed572efe8a4a716f2dc28e8c2ffef2aeb9a268156b781c73dbf215ee7d',
  '0029-organization-usage': '49be205f10acb6b22f9b528462aef89f873dbd3e8c9259e9d8ae29d4d90971e9',
  '0030-organization-quotas': 'e4c4acd05e2d43b1c89429611012e5c31f9fcd3ba027c7fba7ca01172e64fa3e',
  '0031-membership-epochs': 'c2bbd438b4f79ecfc4f37622478580a0c406dd6b2d32daf472204b56fb213aba',
  '0032-invitations': '294c7368fd78c1909efdbcd9a7c8f2c1ac012b21199bd15ed8f7253eeb539338',
  '0033-venue-spans': '1b995511e123536dec77701dceab23679116e96a892d7e1bb8e447de173c47d0',
}

/** A migration without its empty lines and the sentences beside its statements. */
const statementsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('--'))
    .join('\n')

it('never changes a migration that has landed: a database that has its name would not see the change', () => {
  const hashes = Object.entries(migrations).map(([name, text]) => [
    name,
    createHash('sha256').update(statementsOf(text)).digest('hex'),
  ])
  expect(Object.fromEntries(hashes)).toMatchObject(landed)
})

it('applies migrations in the order of their numbers, one for each', () => {
  const numbers = Object.keys(migrations).map((name) => /^(\d{4})-[a-z-]+$/.exec(name)?.[1])
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')))
})

it('starts on the schema of a later release, so that nodes can follow one another, and not on an earlier one', async () => {
  const database = await openInMemory()
  onTestFinished(() => database.close())
  await expect(assertMigrated(database)).rejects.toThrow(SchemaOutdatedError)
  expect(await migrate(database)).toEqual(Object.keys(migrations))
  await assertMigrated(database)
  const later = `insert into kysely_migration values ('9999-of-a-later-release', 'then')`
  await database.pool.query(later)
  await assertMigrated(database)
  expect(await migrate(database)).toEqual([])
})

it('gives events that there are already their place, by their times, also under a plain owner', async () => {
  const database = await openInMemory(new Blob([zstdDecompressSync(readFileSync(imageFile))]))
  try {
    const run = (text: string) => database.pool.query(text)
    const names = Object.keys(migrations)
    const order = names.indexOf('0014-order-of-events')
    for (const name of names.slice(0, order)) await run(migrations[name] ?? '')
    const eventRow = (subject: string, occurredAt: string) =>
      `('org_1', '${subject}', 1, '{"kind":"venue.created","occurredAt":"${occurredAt}"}')`
    await run(
      `insert into events (organization_id, subject_id, sequence, body)
        values ${eventRow('a', '2026-01-02T00:00:00.001Z')}, ${eventRow('b', '2026-01-01T00:00:00.000Z')}`,
    )
    // The policies bind also the owner of a table, unless that is a superuser.
    await run('create role plain; grant all on schema public to plain')
    await run('alter table events owner to plain; alter table webhook_deliveries owner to plain')
    await run(`alter function append_change_group owner to plain; set role plain`)
    await run(migrations['0014-order-of-events'] ?? '')
    await run('reset role')
    const { rows } = await run(
      'select subject_id, kind, at, era, transaction_id, ordinal from events order by ordinal',
    )
    const place = { kind: 'venue.created', era: '0', transaction_id: '0' }
    expect(rows).toEqual([
      { subject_id: 'b', ...place, at: String(Date.UTC(2026, 0, 1)), ordinal: '1' },
      { subject_id: 'a', ...place, at: String(Date.UTC(2026, 0, 2) + 1), ordinal: '2' },
    ])
  } finally {
    await database.close()
  }
})
