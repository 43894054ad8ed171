// @module-tag long
// @covers apps/server/src/integrations/chain/rpc-transport.ts apps/server/src/integrations/chain/rpc-pace.ts apps/server/src/integrations/chain/rpc-refusals.ts apps/server/src/integrations/chain/log-width.ts

import { readFileSync, writeFileSync } from 'node:fs'
import { type Localchain, startLocalchain } from '@liquidity-os/localchain'
import { behaviorNames, rangeWordings } from '@liquidity-os/localchain/faulty-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChainError } from './chain-error.ts'
import type { Markets } from './testing/markets.ts'
import {
  ReorganizedError,
  readPool,
  startChangingNode,
  tradedPool,
} from './testing/pool-behind-node.ts'

let chain: Localchain
let markets: Markets
let started: Awaited<ReturnType<typeof startChangingNode>>
let direct: Awaited<ReturnType<typeof readPool>>
beforeAll(async () => {
  chain = await startLocalchain()
  markets = await tradedPool(chain)
  started = await startChangingNode(chain)
  direct = await readPool(started.run([], 5000).client, markets)
})
afterAll(async () => {
  await started.node.stop()
  await chain.stop()
})

/** Faults of logs and heads that only a second provider shows. */
const undetectable = new Set(['drop-log', 'truncate-20', 'lag'])

/** Parameters with which a behavior shows in a small pool; the second is in the documentation. */
const parameters: Readonly<Record<string, readonly string[]>> = {
  'truncate-20': ['5'],
  lag: ['100'],
  'batch-limit': ['1', '3', '10'],
  'batch-truncate': ['1', '4'],
  'rate-429': ['2', '5', '10'],
  'rate-429-no-header': ['2', '5', '10'],
  'rate-429-http-date': ['2', '5', '10'],
  'rate-32005': ['2', '5', '10'],
  'rate-403-retry-after': ['2', '5', '10'],
  'rate-in-items': ['2', '10', '20'],
  'quota-day': ['60', '5'],
  'range-limit': Array.from(
    { length: 30 },
    (_, index) => `${[1, 50, 200][index % 3]}:${index + 1}`,
  ),
  'range-data-only': ['1', '50', '200'],
  'range-as-block-not-found': ['1', '50', '200'],
  'range-413': ['1', '50', '200'],
  'range-hang': ['200'],
  'results-limit': ['1', '3'],
  'no-finalized': ['1', '2', '3', '4', '5'],
  'pruned-logs': ['200', '10'],
  reorg: ['20', '2'],
}

