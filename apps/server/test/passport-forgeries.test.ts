// @covers apps/server/src/families/prove/passports

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { canonicalize } from '@liquidity-os/evidence'
import { expect, it } from 'vitest'
import { verifyBundle } from '../verifier/verify.mjs'
import { exampleIssuerKey, rewrittenExample } from './support/bundle.ts'

const verifierInPython = fileURLToPath(new URL('../verifier/verify.py', import.meta.url))

/** The example with the proof of one slot of the Safe replaced. */
function withSlot(slot: number, change: { value?: string; proof: string[] }): Buffer {
  return rewrittenExample((files) => {
    const chain = JSON.parse(Buffer.from(files.get('chain/0.json')!).toString())
    const key = `0x${slot.toString(16).padStart(64, '0')}`
    const { storage } = chain.accounts[0]
    Object.assign(
      storage.find((one: { key: string }) => one.key === key),
      change,
    )
    files.set('chain/0.json', Buffer.from(canonicalize(chain)))
  })
}

it('refuses an empty proof of a storage slot of an account that has storage', () => {
  const zero = `0x${'0'.repeat(64)}`
  const forged = [
    // The threshold is 2 on chain, the nonce 0.
    withSlot(4, { value: zero, proof: [] }),
    withSlot(5, { proof: [] }),
  ]
  const expected = expect.stringContaining('chain/0.json: the proof ends before the value')
  for (const bytes of forged) {
    const { lines } = verifyBundle(bytes, { issuerKey: exampleIssuerKey })
    expect(lines).toContainEqual(
      expect.objectContaining({ code: 'B12', result: 'FAIL', detail: expected }),
    )
  }
  const input = forged.map((bytes) => `${bytes.toString('base64')}\n`).join('')
  const run = spawnSync('python3', [verifierInPython, '-', '--issuer-key', exampleIssuerKey], {
    ...{ input, encoding: 'utf8' },
  })
  // Without Python the test covers verify.mjs only.
  if (run.error) return
  for (const line of run.stdout.trim().split('\n'))
    expect(JSON.parse(line).lines).toContainEqual(['B12', 'FAIL', expected])
})
