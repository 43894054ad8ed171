import { contract, responseExamples } from '@liquidity-os/contract'
import { screenPaper } from '@liquidity-os/drawing'
import { misplacedTexts } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import { type Report, researchOf } from './drawn.ts'
import { writeSentences } from './narrative.ts'
import drawRun from './pictures/draw-task.ts'
import type { Run } from './records.ts'

const examples = responseExamples as unknown as Record<string, { data: { payload: Run } }>
const { reviewStatement } = contract
// The example is in the file of examples, as a test of all operations holds.
const shown = examples.getAgentRun!.data.payload
const report = researchOf(shown)!
const [better] = report.alternatives

const failed: Report['alternatives'][number] = {
  ...better!,
  trialKey: 'alternative-2',
  label: 'A trial that broke off',
  state: 'FAILED',
  reason: 'The work was cancelled by an operator.',
  receiptHash: null,
  verdict: 'FAILED',
  primary: null,
  difference: null,
  guardrails: [],
  secondary: [],
}
const alternatives = [better!, failed]
const whole: Run = {
  ...shown,
  trials: [
    ...shown.trials,
    {
      trialKey: 'alternative-2',
      label: failed.label,
      state: 'FAILED',
      attempts: 2,
      receiptHash: null,
      reason: failed.reason,
    },
  ],
  report: {
    ...report,
    state: 'PARTIAL',
    reasons: ['TRIAL_FAILED'],
    alternatives,
    narrative: {
      ...report.narrative,
      droppedSentences: 1,
      sentences: writeSentences({
        ...report,
        state: 'PARTIAL',
        reasons: ['TRIAL_FAILED'],
        alternatives,
      }),
    },
  },
}

const drawn = (run: Run, quoteDecimals: number | null) =>
  drawRun({ run, report: run.report, withheld: null, quoteDecimals })

const runs: [string, Run][] = [
  ['a whole run', shown],
  ['a run with a trial that failed', whole],
  ['a run that abstained', { ...whole, report: { ...whole.report!, state: 'ABSTAINED' } }],
  ['a run before its report', { ...shown, report: null, plan: null, protocolHash: null }],
]

describe.each(runs)('pictures of %s', (_, run) => {
  it.each([18, null])('keep their words apart and inside, with %s decimals', (quoteDecimals) => {
    for (const { picture, columns, rows } of drawn(run, quoteDecimals)) {
      expect(misplacedTexts(picture)).toEqual([])
      expect(picture.description).not.toMatch(/undefined|NaN/)
      for (const row of rows) expect(row).toHaveLength(columns.length)
    }
  })
})

const textsOf = (run: Run) =>
  drawn(run, 18).map(({ picture }) =>
    picture.shapes.flatMap((shape) => ('text' in shape ? [shape.text] : [])),
  )

it('say the difference in tokens, and keep a trial that failed in sight with its reason', () => {
  const [differences = [], trials = []] = textsOf(whole)
  const guardrails = better!.guardrails.length
  expect(differences.join(' ')).toContain(
    `better, 0.0403006, ${guardrails} of ${guardrails} guardrails met`,
  )
  expect(differences.join(' ')).toContain('failed, The work was cancelled by an operator.')
  expect(trials.join(' ')).toContain('failed: The work was cancelled by an operator.')
})

it('keep the mean difference in one piece on a screen', () => {
  const [differences] = drawRun(
    { run: whole, report: whole.report, withheld: null, quoteDecimals: 18 },
    screenPaper(360),
  )
  const texts = differences!.picture.shapes.flatMap((shape) =>
    'text' in shape ? [shape.text] : [],
  )
  expect(texts.some((text) => text.includes('0.0403006'))).toBe(true)
})

it('put every sentence next to its sources, with figures in units', () => {
  const [, , sentences = []] = textsOf(whole)
  for (const words of ['difference, mean', '0.0403006 quote tokens', '95 %', '1 draft sentences'])
    expect(sentences.join(' ')).toContain(words)
  expect(sentences.join(' ')).not.toMatch(/\d{12}/)
  const [, , table] = drawn(whole, 18)
  expect(table?.rows.map((row) => row.slice(0, 3))).toContainEqual([
    expect.stringContaining('Mean difference from the baseline'),
    ...['/alternatives/0/difference/mean', better!.difference!.mean],
  ])
})

const figure = (name: string, value: string) => ({
  name,
  value,
  evidenceId: 'evidence_1',
  pointer: '/payload',
})
const asOf = '2026-01-05T12:00:00.000Z'
const assessedRun = (
  kind: string,
  report: object | null,
  withheld: 'ROLE' | 'VERSION' | null = null,
) => drawRun({ run: { kind } as Run, report, withheld, quoteDecimals: null } as never)[0]!

