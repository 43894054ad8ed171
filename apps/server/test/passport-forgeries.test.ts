// @module-tag long
// @covers apps/server/src/families/prove/passports

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Hex, hexToBytes, keccak256, toRlp } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { internals } from '../verifier/verify.mjs'
import { exampleBundle, exampleIssuerKey } from './support/bundle.ts'
import {
  acceptedChanges,
  authorizationForgeries,
  chainForgeries,
  edited,
  type Forgery,
  fileForgeries,
  issuerLies,
  listForgeries,
} from './support/forgeries.ts'
import {
  type BundleParts,
  blocksOf,
  bundleOf,
  emptyTrieRoot,
  type GenuineBundle,
  issuerKey,
  knownCheckpointOf,
  seal,
} from './support/genuine-bundle.ts'
import { trieOf, word } from './support/trie.ts'
import { askVerifiers, failingChecks, type Known } from './support/verifiers.ts'

let withheld: GenuineBundle
let disclosed: GenuineBundle
beforeAll(async () => {
  withheld = await bundleOf('withheld', 1)
  disclosed = await bundleOf('disclosed', 1)
})

/** The checks that fail, with the same result in each line of each verifier; empty if they accept it. An empty key is none. */
function refusals(forgeries: readonly Forgery[], key = issuerKey): string[] {
  const bundles = forgeries.map(({ bytes }) => bytes)
  const [first = [], ...others] = Object.values(askVerifiers(bundles, key || undefined))
  for (const other of others) expect(other).toEqual(first)
  return first.map(failingChecks)
}

