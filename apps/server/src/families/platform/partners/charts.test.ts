import { type contract, responseExamples } from '@liquidity-os/contract'
import { drawCharts, type Paper, screenPaper, usualPaper } from '@liquidity-os/drawing'
import { misplacedTexts } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import { type DrawnPartner as Drawn, partnerCharts } from './charts.ts'

const drawPartner = (drawn: Drawn, paper: Paper = usualPaper) =>
  drawCharts(partnerCharts(drawn), paper)

const examples = responseExamples as unknown as Record<string, { data: { payload: never } }>
// The examples are in the file of examples, as a test of all operations holds.
const consent: contract.PartnerConsent = examples.getPartnerConsents!.data.payload
const partner: contract.PartnerTenant = examples.getPartners!.data.payload
const domain: contract.PartnerDomainChallenge = examples.getPartnerDomainChallenge!.data.payload
const [check] = domain.observations

const outcomes = ['PROVEN', 'OTHER_VALUE', 'ABSENT', 'ALIAS', 'WILDCARD', 'SILENT'] as const
const split: contract.PartnerDomainChallenge = {
  ...domain,
  failing: { since: '2026-01-05T12:00:00.000Z', checks: 3 },
  observations: [
    {
      ...check!,
      verdict: 'SPLIT',
      answers: outcomes.map((outcome, index) => ({
        ...check!.answers[0]!,
        outcome,
        server: `a-name-server-with-a-long-name-${index}.of-a-partner.example`,
      })),
    },
    check!,
  ],
}

const drawn: [string, Drawn][] = [
  ['a consent', { status: 'ACTIVE', consent }],
  ['a consent that ended', { status: 'REVOKED', consent }],
  ['a partner', { status: 'ACTIVE', partner }],
  ['a partner that does not stand', { status: 'PAUSED', partner }],
  ['a host', { status: 'ACTIVE', domain }],
  ['a host on which servers disagree', { status: 'ACTIVE', domain: split }],
  ['a host that nobody asked of', { status: 'DRAFT', domain: { ...domain, observations: [] } }],
]

describe.each(drawn)('the picture of %s', (_, of) => {
  it('keeps its words apart and inside, and gives its rows', () => {
    for (const { picture, columns, rows } of drawPartner(of)) {
      expect(misplacedTexts(picture)).toEqual([])
      expect(picture.description).not.toMatch(/undefined|null|NaN/)
      for (const row of rows) expect(row).toHaveLength(columns.length)
    }
  })
})

it('shows the state of every scope, and no open scope after a revocation', () => {
  const standings = (of: Drawn) => drawPartner(of)[0]?.rows.map((row) => [row[0], row[1]])
  const open = standings({ status: 'ACTIVE', consent })
  expect(open?.filter(([, words]) => words === 'granted').map(([scope]) => scope)).toEqual([
    ...['SCORE_READ', 'PORTFOLIO_SUMMARY'],
  ])
  const words = (of: Drawn) => new Set(standings(of)?.map(([, word]) => word))
  expect(words({ status: 'REVOKED', consent })).toEqual(new Set(['not granted', 'revoked']))
  expect(words({ status: 'EXPIRED', consent })).toEqual(new Set(['not granted', 'expired']))
  const paused = { ...consent, pausedScopes: ['SCORE_READ' as const] }
  expect(standings({ status: 'ACTIVE', consent: paused })).toContainEqual([
    ...['SCORE_READ', 'paused; grant again'],
  ])
})

it.each([280, 600])('shows the full text of a scope and a server at %i pixels', (width) => {
  const textsOf = (of: Drawn) =>
    drawPartner(of, screenPaper(width)).flatMap(({ picture }) =>
      picture.shapes.flatMap((shape) => ('text' in shape ? [shape.text] : [])),
    )
  const paused = { ...consent, pausedScopes: ['SCORE_READ' as const] }
  expect(textsOf({ status: 'ACTIVE', consent: paused }).join(' ')).toContain('paused; grant again')
  const answers = textsOf({ status: 'ACTIVE', domain: split }).join(' ')
  for (const text of ['wildcard: any name', 'is an alias (CNAME)']) expect(answers).toContain(text)
})
