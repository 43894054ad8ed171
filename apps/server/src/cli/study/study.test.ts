import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { datasets, workFolder } from '../replay/testing/recordings.ts'
import { studyCommand } from './command.ts'
import type { EngineStudy } from './print-study.ts'

const { path: work, save, remove } = workFolder()
afterAll(remove)

const launch = join(datasets, 'v3-ens-weth-from-init')
const examples = fileURLToPath(new URL('../../../../../docs/examples/', import.meta.url))
const launchSpec = join(examples, 'launch.json')

async function run(args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' }
  const keep = (stream: keyof typeof written) => ({
    write(text: string) {
      written[stream] += text
    },
  })
  const status = await studyCommand({ args, stdout: keep('stdout'), stderr: keep('stderr') })
  return { status, ...written }
}

/** The launch, changed, in a file of its own. */
function changed(name: string, change: object): string {
  const document = { ...JSON.parse(readFileSync(launchSpec, 'utf8')), ...change }
  return save(name, JSON.stringify(document))
}

/** What the first strategy of the launch does. */
function ownStrategy(): object {
  const { arms } = JSON.parse(readFileSync(launchSpec, 'utf8')) as { arms: { strategy?: object }[] }
  return arms.find(({ strategy }) => strategy)!.strategy!
}

const full = { armId: 'full', label: 'Full range', position: { kind: 'FULL_RANGE' } }

describe('a study of a recording', () => {
  it('takes its files one by one, wherever they lie, and says the same', async () => {
    const [events, pool] = [join(launch, 'events.csv'), join(launch, 'pool.json')]
    const files = ['--events', events, '--pool', pool]
    const requests = ['--spec', launchSpec, '--json']
    expect(await run([...files, ...requests])).toEqual(await run([launch, ...requests]))
    for (const [args, message] of [
      [[launch, ...files, ...requests], 'use either FOLDER or --events'],
      [[launch, '--pool', pool, ...requests], '--pool and --state require --events'],
      [requests, 'expected one FOLDER or --events FILE'],
    ] as const) {
      const { status, stderr } = await run([...args])
      expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
    }
  })

  it('gives the same bytes again, and lines that sum up', async () => {
    const [first, second] = await Promise.all([
      run([launch, '--spec', launchSpec, '--json']),
      run([launch, '--spec', launchSpec, '--json']),
    ])
    expect(first).toEqual(second)
    expect(first.status).toBe(0)
    const { arms } = JSON.parse(first.stdout) as EngineStudy
    expect(arms).toHaveLength(4)
    for (const { waterfallHolder } of arms.flatMap(({ results }) => results)) {
      const { net, hold, fees, divergenceLoss, exposureDrift, gas, rebalanceCost } =
        Object.fromEntries(
          Object.entries(waterfallHolder).map(([line, atoms]) => [line, BigInt(atoms)]),
        ) as Record<keyof typeof waterfallHolder, bigint>
      const sum = fees - divergenceLoss + exposureDrift - gas - rebalanceCost
      const rest = net - hold - sum
      expect(rest < 20n && rest > -20n).toBe(true)
    }
  })

  it('prints HODL, a row for each candidate and assumption, and what each rule means', async () => {
    const rules = [
      { kind: 'DEPTH_BELOW', bandPips: 20_000, minQuote: '1000000000000000000', timeSharePips: 0 },
      { kind: 'SLIPPAGE_ABOVE', sizeQuote: '1', side: 'BUY', maxPips: 5000, timeSharePips: 0 },
      { kind: 'OUT_OF_RANGE', timeSharePips: 0 },
      { kind: 'QUOTE_BELOW', minQuote: '1500000000000000000' },
      { kind: 'BASE_SHARE_ABOVE', pips: 700_000 },
      { kind: 'LOSS_VS_HOLD', pips: 100_000 },
      { kind: 'DRAWDOWN', pips: 100_000 },
      { kind: 'PRICE_BELOW', priceX18: '1000000000000000000' },
    ]
    const spec = changed('rules.json', {
      arms: [full, { ...full, armId: 'hold', position: { kind: 'HOLD' } }],
      failure: rules,
    })
    const { status, stdout } = await run([launch, '--spec', spec])
    expect(status).toBe(0)
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.startsWith('  full '))).toHaveLength(2)
    expect(lines.filter((line) => line.startsWith('  hold '))).toHaveLength(2)
    const head = lines.findIndex((line) => line.startsWith('  candidate '))
    const hodl = lines[head + 1]
    expect(head).toBeGreaterThan(0)
    expect(hodl).toMatch(
      /^ {2}HODL {7}same inventory +0\.000 +0\.00 % +0\.000 +0\.00 % +0\.000 +0\.00 %/,
    )
    expect(stdout).toContain('No fee APR and no APR vs HODL: the window is shorter than 7 days.')
    for (const text of [
      'rule 1: share of the time in which the thinner side of the market within 2 % is below 1.000 WETH.',
      'rule 2: share of the time in which a purchase of 0.000 WETH slips more than 0.5 %.',
      'rule 3: share of the time in which no position is in range.',
      'rule 4: share of the time in which the candidate holds less than 1.500 WETH.',
      'rule 5: share of the time in which more than 70 % of its value is ENS.',
      'rule 6: share of the time in which the loss vs HODL exceeds 10 % of the capital.',
      'rule 7: share of the time in which the drawdown exceeds 10 % of the capital.',
      'rule 8: share of the time in which the price is below 1.000000 WETH per ENS.',
    ]) {
      expect(lines).toContain(`  ${text}`)
    }
    // A price of 0.002 to 0.007 was below 1 all the time.
    expect(lines.find((line) => line.startsWith('  full '))).toContain('100.0 %')
  })

  it('ends with 1 and gives no arm where the replay is not exact enough', async () => {
    const folder = join(work, 'forged')
    cpSync(launch, folder, { recursive: true })
    const events = readFileSync(join(folder, 'events.csv'), 'utf8').split('\n')
    // A swap is told to have moved the price by one unit more than it did.
    const price = events[0]!.split(',').indexOf('sqrtPriceX96')
    const swap = events.findLastIndex((line) => line.includes(',SWAP,'))
    const cells = events[swap]!.split(',')
    const forged = cells.with(price, `${BigInt(cells[price]!) + 1n}`).join(',')
    writeFileSync(join(folder, 'events.csv'), events.with(swap, forged).join('\n'))
    const { status, stdout } = await run([folder, '--spec', launchSpec, '--json'])
    const { state, reasons, arms } = JSON.parse(stdout) as EngineStudy
    expect({ status, state, arms }).toEqual({ status: 1, state: 'ABSTAINED', arms: [] })
    expect(reasons).toContain('FIDELITY_BELOW_ALL')
  })
})