// The full list is in passport-forgeries-all.test.ts.
describe('the three verifiers', () => {
  it('accept genuine bundles', () => {
    expect(refusals([withheld, disclosed].map(({ bytes }) => ({ name: '', bytes })))).toEqual([
      '',
      '',
    ])
    expect(refusals([{ name: 'the example', bytes: exampleBundle }], exampleIssuerKey)).toEqual([
      '',
    ])
  })

  it('refuse what an issuer signs against the chain or its own records', async () => {
    const named = new Set([
      ...['threshold 0, with an empty proof', 'nonce 0, with an empty proof'],
      ...['another threshold than on chain', 'receipts counted as none under a root'],
      ...['limits of null', 'compliance without receipts', 'another block bound than was read'],
      ...['a log that counts twice as many executions'],
      ...['a log that counts executions where there are none', 'a balance of another account'],
      ...['own tokens at more than a sale gives', 'another reliability than its samples'],
      ...['a reconciled position of one side', 'another rented liquidity than its venues hold'],
    ])
    const lies = (await issuerLies()).filter(([, { name }]) => named.has(name))
    expect(lies.length).toBe(named.size)
    const found = refusals(lies.map(([, forgery]) => forgery))
    for (const [index, [fails, { name }]] of lies.entries())
      expect(found[index]?.split(' '), name).toContain(fails)
  })

  it('refuse truncated proofs and a file that no check reads', () => {
    const isCore =
      /slot 0\/2 zero|account proof 0 emptied|storage proof 0\/3 emptied|accounts emptied/
    const chain = chainForgeries(withheld).filter(({ name }) => isCore.test(name))
    expect(chain.length).toBe(5)
    expect(refusals(chain)).toEqual(chain.map(() => 'B12'))
    const lists = listForgeries(disclosed).filter(([, { name }]) =>
      /^(sources\/extra.json added|receipts.*its hash|log\/consistency.json: path emptied)$/.test(
        name,
      ),
    )
    expect(refusals(lists.map(([, forgery]) => forgery))).toEqual(['B8', 'B10', 'B10'])
  })

  it('refuse an empty set of records in another form than a list', () => {
    const { emptied } = fileForgeries(withheld, withheld, 'receipts/receipts.json', ['""', '{}'])
    expect(refusals(emptied)).toEqual(['B10', 'B10'])
  })

  it('report the age of a reconciliation as asserted in a bundle of an earlier release', async () => {
    const time = '2026-01-05T11:59:00Z'
    const lie = (evidence: null | object) => (parts: BundleParts) => {
      parts.bindings.reconciliation = { id: 'reconciliation_1', resourceVersion: word(1n) }
      parts.freshness.reconciliation = time
      parts.evidence = evidence
    }
    const bundles = await Promise.all(
      [null, {}].map(async (evidence) => (await bundleOf('withheld', 1, lie(evidence))).bytes),
    )
    for (const answers of Object.values(askVerifiers(bundles, issuerKey))) {
      expect(answers.map(failingChecks)).toEqual(['', ''])
      // The state of the market and the depth, then the reliability, then the age.
      const ages = answers.map(({ lines }) => lines.filter(([code]) => code === 'B11')[3]![1])
      expect(ages).toEqual(['ASSERTED', 'PASS'])
    }
  })

  it('answer the three questions by what the reader gives and the issuer discloses', async () => {
    const checkpoint = knownCheckpointOf(disclosed)
    const blockHashes = Object.fromEntries(
      blocksOf(disclosed).map(({ chainId, number, hash }) => [`${chainId}/${number}`, hash]),
    )
    const answersTo = (
      bundle: GenuineBundle,
      key?: string,
      more: Omit<Known, 'issuerKey'> = {},
    ) => {
      const all = Object.values(askVerifiers([bundle.bytes], key, more))
      for (const [answer] of all) expect(answer).toEqual(all[0]![0])
      return all[0]![0]!.answers.map((one) => one.split(': ').slice(1).join(': '))
    }
    const asOf = 'PASS as of 2026-01-05T12:00:00Z'
    const needs = 'you did not give'
    expect(answersTo(disclosed)).toEqual([
      `${needs} --issuer-key, --known-checkpoint`,
      `${needs} --rpc`,
      `${needs} --issuer-key`,
    ])
    expect(answersTo(disclosed, issuerKey)).toEqual([
      `${needs} --known-checkpoint`,
      `${needs} --rpc`,
      asOf,
    ])
    expect(answersTo(disclosed, issuerKey, { knownCheckpoint: checkpoint, blockHashes })).toEqual([
      'PASS',
      'PASS',
      asOf,
    ])
    const [block] = Object.keys(blockHashes)
    const fork = { ...blockHashes, [block!]: word(1n) }
    expect(answersTo(disclosed, issuerKey, { blockHashes: fork })[1]).toBe('FAIL: B12')
    const withReceipts = await bundleOf('withheld', 1, (parts) => {
      const receipt = seal('receipt_1', 'ExecutionReceipt', { verdict: 'COMPLIANT' })
      parts.receipts = [receipt]
      parts.executions = { compliant: 1, violating: 0, indeterminate: 0 }
      parts.claims.policyCompliancePips = 1_000_000
    })
    expect(answersTo(withReceipts, issuerKey)[1]).toBe(
      `${needs} --rpc; the issuer did not disclose the receipts`,
    )
    const earlier = await bundleOf('disclosed', 1, (parts) => (parts.samples = null))
    expect(answersTo(earlier, issuerKey, { blockHashes })[1]).toBe(
      'asserted, not recomputed: reliability',
    )
  })

  it('accept a bundle of an earlier release, and mark as asserted what it does not prove', () => {
    const read = (name: string) =>
      readFileSync(new URL(`../verifier/example/earlier/${name}`, import.meta.url))
    const key = read('issuer-key.txt').toString().trim()
    const all = Object.values(askVerifiers([read('passport.zip')], key))
    for (const [answer] of all) {
      expect(answer).toEqual(all[0]![0])
      expect(failingChecks(answer!)).toBe('')
      expect(answer!.answers[1]).toContain('asserted, not recomputed: ledgerEntries, reliability')
    }
  })

  it('find a changed id or time of a withheld record', async () => {
    const bundle = await bundleOf('withheld', 1)
    const changes = [{ id: 'entry_9' }, { createdAt: '2026-01-05T12:00:01.000Z' }]
    const forgeries = changes.map((change) =>
      edited(bundle, 'sources/ledgerEntries.json', '', (value) =>
        Object.assign(value.at(-1), change),
      ),
    )
    expect(refusals(forgeries)).toEqual(['B10', 'B10'])
  })

  it('do not check owned liquidity without its entries, or if the log names no positions', async () => {
    const withoutEntries = acceptedChanges(disclosed).flatMap(([, { name, bytes }]) =>
      name === 'sources/ledgerEntries.json removed' ? [bytes] : [],
    )
    const earlier = await bundleOf('disclosed', 1, (parts) => {
      Object.assign(parts, { positions: null, evidence: null })
    })
    const bundles = [disclosed.bytes, ...withoutEntries, earlier.bytes]
    for (const answers of Object.values(askVerifiers(bundles, issuerKey))) {
      expect(answers.map(failingChecks)).toEqual(['', '', ''])
      // State, depth, reliability, age, compliance, limits, incidents; then the owned liquidity.
      const owned = answers.map(({ lines }) => lines.filter(([code]) => code === 'B11')[7]![1])
      expect(owned).toEqual(['PASS', 'NOT_CHECKED', 'ASSERTED'])
    }
  })

  it('accept a bundle without chain proofs, and say that nothing was checked', () => {
    const without = acceptedChanges(disclosed).filter(
      ([, { name }]) => name === 'chain/0.json removed',
    )
    const bundles = without.map(([, { bytes }]) => bytes)
    for (const [answer] of Object.values(askVerifiers(bundles, issuerKey))) {
      expect(answer!.ok).toBe(true)
      const b12 = answer!.lines.filter(([code]) => code === 'B12').map(([, result]) => result)
      expect(b12).toEqual(['PASS', 'NOT_CHECKED', 'PASS', 'NOT_CHECKED'])
    }
  })

  it('refuse a false authorization of the owners if the reader does not know the key', () => {
    const forgeries = authorizationForgeries(disclosed).slice(0, 2)
    expect(refusals(forgeries, '')).toEqual(['B5', 'B5'])
  })
})

