import type { contract } from '@liquidity-os/contract'
import { drawChart, screenPaper, usualPaper } from '@liquidity-os/drawing'
import { unreadable } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import responses from '../../../../../../packages/contract/examples/responses.json' with {
  type: 'json',
}
import { reconciliationCharts } from './charts.ts'

type Reconciliation = contract.TreasuryLedgerReconciliation
type Line = Reconciliation['lines'][number]

const { payload } = responses.getTreasuryReconciliation.data as unknown as {
  payload: Reconciliation
}
const [line] = payload.lines
const withLines = (changes: readonly Partial<Line>[]) =>
  reconciliationCharts({
    ...payload,
    lines: changes.map((change, index) => ({ ...line!, lineKey: `0x${index}`, ...change })),
  })
const many = (of: (index: number) => Partial<Line>) => Array.from({ length: 60 }, (_, i) => of(i))
const huge = `${10n ** 77n}`

const cases: [string, Partial<Line>[]][] = [
  ['no lines', []],
  ['a line that agrees', [{}]],
  ['one side', [{ chain: null, cause: 'SINGLE_SIDED' }]],
  ['the largest amounts', [{ ledger: huge, chain: '0', cause: 'UNEXPLAINED', ageDays: 9000 }]],
  ['many assets of one container', many(() => ({ ageDays: 1, custody: huge }))],
  [
    'many containers',
    many((i) => ({ container: `eip155:1:0x${`${i}`.padStart(40, '0')}`, ageDays: i })),
  ],
]

describe.each(cases)('charts of %s', (_name, changes) => {
  it.each([280, 360, 760, 1200])('are readable at a width of %i', (width) => {
    for (const spec of withLines(changes)) {
      const { picture, columns, rows } = drawChart(spec, screenPaper(width))
      expect(unreadable(picture), spec.id).toEqual([])
      for (const row of rows) expect(row).toHaveLength(columns.length)
    }
  })
})

const cellsOf = (index: number, column: string, changes: readonly Partial<Line>[]) => {
  const { columns, rows } = withLines(changes)[index]!.table
  return rows.map((row) => row[columns.findIndex(({ key }) => key === column)])
}

it('leads from the ledger to the chain, differences first', () => {
  const explained = { inflow: '5', outflow: '50', residual: '5' } as Line['explained']
  const changes: Partial<Line>[] = [
    {},
    { cause: 'LEDGER_STALE', ledger: '100', chain: '60', explained },
  ]
  expect(cellsOf(0, 'cause', changes)).toEqual([
    ...Array(5).fill('Ledger stale'),
    'Agreed',
    'Agreed',
  ])
  expect(cellsOf(0, 'step', changes).slice(0, 5)).toEqual([
    'Ledger',
    'Inflow',
    'Outflow',
    'Unexplained',
    'Chain',
  ])
  expect(cellsOf(0, 'change', changes).slice(0, 5)).toEqual([null, '5', '-50', '5', null])
  const { picture } = drawChart(withLines(changes)[0]!, usualPaper)
  const texts = picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(texts).toEqual(expect.arrayContaining(['100', '+5', '−50', '60']))
})

it('shows the residual of the record, and the balance outside the entries apart from it', () => {
  const explained = { inflow: '5', outflow: '0', residual: '0' } as Line['explained']
  const changes: Partial<Line>[] = [
    { cause: 'MISSING_LEDGER', ledger: '60', chain: '105', explained },
    { cause: 'UNEXPLAINED', ledger: '60', chain: '100', explained: null },
  ]
  const steps = cellsOf(0, 'step', changes)
  const figures = cellsOf(0, 'change', changes)
  expect(steps.map((step, index) => [step, figures[index]])).toEqual([
    ['Ledger', null],
    ['Outside the entries', '40'],
    ['Inflow', '5'],
    ['Chain', null],
    ['Ledger', null],
    ['Difference, transfers not read', '40'],
    ['Chain', null],
  ])
})

it('frames the quantities that differ from the ledger, and no other', () => {
  const of = (ledgerMinusChain: string | null, ledgerMinusCustody: string | null) => ({
    differences: { ledgerMinusChain, ledgerMinusCustody, custodyMinusChain: null },
  })
  const changes: Partial<Line>[] = [
    { cause: 'CUSTODY_DIFFERS', ledger: '100', chain: '100', custody: '90', ...of('0', '10') },
    { cause: 'MISSING_CHAIN', ledger: '100', chain: '0', custody: null, ...of('100', null) },
    { cause: 'UNREADABLE', ledger: '100', chain: null, custody: null, ...of(null, null) },
  ]
  expect(cellsOf(1, 'chainDiffers', changes)).toEqual([null, 'yes', null])
  expect(cellsOf(1, 'custodyDiffers', changes)).toEqual(['yes', null, null])
  expect(cellsOf(1, 'asserted', changes)).toEqual(['ENTRY', 'ENTRY', 'ASSERTED'])
})

it('dates its summaries in UTC', () => {
  for (const { summary } of withLines([{}]))
    expect(summary).toMatch(/^As of \d{4}-\d\d-\d\d \d\d:\d\d UTC[.:]/)
})

it('says of each holding how strong its evidence is', () => {
  const changes: Partial<Line>[] = [
    { chain: '1', chainProof: 'MERKLE' },
    { chain: '1', chainProof: 'READ' },
    { chain: null, chainProof: null, custody: '1' },
    { chain: null, chainProof: null, custody: null },
  ]
  expect(cellsOf(1, 'known', changes)).toEqual(['PROVED', 'READ', 'SIGNED', 'ASSERTED'])
})

it('lists the oldest difference first, without closed ones', () => {
  const changes = [{ ageDays: 3 }, { ageDays: null }, { ageDays: 95 }]
  const spec = withLines(changes)[2]!
  expect(cellsOf(2, 'age', changes)).toEqual(['95', '3'])
  expect(spec.summary).toContain('1 over 90 days')
  const { picture } = drawChart(spec, usualPaper)
  const bars = picture.shapes.flatMap((shape) =>
    shape.kind === 'rect' && shape.height === 12 ? [shape.width] : [],
  )
  expect(bars[1]! / bars[0]!).toBeCloseTo(3 / 95)
})

it('shows quantities of known tokens in their unit', () => {
  const assetKey = `eip155:1/erc20:0x${'1'.repeat(40)}`
  const one = { ...line!, assetKey, ledger: '2500000', chain: '2000000', custody: null }
  const [bridge] = reconciliationCharts({
    ...payload,
    lines: [one],
    tokens: { [assetKey]: { symbol: 'USDC', decimals: 6 } },
  })
  expect(bridge!.panels?.[0]?.y?.unit).toBe('USDC')
  expect(bridge!.panels?.[0]?.title).toContain('USDC')
  const { columns, rows } = bridge!.table
  const at = (key: string) => columns.findIndex((column) => column.key === key)
  expect(rows[0]?.[at('total')]).toBe('2.5')
  expect(rows[0]?.[at('unit')]).toBe('USDC')
})
