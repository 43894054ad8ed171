import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { hashInJavaScript, keccak256, keccakOfText } from './keccak256.ts'

const path = fileURLToPath(
  new URL('../../../datasets/crypto-vectors/hashes.json.gz', import.meta.url),
)
const vectors: { name: string; data: `0x${string}`; keccak256: string }[] = JSON.parse(
  gunzipSync(readFileSync(path)).toString(),
)

it('hashes the vectors of ethers.js, natively and in JavaScript', () => {
  expect(vectors.length).toBeGreaterThan(100)
  for (const { name, data, keccak256: expected } of vectors) {
    const bytes = Buffer.from(data.slice(2), 'hex')
    expect([name, keccak256(data)]).toEqual([name, expected])
    expect([name, keccak256(bytes)]).toEqual([name, expected])
    expect([name, `0x${hashInJavaScript(bytes)}`]).toEqual([name, expected])
  }
})

it('hashes the UTF-8 bytes of a text', () => {
  // The topic of an ERC-20 transfer.
  expect(keccakOfText('Transfer(address,address,uint256)')).toBe(
    'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  )
})
