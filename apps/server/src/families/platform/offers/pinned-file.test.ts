import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '@liquidity-os/contract'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Services } from '../../../services.ts'
import { type Offered, readOffered } from './pinned-file.ts'

const plans = {
  version: '2026-11',
  validUntil: '2026-12-01T00:00:00.000Z',
  plans: [{ planId: 'team', name: 'Team', summary: 'For one token.', price: null, includes: [] }],
}
const expiry = Date.parse(plans.validUntil)

const offered: Offered<contract.PlansFile> = {
  variable: 'PLANS_FILE',
  fileOf: ({ config }) => config.plansFile,
  schema: contract.PlansFile,
  fault: ({ version }) => (version === 'no' ? 'version must not be no.' : null),
}

/** What is read of a file with this text, and what the log says of it. */
function reading(text: string, pinned = text) {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-offers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'plans.json')
  writeFileSync(path, text)
  const warn = vi.fn<(reported: { reason: string }) => void>()
  const sha256 = createHash('sha256').update(pinned).digest('hex')
  const services = { config: { plansFile: { path, sha256 } }, log: { warn } }
  return {
    path,
    read: (now = expiry - 1) =>
      readOffered(services as unknown as Pick<Services, 'config' | 'log'>, offered, now),
    reportedMessages: () => warn.mock.calls.map(([{ reason }]) => reason),
  }
}

it('reads a pinned document until it expires, once per process', async () => {
  const { read, reportedMessages, path } = reading(JSON.stringify(plans))
  expect(await read()).toEqual(plans)
  writeFileSync(path, '{}')
  expect(await read()).toEqual(plans)
  expect(await read(expiry)).toBeNull()
  expect(reportedMessages()).toEqual([])
})

it.each([
  [
    'other bytes',
    `${JSON.stringify(plans)} `,
    JSON.stringify(plans),
    /SHA-256 of the file is [0-9a-f]{64}/,
  ],
  ['too many', `${JSON.stringify(plans)}${' '.repeat(65_536)}`, undefined, /at most 65536 bytes/],
  ['no JSON', '{"version":', undefined, /./],
  ['a member twice', '{"version":"a","version":"b"}', undefined, /two fields with the same name/],
  ['an unknown member', JSON.stringify({ ...plans, discount: 1 }), undefined, /discount/],
  ['no plan', JSON.stringify({ ...plans, plans: [] }), undefined, /plans/],
  ['no time', JSON.stringify({ ...plans, validUntil: 'soon' }), undefined, /validUntil/],
  ['what the family objects to', JSON.stringify({ ...plans, version: 'no' }), undefined, /be no/],
])('takes nothing of a file with %s, and the log says so once', async (_, text, pinned, reason) => {
  const { read, reportedMessages } = reading(text, pinned)
  expect([await read(), await read()]).toEqual([null, null])
  expect(reportedMessages()).toEqual([expect.stringMatching(reason)])
})

it('takes nothing where there is no file', async () => {
  const { read, reportedMessages, path } = reading(JSON.stringify(plans))
  rmSync(path)
  expect(await read()).toBeNull()
  expect(reportedMessages()).toEqual([expect.stringMatching(/ENOENT/)])
})