/** Integers below a limit, the same for each seed (mulberry32). */
function randomOf(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

function tripleOf(seed: number, names: readonly string[]): string[] {
  const random = randomOf(seed)
  return Array.from({ length: 3 }, () => {
    const name = names[random(names.length)]!
    const values = parameters[name] ?? ['']
    const value = values[random(values.length)]
    return value ? `${name}:${value}` : name
  })
}

/** EQUAL, DIFFERS for faults that one provider cannot reveal, or the reason of the failure. */
async function outcomeOf(behaviors: readonly string[], timeoutMs: number) {
  const { client, pace, waits } = started.run(behaviors, timeoutMs)
  const before = started.node.sizes.length
  const outcome = await readPool(client, markets).then(
    (found) => {
      if (behaviors.some((name) => undetectable.has(name.split(':')[0]!))) {
        expect(found, behaviors.join()).not.toEqual(direct)
        return 'DIFFERS'
      }
      expect(found, behaviors.join()).toEqual(direct)
      return 'EQUAL'
    },
    (error: unknown) => {
      if (error instanceof ReorganizedError) return 'REORGED'
      if (error instanceof ChainError) return error.facts.reason
      throw error
    },
  )
  return { outcome, requests: started.node.sizes.length - before, pace, waits }
}

it('1,000 seeded combinations of three behaviors end equal to the direct run or classified', async () => {
  const names = behaviorNames.filter((name) => !undetectable.has(name))
  const outcomes = new Map<string, number>()
  for (let seed = 0; seed < 1000; seed += 1) {
    const triple = tripleOf(seed, names)
    // Without a bloom, one provider cannot reveal a forged log either.
    if (triple.includes('forged-log') && triple.includes('zero-bloom')) continue
    const { outcome } = await outcomeOf(triple, 100)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  // Half of the behaviors alone make a node unusable.
  expect(outcomes.get('EQUAL')).toBeGreaterThan(200)
  const sum = [...outcomes.values()].reduce((one, other) => one + other)
  expect(sum).toBeGreaterThan(990)
  expect(outcomes.size).toBeGreaterThan(5)
}, 600_000)

function widthOf(filter: unknown): number {
  const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
  return Number(toBlock) - Number(fromBlock) + 1
}

it.each(Array.from({ length: rangeWordings.length }, (_, index) => index + 1))(
  'a pool is read in ranges of at most 50 blocks after the refusal in wording %i',
  async (wording) => {
    const { node, run } = started
    const before = node.calls.length
    const { client } = run([`range-limit:50:${wording}`], 5000)
    expect(await readPool(client, markets)).toEqual(direct)
    const refused = node.calls
      .slice(before)
      .filter(({ method, params: [filter] }) => method === 'eth_getLogs' && widthOf(filter) > 50)
    expect(refused.length).toBeGreaterThan(0)
    // The first width, its repetition, its halves, and few trials of larger widths.
    expect(refused.length).toBeLessThan(20)
  },
)

const page = new URL('../../../../../docs/rpc-nodes.md', import.meta.url)
const [begin, end] = ['<!-- behaviors -->\n', '<!-- end -->']

interface Row {
  readonly behavior: string
  readonly outcome: string
  readonly requests: number
  readonly batch: string
  readonly width: string
  readonly pauses: string
}

const outcomeTexts: Readonly<Record<string, string>> = {
  EQUAL: 'read whole',
  DIFFERS: 'differs from a second provider',
}

const cellsOf = ({ behavior, outcome, requests, batch, width, pauses }: Row) =>
  `| \`${behavior}\` | ${outcome} | ${requests} | ${batch} | ${width} | ${pauses} |`

it('each behavior has the outcome of the documentation', async () => {
  const names = behaviorNames.map((name) => {
    const values = parameters[name] ?? ['']
    const value = values[1] ?? values[0]
    return value ? `${name}:${value}` : name
  })
  const rows: Row[] = []
  for (const behavior of ['none', ...names]) {
    const behaviors = behavior === 'none' ? [] : [behavior]
    const timeoutMs = behavior === 'gzip-bomb' ? 5000 : 300
    const { outcome, requests, pace, waits } = await outcomeOf(behaviors, timeoutMs)
    rows.push({
      behavior,
      outcome: outcomeTexts[outcome] ?? `\`${outcome}\``,
      requests,
      batch: pace.learned.callsPerRequest ? `${pace.batchCalls}` : '',
      width: pace.logBlocks ? `${pace.logBlocks}` : '',
      pauses: waits.length > 0 ? `${waits.length}` : '',
    })
  }
  const text = readFileSync(page, 'utf8')
  const [head = '', rest = ''] = text.split(begin)
  const [table = '', tail = ''] = rest.split(end)
  if (process.env.UPDATE_BEHAVIORS === '1') {
    const titles =
      '| Behavior | Outcome | Requests | Calls per request | Blocks | Pauses |\n| --- | --- | ---: | ---: | ---: | ---: |'
    writeFileSync(
      page,
      `${head}${begin}\n${[titles, ...rows.map(cellsOf)].join('\n')}\n\n${end}${tail}`,
    )
    return
  }
  const documented = table.split('\n').filter((line) => line.startsWith('| `'))
  const withoutCounts = (line: string) => line.split(' | ').slice(0, 2)
  expect(rows.map(cellsOf).map(withoutCounts)).toEqual(documented.map(withoutCounts))
  for (const [index, row] of rows.entries()) {
    const count = Number(documented[index]?.split(' | ')[2])
    expect([row.behavior, Math.abs(row.requests - count) <= 2 + 0.2 * count]).toEqual([
      row.behavior,
      true,
    ])
  }
}, 120_000)
