// @module-tag long
// @covers apps/server/src/families/prove/passports

import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { zipOf } from '../src/families/prove/passports/bundle/zip.ts'
import { internals } from '../verifier/verify.mjs'
import {
  acceptedChanges,
  authorizationForgeries,
  chainForgeries,
  emptyForms,
  type FileChange,
  type Forgery,
  fileChanges,
  fileForgeries,
  issuerLies,
  listForgeries,
} from './support/forgeries.ts'
import { bundleOf, type GenuineBundle, issuerKey } from './support/genuine-bundle.ts'
import { askVerifiers, failingChecks } from './support/verifiers.ts'

const page = new URL('../../../docs/methodology/passport-verification.md', import.meta.url)
const [begin, end] = ['<!-- forgeries -->\n', '<!-- /forgeries -->']

let disclosed: GenuineBundle
let otherDisclosed: GenuineBundle
beforeAll(async () => {
  disclosed = await bundleOf('disclosed', 1)
  otherDisclosed = await bundleOf('disclosed', 2)
})

/** The checks that fail for each forgery. Each verifier gives the same result in each line. An empty key is none. */
function refusals(forgeries: readonly Forgery[], key = issuerKey): string[] {
  const answers = Object.entries(
    askVerifiers(
      forgeries.map(({ bytes }) => bytes),
      key || undefined,
    ),
  )
  const [[, first]] = answers as [(typeof answers)[0]]
  const named = (found: typeof first) =>
    found.map(({ lines, answers: three }, index) => [forgeries[index]?.name, lines, three])
  for (const [verifier, found] of answers) expect(named(found), verifier).toEqual(named(first))
  return first.map(failingChecks)
}

/** Files that nothing binds, and those that a bundle may lack. */
const unbound = /^(README\.txt|verify\.mjs)$/
const mayLack =
  /^(chain\/.*|(receipts\/receipts|sources\/(anomalies|ledgerEntries))\.json|README\.txt|verify\.mjs)$/
const isAccepted = (path: string, change: FileChange) =>
  unbound.test(path) || (change === 'removed' && mayLack.test(path))

/** Changes of each file with the checks that fail for all of its forms. */
function fileTable(bundle: GenuineBundle, other: GenuineBundle, forms?: readonly string[]) {
  const cells = [...bundle.files.keys()].sort().flatMap((path) => {
    const all = fileForgeries(bundle, other, path, forms)
    return fileChanges.map((change) => ({ path, change, forgeries: all[change] }))
  })
  const found = refusals(cells.flatMap(({ forgeries }) => forgeries))
  return cells.map(({ path, change, forgeries }) => {
    const checks = found.splice(0, forgeries.length)
    for (const [index, one] of checks.entries())
      expect(one === '', forgeries[index]?.name).toBe(isAccepted(path, change))
    const [first = '', ...more] = checks
    const shared = first.split(' ').filter((code) => more.every((one) => one.includes(code)))
    return { path, change, shared: shared.join(', '), isPossible: forgeries.length > 0 }
  })
}

it('each file altered, emptied, removed or swapped is refused', async () => {
  const rows = fileTable(disclosed, otherDisclosed)
  const paths = [...new Set(rows.map(({ path }) => path))]
  const cell = (path: string, change: FileChange) => {
    const found = rows.find((row) => row.path === path && row.change === change)
    return found?.isPossible ? found.shared || 'accepted' : '–'
  }
  expectOnPage('Files', [
    '| File | Altered | Emptied | Removed | Swapped |',
    '| --- | --- | --- | --- | --- |',
    ...paths.map(
      (path) => `| \`${path}\` | ${fileChanges.map((change) => cell(path, change)).join(' | ')} |`,
    ),
  ])
  const withheld = await bundleOf('withheld', 1)
  fileTable(withheld, await bundleOf('withheld', 2), emptyForms.slice(0, 2))
})

it('a file altered under the old manifest is refused', () => {
  const unrepaired = [...disclosed.files].map(([path, content]) => {
    const changed = Buffer.from(content)
    changed[changed.length >> 1]! ^= 1
    const manifest = internals.readZip(disclosed.bytes).get('manifest.json')!
    const files = new Map([...disclosed.files, [path, changed], ['manifest.json', manifest]])
    return { name: path, bytes: Buffer.from(zipOf(files)) }
  })
  expect(refusals(unrepaired)).toEqual(unrepaired.map(() => 'B1'))
})

it('truncated proofs and lists are refused', async () => {
  const chain = [disclosed, await bundleOf('withheld', 1)].flatMap(chainForgeries)
  expect(refusals(chain).filter((checks) => checks !== 'B12')).toEqual([])
  const lists = listForgeries(disclosed)
  const found = refusals(lists.map(([, forgery]) => forgery))
  for (const [index, [fails, { name }]] of lists.entries())
    expect(found[index]?.split(' '), name).toContain(fails)
  const kinds = new Set(
    chain.map(({ name }) => name.replace(/^chain\/\d+\.json: /, '').replace(/ \d+(\/\d+)?/, '')),
  )
  const owners = authorizationForgeries(disclosed)
  expect(refusals(owners, '')).toEqual(owners.map(() => 'B5'))
  expectOnPage('Parts', [
    '| Change of a part | Refused by |',
    '| --- | --- |',
    ...[...kinds].map((kind) => `| \`chain/<n>.json\`: ${kind} | B12 |`),
    ...lists.map(([, { name }], index) => `| ${name} | ${found[index]?.split(' ').join(', ')} |`),
    ...owners.map(({ name }) => `| ${name}, without \`--issuer-key\` | B5 |`),
  ])
})

it('what an issuer signs against the chain or its own records is refused', async () => {
  const lies = await issuerLies()
  const found = refusals(lies.map(([, forgery]) => forgery))
  for (const [index, [fails, { name }]] of lies.entries())
    expect(found[index]?.split(' '), name).toContain(fails)
  expectOnPage('Signed', [
    '| Signed by the issuer | Refused by |',
    '| --- | --- |',
    ...lies.map(([, { name }], index) => `| ${name} | ${found[index]?.split(' ').join(', ')} |`),
  ])
})

it('accepted changes are those listed, each with its reason', () => {
  const changes = acceptedChanges(disclosed)
  expect(refusals(changes.map(([, forgery]) => forgery))).toEqual(changes.map(() => ''))
  expectOnPage('Accepted', [
    '| Accepted change | Reason |',
    '| --- | --- |',
    ...changes.map(([reason, { name }]) => `| ${name} | ${reason} |`),
  ])
})

/** The table under a name on the page; `UPDATE_FORGERIES=1` writes it. */
function expectOnPage(name: string, table: readonly string[]): void {
  const text = readFileSync(page, 'utf8')
  const [from, to] = [begin, end].map((mark) => mark.replace('forgeries', `forgeries: ${name}`))
  const start = text.indexOf(from!) + from!.length
  const stop = text.indexOf(to!)
  if (start < from!.length || stop < start) throw new Error(`The page has no place for ${name}.`)
  const written = `${table.join('\n')}\n`
  if (process.env.UPDATE_FORGERIES) {
    writeFileSync(page, text.slice(0, start) + written + text.slice(stop))
    return
  }
  expect(text.slice(start, stop)).toBe(written)
}
