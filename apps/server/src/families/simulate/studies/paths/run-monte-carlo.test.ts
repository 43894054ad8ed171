// @module-tag long

import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { contract } from '@liquidity-os/contract'
import { createClmmPool, toJsonSafe } from '@liquidity-os/engine/amm'
import { FREE_GAS, type MonteCarloData } from '@liquidity-os/engine/montecarlo'
import { applyOperation } from '@liquidity-os/engine/parity'
import { Piscina } from 'piscina'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import aggregatePaths from './aggregate-paths-task.ts'
import type { MonteCarloTask } from './monte-carlo-task.ts'
import {
  type BatchStore,
  type MonteCarloOptions,
  type RunPaths,
  runMonteCarlo,
} from './run-monte-carlo.ts'
import { hashStudy, placesIn } from './study-context.ts'

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

/** One pool per number of threads for the whole file: each thread compiles the engine once. */
const pools = new Map<number, Piscina>()
afterAll(async () => {
  await Promise.all([...pools.values()].map((pool) => pool.destroy()))
})

function threads(count: number): RunPaths {
  const pool = pools.get(count) ?? startPool(count)
  return (task, signal) => pool.run(task, signal ? { signal } : {})
}

function startPool(count: number): Piscina {
  const pool = new Piscina({
    filename: new URL('./monte-carlo-task.ts', import.meta.url).href,
    minThreads: count,
    maxThreads: count,
  })
  pools.set(count, pool)
  return pool
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

/** Batches in files of a folder of the test's own, and the estimates that were kept with them. */
function folderStore(): BatchStore & { folder: string; reports: contract.StudyEstimates[] } {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-batches-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = (batch: number) => join(folder, `${batch}`)
  const reports: contract.StudyEstimates[] = []
  return {
    folder,
    reports,
    load: async (batch) =>
      existsSync(path(batch)) ? deserialize(readFileSync(path(batch))) : null,
    save: async (batch, parts, estimates) => {
      writeFileSync(path(batch), serialize(parts))
      reports.push(estimates)
    },
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

  it('stops at the first batch that is precise enough, the same one for one, two and eight threads', async () => {
    const results = []
    for (const count of [1, 2, 8]) {
      const store = folderStore()
      const request = data({ halfWidthPips: 1500, paths: 2000 })
      results.push(await resultOf(request, { run: threads(count), threads: count, store }))
      const reached = store.reports.map(({ paths, halfWidthPips }) => [
        paths.done,
        halfWidthPips.reached <= halfWidthPips.asked,
      ])
      expect(reached).toEqual([
        [40, false],
        [200, false],
        [400, true],
      ])
    }
    expect(results[0]!.paths).toMatchObject({ run: 400, most: 2000, precision: 'REACHED' })
    expect(new Set(results.map(digest)).size).toBe(1)
  })

  it('reports interim results after a few paths and after every batch, equal for any number of threads', async () => {
    const reportSets: contract.StudyEstimates[][] = []
    for (const count of [1, 2, 8]) {
      const store = folderStore()
      await runMonteCarlo(data({ paths: 430 }), { run: threads(count), threads: count, store })
      reportSets.push(store.reports)
    }
    const [reports] = reportSets
    expect(new Set(reportSets.map(digest)).size).toBe(1)
    expect(reports!.map(({ paths }) => paths)).toEqual(
      [40, 200, 400, 430].map((done) => ({ done, most: 430 })),
    )
    const reach = ({ arms: [first] }: contract.StudyEstimates) => {
      const [low, high] = first!.netVsHold.interval!
      return Number(high) - Number(low)
    }
    const widths = reports!.map(reach)
    expect(widths).toEqual([...widths].sort((a, b) => b - a))
  })

  it('reports the means of its result at the last step, with wider intervals', async () => {
    const store = folderStore()
    const result = await resultOf(data(), { run: threads(2), threads: 2, store })
    const { arms, state } = store.reports.at(-1)!
    expect(state).toBe('PRELIMINARY')
    expect(arms.map(({ armId }) => armId)).toEqual(result.arms.map(({ armId }) => armId))
    for (const [index, estimated] of arms.entries()) {
      const arm = result.arms[index]!
      for (const [estimate, found] of [
        [estimated.netVsHold, arm.netVsHold],
        [estimated.waterfallHolder.net, arm.waterfallHolder.net],
        [estimated.waterfallHolder.fees, arm.waterfallHolder.fees],
        [estimated.waterfallHolder.divergenceLoss, arm.waterfallHolder.divergenceLoss],
        [estimated.waterfallMaker.lvr, arm.waterfallMaker.lvr],
      ] as const) {
        expect(estimate.mean).toBe(found.mean)
        // Paths that all agree say nothing of how far others would be off.
        if (estimate.interval === null) expect(found.sd).toBe('0')
        else {
          expect(Number(estimate.interval[0])).toBeLessThan(Number(found.meanCi95[0]))
          expect(Number(estimate.interval[1])).toBeGreaterThan(Number(found.meanCi95[1]))
        }
      }
      const { probabilityPips, ci95Pips } = arm.failure.any!
      expect(estimated.failure.any!.pips).toBe(probabilityPips)
      expect(estimated.failure.any!.intervalPips[1]).toBeGreaterThan(ci95Pips[1])
      expect(estimated.timeInRangePips.pips).toBe(arm.timeInRangePips)
    }
    expect(arms[0]!.netVsHold.interval).not.toBeNull()
    expect(arms.find(({ armId }) => armId === 'benchmark-hold')!.netVsHold.interval).toBeNull()
  })

  it('runs of a study with one arm changed that arm alone, to the bytes of asking afresh', async () => {
    const store = folderStore()
    const run = threads(2)
    await resultOf(data(), { run, threads: 2, store })
    const [narrow, follows] = data().arms
    const wide = { armId: 'wide', kind: 'V3_RANGE', tickLower: -1200, tickUpper: 1200 } as const
    const changed = data({ arms: [follows!, wide], paths: 430 })
    const before = hashStudy(data())
    const now = hashStudy(changed)
    expect(now.ground).toBe(before.ground)
    const places = placesIn(before.arms, now.arms)
    expect(places).toEqual([1, null, 2, 3, 4])
    const tasks: MonteCarloTask[] = []
    const counted: RunPaths = (task, signal) => {
      tasks.push(task)
      return run(task, signal)
    }
    const earlier = async () => ({ places, load: store.load })
    const afresh = await resultOf(changed, { run, threads: 2 })
    const reused = await resultOf(changed, { run: counted, threads: 2, earlier })
    expect(digest(reused)).toBe(digest(afresh))
    // The earlier study ended in the middle of the third batch, so that and what follows is run whole.
    expect(tasks.filter(({ from }) => from < 200).every(({ known }) => known)).toBe(true)
    expect(tasks.filter(({ from }) => from >= 200).some(({ known }) => known)).toBe(false)
    const same = async () => ({ places: [0, 1, 2, 3, 4], load: store.load })
    const again = await resultOf(data(), { run, threads: 2, earlier: same })
    expect(again.arms[0]!.armId).toBe(narrow!.armId)
    expect(digest(again)).toBe(digest(await resultOf(data(), { run, threads: 2 })))
  })

  it('has another context with other traders, prices, steps or another seed', () => {
    const { cfg, price } = data()
    const others = [
      { flow: null },
      { price: { ...price, annualVolatility: 0.8 } as MonteCarloData['price'] },
      { steps: 13 },
      { cfg: { ...cfg, seed: new Uint8Array(32).fill(8) } },
      { cfg: { ...cfg, failure: [] } },
    ].map((change) => hashStudy(data(change)).ground)
    expect(new Set([hashStudy(data()).ground, ...others]).size).toBe(6)
    expect(hashStudy(data({ paths: 999, halfWidthPips: 7 }))).toEqual(hashStudy(data()))
  })

  it('runs a batch again that another release had cut otherwise', async () => {
    const store = folderStore()
    const run = threads(2)
    await store.save(0, [await run({ data: data(), from: 0, to: 200 })], {} as never)
    const whole = await resultOf(data(), { run, threads: 2 })
    expect(digest(await resultOf(data(), { run, threads: 2, store }))).toBe(digest(whole))
  })

  it('reports its progress, which only grows', async () => {
    const reportedCounts: number[] = []
    await runMonteCarlo(data(), {
      run: threads(2),
      threads: 2,
      progress: (done, total) => reportedCounts.push(done / total),
    })
    expect(reportedCounts).toEqual([...reportedCounts].sort((a, b) => a - b))
    expect(reportedCounts.length).toBeGreaterThanOrEqual(9)
    expect(reportedCounts.at(-1)).toBe(1)
  })

  it('is canceled between paths, and continues from its last batch with the same bytes', async () => {
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
    expect(readdirSync(store.folder)).toEqual(['0', '1'])
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
    expect(begun).toEqual([0, 20])
  })

  it('runs on while a batch is kept, and keeps the next one after it', async () => {
    const happened: string[] = []
    const run = threads(1)
    let keepOn = () => {}
    const store: BatchStore = {
      load: async () => null,
      save: async (batch) => {
        happened.push(`keeps ${batch}`)
        if (batch === 0) await new Promise<void>((done) => (keepOn = done))
        happened.push(`kept ${batch}`)
      },
    }
    await runMonteCarlo(data(), {
      run: (task, signal) => {
        happened.push(`runs ${task.from}`)
        // The first batch waits until the last part of the second has begun.
        if (task.from === 190) keepOn()
        return run(task, signal)
      },
      threads: 1,
      store,
    })
    expect(happened.filter((one) => !one.startsWith('runs') || one === 'runs 190')).toEqual([
      ...['keeps 0', 'runs 190', 'kept 0', 'keeps 1', 'kept 1', 'keeps 2', 'kept 2'],
    ])
  })

  it('ends with a batch that cannot be kept, and begins no part after it', async () => {
    const begun: number[] = []
    const run = threads(1)
    let refuse = (_: Error) => {}
    const store: BatchStore = {
      load: async () => null,
      save: () => new Promise((_, refused) => (refuse = refused)),
    }
    const counted: RunPaths = (task, signal) => {
      begun.push(task.from)
      if (task.from === 40) refuse(new Error('Another attempt has it.'))
      return run(task, signal)
    }
    const study = runMonteCarlo(data(), { run: counted, threads: 1, store })
    await expect(study).rejects.toThrow('Another attempt has it.')
    expect(begun).toEqual([0, 25, 40])
  })

  it('stores its content before it counts as canceled', async () => {
    const happened: string[] = []
    const run = threads(1)
    const stop = new AbortController()
    let keepOn = () => {}
    const store: BatchStore = {
      load: async () => null,
      save: async () => {
        await new Promise<void>((done) => (keepOn = done))
        happened.push('is kept')
      },
    }
    const cut: RunPaths = (task, signal) => {
      // The first part of the second batch.
      if (task.from === 40) {
        stop.abort(new Error('Cancelled.'))
        setImmediate(keepOn)
      }
      signal?.throwIfAborted()
      return run(task, signal)
    }
    const study = runMonteCarlo(data(), { run: cut, threads: 1, store, signal: stop.signal })
    await expect(study.finally(() => happened.push('is over'))).rejects.toThrow('Cancelled.')
    expect(happened).toEqual(['is kept', 'is over'])
  })

  it('refuses an arm that takes the name of a benchmark', async () => {
    const arms = [{ armId: 'benchmark-hold', kind: 'HOLD' }] as const
    await expect(runMonteCarlo(data({ arms }), { run: threads(1), threads: 1 })).rejects.toThrow(
      'differ from benchmark IDs',
    )
  })
})
