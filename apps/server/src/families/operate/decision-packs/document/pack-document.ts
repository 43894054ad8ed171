import {
  type SimulatedMarket,
  simulatedMarketOf,
  testNetworksIn,
} from '@liquidity-os/contract/test-networks'
import { required } from '../../../../required.ts'
import { textOrEmpty } from '../../../../texts.ts'
import { daySeconds } from '../../../../units.ts'
import { countedApprovals } from '../approvals.ts'
import type { Pack, PackRecord } from '../pack-types.ts'
import { dayOf, differenceWords, labelWords, stateWords, valueWords } from './words.ts'

/** A text table; a column of hashes is smaller. */
export interface WordTable {
  readonly title: string
  readonly heads: readonly { readonly text: string; readonly isHash?: true }[]
  readonly rows: readonly (readonly string[])[]
}

export interface DocumentPart {
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly tables: readonly WordTable[]
}

/** The board version of a packet, before rendering. */
export interface PackDocument {
  readonly title: string
  readonly kind: string
  readonly state: string
  readonly simulated: SimulatedMarket | null
  readonly facts: readonly (readonly [string, string])[]
  readonly parts: readonly DocumentPart[]
}

const heads = (...texts: readonly string[]) => texts.map((text) => ({ text }))

/** Document of a pack version, in decision order. Equal versions give equal documents. */
export function packDocument(record: PackRecord): PackDocument {
  const { payload: pack } = record
  return {
    title: pack.question,
    kind: `Decision packet · ${pack.origin.toLowerCase()}`,
    state: stateWords(record),
    simulated: simulatedMarketOf(testNetworksIn(JSON.stringify(pack))),
    facts: factsOf(record),
    parts: [
      ...(pack.context === '' ? [] : [part('Context', pack.context.split('\n'))]),
      alternatives(pack),
      comparison(pack),
      ...(pack.recommendation ? [recommendation(pack, pack.recommendation)] : []),
      ...(pack.dissent.length > 0 ? [dissent(pack)] : []),
      approvals(pack),
      ...(pack.review.length > 0 ? [review(pack)] : []),
      ...(pack.moved.length > 0 ? [moved(pack)] : []),
      figures(pack),
      evidence(pack),
      seal(record),
    ],
  }
}

const part = (
  heading: string,
  paragraphs: readonly string[],
  tables: readonly WordTable[] = [],
): DocumentPart => ({
  heading,
  tables,
  paragraphs: paragraphs.map((text) => text.trim()).filter((text) => text !== ''),
})

function factsOf({ id, sequence, resourceVersion, createdAt, payload }: PackRecord) {
  const { decisionBy, expiresAt, quorum, approvals } = payload
  const counted = countedApprovals(approvals)
  return [
    ['decide by', dayOf(decisionBy)],
    ['expires', dayOf(expiresAt)],
    ['needs', `${quorum.approvals} of ${quorum.roles.join(', ')}; ${counted} so far`],
    ['pack', `${id}, version ${sequence} of ${dayOf(createdAt)}`],
    ['version', resourceVersion],
    ['seal', payload.sealHash],
  ] as const
}

function alternatives(pack: Pack): DocumentPart {
  const rows = pack.options.map((option) => {
    const { label, statusQuo, summary, reversibility, risks, requires } = option
    return [
      statusQuo ? `${label} (status quo)` : label,
      spendWords(pack, option),
      ...[summary, reversibility.toLowerCase(), risks.join(' · '), requires.join(' · ')],
    ]
  })
  const table = {
    title: 'Alternatives',
    rows,
    heads: heads('alternative', 'spends', 'description', 'reversible', 'risks', 'prerequisites'),
  }
  return part('Alternatives', [], [table])
}

/** Spend of an option, from its runway figures. */
function spendWords(pack: Pack, { metrics }: Pack['options'][number]): string {
  const spent = metrics.find(({ afterSpend }) => afterSpend !== undefined)
  if (!spent || spent.afterSpend === undefined) return '–'
  return valueWords(pack, { unit: 'ATOMS', asset: spent.asset }, spent.afterSpend)
}

