import { type contract, responseExamples } from '@liquidity-os/contract'
import { drawChart, screenPaper } from '@liquidity-os/drawing'
import { unreadable } from '@liquidity-os/drawing/testing'
import { expect, it } from 'vitest'
import { proposalCharts } from './charts.ts'

const examples = responseExamples as unknown as Record<string, { data: { payload: unknown } }>
// A test of all operations checks the examples.
const proposal = examples.getProposals!.data.payload as contract.ProposalWorkspace

it.each([280, 600, 760])('shows every digit that an asset would move on %i pixels', (width) => {
  const asset = `0x${'ab'.repeat(20)}`
  const moved = [`-${'123'.repeat(20)}`, '456'.repeat(20)]
  const effects = moved.map((delta) => ({ asset, delta, expected: null, isWithin: false }))
  const simulation = { ...proposal.simulation, effects }
  const [chart] = proposalCharts({ proposal: { ...proposal, simulation } })
  const { picture } = drawChart(chart!, screenPaper(width))
  const text = picture.shapes.map((shape) => ('text' in shape ? shape.text : '')).join('')
  expect(text.replaceAll(',', '')).toContain(`−${'123'.repeat(20)}`)
  expect(text.replaceAll(',', '')).toContain('456'.repeat(20))
  expect(unreadable(picture)).toEqual([])
})

it('lists required, open and uncounted approvals, and every hash in full', () => {
  const at = '2026-01-05T12:00:00.000Z'
  const approvals = [
    { userId: 'user_preparer', at, self: true },
    { userId: 'user_owner', at, self: false },
  ] as unknown as contract.ProposalWorkspace['approvals']
  const review = { ...proposal.review, required: 2 }
  const [, chart] = proposalCharts({ proposal: { ...proposal, approvals, review } })
  const { rows } = chart!.table
  expect(rows.slice(0, 3).map(([item, , state, detail]) => [item, state, detail])).toEqual([
    ['Approval 1 of 2', 'given 2026-01-05', 'user_owner'],
    ['Open approvals', '1 of 2', ''],
    ['Approval of the preparer, not counted', 'given 2026-01-05', 'user_preparer, preparer'],
  ])
  const exact = rows.map((row) => row.at(-1))
  for (const { hashes } of proposal.packets)
    expect(exact).toEqual(
      expect.arrayContaining([hashes.domainHash, hashes.messageHash, hashes.safeTxHash]),
    )
})

it('marks the best value of each figure of a comparison', () => {
  const comparison = examples.compareProposals!.data.payload as contract.ProposalComparison
  const [one, two] = comparison.proposals
  const metricOf = (value: string | null) => ({
    ...one!.metrics[0]!,
    better: 'LOWER' as const,
    value,
  })
  const proposals = [
    { ...one!, metrics: [metricOf('5')] },
    { ...two!, metrics: [metricOf('7')] },
    { ...two!, metrics: [metricOf(null)] },
  ]
  const [chart] = proposalCharts({ comparison: { ...comparison, proposals } as typeof comparison })
  const marks = chart!.table.rows[0]!.filter((cell) => /^[A-Z]*$/.test(cell ?? '-'))
  expect(marks.slice(-3)).toEqual(['BEST', '', 'UNKNOWN'])
})
