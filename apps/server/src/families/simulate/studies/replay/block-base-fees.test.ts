import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { contract } from '@liquidity-os/contract'
import { gasTable } from '@liquidity-os/engine/montecarlo'
import { beforeAll, describe, expect, it } from 'vitest'
import { studyRecording } from '../../../../cli/study/run-study.ts'
import type { StudyFile } from '../../../../cli/study/study-file.ts'
import { BaseFeesError, blockBaseFees } from './block-base-fees.ts'

const launch = fileURLToPath(
  new URL('../../../../../../../datasets/v3-ens-weth-from-init', import.meta.url),
)
const gwei = 10n ** 9n
const [tip, l1, priceX18] = [2n * gwei, 10n ** 13n, 3n * 10n ** 17n]

type Gas = contract.SimulationCosts['gas']

const requestOf = (gas: Gas): StudyFile => ({
  name: 'The full range of the launch',
  base: 1,
  symbols: { base: 'ENS', quote: 'WETH' },
  decimals: { base: 18, quote: 18 },
  arms: [{ armId: 'full', label: 'Full range', position: { kind: 'FULL_RANGE' } }],
  capital: { base: `${10n ** 22n}`, quote: `${10n ** 20n}`, normalization: 'EQUAL_VALUE' },
  costs: { gas, tipWei: `${tip}`, l1DataFeeWei: `${l1}`, nativePriceX18: `${priceX18}` },
})

/** Blocks of the launch with an event. */
let blocks: number[]
beforeAll(() => {
  const [head = '', ...lines] = readFileSync(`${launch}/events.csv`, 'utf8').trim().split('\n')
  const column = head.split(',').findIndex((name) => name === 'block' || name === 'blockNumber')
  blocks = [...new Set(lines.map((line) => Number(line.split(',')[column])))]
})

const feesOf = (weiOf: (block: number) => bigint): Gas => ({
  kind: 'BLOCK_BASE_FEE',
  baseFees: blocks.map((block) => ({ block, wei: `${weiOf(block)}` })),
})

interface Study {
  readonly window: { readonly fromBlock: number; readonly toBlock: number }
  readonly arms: readonly { results: { waterfallHolder: Record<string, string> }[] }[]
}

async function run(gas: Gas) {
  const { study } = await studyRecording({ folder: launch }, requestOf(gas), () => {})
  return study as unknown as Study
}

const cost = (units: number, wei: bigint) =>
  ((BigInt(units) * (wei + tip) + l1) * priceX18 + 10n ** 18n - 1n) / 10n ** 18n

describe('gas at the base fee of each block', () => {
  it('is that of the constant fee if every block has it', async () => {
    const constant = await run({ constantWei: `${90n * gwei}` })
    expect(await run(feesOf(() => 90n * gwei))).toEqual(constant)
  })

  it('charges the entry with the fee of the first block and the exit with that of the last', async () => {
    const { window, arms } = await run(feesOf((block) => BigInt(block) * 1_001n))
    const { MINT, DECREASE_ALL, COLLECT } = gasTable.units
    const [first, last] = [window.fromBlock, window.toBlock].map((block) => BigInt(block) * 1_001n)
    const expected =
      cost(MINT, first ?? 0n) + cost(DECREASE_ALL, last ?? 0n) + cost(COLLECT, last ?? 0n)
    for (const { waterfallHolder } of arms[0]!.results) {
      expect(BigInt(waterfallHolder.gas!)).toBe(expected)
    }
  })

  it('is refused with the blocks whose fee is missing', async () => {
    const missing = blocks.slice(2, 9)
    const gas = feesOf(() => gwei)
    if (!('baseFees' in gas)) throw new Error('The gas has no base fees.')
    const baseFees = gas.baseFees.filter(({ block }) => !missing.includes(block))
    await expect(run({ ...gas, baseFees })).rejects.toThrow(BaseFeesError)
    await expect(run({ ...gas, baseFees })).rejects.toThrow(
      `missing ${missing.slice(0, 5).join(', ')} and 2 more`,
    )
  })

  it('is refused with the number of blocks if the window has more than a study can declare', () => {
    const events = (count: number) => Array.from({ length: count }, (_, block) => ({ block }))
    const costs = {
      gas: { kind: 'BLOCK_BASE_FEE' as const, baseFees: [{ block: 0, wei: '1' }] },
      nativePriceX18: '1',
    }
    expect(() => blockBaseFees(costs, events(5000))).toThrow('missing 1, 2, 3, 4, 5 and 4994 more')
    expect(() => blockBaseFees(costs, [...events(5001), { block: 7 }])).toThrow(
      'must have a base fee for each block with an event, at most 5000, and the window has 5001 such blocks; shorten the window or use constantWei',
    )
  })

  it('needs no fees with another model', () => {
    expect(blockBaseFees(null, [{ block: 5 }])).toEqual({})
    const costs = { gas: { constantWei: '1' }, nativePriceX18: '1' }
    expect(blockBaseFees(costs, [{ block: 5 }])).toEqual({})
  })
})
