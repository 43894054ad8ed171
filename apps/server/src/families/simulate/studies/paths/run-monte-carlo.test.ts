import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { createClmmPool, toJsonSafe } from '@liquidity-os/engine/amm'
import { FREE_GAS, type MonteCarloData } from '@liquidity-os/engine/montecarlo'
import { applyOperation } from '@liquidity-os/engine/parity'
import { Piscina } from 'piscina'
import { describe, expect, it, onTestFinished } from 'vitest'
import aggregatePaths from './aggregate-paths-task.ts'
import {
  type BatchStore,
  type MonteCarloOptions,
  type RunPaths,
  runMonteCarlo,
} from './run-monte-carlo.ts'

const one = 10n ** 18n

/** A pool at price one with a full range and a narrower one. */
function market() {
  let state = applyOperation(createClmmPool({ feePips: 3000, tickSpacing: 60 }), {
    kind: 'v3.initialize',
    timestamp: 0,
    sqrtPriceX96: 1n << 96n,
  }).state
  for (const [half, liquidity] of [
    [887_220, 10_000n],
    [1800, 40_000n],
  ] as const) {
    const range = { owner: 'others', tickLower: -half, tickUpper: half, liquidity: liquidity * one }
    state = applyOperation(state, { kind: 'v3.mint', timestamp: 0, ...range }).state
  }
  return state
}

const data = (change: Partial<MonteCarloData> = {}): MonteCarloData => ({
  s0: market(),
  price: { kind: 'GBM', annualDrift: 0, annualVolatility: 0.9 },
  flow: { tradesPerDay: 200, logMeanQuote: 44, logDeviation: 1, buyShare: 0.5 },
  others: { kind: 'STATIC' },
  steps: 12,
  paths: 230,
  halfWidthPips: 1,
  volatility: 0.0001,
  cfg: {
    seed: new Uint8Array(32).fill(9),
    orientation: { base: 0, quote: 1 },
    stepSeconds: 3600,
    sampleEverySteps: 6,
    capital: { base: 100n * one, quote: 100n * one, normalization: 'EQUAL_VALUE' },
    bandsPips: [20_000],
    failure: [{ kind: 'LOSS_VS_HOLD', pips: 1000 }],
    gas: FREE_GAS,
    minProfitQuote: 0n,
  },
  arms: [
    { armId: 'narrow', kind: 'V3_RANGE', tickLower: -600, tickUpper: 600 },
    {
      armId: 'follows',
      kind: 'STRATEGY',
      definition: {
        capital: { maxBase: 100n * one, maxQuote: 100n * one },
        inventory: {
          targetBaseSharePips: 500_000,
          minBaseSharePips: 0,
          maxBaseSharePips: 1_000_000,
        },
        positions: [
          {
            positionId: 'core',
            weightPips: 1_000_000,
            template: {
              kind: 'VOL_SCALED',
              kMilli: 1000,
              horizonSeconds: 86_400,
              volWindowSeconds: 36_000,
            },
          },
        ],
        idlePips: 0,
        rules: [
          {
            ruleId: 'follow',
            when: { kind: 'OUT_OF_RANGE', positionId: 'core', seconds: 3600 },
            do: { kind: 'RECENTER', swap: true },
            cooldownSeconds: 3600,
            maxPerDay: 24,
          },
        ],
        guards: {
          twapWindowSeconds: 7200,
          maxTwapDeviationPips: 200_000,
          maxSwapSlippagePips: 50_000,
          maxGasQuotePerAction: null,
          maxTurnoverQuotePerDay: 10n ** 30n,
          minSecondsBetweenActions: 0,
        },
      },
    },
  ],
  ...change,
})

function threads(count: number): RunPaths {
  const pool = new Piscina({
    filename: new URL('./monte-carlo-task.ts', import.meta.url).href,
    minThreads: count,
    maxThreads: count,
  })
  onTestFinished(() => pool.destroy())
  return (task, signal) => pool.run(task, signal ? { signal } : {})
}