function comparison(pack: Pack): DocumentPart {
  const { rows, options } = pack.comparison
  const labels = pack.options.map(({ label }) => label)
  const index = pack.options.findIndex(({ statusQuo }) => statusQuo)
  const cells = rows.map((row) => [
    labelWords(row),
    ...row.cells.map(({ value, difference, isBest }, at) => {
      const { unit, asset, better } = row
      const text = valueWords(pack, { unit, asset }, value)
      const distance = at === index ? '' : differenceWords(pack, { unit, asset }, difference)
      const marks = [distance, isBest && better !== 'NEITHER' ? 'best' : ''].filter(Boolean)
      return marks.length === 0 ? text : `${text} (${marks.join(', ')})`
    }),
  ])
  const verdicts = options.map(({ supportPips, dominatedBy, breaks, untold: unreported }, at) => [
    required(labels[at], 'label'),
    supportPips === null ? '–' : `${supportPips / 10_000} %`,
    dominatedBy.map((id) => labelOf(pack, id)).join(' · ') || '–',
    [
      ...breaks.map((broken) => brokenWords(pack, broken)),
      ...unreported.map((metricId) => `no value for ${metricId}`),
    ].join(' · ') || 'nothing',
  ])
  return part(
    'Costs and limit breaches',
    [],
    [
      { title: 'Comparison', heads: heads('figure', ...labels), rows: cells },
      {
        title: 'Results',
        rows: verdicts,
        heads: heads('alternative', 'criteria in favor', 'no better than', 'breaks'),
      },
    ],
  )
}

const labelOf = ({ options }: Pack, id: string) =>
  options.find(({ optionId }) => optionId === id)?.label ?? id

function brokenWords(
  pack: Pack,
  {
    metricId,
    comparator,
    value,
    observed,
  }: Pack['comparison']['options'][number]['breaks'][number],
): string {
  const row = pack.comparison.rows.find((one) => one.metricId === metricId)
  const measured = row ?? { unit: 'COUNT' as const }
  const bound = valueWords(pack, measured, value)
  const found = valueWords(pack, measured, observed)
  const sign = comparator === 'GTE' ? 'at least' : 'at most'
  return `${row?.label ?? metricId}: ${found}, ${sign} ${bound}`
}

function recommendation(
  pack: Pack,
  { optionId, rationale, by }: NonNullable<Pack['recommendation']>,
): DocumentPart {
  const who = by === 'HUMAN' ? '' : 'Machine-generated; not an approval. '
  return part('Recommendation', [`${who}${labelOf(pack, optionId)}.`, ...rationale.split('\n')])
}

function dissent(pack: Pack): DocumentPart {
  const rows = pack.dissent.map(({ actor, note, optionId, at }) => [
    ...[dayOf(at), actor.id, optionId === null ? 'all' : labelOf(pack, optionId), note],
  ])
  const table = {
    title: 'Objections',
    rows,
    heads: heads('when', 'user', 'against', 'why'),
  }
  return part('Dissent', [], [table])
}

function approvals(pack: Pack): DocumentPart {
  const { quorum, outcome } = pack
  const rows = pack.approvals.map(
    ({ actor, role, optionId, at, isAuthor, isLate, note, sealHash }) => [
      ...[dayOf(at), actor.id, role.toLowerCase(), labelOf(pack, optionId)],
      [isAuthor ? 'author' : '', isLate ? 'late' : '', textOrEmpty(note)]
        .filter(Boolean)
        .join(' · '),
      sealHash,
    ],
  )
  const stated = [
    `${countedApprovals(pack.approvals)} of ${quorum.approvals} approvals count. Each user counts once. At most one author of the packet counts.`,
    ...(outcome
      ? [
          outcome.decision === 'APPROVED'
            ? `Approved on ${dayOf(outcome.decidedAt)}: ${labelOf(pack, required(outcome.optionId, 'approved alternative'))}.`
            : `Rejected on ${dayOf(outcome.decidedAt)}: ${required(outcome.rejection, 'rejection').note}`,
        ]
      : []),
    'A decision grants no authority over funds.',
  ]
  const table = {
    title: 'Approvals',
    rows,
    heads: [
      ...heads('when', 'user', 'role', 'alternative', 'note'),
      { text: 'seal', isHash: true as const },
    ],
  }
  return part('Decision', stated, rows.length > 0 ? [table] : [])
}