it('health: shows every area with its findings', () => {
  const areas = [
    { area: 'QUALITY', verdict: null, figures: [], findings: [] },
    {
      area: 'CONTROL',
      verdict: 'ATTENTION',
      figures: [],
      findings: [
        {
          code: 'CHECK_FAILED',
          severity: 'ATTENTION',
          figures: [figure('check', 'GUARD'), figure('observed', '0x12'.repeat(40))],
        },
      ],
    },
  ]
  const report = {
    reportVersion: 'health-report-v1',
    state: 'PARTIAL',
    verdict: 'ATTENTION',
    areas,
  }
  const one = assessedRun('HEALTH', { ...report, asOf })
  expect(misplacedTexts(one.picture)).toEqual([])
  expect(one.rows.map(([area, verdict, code]) => [area, verdict, code])).toEqual([
    ['QUALITY', null, null],
    ['CONTROL', 'ATTENTION', 'CHECK_FAILED'],
  ])
})

it('a review: separates findings, open points and other results below its title', () => {
  const found = { severity: 'INFO', figures: [figure('title', 'Pay the auditor '.repeat(12))] }
  const many = Array.from({ length: 8 }, () => ({ code: 'NEW_COUNTERPARTY', ...found }))
  const one = assessedRun('PROPOSAL_REVIEW', {
    reportVersion: 'proposal-review-report-v1',
    state: 'COMPLETED',
    asOf,
    verdict: 'NOTHING_FOUND',
    areas: [{ area: 'CALLS', verdict: 'NOTHING_FOUND', figures: [], findings: many }],
    disagreements: [{ code: 'ACTION_UNSAID', ...found }],
    unanswered: [],
    since: { changes: [{ code: 'PHASE', before: figure('phase', 'OPEN'), after: null }] },
    statement: reviewStatement,
  })
  expect(misplacedTexts(one.picture)).toEqual([])
  const texts = one.picture.shapes.flatMap((shape) => ('text' in shape ? [shape.text] : []))
  for (const words of [reviewStatement, 'nothing found, and 2 more', 'text and calls'])
    expect(texts.join(' ')).toContain(words)
  expect(one.rows.map(([lane]) => lane)).toEqual([
    ...[...new Array<string>(8).fill('CALLS'), 'TEXT_AND_CALLS', 'UNANSWERED', 'SINCE_BEFORE'],
  ])
  const closed = assessedRun('PROPOSAL_REVIEW', null, 'ROLE')
  expect([closed.rows, closed.picture.description]).toEqual([
    [],
    'This report requires a role that can review.',
  ])
})

it('a public project: each part with its figures and units, and what changed', () => {
  const pool = '0x0000000000000000000000000000000000000001'
  const figures = [
    { ...figure('reserveBase', '1000'), unit: 'ATOMS' },
    { ...figure('symbol', 'A TOKEN WITH A LONG NAME '.repeat(6)), unit: 'TEXT' },
  ]
  const finding = { code: 'POOL', text: '', figures }
  const sections = [{ id: 'pools', title: 'Pools', findings: [finding] }]
  const one = assessedRun('PUBLIC_PROJECT', {
    reportVersion: 'public-project-report-v1',
    state: 'PARTIAL',
    assetKey: 'eip155:1/erc20:0x1',
    observations: [1, 2].map((version) => ({ version, blocks: [{ number: 7 + version }] })),
    conclusions: [{ workflow: 'PROJECT_HEALTH', versions: [1], sections }],
    changes: [
      { pointer: `/pools/${pool}/reserveBase`, kind: 'CHANGED', before: '1000', after: '900' },
    ],
    statement: contract.sampleStatements.two,
  })
  expect(misplacedTexts(one.picture)).toEqual([])
  const texts = one.picture.shapes.flatMap((shape) => ('text' in shape ? [shape.text] : []))
  const read = 'partial, from observation 1 at block 8 and 2 at block 9'
  for (const words of [contract.sampleStatements.two, read])
    expect(texts.join(' ')).toContain(words)
  expect(one.rows.map(([lane, , code, , figures]) => [lane, code, figures])).toEqual([
    ['pools 1', 'POOL', expect.stringContaining('reserveBase 1000 atoms, symbol A TOKEN')],
    ['CHANGES', 'CHANGED', `/pools/${pool}/reserveBase 1000 to 900`],
  ])
})
