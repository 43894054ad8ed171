import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it, onTestFinished } from 'vitest'
import { type PublishedBuild, readCodeTemplate } from './code-template.ts'
import { startLocalchain } from './localchain.ts'

const require = createRequire(import.meta.url)
const folder = '@uniswap/v3-periphery/artifacts/contracts'
const buildOf = (name: string): PublishedBuild =>
  JSON.parse(readFileSync(require.resolve(`${folder}/${name}.sol/${name}.json`), 'utf8'))

it('finds the immutables of a published build, and refuses another deployed code', async () => {
  const chain = await startLocalchain()
  onTestFinished(() => chain.stop())
  const router = buildOf('SwapRouter')
  const template = await readCodeTemplate(chain, router)
  expect([template.hash, template.bytes, template.immutables.length]).toEqual([
    '0x00a8fe172447e3376988fc3dfb36f204f042ffb01bb0808d55d95899eff15745',
    12_070,
    12,
  ])
  const { deployedBytecode } = buildOf('NonfungiblePositionManager')
  await expect(readCodeTemplate(chain, { ...router, deployedBytecode })).rejects.toThrow(
    'differs from the published build',
  )
})
