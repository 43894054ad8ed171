import { type ClmmState, createClmmPool } from '@liquidity-os/engine/amm'
import { applyOperation, type PoolLog, randomV3Sequence } from '@liquidity-os/engine/parity'
import { afterAll, expect, test } from 'vitest'
import { compareEndState } from './end-state.ts'
import { type Report, run, withAddress, workFolder } from './testing/recordings.ts'

const { save, remove } = workFolder()
afterAll(remove)

const TERMS = ['--fee', '3000', '--tick-spacing', '60']
const { state, rows } = record()

test('the end that a recording leads to is reached in every member', async () => {
  const { status, endState } = await replay('whole', rows, state)
  expect(status).toBe(0)
  expect(endState.reached).toBe(true)
})

const feesUnknown = 'end fees were not compared: the start state does not contain them'
const oracleUnknown = 'the end oracle was not compared: the start state does not contain it'

test.each([
  { fees: true, oracle: true, notes: [] },
  { fees: false, oracle: true, notes: [feesUnknown] },
  { fees: true, oracle: false, notes: [oracleUnknown] },
  { fees: false, oracle: false, notes: [feesUnknown, oracleUnknown] },
])(
  'notes members that the end state has and the start state lacks, fees $fees and oracle $oracle',
  ({ notes, ...known }) => {
    const compared = (document: unknown) =>
      compareEndState(state, {
        document,
        file: 'end.json',
        start: state,
        positions: 'COMPLETE',
        known,
        tickWindow: null,
      })
    expect(compared(JSON.parse(toJson(state))).notes).toEqual(notes)
    const { tick, liquidity } = state
    const bare = { sqrtPriceX96: `${state.sqrtPriceX96}`, tick, liquidity: `${liquidity}` }
    expect(compared(bare).notes).toEqual([])
  },
)

test.each([
  ['feeProtocol', 'feeProtocol0', { feeProtocol: state.feeProtocol0 === 5 ? 6 : 5 }],
  ['protocolFee', 'feeProtocol1', { protocolFee: state.feeProtocol1 === 5 ? 96 : 80 }],
])('the protocol’s share is compared under the name %s', async (name, field, forged) => {
  const { status, endState } = await replay(name, rows, { ...state, ...forged })
  expect(status).toBe(1)
  expect(endState.fields.map((entry) => entry.field)).toContain(field)
})

test.each([{ owner: '0xdddd' }, { tickLower: -60_000 }])(
  'an empty position that never was, with %o, is a difference for its fee growth',
  async (foreign) => {
    const [first] = state.positions
    const growth = { feeGrowthInside0LastX128: 7n, feeGrowthInside1LastX128: 0n }
    const forged = { ...first!, liquidity: 0n, ...growth, ...foreign }
    const end = { ...state, positions: [...state.positions, forged] }
    const { status, endState } = await replay('foreign', rows, end)
    expect(status).toBe(1)
    expect(endState.fields).toHaveLength(1)
    expect(endState.fields[0]!.field).toMatch(/^positions\[.*feeGrowthInside0LastX128$/)
  },
)

test('a position that is listed twice is an input error', async () => {
  const end = { ...state, positions: [...state.positions, state.positions[0]!] }
  const { status, stderr } = await replay('twice', rows, end)
  expect(status).toBe(2)
  expect(stderr).toMatch(/column positions: expected each position once/)
})

test('without owners in the events positions are not compared, and a note says so', async () => {
  const bare = rows.map(({ owner: _owner, sender: _sender, ...row }) => row)
  const remaining = bare.filter(({ type }) => type !== 'Collect')
  const { status, endState, notes } = await replay('ownerless', remaining, state)
  expect(notes).toContain('end positions were not compared: the events do not contain their owners')
  expect(endState.reached).toBe(true)
  expect(status).toBe(0)
})

test('cells may have spaces around them, owners included', async () => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join(' , '))
  const events = save('spaces.csv', [columns.join(' , '), ...lines].join('\n'))
  const end = save('spaces-end.json', toJson(state))
  expect(await run(['--events', events, '--end', end, ...TERMS])).toMatchObject({ status: 0 })
})

test.each([
  [{ feeNumerator: 4, feeDenominator: 1000 }, 1, 'feeNumerator'],
  [{ feeNumerator: 30, feeDenominator: 10_000 }, 0, ''],
  [{ foo: 1 }, 2, 'expected a field of a pair'],
  [{}, 2, 'expected a field of a pair'],
])(
  'of the end state %o of a pair its fee is compared, and no member is refused',
  async (end, status, text) => {
    const lines =
      'block,type,amount0,amount1,reserve0,reserve1\n1,SYNC,,,5000,5000\n1,MINT,5000,5000,,\n'
    const events = save('pair.csv', lines)
    const file = save('pair-end.json', JSON.stringify(end))
    const result = await run(['--events', events, '--end', file])
    expect(result.status).toBe(status)
    expect(result.stdout + result.stderr).toContain(text)
  },
)

type Row = Record<string, string>

async function replay(name: string, events: readonly Row[], end: ClmmState) {
  const lines = events.map((row) => JSON.stringify(row)).join('\n')
  const files = [save(`${name}.ndjson`, lines), save(`${name}-end.json`, toJson(end))]
  const paths = ['--events', files[0]!, '--end', files[1]!]
  const { status, stdout, stderr } = await run(['--json', ...paths, ...TERMS])
  const recording = stdout === '' ? null : (JSON.parse(stdout) as Report).recordings[0]
  const endState = recording?.endState ?? { reached: null, fields: [] }
  return { status, stderr, endState, notes: recording?.notes ?? [] }
}

/** As a state file has it: fees owed and balances are never compared. */
function toJson(end: ClmmState & { feeProtocol?: number; protocolFee?: number }): string {
  const { feePips: fee, ticks, feeProtocol0, feeProtocol1, ...rest } = end
  const share =
    rest.protocolFee === undefined ? { feeProtocol: feeProtocol0 + 16 * feeProtocol1 } : {}
  const document = {
    fee,
    ...share,
    ...rest,
    ticks: ticks.map(({ index: tick, ...members }) => ({ tick, ...members })),
  }
  return JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
}

/** Random operations on a pool from its creation, as rows, and where they lead. */
function record(): { state: ClmmState; rows: Row[] } {
  let pool: ClmmState = createClmmPool({ feePips: 3000, tickSpacing: 60 })
  const made: Row[] = []
  for (const operation of randomV3Sequence({ seed: 11, length: 200, tickSpacing: 60 }).map(
    withAddress,
  )) {
    const step = applyOperation(pool, operation)
    pool = step.state
    if (step.outcome.reverted) continue
    for (const log of step.outcome.logs) made.push(toRow(log, operation.timestamp, made.length))
  }
  return { state: pool, rows: made }
}

function toRow({ name, args }: PoolLog, timestamp: number, logIndex: number): Row {
  const members = Object.entries(args).map(([member, value]) => [member, `${value}`])
  const place = { block: '1', logIndex: `${logIndex}`, timestamp: `${timestamp}`, type: name }
  return { ...place, ...Object.fromEntries(members) }
}