describe('input that cannot be used', () => {
  it.each([
    ['no arms', { arms: [] }, 'arms'],
    ['an unknown member', { colour: 'red' }, 'colour'],
    [
      'an amount that is a number',
      { capital: { base: 1, quote: '1', normalization: 'AS_GIVEN' } },
      'capital.base',
    ],
    ['a token that is neither', { base: 2 }, 'base'],
    [
      'a base fee that is drawn',
      {
        costs: {
          gas: { meanWei: '1', persistencePips: 1, deviationPips: 1 },
          nativePriceX18: '1000000000000000000',
        },
      },
      'costs.gas',
    ],
    [
      'a base fee above all chains',
      {
        costs: {
          gas: { kind: 'BLOCK_BASE_FEE', baseFees: [{ block: 7, wei: '9'.repeat(71) }] },
          nativePriceX18: '1000000000000000000',
        },
      },
      'costs.gas.baseFees.0.wei',
    ],
    [
      'a tip above all chains',
      {
        costs: {
          gas: { constantWei: '1' },
          tipWei: `${10n ** 24n + 1n}`,
          nativePriceX18: '1000000000000000000',
        },
      },
      'costs.tipWei',
    ],
    [
      'base fees that lack a block with an event',
      {
        costs: {
          gas: { kind: 'BLOCK_BASE_FEE', baseFees: [{ block: 7, wei: '1' }] },
          nativePriceX18: '1000000000000000000',
        },
      },
      'costs.gas.baseFees',
    ],
    [
      'a range that would reach down by the whole price',
      {
        arms: [
          {
            armId: 'low',
            label: 'Low',
            position: { kind: 'RANGE', lowerPips: 1_000_000, upperPips: 1 },
          },
        ],
      },
      'arms.0.position.lowerPips',
    ],
    [
      'a width of unknown volatility',
      {
        arms: [
          {
            armId: 'scaled',
            label: 'Scaled',
            strategy: {
              ...ownStrategy(),
              positions: [
                {
                  positionId: 'core',
                  weightPips: 1_000_000,
                  template: {
                    kind: 'VOL_SCALED',
                    kMilli: 1000,
                    horizonSeconds: 3600,
                    volWindowSeconds: 3600,
                  },
                },
              ],
              rules: [],
            },
          },
        ],
      },
      'arms.0.strategy.positions',
    ],
  ])('%s is named with its field', async (_what, change, field) => {
    const { status, stderr, stdout } = await run([launch, '--spec', changed('bad.json', change)])
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(`\n  ${field} `)
  })

  it.each([
    ['a tick between two spacings', { kind: 'TICKS', tickLower: 1, tickUpper: 60 }],
    ['a range that is none', { kind: 'TICKS', tickLower: 60, tickUpper: 60 }],
  ])('%s is refused as the pool refuses it', async (_what, position) => {
    const spec = changed('ticks.json', { arms: [{ ...full, position }] })
    const { status, stderr } = await run([launch, '--spec', spec])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^liquidity study: .*tick/i)
  })

  it.each([
    ['no file', 'nowhere.json', /no such file/],
    ['no JSON', '{"name":', /broken\.json/],
    ['a member twice', '{"name":"a","name":"b"}', /name/],
  ])('%s says so', async (_what, text, message) => {
    const spec = text.endsWith('.json') ? join(work, text) : save('broken.json', text)
    const { status, stderr } = await run([launch, '--spec', spec])
    expect(status).toBe(2)
    expect(stderr).toMatch(message)
  })

  it.each([
    ['a v2 recording', 'v2-mainnet-swaps'],
    ['a folder of quotes', 'onchain-quotes'],
  ])('%s is no pool to lay a range in', async (_what, folder) => {
    const { status, stderr } = await run([join(datasets, folder), '--spec', launchSpec])
    expect(status).toBe(2)
    expect(stderr).toContain('expected the events of a v3 pool and its start')
  })

  it('arguments that are none point to the help, which teaches', async () => {
    for (const args of [
      [],
      [launch],
      ['--spec', launchSpec],
      [launch, launch, '--spec', 'x'],
      ['--x'],
    ]) {
      expect(await run(args)).toMatchObject({ status: 2, stdout: '' })
    }
    const { status, stdout } = await run(['--help'])
    expect(status).toBe(0)
    expect(stdout).toContain('docs/examples')
  })
})
