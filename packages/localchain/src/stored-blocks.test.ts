import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Localchain, StoredBlocks, startLocalchain } from './index.ts'

async function newChain(): Promise<Localchain> {
  const chain = await startLocalchain({ timestamp: 1_636_329_600 })
  onTestFinished(() => chain.stop())
  return chain
}

async function pay(chain: Localchain, value: bigint): Promise<void> {
  const [from, to] = chain.accounts.map(({ address }) => address)
  await chain.send({ from: from!, to: to!, value })
}

const headOf = async ({ publicClient }: Localchain) => {
  const { number, hash } = await publicClient.getBlock()
  return { number, hash }
}

it('lets another chain continue from the same block', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stored-blocks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'chain.ndjson')

  const first = await newChain()
  const { blocks, restored } = await StoredBlocks.restore(first, path)
  expect(restored).toEqual({ performed: 0, blockCount: 0 })
  await first.followClock()
  await pay(first, 1n)
  await first.mine(2)
  await blocks.keep()
  const snapshot = await first.testClient.snapshot()
  await pay(first, 2n)
  await blocks.keep()
  await first.testClient.revert({ id: snapshot })
  await pay(first, 3n)
  await blocks.keep()
  const head = await headOf(first)

  const second = await newChain()
  expect((await StoredBlocks.restore(second, path)).restored).toEqual({
    performed: 4,
    blockCount: 4,
  })
  expect(await headOf(second)).toEqual(head)

  // A line that a kill cut off is none, and a block that comes out otherwise ends the chain before it.
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  writeFileSync(path, `${lines.slice(0, 3).join('\n')}\n`)
  appendFileSync(path, `${lines[3]?.replace(/"hash":"0x../, '"hash":"0x00')}\n{"number":`)
  const third = await newChain()
  expect((await StoredBlocks.restore(third, path)).restored).toEqual({
    performed: 3,
    blockCount: 4,
  })
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(3)
})