describe('a storage proof', () => {
  const key = word(1n)
  const entries = [1n, 2n, 3n].map((slot): [Hex, Hex] => [word(slot), toRlp('0x07')])
  const trie = trieOf(entries)
  const absent = word(9n)
  const cases: [name: string, root: Hex, key: Hex, proof: Hex[], found: string | null][] = [
    ['a value', trie.root, key, trie.proofOf(key), toRlp('0x07')],
    ['no value', trie.root, absent, trie.proofOf(absent), null],
    ['an empty proof of the empty root', emptyTrieRoot, key, [], null],
    ['an empty proof of another root', trie.root, key, [], 'the proof ends before the value'],
    [
      'nodes behind the end',
      ...([trie.root, absent] as const),
      [...trie.proofOf(absent), toRlp('0x01')],
      'nodes follow the end of the proof',
    ],
    [
      'nodes of the empty trie',
      emptyTrieRoot,
      key,
      ['0x80'],
      'a node is neither a branch nor a path',
    ],
  ]

  it('is empty for the empty root only', () => {
    const bytes = (hex: Hex) => hexToBytes(hex)
    const found = cases.map(([, root, of, proof]) => {
      try {
        const value = internals.trieValue(bytes(root), bytes(keccak256(of)), proof)
        return value && `0x${Buffer.from(value).toString('hex')}`
      } catch (error) {
        return (error as Error).message
      }
    })
    expect(found).toEqual(cases.map(([, , , , expected]) => expected))
  })

  it('is read in Python as in JavaScript', () => {
    const program = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify
for root, key, proof in json.load(sys.stdin):
    try:
        found = verify.value(verify.unhex(root), verify.keccak(verify.unhex(key)), proof)
        print(json.dumps(found if found is None else '0x' + found.hex()))
    except ValueError as why:
        print(json.dumps(str(why)))
`
    const folder = fileURLToPath(new URL('../verifier', import.meta.url))
    const run = spawnSync('python3', ['-B', '-c', program, folder], {
      input: JSON.stringify(cases.map(([, root, of, proof]) => [root, of, proof])),
      encoding: 'utf8',
    })
    // Without Python the test covers verify.mjs only.
    if (run.error) return
    const found = run.stdout.trim().split('\n')
    expect(found.map((line) => JSON.parse(line))).toEqual(
      cases.map(([, , , , expected]) => expected),
    )
  })
})