function review(pack: Pack): DocumentPart {
  const rows = pack.review.map(
    ({ optionId, metricId, predicted, realised, difference, label, source, recordedAt }) => {
      const row = pack.comparison.rows.find((one) => one.metricId === metricId)
      const measured = row ?? { unit: 'COUNT' as const }
      return [
        ...[row?.label ?? metricId, labelOf(pack, optionId)],
        ...[valueWords(pack, measured, predicted), valueWords(pack, measured, realised)],
        ...[
          differenceWords(pack, measured, difference),
          textOrEmpty(label),
          source.id,
          dayOf(recordedAt),
        ],
      ]
    },
  )
  const table = {
    title: 'Predicted and realized',
    rows,
    heads: [
      ...heads('figure', 'alternative', 'foretold', 'realised', 'difference'),
      ...heads('realized figure', 'record', 'told'),
    ],
  }
  return part('Outcome review', [], [table])
}

function moved(pack: Pack): DocumentPart {
  const rows = pack.moved.flatMap(({ source, metrics }) =>
    metrics.length === 0
      ? [[source.id, 'no figure', '', '']]
      : metrics.map(({ optionId, metricId, from, to }) => {
          const row = pack.comparison.rows.find((one) => one.metricId === metricId)
          const measured = row ?? { unit: 'COUNT' as const }
          return [
            ...[source.id, `${row?.label ?? metricId} of ${labelOf(pack, optionId)}`],
            ...[valueWords(pack, measured, from), valueWords(pack, measured, to)],
          ]
        }),
  )
  const table = {
    title: 'With the last refresh',
    rows,
    heads: heads('record', 'figure', 'was', 'is'),
  }
  return part('Changed records', [], [table])
}

function figures(pack: Pack): DocumentPart {
  const rows = pack.options.flatMap(({ label, metrics }) =>
    metrics.map(({ label: figure, note, value, unit, source, pointer }) => [
      ...[`${label}: ${figure}`, textOrEmpty(note), `${value} ${unit}`],
      ...[source.id, pointer, source.resourceVersion],
    ]),
  )
  const table = {
    title: 'All figures with sources',
    rows,
    heads: [
      ...heads('figure', 'author note', 'value', 'record', 'pointer'),
      { text: 'version', isHash: true as const },
    ],
  }
  return part('Figures and their sources', [], rows.length > 0 ? [table] : [])
}

function evidence(pack: Pack): DocumentPart {
  const rows = pack.evidence.map(({ source, observedAt, maximumAgeSeconds, provenance }) => {
    const { engineVersion, seed, completeness, gaps, blocks } = provenance
    return [
      `${source.resourceType} ${source.id}`,
      `${dayOf(observedAt)}, valid ${Math.floor(maximumAgeSeconds / daySeconds)} days`,
      blocks.map(({ chainId, number }) => `${number} of chain ${chainId}`).join(' · ') || 'none',
      `${engineVersion ?? 'none'}${seed === null ? '' : `, seed ${seed}`}`,
      `${completeness?.toLowerCase() ?? '–'}${gaps > 0 ? `, ${gaps} gaps` : ''}`,
      source.resourceVersion,
    ]
  })
  const table = {
    title: 'Records',
    rows,
    heads: [
      ...heads('record', 'of', 'blocks', 'engine', 'state'),
      { text: 'version', isHash: true as const },
    ],
  }
  return part('Evidence', [], rows.length > 0 ? [table] : [])
}

function seal({ id, sequence, payload }: PackRecord): DocumentPart {
  return part('Verification', [
    `The seal ${payload.sealHash} is the root of a Merkle tree over the sections of the packet. Each section can be disclosed alone with its proof: GET /decision-packs/${id}/versions/${sequence}/sections/options.`,
  ])
}