/** Runs a study and adds it up, as its result is made. */
async function resultOf(data: MonteCarloData, options: MonteCarloOptions) {
  const parts = await runMonteCarlo(data, options)
  return aggregatePaths({ data, failure: [{ kind: 'LOSS_VS_HOLD', pips: 1000 }], parts })
}

const digest = (value: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(toJsonSafe(value as never)))
    .digest('hex')

/** Batches in files of a folder of the test's own. */
function folderStore(): BatchStore & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-batches-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = (batch: number) => join(folder, `${batch}`)
  return {
    folder,
    load: async (batch) =>
      existsSync(path(batch)) ? deserialize(readFileSync(path(batch))) : null,
    save: async (batch, parts) => writeFileSync(path(batch), serialize(parts)),
  }
}

describe('a Monte Carlo study', () => {
  it('has the same bytes from one, two and eight threads, and names every benchmark', async () => {
    const results = []
    for (const count of [1, 2, 8]) {
      results.push(await resultOf(data(), { run: threads(count), threads: count }))
    }
    expect(results[0]!.paths).toMatchObject({ run: 230, precision: 'PRECISION_NOT_REACHED' })
    expect(results[0]!.arms.map(({ armId }) => armId)).toEqual([
      'narrow',
      'follows',
      'benchmark-hold',
      'benchmark-full-range',
      'benchmark-rebalancing',
    ])
    expect(results[0]!.arms[1]!.operations.done.SWAP).toBeGreaterThan(100)
    expect(new Set(results.map(digest)).size).toBe(1)
  })

  it('stops at the first batch that is precise enough', async () => {
    const { paths } = await resultOf(data({ halfWidthPips: 50_000, paths: 1000 }), {
      run: threads(2),
      threads: 2,
    })
    expect(paths).toMatchObject({ run: 200, most: 1000, precision: 'REACHED' })
  })

  it('tells its progress, which only grows', async () => {
    const told: number[] = []
    await runMonteCarlo(data(), {
      run: threads(2),
      threads: 2,
      progress: (done, total) => told.push(done / total),
    })
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect(told.length).toBeGreaterThanOrEqual(9)
    expect(told.at(-1)).toBe(1)
  })

  it('is cancelled between paths, and goes on from its last batch to the same bytes', async () => {
    const store = folderStore()
    const run = threads(2)
    const whole = await resultOf(data({ paths: 430 }), { run, threads: 2 })
    const stop = new AbortController()
    const cut = runMonteCarlo(data({ paths: 430 }), {
      run,
      threads: 2,
      store,
      signal: stop.signal,
      progress: (done) => {
        if (done > 250) stop.abort(new Error('Cancelled by the test.'))
      },
    })
    await expect(cut).rejects.toThrow(/abort|Cancelled/i)
    expect(readdirSync(store.folder)).toEqual(['0'])
    let ran = 0
    const counted: RunPaths = (task, signal) => {
      ran += task.to - task.from
      return run(task, signal)
    }
    const resumed = await resultOf(data({ paths: 430 }), { run: counted, threads: 2, store })
    expect(ran).toBe(230)
    expect(digest(resumed)).toBe(digest(whole))
  })

  it('begins no part after one has failed', async () => {
    const begun: number[] = []
    const run: RunPaths = async ({ from }) => {
      begun.push(from)
      await Promise.resolve()
      throw new Error(`No memory for path ${from}.`)
    }
    await expect(runMonteCarlo(data(), { run, threads: 2 })).rejects.toThrow(
      'No memory for path 0.',
    )
    await new Promise(setImmediate)
    expect(begun).toEqual([0, 25])
  })

  it('refuses an arm that takes the name of a benchmark', async () => {
    const arms = [{ armId: 'benchmark-hold', kind: 'HOLD' }] as const
    await expect(runMonteCarlo(data({ arms }), { run: threads(1), threads: 1 })).rejects.toThrow(
      'none that of a benchmark',
    )
  })
})
